"""The choice of pairs of features, against plain sums."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from models.houjuu import tenpai_pairs

SIZES = [3, 2, 4, 2, 5]


def test_sums_of_all_pairs() -> None:
    rng = np.random.default_rng(3)
    bins = np.stack([rng.integers(size, size=200) for size in SIZES]).astype(np.uint8)
    numbers = rng.normal(size=(2, 200))
    totals = tenpai_pairs.sums_by_cell(bins, SIZES, list(numbers))
    for total, number in zip(totals, numbers, strict=True):
        plain = []
        for first, second in combinations(range(len(SIZES)), 2):
            code = bins[first].astype(int) * SIZES[second] + bins[second]
            plain.append(np.bincount(code, number, SIZES[first] * SIZES[second]))
        assert total == pytest.approx(np.concatenate(plain))


def test_a_gain_is_that_of_the_other_half() -> None:
    """A slope of +2 in one half and of −1 in the other: steps of 1 and −0.5, penalty 1."""
    halves = [np.array([[2.0], [1.0]]), np.array([[-1.0], [1.0]])]
    gain = tenpai_pairs.gains(halves, [1, 1], penalty=1.0)[0, 1]
    assert gain == pytest.approx((-1.0 * 1.0 - 0.5 * 1.0**2) + (2.0 * -0.5 - 0.5 * 0.5**2))


def test_a_feature_has_two_pairs_a_round() -> None:
    gains = {pair: 10.0 - sum(pair) for pair in combinations(range(5), 2)}
    gains[3, 4] = -1.0
    assert tenpai_pairs.best(gains, 3) == [(0, 1), (0, 2), (1, 2)]
    assert tenpai_pairs.best(gains, 3, without=[(0, 1)]) == [(0, 2), (0, 3), (1, 2)]
    assert (3, 4) not in tenpai_pairs.best(gains, 10)
