"""Intervals that count a cluster once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houjuu.util.intervals import Z95, clustered_difference, clustered_mean

RNG = np.random.default_rng(1)
NUMBERS = RNG.normal(size=400).tolist()
DEALS = list(range(400))


def test_a_mean_by_hand() -> None:
    """Clusters a (1, 3) and b (8): the mean is 4, their deviations sum to -4 and 4."""
    expected = 4.0, Z95 * math.sqrt(16 + 16) / 3
    assert clustered_mean([1, 3, 8], ["a", "a", "b"]) == pytest.approx(expected, rel=1e-12)


def test_a_difference_by_hand() -> None:
    """4 less 3. Cluster 1 occurs in both: its parts are -4/3 and 2/2."""
    expected = 1.0, Z95 * math.hypot(-4 / 3 + 2 / 2, 4 / 3, -2 / 2)
    difference = clustered_difference([1, 3, 8], [1, 1, 2], [1, 5], [1, 3])
    assert difference == pytest.approx(expected, rel=1e-12)


def test_repeated_rows_add_nothing() -> None:
    mean, half = clustered_mean(NUMBERS, DEALS)
    assert (mean, half) == pytest.approx((np.mean(NUMBERS), 1.96 / 20), rel=0.1, abs=0.1)
    assert clustered_mean(NUMBERS * 3, DEALS * 3) == pytest.approx((mean, half))


def test_paired_and_unpaired_differences() -> None:
    raised = [number + 0.5 for number in NUMBERS]
    same = clustered_difference(NUMBERS, DEALS, NUMBERS, DEALS)
    assert same == pytest.approx((0, 0), abs=1e-12)
    paired = clustered_difference(raised, DEALS, NUMBERS, DEALS)
    assert paired == pytest.approx((0.5, 0), abs=1e-12)
    _, half = clustered_mean(NUMBERS, DEALS)
    unpaired = clustered_difference(raised, DEALS, NUMBERS, [deal + 1000 for deal in DEALS])
    assert unpaired == pytest.approx((0.5, half * 2**0.5))


def test_a_paired_difference_is_the_mean_of_differences() -> None:
    others = RNG.normal(size=400)
    clusters = RNG.integers(0, 50, 400)
    paired = clustered_difference(NUMBERS, clusters, others, clusters)
    assert paired == pytest.approx(clustered_mean(np.array(NUMBERS) - others, clusters), rel=1e-9)


def test_empty_samples_have_no_mean() -> None:
    assert np.isnan(clustered_mean([], [])).all()
    assert np.isnan(clustered_difference([1.0], [1], [], [])).all()
    assert np.isnan(clustered_difference([], [], [1.0], [1])).all()
