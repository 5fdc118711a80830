"""Groups of tenpai hands have the same sums as the single hands."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest

from houjuu.arrays import Floats, Int8s
from houjuu.events import Meld, MeldKind, Rules
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.points import CODES, add_han
from houjuu.hands.score import score
from houjuu.hands.shapes import shapes
from houjuu.hands.tenpai_groups import tenpai_hands
from houjuu.hands.tenpai_hands import Reds, TenpaiHands, reds_unseen
from houjuu.tiles import COPIES, KIND, KINDS, RED_FIVES, parse_kind, parse_tiles
from tests.hands.random_hands import win_shapes

FIVES = tuple(KIND[red] for red in RED_FIVES)
PON = Meld(MeldKind.PON, parse_tiles("666z"), parse_tiles("6z")[0], 1)
CHIS = tuple(
    Meld(MeldKind.CHI, parse_tiles(run), parse_tiles(run)[0], 3) for run in ("234p", "345s", "789m")
)
MELDS = {7: (PON, CHIS[0]), 4: (PON, *CHIS[:2]), 1: (PON, *CHIS)}


def unseen_tiles(tiles: int, seen: int) -> tuple[Int8s, Reds]:
    """Unseen tiles if the melds and a number of random tiles are seen; more tiles extend fewer."""
    melded = ScoringContext(MELDS[tiles]).meld_tiles
    others = [tile for tile in range(4 * KINDS) if tile not in melded]
    order = np.random.default_rng(tiles).permutation(others).tolist()
    visible = [*melded, *order[:seen]]
    counts = np.bincount([KIND[tile] for tile in visible], minlength=KINDS)
    return (COPIES - counts).astype(np.int8), reds_unseen(visible, Rules())


def one_by_one(tiles: int, context: ScoringContext, unseen: Int8s, reds: Reds) -> Floats:
    """Ways by winning kind and score code, hand by hand and red five by red five, (34, CODES)."""
    all_shapes = shapes(tiles)
    counts, codes = all_shapes.counts(), score(all_shapes, context)
    total = np.zeros((KINDS, CODES))
    for shape in np.flatnonzero(np.all(counts <= unseen, axis=1)).tolist():
        last = all_shapes.first_win[shape + 1] if shape + 1 < len(all_shapes) else len(codes)
        wins = np.arange(all_shapes.first_win[shape], last)
        for with_red in product((False, True), repeat=3):
            ways = 1.0
            for kind in np.flatnonzero(counts[shape]).tolist():
                left, number = int(unseen[kind]), int(counts[shape, kind])
                red = kind in FIVES and reds[FIVES.index(kind)]
                if red and with_red[FIVES.index(kind)]:
                    ways *= comb(left - 1, number - 1)
                else:
                    ways *= comb(left - red, number)
            absent = [
                r and not (reds[i] and counts[shape, FIVES[i]]) for i, r in enumerate(with_red)
            ]
            if ways and not any(absent):
                np.add.at(
                    total, (all_shapes.win_kind[wins], add_han(codes[wins], sum(with_red))), ways
                )
    total[:, 0] = 0
    return total


@pytest.mark.parametrize(("tiles", "seen"), [(1, 20), (4, 20), (4, 70), (7, 75)])
def test_scores_are_the_sums_over_hands(tiles: int, seen: int) -> None:
    context = ScoringContext(MELDS[tiles], dora=(parse_kind("5p"), parse_kind("1z")))
    unseen, reds = unseen_tiles(tiles, seen)
    hands = tenpai_hands(shapes(tiles), context, unseen, reds)
    sums = hands.weight_by_score(hands.ways(unseen, reds))
    assert sums.sum() > 0
    assert np.array_equal(sums, one_by_one(tiles, context, unseen, reds))


@pytest.mark.parametrize("tiles", [1, 4, 7])
def test_all_ways_are_counted_once(tiles: int) -> None:
    context = ScoringContext(MELDS[tiles])
    unseen, reds = unseen_tiles(tiles, 40)
    all_shapes = shapes(tiles)
    counts = all_shapes.counts()
    ways = np.ones(len(all_shapes))
    for kind in range(KINDS):
        ways *= np.array([comb(int(unseen[kind]), number) for number in range(5)])[counts[:, kind]]
    melded = np.bincount([KIND[tile] for tile in context.meld_tiles], minlength=KINDS)
    win_shape, win_kind = win_shapes(all_shapes), all_shapes.win_kind
    is_left = counts[win_shape, win_kind] + melded[win_kind] < COPIES
    n_wins = np.bincount(win_shape[is_left], minlength=len(all_shapes))
    ways[n_wins == 0] = 0  # a wait only on fifth copies does not count
    hands = tenpai_hands(all_shapes, context, unseen, reds)
    group_ways = hands.ways(unseen, reds)
    assert group_ways.sum() == ways.sum() > 0
    for of_groups, of_shapes in ((hands.waits, all_shapes.waits), (hands.forms, all_shapes.forms)):
        for value in np.unique(of_shapes)[::50]:
            assert group_ways[of_groups == value].sum() == ways[of_shapes == value].sum()


def test_groups_stay_valid_when_more_tiles_are_seen() -> None:
    early, late = unseen_tiles(7, 30), unseen_tiles(7, 60)
    assert np.all(late[0] <= early[0])
    context = ScoringContext(MELDS[7])
    old, new = (tenpai_hands(shapes(7), context, *seen) for seen in (early, late))
    assert len(new.row_pattern[0]) < len(old.row_pattern[0])
    assert np.array_equal(
        old.weight_by_score(old.ways(*late)), new.weight_by_score(new.ways(*late))
    )


def test_groups_are_small_enough_to_be_cached_for_a_thousand_seats() -> None:
    hands = tenpai_hands(shapes(7), ScoringContext(MELDS[7]), *unseen_tiles(7, 30))
    arrays = [getattr(hands, name) for name in TenpaiHands.__slots__]
    assert sum(array.nbytes for array in arrays) < 2 << 20


def test_without_a_hand_there_are_no_groups() -> None:
    nothing = np.zeros(KINDS, np.int8)
    hands = tenpai_hands(shapes(7), ScoringContext(), nothing, (False, False, False))
    assert len(hands.waits) == len(hands.ways(nothing, (False, False, False))) == 0
    assert not hands.weight_by_score(np.zeros(0)).any()


def test_red_fives_are_unseen_only_if_the_rules_have_them() -> None:
    assert reds_unseen(parse_tiles("123m0p5s"), Rules()) == (True, False, True)
    assert reds_unseen((), Rules(0x02)) == (False, False, False)
