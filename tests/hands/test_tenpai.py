"""The sums over all tenpai hands are those of the hands one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import comb

import numpy as np
import pytest

from houjuu.game.events import Rules
from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES, parse_kind, parse_tiles
from houjuu.hands.completions import GOOD_FORMS
from houjuu.hands.enumeration import tenpai_hands
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.open_yaku import meld_suits
from houjuu.hands.points import CODES, add_han
from houjuu.hands.sets import Indices
from houjuu.hands.suit_ways import Reds, reds_unseen
from houjuu.hands.tenpai_hands import COLOURS, HAND_CLASSES, HandWeights, Products, TenpaiHands
from houjuu.util.arrays import Bools, Floats, Int8s
from tests.hands.random_hands import random_context, win_shapes
from tests.hands.shapes import score, shapes
from tests.kit.positions import melds as melds_of

FIVES = tuple(KIND[red] for red in RED_FIVES)
NO_REDS: Reds = (False, False, False)
MELDS = {
    7: melds_of("666z 234p"),
    4: melds_of("666z 234p 345s"),
    1: melds_of("666z 234p 345s 789m"),
}
SIZES = tuple(MELDS)
COMB: Floats = np.array([[comb(n, k) for k in range(COPIES + 1)] for n in range(COPIES + 1)], float)
COLOUR_OF_SUITS = np.array([4, 0, 1, 3, 2, 3, 3, 3])


def unseen_tiles(context: ScoringContext, seen: int, seed: int = 0) -> tuple[Int8s, Reds]:
    """Unseen tiles if the melds and a number of random tiles are seen."""
    others = [tile for tile in range(4 * KINDS) if tile not in context.meld_tiles]
    order = np.random.default_rng(seed).permutation(others).tolist()
    visible = [*context.meld_tiles, *order[:seen]]
    counts = np.bincount([KIND[tile] for tile in visible], minlength=KINDS)
    return (COPIES - counts).astype(np.int8), reds_unseen(visible, context.rules)


def shape_ways(tiles: int, unseen: Int8s) -> Floats:
    """Ways to draw each shape, without regard to red fives, (n,)."""
    all_shapes = shapes(tiles)
    ways = np.ones(len(all_shapes))
    for suit, index in enumerate(all_shapes.suit_pattern):
        kinds = unseen[9 * suit : 9 * suit + 9].astype(np.intp)
        factors = COMB[kinds, all_shapes.patterns[:, : len(kinds)]]
        ways *= factors.prod(axis=1)[index]
    return ways


def one_by_one(
    tiles: int, context: ScoringContext, ways: Floats, furiten: int, other_forms: float
) -> HandWeights:
    """The sums of the weights of all shapes without red fives."""
    all_shapes, codes = shapes(tiles), score(shapes(tiles), context)
    win_shape, win_kind = win_shapes(all_shapes), all_shapes.win_kind.astype(np.intp)
    melded = np.bincount([KIND[tile] for tile in context.meld_tiles], minlength=KINDS)
    is_left = all_shapes.counts()[win_shape, win_kind] + melded[win_kind] < COPIES
    weight = ways * any_win(tiles, is_left)  # a wait only on fifth copies does not count
    weight *= (all_shapes.waits & np.uint64(furiten)) == 0
    is_good = (all_shapes.forms & GOOD_FORMS) != 0
    weight *= np.where(is_good, 1.0, other_forms)
    suits = all_shapes.suits & 7 | sum(1 << suit for suit in meld_suits(context.melds))
    colour = COLOUR_OF_SUITS[suits]
    hand_class = 2 * ~is_good + ~any_win(tiles, codes > 0)
    by_class = sums(colour * HAND_CLASSES + hand_class, weight, COLOURS * HAND_CLASSES)
    cell = (colour[win_shape] * KINDS + win_kind) * CODES + codes
    by_score = sums(cell[codes > 0], weight[win_shape][codes > 0], COLOURS * KINDS * CODES)
    colours = list(range(COLOURS))
    by_score = by_score.reshape(COLOURS, KINDS, CODES)
    return HandWeights(by_class.reshape(COLOURS, -1), colours, by_score)


def sums(index: Indices, values: Floats, size: int) -> Floats:
    return np.bincount(index, values, size).astype(float)


def any_win(tiles: int, values: Bools) -> Bools:
    """Whether a value is true for any win of each shape."""
    return np.bincount(win_shapes(shapes(tiles)), values, len(shapes(tiles))) > 0


def check_equal(first: HandWeights, second: HandWeights) -> None:
    np.testing.assert_allclose(first.by_class, second.by_class, rtol=1e-12, atol=0)
    for factors in np.eye(COLOURS):
        scores = first.scores(factors), second.scores(factors)
        np.testing.assert_allclose(*scores, rtol=1e-12, atol=0)


def check(context: ScoringContext, tiles: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    unseen, _ = unseen_tiles(context, int(rng.integers(10, 80)), seed)
    furiten = sum(1 << int(kind) for kind in rng.choice(KINDS, int(rng.integers(6)), replace=False))
    expected = one_by_one(tiles, context, shape_ways(tiles, unseen), furiten, 0.25)
    hands = tenpai_hands(context, tiles // 3)
    check_equal(hands.weights(unseen, NO_REDS, furiten, 0.25), expected)


@pytest.mark.parametrize("tiles", SIZES)
@pytest.mark.parametrize("seed", range(12))
def test_random_melds_and_dora(tiles: int, seed: int) -> None:
    rng = np.random.default_rng([tiles, seed])
    check(random_context(rng, 4 - tiles // 3), tiles, seed)
    check(random_context(rng, 1), tiles, seed)  # three sets or fewer are the whole game


@pytest.mark.parametrize(
    "melds",
    [
        "234m",  # sanshoku doujun with two more runs
        "234m 234p",
        "123m 456m",  # ittsuu
        "789s",
        "222m 222p",  # sanshoku doukou
        "999s",
        "555z 666z",  # shousangen, daisangen
        "111z 222z",  # shousuushii
        "111m 999p",  # honroutou, chinroutou
        "123m 999p",  # chanta, junchan
        "222s 666s",  # ryuuiisou, chinitsu, honitsu
        "333m",
        "345m 345m",  # a pair of one of these kinds cannot become a triplet
    ],
)
@pytest.mark.parametrize("dora", ["", "5p", "3m3m9s", "1z", "2p3p4p5p"])
def test_yaku_with_melds(melds: str, dora: str) -> None:
    kinds = tuple(KIND[tile] for tile in parse_tiles(dora)) if dora else ()
    check(ScoringContext(melds_of(melds), dora=kinds), 7, seed=len(melds))


@pytest.mark.parametrize("rules", [Rules(0x09 | 0x04), Rules(0x09 | 0x02), Rules(0x09 | 0x06)])
def test_other_rules_and_houtei(rules: Rules) -> None:
    context = ScoringContext(MELDS[7][1:], dora=(parse_kind("4s"),), rules=rules)
    check(context, 7, seed=1)
    check(replace(context, extra_yaku=1), 7, seed=2)


def test_closed_hands() -> None:
    """Pinfu and iipeikou count if there is no open meld."""
    check(ScoringContext(), 7, seed=3)
    check(ScoringContext(melds_of("(1111p)")), 7, seed=4)


def with_reds(tiles: int, context: ScoringContext, unseen: Int8s, reds: Reds) -> Floats:
    """Ways by winning kind and score code, hand by hand and red five by red five, (34, CODES)."""
    all_shapes, plain = shapes(tiles), score(shapes(tiles), context)
    counts, win_shape = all_shapes.counts(), win_shapes(all_shapes)
    total = np.zeros((KINDS, CODES))
    for with_red in product((False, True), repeat=3):
        ways = np.ones(len(all_shapes))
        for kind in range(KINDS):
            left = int(unseen[kind])
            if kind in FIVES and reds[FIVES.index(kind)]:
                red = with_red[FIVES.index(kind)]
                plain_ways = np.append(COMB[left - 1], 0)
                ways *= plain_ways[counts[:, kind].astype(np.intp) - red]
            else:
                ways *= COMB[left, counts[:, kind]]
        if any(red and not is_unseen for red, is_unseen in zip(with_red, reds, strict=True)):
            continue
        codes = add_han(plain, sum(with_red))
        np.add.at(total, (all_shapes.win_kind, codes), ways[win_shape])
    total[:, 0] = 0
    return total


@pytest.mark.parametrize(("tiles", "seen"), [(1, 20), (4, 20), (4, 70), (7, 15), (7, 60)])
def test_red_fives_add_a_han(tiles: int, seen: int) -> None:
    context = ScoringContext(MELDS[tiles], dora=(parse_kind("5p"), parse_kind("1z")))
    unseen, reds = unseen_tiles(context, seen)
    by_score = tenpai_hands(context, tiles // 3).weights(unseen, reds).by_score.sum(axis=0)
    assert by_score.sum() > 0
    np.testing.assert_allclose(by_score, with_reds(tiles, context, unseen, reds), rtol=1e-12)


@pytest.mark.parametrize("tiles", SIZES)
def test_a_single_hand(tiles: int) -> None:
    """If exactly the tiles of a hand are unseen, it is the only one."""
    context = ScoringContext(MELDS[tiles])
    all_shapes, codes = shapes(tiles), score(shapes(tiles), context)
    hands, counts = tenpai_hands(context, tiles // 3), all_shapes.counts()
    unseen, _ = unseen_tiles(context, 0)
    possible = np.flatnonzero((counts <= unseen).all(axis=1))
    for shape in np.random.default_rng(tiles).choice(possible, min(300, len(possible))).tolist():
        weights = hands.weights(counts[shape].astype(np.int8), NO_REDS)
        wins = win_shapes(all_shapes) == shape
        expected = {
            (int(kind), int(code))
            for kind, code in zip(all_shapes.win_kind[wins], codes[wins], strict=True)
            if code
        }
        assert set(map(tuple, np.argwhere(weights.by_score.any(axis=0)).tolist())) == expected
        is_one = weights.by_class.sum() == 1
        assert is_one or not expected


def arrays_of(value: object) -> list[Indices]:
    if isinstance(value, tuple | list):
        return [array for part in value for array in arrays_of(part)]
    return [value] if isinstance(value, np.ndarray) else []


def test_hands_are_small_enough_to_be_cached_for_a_thousand_seats() -> None:
    hands = tenpai_hands(ScoringContext(MELDS[7]), 2)
    arrays = arrays_of(tuple(getattr(hands, name) for name in TenpaiHands.__slots__))
    assert len(arrays) > len(Products._fields)
    assert sum(array.nbytes for array in arrays) < 1 << 20


def test_without_unseen_tiles_there_are_no_hands() -> None:
    nothing = np.zeros(KINDS, np.int8)
    weights = tenpai_hands(ScoringContext(), 2).weights(nothing, NO_REDS)
    assert not weights.by_class.any()
    assert not weights.by_score.any()


def test_red_fives_are_unseen_only_if_the_rules_have_them() -> None:
    assert reds_unseen(parse_tiles("123m0p5s"), Rules()) == (True, False, True)
    assert reds_unseen((), Rules(0x02)) == (False, False, False)
