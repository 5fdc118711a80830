"""The points of a win whose log does not contain them, as logs of mjai may not."""

from __future__ import annotations

from collections.abc import Callable

from houjuu.game.events import Win
from houjuu.game.payments import HONBA, points_won
from houjuu.game.table import Table, View


def installed_judge() -> Callable[[View, Win], Win] | None:
    """The judge of a winning hand, `win_scoring.scored`; None without riichienv and `mahjong`."""
    try:
        from houjuu.scoring.win_scoring import scored
    except ImportError:
        return None
    return scored


def win_points(win: Win, table: Table) -> int | None:
    """Points of the hand, without honba and riichi sticks.

    Parameters
    ----------
    win : Win
    table : Table
        Its state before the win is applied.

    Returns
    -------
    int or None
        The points of the log; else from the changes of the scores; else scored by the
        installed judge, if the hand is shown. None if all of these fail.
    """
    if win.points is not None:
        return win.points
    if win.deltas is not None:
        return points_won(win.deltas, win.seat, _honba(win, table))
    if not win.hand or win.ura_indicators is None:
        return None
    judge = installed_judge()
    return judge(table.view(win.seat), win).points or None if judge else None


def ron_loss(win: Win, table: Table) -> int:
    """Points that the discarder loses by a ron, from the log or as `win_points` with honba."""
    if win.deltas is not None:
        return -win.deltas[win.source]
    return (win_points(win, table) or 0) + HONBA * _honba(win, table)


def _honba(win: Win, table: Table) -> int:
    """The honba that the win gets: only the first of several wins gets some."""
    return 0 if table.round_state.round_over else table.view(win.seat).honba
