"""Scores of rons: known hands, and random ones against two other programs."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from houjuu.game.events import Deal, Rules
from houjuu.game.payments import base_points, hand_points
from houjuu.game.table import Table
from houjuu.game.tiles import (
    EAST,
    KIND,
    KINDS,
    NORTH,
    SOUTH,
    WEST,
    format_tiles,
    parse_kind,
    parse_tiles,
)
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.points import (
    POINTS,
    add_han,
    better_codes,
    fu_of,
    han_of,
    score_code,
)
from tests.hands.random_hands import by_mahjong, by_riichienv, hands, win_shapes
from tests.hands.shapes import score, shapes
from tests.kit.positions import melds

NO_OPEN_TANYAO = Rules(0x09 | 0x04)


def ron(hand: str, tile: str, context: ScoringContext) -> tuple[int, int]:
    """Han and fu of a hand won on a tile; (0, 0) if it is not a win."""
    kinds = [KIND[parsed] for parsed in parse_tiles(hand)]
    all_shapes = shapes(len(kinds))
    counts = np.bincount(kinds, minlength=KINDS).astype(np.uint8)
    (shape,) = np.flatnonzero(np.all(all_shapes.counts() == counts, axis=1))
    is_win = (win_shapes(all_shapes) == shape) & (all_shapes.win_kind == parse_kind(tile))
    (win,) = np.flatnonzero(is_win)
    codes = score(all_shapes, context)[win : win + 1]
    return int(han_of(codes)[0]), int(fu_of(codes)[0])


KNOWN = [
    ("234m 567p", "34m56788s", "2m", (1, 30)),  # tanyao, open
    ("234m 567p", "23m56788s", "1m", (0, 0)),
    ("234m 567p", "23m56788s", "4m", (1, 30)),
    ("123m 456m", "78m55s234s", "9m", (1, 30)),  # ittsuu, open
    ("123m 123p", "789m1255s", "3s", (1, 30)),  # sanshoku, open
    ("123m 123p", "789m1299s", "3s", (3, 30)),  # sanshoku, junchan
    ("123m 123p", "789m12s44z", "3s", (2, 30)),  # sanshoku, chanta
    ("555z 123m", "34m456p88s", "2m", (1, 30)),  # haku
    ("111z 123m", "34m456p88s", "2m", (1, 30)),  # the round's wind
    ("444z 123m", "34m456p88s", "2m", (1, 30)),  # the seat's wind
    ("222z 123m", "34m456p88s", "2m", (0, 0)),  # neither
    ("555z 666z", "11m345p77z", "1m", (4, 40)),  # shousangen, haku, hatsu
    ("555z 666z", "11m345p77z", "7z", (13, 40)),  # daisangen
    ("111m 999p", "11s999s11z", "1s", (4, 50)),  # honroutou, toitoi
    ("111m 999p", "11s999s11z", "1z", (5, 40)),  # and the round's wind
    ("222m 333p", "66p444s55s", "5s", (3, 30)),  # tanyao, toitoi
    ("123s 456s", "78s234s11z", "9s", (3, 30)),  # honitsu, ittsuu
    ("123s 456s", "78s234s11s", "9s", (6, 30)),  # chinitsu, ittsuu
    ("234s 666s", "3344888s", "3s", (13, 30)),  # ryuuiisou
    ("111z 222z", "55m333z44z", "4z", (13, 40)),  # daisuushii
    ("111z 222z", "55m333z44z", "5m", (13, 40)),  # shousuushii
    ("111z 555z", "222z66z77z", "6z", (13, 50)),  # tsuuiisou
    ("111m 999p", "111p99m99s", "9s", (13, 40)),  # chinroutou
    ("(1111m) (9999m)", "234p567s1z", "1z", (0, 0)),  # no menzen tsumo by ron
    ("(1111m)", "22334p99s", "4p", (1, 70)),  # iipeikou
    ("111m", "22334p99s", "4p", (0, 0)),
    ("(1111m) (2222p)", "333444s5z", "5z", (13, 90)),  # suuankou
    ("(1111m) (2222p)", "33344s55z", "4s", (4, 90)),  # sanankou, toitoi
    ("1111m (9999p) 8888s", "23m11z", "4m", (2, 80)),  # sankantsu
    ("1111m (9999p) 8888s 2222p", "3z", "3z", (13, 90)),  # suukantsu
    ("222m 222p", "34m55m222s", "2m", (3, 30)),  # sanshoku doukou, tanyao
    ("", "234p5567s", "8s", (2, 30)),  # pinfu, tanyao
    ("", "234p1167s", "8s", (1, 30)),  # pinfu
    ("", "234p1168s", "7s", (0, 0)),
    ("", "234p67s11z", "8s", (0, 0)),  # the pair of the round's wind has fu
    ("555z", "34m456p88s", "2m", (1, 30)),  # a game of three sets
    ("111m", "222p33s44s", "3s", (2, 30)),  # toitoi in it
    ("111m 555z", "1m345p678s", "1m", (0, 0)),  # a fifth copy
    ("123m 555z", "1m345p678s", "1m", (1, 30)),
]


@pytest.mark.parametrize(("shown", "hand", "tile", "expected"), KNOWN)
def test_known_hands(shown: str, hand: str, tile: str, expected: tuple[int, int]) -> None:
    assert ron(hand, tile, ScoringContext(melds(shown), EAST, NORTH)) == expected


def test_a_pair_of_the_double_wind_has_four_fu() -> None:
    shown = melds("555z 222p")
    assert ron("345m678m1z", "1z", ScoringContext(shown, EAST, EAST)) == (1, 40)
    assert ron("345m678m1z", "1z", ScoringContext(shown, EAST, SOUTH)) == (1, 30)


def test_a_triplet_of_the_double_wind_has_two_han() -> None:
    assert ron("34m456p88s", "2m", ScoringContext(melds("111z 123m"), EAST, EAST)) == (2, 30)


def test_open_tanyao_is_a_rule() -> None:
    context = ScoringContext(melds("234m 567p"), rules=NO_OPEN_TANYAO)
    assert ron("34m56788s", "2m", context) == (0, 0)
    assert ron("34m56788s", "2m", replace(context, melds=())) == (2, 30)  # with pinfu


def test_the_context_of_a_seat_comes_from_the_view() -> None:
    table = Table(NO_OPEN_TANYAO)
    hands = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
    table.apply(Deal(5, 0, 0, 1, (25000,) * 4, 135, hands))
    context = ScoringContext.from_view(table.view(0), 3)
    assert context == ScoringContext((), SOUTH, WEST, (parse_kind("5z"),), NO_OPEN_TANYAO.of_scores)


def test_riichi_is_a_yaku_that_the_tiles_do_not_show() -> None:
    context = ScoringContext(melds("(1111m) (9999m)"), EAST, NORTH, extra_yaku=1)
    assert ron("234p567s1z", "1z", context) == (1, 100)


def test_dora_count_but_are_no_yaku() -> None:
    context = ScoringContext(melds("555z 123m"), dora=(parse_kind("8s"),) * 2 + (parse_kind("5z"),))
    assert ron("34m456p88s", "2m", context) == (8, 30)
    without_yaku = replace(context, melds=melds("999p 123m"))
    assert ron("34m456p88s", "2m", without_yaku) == (0, 0)


def test_red_fives_count_where_there_are_some() -> None:
    context = ScoringContext(melds("555z 340m"), red_fives=2)
    assert ron("34m456p88s", "2m", context) == (4, 30)
    assert ron("34m456p88s", "2m", replace(context, rules=Rules(0x09 | 0x02))) == (3, 30)


def test_points() -> None:
    """Those of the published table, which tests/game/test_payments.py checks."""
    for han, fu in product(range(1, 14), range(30, 120, 10)):
        expected = [hand_points(base_points(han, fu), dealer=dealer) for dealer in (False, True)]
        assert POINTS[:, score_code(han, fu)].tolist() == expected


def test_codes_gain_han_up_to_yakuman_and_no_win_stays_zero() -> None:
    codes = np.array([0, 1 << 4 | 3, 12 << 4 | 4, 13 << 4 | 5], np.uint8)
    assert han_of(add_han(codes, 2)).tolist() == [0, 3, 13, 13]
    assert fu_of(add_han(codes, 2)).tolist() == [0, 30, 40, 50]


def test_the_better_code_has_more_points() -> None:
    low, high = np.array([2 << 4 | 7, 0], np.uint8), np.array([3 << 4 | 3, 1 << 4 | 3], np.uint8)
    assert (
        better_codes(low, high).tolist()
        == better_codes(high, low).tolist()
        == [2 << 4 | 7, 1 << 4 | 3]
    )


def compare(seed: int, number: int) -> int:
    wins = 0
    for hand in hands(seed, number):
        open_melds = [(str(m.kind), format_tiles(m.tiles)) for m in hand.context.melds]
        assert hand.score == by_mahjong(hand) == by_riichienv(hand), (
            format_tiles(hand.tiles[:-1]),
            format_tiles(hand.tiles[-1:]),
            open_melds,
            hand.context,
        )
        wins += hand.score[0] > 0
    return wins


@pytest.mark.parametrize("number", [4_000, pytest.param(30_000, marks=pytest.mark.deep)])
def test_random_hands_agree_with_two_programs(number: int) -> None:
    assert compare(seed=number, number=number) > number / 2


def test_codes_without_han_are_no_win() -> None:
    assert not POINTS[:, :16].any()
