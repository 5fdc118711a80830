"""The points of a win whose log does not contain them, as logs of mjai may not."""

from __future__ import annotations

from houjuu.game.events import Win
from houjuu.game.table import Table
from houjuu.risk.deal_in import HONBA_POINTS


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
        The points of the log; else from the changes of the scores; else scored by riichienv, if
        that is installed and the hand is shown. None if all of these fail.
    """
    if win.points:
        return win.points
    if win.deltas is not None:
        is_first = not table.round_state.round_over  # it gets the honba and the sticks
        honba = HONBA_POINTS * table.view(win.seat).honba * is_first
        return win.deltas[win.seat] - sum(win.deltas) - honba
    if not win.hand:
        return None
    try:
        from houjuu.scoring.win_scoring import scored
    except ImportError:
        return None
    return scored(table, win, {}).points or None
