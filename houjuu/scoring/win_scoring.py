"""The one judge of a win: its yaku, its points and who pays them.

Logs, strict checks, legal actions, the player and every page ask it. The engine finds yaku and fu;
the circumstances of the moment (一発, 海底 …) come from the view, and the rules from its `Rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from houjuu.game.events import Win
from houjuu.game.payments import (
    YAKUMAN_HAN,
    base_points,
    hand_points,
    liable_or_winner,
    liable_points,
    limit,
    n_yakuman,
    win_payments,
)
from houjuu.game.rules import Profile, Rules
from houjuu.game.table import View
from houjuu.game.tiles import EAST, KIND, RED_FIVES, dora_of, without_reds
from houjuu.game.yaku import (
    AKADORA,
    ALL_DORA,
    DORA,
    ROUND_WIND,
    SEAT_WIND,
    TANYAO,
    URADORA,
    YAKU,
)
from houjuu.scoring.engine import (
    WINDS,
    Conditions,
    engine_meld,
    evaluate_win,
    tenhou_yaku,
)
from houjuu.util.arrays import Ints


def scored(view: View, win: Win, rules: Rules | None = None) -> Win:
    """The win with fu, points, limit, yaku and the liable seat filled in.

    Parameters
    ----------
    view : View
        Of the winner, before the win is applied.
    win : Win
        The winner, the source and the tile, with hand, melds and indicators. Without ura
        indicators it is scored without ura dora.
    rules : Rules, optional
        By default those of the view.

    Returns
    -------
    Win
        Without yaku and yakuman if the hand is not complete or has no yaku.
    """
    rules = rules or view.rules
    result = win_result(view, win, rules)
    numbers = _numbers(view, win, rules, result)
    yakuman = tuple(sorted(number for number in numbers if YAKU[number].is_yakuman))
    yaku = () if yakuman or not set(numbers) - ALL_DORA else _with_han(numbers, win, rules)
    profile = rules.profile
    han = YAKUMAN_HAN if yakuman else _counted(sum(han for _, han in yaku), profile)
    base = _base(han, result.fu, yakuman, profile)
    melds = view.seats[win.seat].melds if profile.pao else ()
    return replace(
        win,
        fu=result.fu,
        points=int(hand_points(base, dealer=win.seat == view.dealer, tsumo=win.seat == win.source)),
        limit=limit(han, result.fu, kiriage=profile.kiriage),
        yaku=yaku,
        yakuman=yakuman,
        liable=liable_or_winner(yakuman, melds, win.seat),
    )


def own_win(view: View, tile: int, source: int) -> Win:
    """The win that the seat of a view may declare now, scored without ura dora.

    Parameters
    ----------
    view : View
    tile : int
        The id of the winning tile.
    source : int
        The seat that discarded it, or added it to a kan; the own seat for tsumo.
    """
    win = Win(
        view.seat,
        source,
        tile,
        hand=tuple(sorted({*view.hand, tile})),
        melds=view.seats[view.seat].melds,
        dora_indicators=view.dora_indicators,
        honba=view.honba,
        riichi_sticks=view.riichi_sticks,
    )
    return scored(view, win)


def payments(view: View, win: Win) -> Ints:
    """The changes of the scores by a scored win, (4,) by absolute seat, unit: points."""
    assert win.points is not None
    return win_payments(
        win.points,
        win.seat,
        win.source,
        dealer=view.dealer,
        honba=win.honba,
        sticks=win.riichi_sticks,
        liable=win.liable,
        liable_points=liable_points(win.points, win.yakuman, view.rules.profile),
    )


def has_yaku(view: View, win: Win) -> bool:
    """Whether the hand of a win is complete and has a yaku that is no dora."""
    result = win_result(view, win, view.rules)
    if not result.is_win or view.rules.open_tanyao:
        return bool(result.is_win)
    return bool(set(_numbers(view, win, view.rules, result)) - ALL_DORA)


def win_base(result: Any, rules: Rules, *, closed: bool) -> int:
    """Base points of a result of `evaluate_win` by the rules, 0 without a yaku."""
    if not result.is_win:
        return 0
    numbers = [tenhou_yaku(number) for number in result.yaku] if result.yakuman else ()
    yakuman = [number for number in numbers if YAKU[number].is_yakuman]
    han = result.han
    if not (closed or rules.open_tanyao or yakuman):
        counted = {tenhou_yaku(number) for number in result.yaku}
        has_tanyao = TANYAO in counted
        han = (han - has_tanyao) * bool(counted - ALL_DORA - {TANYAO})
    return _base(_counted(han, rules.profile), result.fu, yakuman, rules.profile)


def _counted(han: int, profile: Profile) -> int:
    """The han that count: without 数え役満 fewer than those of a yakuman."""
    return han if profile.kazoe else min(han, YAKUMAN_HAN - 1)


def _base(han: int, fu: int, yakuman: Sequence[int], profile: Profile) -> int:
    """Base points. Yakuman that come together all count, and some twice where the rules say so."""
    if yakuman:
        return base_points(YAKUMAN_HAN, fu) * n_yakuman(yakuman, profile)
    return base_points(han, fu, kiriage=profile.kiriage) if han else 0


def win_result(view: View, win: Win, rules: Rules) -> Any:
    """The engine's result of a win not yet applied; `is_win` is False without yaku."""
    reds = rules.red_fives
    tile, *hand = (win.tile, *win.hand) if reds else without_reds((win.tile, *win.hand))
    return evaluate_win(
        sorted(hand),
        [engine_meld(meld, red_fives=reds) for meld in win.melds],
        tile,
        _conditions(view, win),
        dora_indicators=win.dora_indicators,
        ura_indicators=win.ura_indicators or (),
    )


