"""Wins: the tiles, the score and the payments follow from the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from houjuu.game.events import Deal, Meld, Win
from houjuu.game.payments import liable_seat, win_payments
from houjuu.game.table import Table, public_tiles
from houjuu.game.tiles import RED_FIVES
from houjuu.game.yaku import TANYAO
from houjuu.scoring.strict.course import check_counts
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError


def check(table: Table, wins: Sequence[Win], complete: bool) -> None:
    """Raise LogError if a win of the end of a round does not follow from the table.

    Parameters
    ----------
    table : Table
        Before the first win.
    wins : sequence of Win
        All wins on one tile.
    complete : bool
        Whether the log contains the details of each win.
    """
    for index, win in enumerate(wins):
        _check_tiles(table, win, complete)
        check_counts(table, win, first=index == 0)
        if win.hand:
            _check_score(table, win, complete)
        if win.deltas is not None and (complete or win.points):
            _check_payments(table, win, first=index == 0)


def _check_tiles(table: Table, win: Win, complete: bool) -> None:
    public = table.seats[win.seat]
    if complete and not win.hand:
        raise LogError(f"the hand of a win is missing: seat {win.seat}")
    if sorted(win.melds, key=_tiles_of) != sorted(public.melds, key=_tiles_of):
        raise LogError(f"the melds of a win differ from the table: seat {win.seat}")
    if win.dora_indicators != table.view(win.seat).dora_indicators:
        raise LogError(f"the dora indicators of a win differ from the table: seat {win.seat}")
    allowed = len(win.dora_indicators) if public.in_riichi else 0
    if len(win.ura_indicators) != allowed and (complete or not public.in_riichi):
        raise LogError(f"a win has the wrong number of ura indicators: seat {win.seat}")
    hands = (tile for hand in table.round_state.hands for tile in hand)
    seen = {*public_tiles(table.seats, win.dora_indicators), *hands}
    ura = set(win.ura_indicators)
    if seen & ura or len(ura) < len(win.ura_indicators):
        raise LogError(f"an ura indicator of a win is elsewhere: seat {win.seat}")


def _tiles_of(meld: Meld) -> tuple[int, ...]:
    return meld.tiles


def _check_score(table: Table, win: Win, complete: bool) -> None:
    rules = table.rules
    closed = not any(meld.is_open for meld in win.melds)
    expected = scored(table, win if rules.red_fives else _without_reds(win))
    if not expected.yaku and not expected.yakuman:
        raise LogError(f"a win without a complete hand or without a yaku: seat {win.seat}")
    if not rules.open_tanyao and not closed and TANYAO in dict(expected.yaku):
        return  # riichienv counts it always
    if not complete and not win.yaku and not win.yakuman:
        return
    _compare("yaku", sorted(win.yakuman or win.yaku), sorted(expected.yakuman or expected.yaku))
    names = ("points", "limit") if win.yakuman else ("fu", "points", "limit")
    for name in names:  # the fu of a yakuman mean nothing
        _compare(name, getattr(win, name), getattr(expected, name))


def _deal(table: Table) -> Deal:
    return cast(Deal, table.events[0])


def _compare(name: str, value: Any, expected: Any) -> None:
    if value != expected:
        raise LogError(f"the {name} of a win differ: {value}, not {expected}")


def _without_reds(win: Win) -> Win:
    """The win with other copies for the red fives, of rules without them."""

    def other(tiles: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(tile + 1 if tile in RED_FIVES else tile for tile in tiles)

    melds = tuple(replace(meld, tiles=other(meld.tiles)) for meld in win.melds)
    return replace(win, hand=other(win.hand), melds=melds, tile=other((win.tile,))[0])


def _check_payments(table: Table, win: Win, first: bool) -> None:
    assert win.deltas is not None
    honba, sticks = (win.honba, win.riichi_sticks) if first else (0, 0)
    liable = liable_seat(win.yakuman, table.seats[win.seat].melds)
    unnamed = win.liable is None and liable == win.source  # it pays all as the discarder
    if win.liable != liable and not unnamed:
        raise LogError(f"the liable seat of a win differs: {win.liable}, not {liable}")
    expected = win_payments(
        win.points,
        win.seat,
        win.source,
        dealer=_deal(table).dealer,
        honba=honba,
        sticks=sticks,
        liable=win.liable,
    )
    if win.deltas != tuple(expected.tolist()):
        raise LogError(
            f"the payments of a win differ: {win.deltas}, not {tuple(expected.tolist())}"
        )
