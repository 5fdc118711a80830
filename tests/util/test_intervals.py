"""Intervals that count a cluster once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from houjuu.util.intervals import (
    clustered_difference,
    clustered_mean,
    student95,
    with_interval,
)

RNG = np.random.default_rng(1)
NUMBERS = RNG.normal(size=400).tolist()
DEALS = list(range(400))


def test_a_mean_by_hand() -> None:
    """Clusters a (1, 3) and b (8): the mean is 4, their deviations sum to -4 and 4."""
    expected = 4.0, t.ppf(0.975, 1) * math.sqrt(2 * (16 + 16)) / 3
    assert clustered_mean([1, 3, 8], ["a", "a", "b"]) == pytest.approx(expected, rel=1e-7)


def test_a_difference_by_hand() -> None:
    """4 less 3. Cluster 1 occurs in both: its parts are -4/3 and 2/2."""
    spread = math.hypot(-4 / 3 + 2 / 2, 4 / 3, -2 / 2)
    expected = 1.0, t.ppf(0.975, 1) * spread * 2**0.5
    difference = clustered_difference([1, 3, 8], [1, 1, 2], [1, 5], [1, 3])
    assert difference == pytest.approx(expected, rel=1e-7)


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


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 30, 1000])
def test_the_quantiles_of_student(freedom: int) -> None:
    assert student95(freedom) == pytest.approx(t.ppf(0.975, freedom), rel=2e-3)
    assert math.isnan(student95(0))


@pytest.mark.parametrize("n_clusters", [3, 5, 10, 40])
def test_intervals_cover_as_often_as_they_say(n_clusters: int) -> None:
    """Means of clusters of unequal size, 95% of 4,000 times; ± 0.7% are two standard errors."""
    rng = np.random.default_rng(7)
    clusters = np.repeat(np.arange(n_clusters), 3)
    rows = rng.normal(size=(4_000, len(clusters))) + np.repeat(
        rng.normal(size=(4_000, n_clusters)), 3, axis=1
    )
    covered = [abs(mean) <= half for mean, half in (clustered_mean(one, clusters) for one in rows)]
    assert 0.93 < np.mean(covered) < 0.97


def test_no_interval_of_one_cluster_or_of_a_few_events() -> None:
    mean, half = clustered_mean([1, 2, 3], ["a", "a", "a"])
    assert mean == 2
    assert math.isnan(half)
    few = [1.0] * 9 + [0.0] * 91
    assert math.isnan(clustered_mean(few, DEALS[:100])[1])
    assert math.isnan(clustered_mean([1 - value for value in few], DEALS[:100])[1])
    assert clustered_mean([1.0, *few], DEALS[:101])[1] > 0
    assert math.isnan(clustered_difference([1, 2], [1, 1], [1, 3], [1, 2])[1])


def test_text_has_no_interval_of_nothing() -> None:
    assert with_interval(1234.5, 12.34, "+,.1f", ",.1f") == "+1,234.5 ± 12.3"
    assert with_interval(0.2, math.nan, ".2f") == "0.20 ± –"
    assert with_interval(math.nan, math.nan, ".2f") == "–"


def test_empty_samples_have_no_mean() -> None:
    assert np.isnan(clustered_mean([], [])).all()
    assert np.isnan(clustered_difference([1.0], [1], [], [])).all()
    assert np.isnan(clustered_difference([], [], [1.0], [1])).all()
