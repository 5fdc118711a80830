"""Groups of tenpai hands say what the hands say one by one."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from houjuu.events import Meld, MeldKind, Rules
from houjuu.hands.grid import Setting
from houjuu.hands.grouping import tenpai_hands
from houjuu.hands.points import CODES, more_han
from houjuu.hands.score import score
from houjuu.hands.shapes import shapes
from houjuu.hands.tenpai import Floats, Reds, reds_unseen
from houjuu.tiles import COPIES, KINDS, RED_FIVES, parse_kind, parse_tiles

FIVES = tuple(red // COPIES for red in RED_FIVES)
PON = Meld(MeldKind.PON, parse_tiles("666z"), parse_tiles("6z")[0], 1)
CHIS = tuple(
    Meld(MeldKind.CHI, parse_tiles(run), parse_tiles(run)[0], 3) for run in ("234p", "345s", "789m")
)
MELDS = {7: (PON, CHIS[0]), 4: (PON, *CHIS[:2]), 1: (PON, *CHIS)}


def unseen_tiles(tiles: int, seen: int) -> tuple[npt.NDArray[np.int8], Reds]:
    """What is unseen when the melds and so many other tiles are seen: the more, the later."""
    shown = Setting(MELDS[tiles]).meld_tiles
    others = [tile for tile in range(4 * KINDS) if tile not in shown]
    order = np.random.default_rng(tiles).permutation(others).tolist()
    visible = [*shown, *order[:seen]]
    counts = np.bincount([tile // COPIES for tile in visible], minlength=KINDS)
    return (COPIES - counts).astype(np.int8), reds_unseen(visible, Rules())


def one_by_one(tiles: int, setting: Setting, unseen: npt.NDArray[np.int8], reds: Reds) -> Floats:
    """Ways by kind and code won, hand by hand and red five by red five, (34, CODES)."""
    of = shapes(tiles)
    held, codes = of.held(), score(of, setting)
    total = np.zeros((KINDS, CODES))
    for shape in np.flatnonzero(np.all(held <= unseen, axis=1)).tolist():
        last = of.first_win[shape + 1] if shape + 1 < len(of) else len(codes)
        wins = np.arange(of.first_win[shape], last)
        for with_red in product((False, True), repeat=3):
            ways = 1.0
            for kind in np.flatnonzero(held[shape]).tolist():
                left, number = int(unseen[kind]), int(held[shape, kind])
                red = kind in FIVES and reds[FIVES.index(kind)]
                if red and with_red[FIVES.index(kind)]:
                    ways *= comb(left - 1, number - 1)
                else:
                    ways *= comb(left - red, number)
            absent = [r and not (reds[i] and held[shape, FIVES[i]]) for i, r in enumerate(with_red)]
            if ways and not any(absent):
                np.add.at(total, (of.win_kind[wins], more_han(codes[wins], sum(with_red))), ways)
    total[:, 0] = 0
    return total


@pytest.mark.parametrize(("tiles", "seen"), [(1, 20), (4, 20), (4, 70), (7, 75)])
def test_scores_are_the_sums_over_hands(tiles: int, seen: int) -> None:
    setting = Setting(MELDS[tiles], dora=(parse_kind("5p"), parse_kind("1z")))
    unseen, reds = unseen_tiles(tiles, seen)
    hands = tenpai_hands(shapes(tiles), setting, unseen, reds)
    found = hands.scores(hands.ways(unseen, reds))
    assert found.sum() > 0
    assert np.array_equal(found, one_by_one(tiles, setting, unseen, reds))


@pytest.mark.parametrize("tiles", [1, 4, 7])
def test_all_ways_are_counted_once(tiles: int) -> None:
    setting = Setting(MELDS[tiles])
    unseen, reds = unseen_tiles(tiles, 40)
    of = shapes(tiles)
    held = of.held()
    ways = np.ones(len(of))
    for kind in range(KINDS):
        ways *= np.array([comb(int(unseen[kind]), number) for number in range(5)])[held[:, kind]]
    shown = np.bincount([tile // COPIES for tile in setting.meld_tiles], minlength=KINDS)
    left = held[of.win_shape, of.win_kind] + shown[of.win_kind] < COPIES
    ways[np.bincount(of.win_shape[left], minlength=len(of)) == 0] = 0  # none waits for a fifth copy
    found = tenpai_hands(of, setting, unseen, reds)
    assert found.ways(unseen, reds).sum() == ways.sum()
    for bits, of_shapes in ((found.waits, of.waits), (found.forms, of.forms)):
        for value in np.unique(of_shapes)[::50]:
            expected = ways[of_shapes == value].sum()
            assert found.ways(unseen, reds)[bits == value].sum() == expected


def test_groups_stay_right_while_more_is_seen() -> None:
    early, late = unseen_tiles(7, 30), unseen_tiles(7, 60)
    assert np.all(late[0] <= early[0])
    setting = Setting(MELDS[7])
    old, new = (tenpai_hands(shapes(7), setting, *seen) for seen in (early, late))
    assert len(new.row_pattern[0]) < len(old.row_pattern[0])
    assert np.array_equal(old.scores(old.ways(*late)), new.scores(new.ways(*late)))


def test_a_holding_can_be_made_less_likely() -> None:
    unseen, reds = unseen_tiles(4, 40)
    of = shapes(4)
    hands = tenpai_hands(of, Setting(MELDS[4]), unseen, reds)
    factors = np.ones((4, len(of.patterns)))
    factors[0, of.patterns.sum(axis=1) > 0] = 0.5  # manzu
    plain, halved = hands.ways(unseen, reds), hands.ways(unseen, reds, factors)
    manzu = (hands.suits & 1).astype(np.bool_)
    assert np.array_equal(halved, np.where(manzu, plain / 2, plain))


def test_without_a_hand_there_are_no_groups() -> None:
    nothing = np.zeros(KINDS, np.int8)
    hands = tenpai_hands(shapes(7), Setting(), nothing, (False, False, False))
    assert len(hands.waits) == len(hands.ways(nothing, (False, False, False))) == 0
    assert not hands.scores(np.zeros(0)).any()


def test_red_fives_are_unseen_where_there_are_some() -> None:
    assert reds_unseen(parse_tiles("123m0p5s"), Rules()) == (True, False, True)
    assert reds_unseen((), Rules(0x02)) == (False, False, False)
