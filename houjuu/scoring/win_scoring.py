"""The score of a winning hand, in the form of Tenhou's logs.

riichienv clears its own result of a win when it deals the next round. The hand is therefore scored
again here, with the circumstances (一発, 海底 …) taken from the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from houjuu.game.events import KANS, Call, Dora, Draw, Event, MeldKind, Riichi, Win
from houjuu.game.payments import YAKUMAN_HAN, base_points, hand_points, liable_or_winner, limit
from houjuu.game.table import Table, View
from houjuu.game.tiles import EAST, KIND, RED_FIVES, dora_of
from houjuu.game.yaku import AKADORA, ALL_DORA, DORA, ROUND_WIND, SEAT_WIND, TANYAO, URADORA, YAKU
from houjuu.scoring.riichienv_adapter import (
    WINDS,
    Conditions,
    engine_meld,
    evaluate_win,
    tenhou_yaku,
)

_ROBBABLE = (MeldKind.ANKAN, MeldKind.KAKAN)


def scored(table: Table, win: Win) -> Win:
    """The win with fu, points, limit, yaku and the liable seat filled in.

    Parameters
    ----------
    table : Table
        Its state before the win is applied.
    win : Win
        The winner, the source and the tile, with hand, melds and indicators. Without ura
        indicators it is scored without ura dora.

    Returns
    -------
    Win
        Without yaku and yakuman if the hand is not complete or has no yaku.
    """
    counted = win if table.rules.red_fives else _without_reds(win)
    view = table.view(win.seat)
    result = win_result(table, counted)
    dealer = win.seat == view.dealer
    numbers = [_tenhou_number(tenhou_yaku(id), view) for id in result.yaku]
    if not table.rules.open_tanyao and any(meld.is_open for meld in win.melds):
        numbers = [number for number in numbers if number != TANYAO]  # riichienv counts it always
    yakuman = tuple(sorted(number for number in numbers if YAKU[number].is_yakuman))
    yaku = () if yakuman or not set(numbers) - ALL_DORA else _with_han(numbers, counted)
    han = YAKUMAN_HAN if yakuman else sum(han for _, han in yaku)
    # Tenhou has no yakuman that counts twice: each counts once.
    base = base_points(han, result.fu) * max(len(yakuman), 1) if yaku or yakuman else 0
    return replace(
        win,
        fu=result.fu,
        points=int(hand_points(base, dealer=dealer, tsumo=win.seat == win.source)),
        limit=limit(han, result.fu),
        yaku=yaku,
        yakuman=yakuman,
        liable=liable_or_winner(yakuman, view.seats[win.seat].melds, win.seat),
    )


def _without_reds(win: Win) -> Win:
    """The win with other copies for the red fives, of rules without them."""

    def other(tiles: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(tile + 1 if tile in RED_FIVES else tile for tile in tiles)

    melds = tuple(replace(meld, tiles=other(meld.tiles)) for meld in win.melds)
    return replace(win, hand=other(win.hand), melds=melds, tile=other((win.tile,))[0])


def win_result(table: Table, win: Win) -> Any:
    """Riichienv's result of a win not yet applied to the table; `is_win` is False without yaku."""
    return evaluate_win(
        sorted(win.hand),
        [engine_meld(meld) for meld in win.melds],
        win.tile,
        _conditions(table, win),
        dora_indicators=win.dora_indicators,
        ura_indicators=win.ura_indicators or (),
    )


def _tenhou_number(number: int, view: View) -> int:
    """Tenhou's number of a yaku: riichienv gives every wind the number of East."""
    if number == SEAT_WIND:
        return number + view.seat_wind(view.seat) - EAST
    return number + view.round_wind - EAST if number == ROUND_WIND else number


def _with_han(numbers: Sequence[int], win: Win) -> tuple[tuple[int, int], ...]:
    closed = not any(meld.is_open for meld in win.melds)
    tiles = [*win.hand, *(tile for meld in win.melds for tile in meld.tiles)]
    dora = {
        DORA: _count_dora(tiles, win.dora_indicators),
        URADORA: _count_dora(tiles, win.ura_indicators or ()),
        AKADORA: sum(tile in RED_FIVES for tile in tiles),
    }
    han = {number: YAKU[number].han(closed=closed) for number in numbers}
    listed = {URADORA} if win.ura_indicators else set()  # after riichi even with 0 han
    han |= {number: count for number, count in dora.items() if count or number in listed}
    return tuple(sorted(han.items()))


def _count_dora(tiles: Sequence[int], indicators: Sequence[int]) -> int:
    kinds = [KIND[tile] for tile in tiles]
    return sum(kinds.count(dora_of(KIND[indicator])) for indicator in indicators)


def _conditions(table: Table, win: Win) -> Conditions:
    view = table.view(win.seat)
    events = table.events
    tsumo = win.seat == win.source
    rinshan = tsumo and _drew_for_kan(events)
    last = events[-1]
    chankan = not tsumo and isinstance(last, Call) and last.meld.kind in _ROBBABLE
    # A robbed kan does not count as a call.
    calls = [i for i, event in enumerate(events[:-1]) if isinstance(event, Call)]
    winner = view.seats[win.seat]
    declared = events.index(Riichi(win.seat)) if winner.in_riichi else -1
    turn = winner.riichi_turn
    return Conditions(
        tsumo=tsumo,
        riichi=winner.in_riichi,
        double_riichi=turn == 0 and not any(call < declared for call in calls),
        ippatsu=turn == len(winner.river) - 1 and not any(call > declared for call in calls),
        haitei=tsumo and not view.tiles_left and not rinshan,
        houtei=not tsumo and not view.tiles_left and not chankan,
        rinshan=rinshan,
        chankan=chankan,
        tsumo_first_turn=tsumo and not winner.river and not calls,
        player_wind=WINDS[view.seat_wind(win.seat) - EAST],
        round_wind=WINDS[view.round_wind - EAST],
    )


def _drew_for_kan(events: Sequence[Event]) -> bool:
    """Whether the tile just drawn came from the dead wall."""
    before = [event for event in events[-4:-1] if not isinstance(event, Dora)]
    kan = bool(before) and isinstance(before[-1], Call) and before[-1].meld.kind in KANS
    return kan and isinstance(events[-1], (Draw, Dora))
