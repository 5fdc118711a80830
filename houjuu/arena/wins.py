"""What a winning hand is worth, as Tenhou's logs state it.

riichienv clears its own account of a win when it deals the next round, so the hand is valued once
more here, with the circumstances (一発, 海底 …) taken from the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

# Not riichienv.HandEvaluator: that wrapper adds the winning tile again where there are two kans.
from riichienv import get_yaku_by_id
from riichienv._riichienv import Conditions, HandEvaluator

from houjuu.engine import WINDS, engine_meld
from houjuu.events import Call, Dora, Draw, Event, MeldKind, Riichi, Win
from houjuu.table import Table, View
from houjuu.tiles import EAST, RED_FIVES, dora_of
from houjuu.yaku import AKADORA, DORA, URADORA, YAKU

_SEAT_WIND, _ROUND_WIND = 10, 14  # riichienv gives every wind the number of East
_HAN = {21: 2, 22: 2, 23: 2, 24: 2, 25: 2, 26: 2, 27: 2, 28: 2, 29: 2, 30: 2, 31: 2, 32: 3, 33: 3}
_HAN |= {34: 3, 35: 6}
_LESS_WHEN_OPEN = (23, 24, 25, 33, 34, 35)
_KANS = (MeldKind.ANKAN, MeldKind.KAKAN, MeldKind.DAIMINKAN)
_ROBBED = (MeldKind.ANKAN, MeldKind.KAKAN)


def value(table: Table, win: Win, liable: Mapping[int, int]) -> Win:
    """Fill in fu, points, limit, yaku and the seat that is liable.

    Parameters
    ----------
    table : Table
        As it is before the win is applied.
    win : Win
        Who wins on what, with hand, melds and indicators.
    liable : mapping of int to int
        riichienv's numbers of yakuman that another seat made certain (責任払い), and that seat.
    """
    view, result = table.view(win.seat), evaluated(table, win)
    points = result.ron_agari
    if win.seat == win.source:
        others = 3 if win.seat == view.dealer else 2
        points = others * result.tsumo_agari_ko
        points += 0 if win.seat == view.dealer else result.tsumo_agari_oya
    numbers = [_number(int(get_yaku_by_id(id).tenhou_id), view) for id in result.yaku]
    yakuman = tuple(sorted(number for number in numbers if YAKU[number].is_yakuman))
    return replace(
        win,
        fu=result.fu,
        points=points,
        limit=_limit(result.han, result.fu, bool(yakuman)),
        yaku=() if yakuman else _with_han(numbers, win),
        yakuman=yakuman,
        liable=next((liable[id] for id in result.yaku if id in liable), None),
    )


def evaluated(table: Table, win: Win) -> Any:
    """Riichienv's account of a win that the table has not seen yet; `is_win` wants a yaku."""
    evaluator = HandEvaluator(sorted(win.hand), [engine_meld(meld) for meld in win.melds])
    indicators = list(win.dora_indicators), list(win.ura_indicators)
    return evaluator.calc(win.tile, *indicators, _conditions(table, win))


def _number(number: int, view: View) -> int:
    if number == _SEAT_WIND:
        return number + view.seat_wind(view.seat) - EAST
    return number + view.round_wind - EAST if number == _ROUND_WIND else number


def _with_han(numbers: Sequence[int], win: Win) -> tuple[tuple[int, int], ...]:
    is_open = any(meld.is_open for meld in win.melds)
    tiles = [*win.hand, *(tile for meld in win.melds for tile in meld.tiles)]
    dora = {
        DORA: _count_dora(tiles, win.dora_indicators),
        URADORA: _count_dora(tiles, win.ura_indicators),
        AKADORA: sum(tile in RED_FIVES for tile in tiles),
    }
    han = {n: _HAN.get(n, 1) - (is_open and n in _LESS_WHEN_OPEN) for n in numbers}
    shown = {URADORA} if win.ura_indicators else set()  # after riichi even where there is none
    han |= {number: count for number, count in dora.items() if count or number in shown}
    return tuple(sorted(han.items()))


def _count_dora(tiles: Sequence[int], indicators: Sequence[int]) -> int:
    kinds = [tile >> 2 for tile in tiles]
    return sum(kinds.count(dora_of(indicator >> 2)) for indicator in indicators)


def _limit(han: int, fu: int, yakuman: bool) -> int:
    if yakuman or han >= 13:
        return 5
    for limit, least in ((4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= least:
            return limit
    return int(fu * 2 ** (han + 2) > 2000)


def _conditions(table: Table, win: Win) -> Any:
    view, events = table.view(win.seat), table.events
    tsumo = win.seat == win.source
    rinshan = tsumo and _drew_for_kan(events)
    last = events[-1]
    chankan = not tsumo and isinstance(last, Call) and last.meld.kind in _ROBBED
    # A kan that is robbed is not made: it interrupts nothing.
    calls = [i for i, event in enumerate(events[:-1]) if isinstance(event, Call)]
    me = view.seats[win.seat]
    declared = events.index(Riichi(win.seat)) if me.in_riichi else -1
    turn = me.riichi_turn
    return Conditions(
        tsumo=tsumo,
        riichi=me.in_riichi,
        double_riichi=turn == 0 and not any(call < declared for call in calls),
        ippatsu=turn == len(me.river) - 1 and not any(call > declared for call in calls),
        haitei=tsumo and not view.tiles_left and not rinshan,
        houtei=not tsumo and not view.tiles_left and not chankan,
        rinshan=rinshan,
        chankan=chankan,
        tsumo_first_turn=tsumo and not me.river and not calls,
        player_wind=WINDS[view.seat_wind(win.seat) - EAST],
        round_wind=WINDS[view.round_wind - EAST],
    )


def _drew_for_kan(events: Sequence[Event]) -> bool:
    """Whether the tile just drawn came from the dead wall."""
    before = [event for event in events[-4:-1] if not isinstance(event, Dora)]
    kan = bool(before) and isinstance(before[-1], Call) and before[-1].meld.kind in _KANS
    return kan and isinstance(events[-1], (Draw, Dora))