def _numbers(view: View, win: Win, rules: Rules, result: Any) -> list[int]:
    """Tenhou's numbers of the yaku that the rules count."""
    numbers = [_tenhou_number(tenhou_yaku(id), view, win.seat) for id in result.yaku]
    if rules.open_tanyao or not any(meld.is_open for meld in win.melds):
        return numbers
    return [number for number in numbers if number != TANYAO]  # the engine counts it always


def _tenhou_number(number: int, view: View, seat: int) -> int:
    """Tenhou's number of a yaku: the engine gives every wind the number of East."""
    if number == SEAT_WIND:
        return number + view.seat_wind(seat) - EAST
    return number + view.round_wind - EAST if number == ROUND_WIND else number


def _with_han(numbers: Sequence[int], win: Win, rules: Rules) -> tuple[tuple[int, int], ...]:
    closed = not any(meld.is_open for meld in win.melds)
    tiles = [*win.hand, *(tile for meld in win.melds for tile in meld.tiles)]
    dora = {
        DORA: _count_dora(tiles, win.dora_indicators),
        URADORA: _count_dora(tiles, win.ura_indicators or ()),
        AKADORA: sum(tile in RED_FIVES for tile in tiles) if rules.red_fives else 0,
    }
    han = {number: YAKU[number].han(closed=closed) for number in numbers}
    listed = {URADORA} if win.ura_indicators else set()  # after riichi even with 0 han
    han |= {number: count for number, count in dora.items() if count or number in listed}
    return tuple(sorted(han.items()))


def _count_dora(tiles: Sequence[int], indicators: Sequence[int]) -> int:
    kinds = [KIND[tile] for tile in tiles]
    return sum(kinds.count(dora_of(KIND[indicator])) for indicator in indicators)


def _conditions(view: View, win: Win) -> Conditions:
    seat, moment = win.seat, view.moment
    winner = view.seats[seat]
    tsumo = seat == win.source
    rinshan = tsumo and moment.from_dead_wall
    chankan = not tsumo and moment.offered_kan is not None
    last = not view.tiles_left
    return Conditions(
        tsumo=tsumo,
        riichi=winner.in_riichi,
        double_riichi=bool(moment.double_riichi[seat]),
        ippatsu=bool(moment.ippatsu[seat]),
        haitei=tsumo and last and not rinshan,
        houtei=not tsumo and last and not chankan,
        rinshan=rinshan,
        chankan=chankan,
        tsumo_first_turn=tsumo and view.first_turn,
        player_wind=WINDS[view.seat_wind(seat) - EAST],
        round_wind=WINDS[view.round_wind - EAST],
    )
