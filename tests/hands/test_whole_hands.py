"""Sums over whole hands: a binomial, every hand of a small world, and draws."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houjuu.game.tiles import KINDS
from houjuu.hands.shanten import shanten, useful
from houjuu.hands.whole_hands import (
    CAP,
    MOST_TILES,
    SevenPairs,
    WholeHands,
    cap_for,
    count_weights,
    patterns,
    six_pairs,
)

SMALL = np.zeros(KINDS, np.intp)
SMALL[[0, 1, 2, 4, 8, 9, 10, 27]] = [2, 1, 2, 1, 1, 2, 1, 2]
"""A world of 12 tiles: manzu, pinzu and an honour."""


@pytest.mark.parametrize("n_tiles", [1, 4, 7, 10, 13])
def test_equal_weights_count_all_hands(n_tiles: int) -> None:
    copies = np.full(KINDS, 4)
    copies[[0, 5, 9, 13, 27, 30]] = [2, 0, 1, 3, 2, 1]
    hands = WholeHands(count_weights(copies), n_tiles, cap=MOST_TILES)
    assert hands.mass.sum() == pytest.approx(comb(int(copies.sum()), n_tiles), rel=1e-12)


def test_every_hand_of_a_small_world() -> None:
    """Mass by missing tiles, likelihood, and the suit's own factors, against a loop."""
    rng = np.random.default_rng(3)
    with np.errstate(divide="ignore"):
        log_weights = np.log(count_weights(SMALL)) + rng.normal(size=(KINDS, 5))
    weights = np.exp(log_weights)
    suit_weights = np.exp(rng.normal(size=len(patterns(9).low)))
    sums = WholeHands(weights, 4, suit_weights)
    kinds = np.flatnonzero(SMALL)
    every = [h for h in product(*(range(n + 1) for n in SMALL[kinds])) if sum(h) == 4]
    hands = np.zeros((len(every), KINDS), np.int8)
    hands[:, kinds] = every
    logs = log_weights[np.arange(KINDS), hands].sum(axis=1)
    for suit in (slice(0, 9), slice(9, 18), slice(18, 27)):
        table = {tuple(row): i for i, row in enumerate(patterns(9).copies[:4000].tolist())}
        logs += np.log(suit_weights[[table[tuple(row)] for row in hands[:, suit].tolist()]])
    lacking = [shanten(np.repeat(np.arange(KINDS), hand).tolist()) + 1 for hand in hands]
    mass = np.bincount(lacking, np.exp(logs), len(sums.mass))
    np.testing.assert_allclose(sums.mass, mass, rtol=1e-12)
    np.testing.assert_allclose(sums.log_weights(hands), logs, rtol=1e-12)


def test_draws_are_independent_and_exact() -> None:
    """Each hand of a stratum is drawn as often as its weight demands (χ²)."""
    rng = np.random.default_rng(5)
    weights = count_weights(SMALL) * np.exp(rng.normal(size=(KINDS, 5)) / 2)
    sums = WholeHands(weights, 4)
    drawn = sums.draw(np.ones(20_000, np.intp), rng)
    assert (drawn.sum(axis=1) == 4).all()
    assert (drawn <= SMALL).all()
    found = Counter(hand.tobytes() for hand in drawn)
    hands = np.array([np.frombuffer(hand, np.int8) for hand in found])
    expected = len(drawn) * np.exp(sums.log_weights(hands)) / sums.mass[1]
    assert expected.sum() == pytest.approx(len(drawn), rel=0.01)
    chi = ((np.array(list(found.values())) - expected) ** 2 / expected)[expected > 5]
    assert chi.sum() < len(chi) + 5 * np.sqrt(2 * len(chi))


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), min_size=KINDS, max_size=KINDS), st.integers(0, 99))
def test_drawn_hands_have_their_shanten(copies: list[int], seed: int) -> None:
    unseen = np.array(copies)
    if unseen.sum() < 13:
        return
    sums = WholeHands(count_weights(unseen), 13, cap=cap_for(unseen, 13))
    missing = np.flatnonzero(sums.mass)
    drawn = sums.draw(missing, np.random.default_rng(seed))
    again = sums.draw(missing, np.random.default_rng(seed))
    assert drawn.tobytes() == again.tobytes()
    assert (drawn <= unseen).all()
    for hand, lacking in zip(drawn, missing, strict=True):
        kinds = np.repeat(np.arange(KINDS), hand).tolist()
        assert len(kinds) == 13
        assert shanten(kinds) <= lacking - 1  # chiitoitsu may be nearer
    assert (cap_for(unseen, 13) == CAP) or unseen.sum() < 70


def test_a_suit_alone() -> None:
    """Thirteen tiles of one suit, where nothing else is unseen."""
    copies = np.zeros(KINDS, np.intp)
    copies[9:18] = 4
    sums = WholeHands(count_weights(copies), 13, cap=cap_for(copies, 13))
    assert sums.mass.sum() == pytest.approx(comb(36, 13), rel=1e-12)
    hand = sums.draw([1], np.random.default_rng(0))[0]
    assert useful(np.repeat(np.arange(KINDS), hand).tolist())


def test_hands_with_more_of_a_suit_than_the_cap_have_no_weight() -> None:
    hand = np.zeros((1, KINDS), np.int8)
    hand[0, :9] = [3, 1, 1, 1, 1, 1, 1, 1, 3]
    weights = count_weights(np.full(KINDS, 4))
    ones = np.ones(len(patterns(9).low))
    assert WholeHands(weights, 13, ones).log_weights(hand)[0] == -np.inf
    every = np.ones(len(patterns(9, MOST_TILES).low))
    assert WholeHands(weights, 13, every, MOST_TILES).log_weights(hand)[0] > 0


def test_seven_pairs() -> None:
    """Six pairs and a single tile of eight kinds: C(8, 6) · 2 choices, by the copies."""
    copies = np.zeros(KINDS, np.intp)
    copies[[0, 3, 9, 12, 20, 27, 31, 33]] = [2, 4, 3, 2, 4, 2, 3, 2]
    weights = count_weights(copies)
    found = SevenPairs(weights)
    kinds = np.flatnonzero(copies)
    every = 0.0
    for counts in product(range(3), repeat=8):
        if counts.count(2) == 6 and counts.count(1) == 1:
            every += float(np.prod(weights[kinds, counts]))
    assert found.mass == pytest.approx(every, rel=1e-12)
    drawn = found.draw(500, np.random.default_rng(1))
    assert six_pairs(drawn).all()
    assert (drawn <= copies).all()
    assert drawn[:, kinds].any(axis=0).all()
