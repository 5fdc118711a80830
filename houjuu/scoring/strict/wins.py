"""Wins: the tiles, the score and the payments follow from the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from houjuu.game.events import Meld, Win
from houjuu.game.payments import liable_points, liable_seat, win_payments
from houjuu.game.table import Table, public_tiles
from houjuu.scoring.strict.course import check_counts, deal_of
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError


def check(table: Table, wins: Sequence[Win]) -> None:
    """Raise LogError if a win of the end of a round does not follow from the table.

    Parameters
    ----------
    table : Table
        Before the first win.
    wins : sequence of Win
        All wins on one tile. Unknown fields are not checked.
    """
    if len(wins) > max(possible.profile.most_rons for possible in table.rules.possible):
        raise LogError(f"several seats win on one discard: {[win.seat for win in wins]}")
    for index, win in enumerate(wins):
        _check_tiles(table, win)
        check_counts(table, win, first=index == 0)
        if win.hand and win.ura_indicators is not None:
            _check_score(table, win)
        if win.deltas is not None and win.points is not None:
            _check_payments(table, win, first=index == 0)


def _check_tiles(table: Table, win: Win) -> None:
    public = table.seats[win.seat]
    if sorted(win.melds, key=_tiles_of) != sorted(public.melds, key=_tiles_of):
        raise LogError(f"the melds of a win differ from the table: seat {win.seat}")
    if win.dora_indicators != table.view(win.seat).dora_indicators:
        raise LogError(f"the dora indicators of a win differ from the table: seat {win.seat}")
    if win.ura_indicators is None:
        return
    allowed = len(win.dora_indicators) if public.in_riichi else 0
    if len(win.ura_indicators) != allowed:
        raise LogError(f"a win has the wrong number of ura indicators: seat {win.seat}")
    hands = (tile for hand in table.round_state.hands for tile in hand)
    seen = {*public_tiles(table.seats, win.dora_indicators), *hands}
    ura = set(win.ura_indicators)
    if seen & ura or len(ura) < len(win.ura_indicators):
        raise LogError(f"an ura indicator of a win is elsewhere: seat {win.seat}")


def _tiles_of(meld: Meld) -> tuple[int, ...]:
    return meld.tiles


def _check_score(table: Table, win: Win) -> None:
    view = table.view(win.seat)
    possible = [scored(view, win, rules) for rules in table.rules.possible]
    paid = (one for one in possible if win.points in (None, one.points))
    expected = next(paid, possible[0])
    if not expected.yaku and not expected.yakuman:
        raise LogError(f"a win without a complete hand or without a yaku: seat {win.seat}")
    if win.yaku or win.yakuman:
        _compare("yaku", _names(win), _names(expected))
    if not win.yakuman:  # the fu of a yakuman mean nothing
        _compare("fu", win.fu, expected.fu)
    _compare("points", win.points, expected.points)
    _compare("limit", win.limit, expected.limit)


def _names(win: Win) -> list[Any]:
    """The yakuman, else the yaku with their han; some formats list dora of 0 han."""
    return sorted(win.yakuman or (pair for pair in win.yaku if pair[1]))


def _compare(name: str, value: Any, expected: Any) -> None:
    if value not in (None, expected):
        raise LogError(f"the {name} of a win differ: {value}, not {expected}")


def _check_payments(table: Table, win: Win, first: bool) -> None:
    assert win.deltas is not None
    assert win.points is not None
    honba, sticks = (win.honba, win.riichi_sticks) if first else (0, 0)
    melds = table.seats[win.seat].melds if table.rules.profile.pao else ()
    liable = liable_seat(win.yakuman, melds)
    nobody = liable is None or liable == win.source  # who discards the tile pays all
    if win.liable is not None and win.liable != liable and not (nobody and win.liable == win.seat):
        raise LogError(f"the liable seat of a win differs: {win.liable}, not {liable}")
    payments = [
        win_payments(
            win.points,
            win.seat,
            win.source,
            dealer=deal_of(table).dealer,
            honba=honba,
            sticks=sticks,
            liable=liable if win.liable is None else win.liable,
            liable_points=liable_points(win.points, win.yakuman, possible.profile),
        ).tolist()
        for possible in table.rules.possible
    ]
    if list(win.deltas) not in payments:
        expected = tuple(payments[0])
        raise LogError(f"the payments of a win differ: {win.deltas}, not {expected}")
