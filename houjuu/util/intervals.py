"""Means and differences of means with 95% intervals that count a cluster once.

Rows of one game, or of one deal, are not independent. The variance of a mean is therefore that of a
ratio of sums over G clusters (Cochran, Sampling Techniques, 1977, chapter 6), times G/(G − 1), and
the interval is that of Student's t with G − 1 degrees of freedom. There is none below two clusters,
nor for a rate with fewer than ten events of either kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isnan, sqrt

import numpy as np
import numpy.typing as npt

from houjuu.util.arrays import Floats, Ints

Z95 = 1.959964
"""Half width of a normal 95% interval, in standard errors."""

FEWEST = 10
"""A rate with fewer events of either kind has no interval."""
_STUDENT = np.array([np.nan, 12.706205, 4.302653])
"""`student95` of 0, 1 and 2 degrees of freedom."""

Values = Sequence[float] | Floats
Clusters = Sequence[Hashable] | npt.NDArray[np.generic]


def student95(freedom: int) -> float:
    """Half width of a 95% interval in standard errors, by Student's t; NaN without freedom.

    The expansion of Abramowitz & Stegun (1964), 26.7.5, for 3 degrees of freedom and more.

    >>> [round(student95(freedom), 2) for freedom in (1, 3, 10, 1000)]
    [12.71, 3.18, 2.23, 1.96]
    """
    if freedom < len(_STUDENT):
        return float(_STUDENT[max(freedom, 0)])
    z = Z95
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


def half_width(squares: float, n_clusters: int) -> float:
    """Half of a 95% interval by the sum of the squares of the clusters; NaN below two clusters."""
    if n_clusters < 2:
        return float("nan")
    return student95(n_clusters - 1) * sqrt(squares * n_clusters / (n_clusters - 1))


def with_interval(mean: float, half: float, form: str, half_form: str | None = None) -> str:
    """A mean with its interval as text; "–" where there is no mean, or none of its interval.

    >>> with_interval(0.25, 0.031, ".2f"), with_interval(0.0, 0.0, ".2f")
    ('0.25 ± 0.03', '0.00 ± –')
    """
    if isnan(mean):
        return "–"
    return f"{mean:{form}} ± " + (f"{half:{half_form or form}}" if half > 0 else "–")


def clustered_mean(values: Values, clusters: Clusters) -> tuple[float, float]:
    """The mean, and half the width of its 95% interval.

    Parameters
    ----------
    values : (n,) array-like
        For a paired difference, the differences row by row.
    clusters : (n,) array-like
        The cluster of each value: names or numbers.

    Returns
    -------
    (float, float)
        NaN without values; the second also where there is no interval.

    Examples
    --------
    >>> clustered_mean([1.0, 2.0, 3.0], ["a", "b", "c"])
    (2.0, 2.484137...)
    """
    if not len(values):
        return float("nan"), float("nan")
    (codes,) = _codes(clusters)
    numbers = np.asarray(values, dtype=float)
    rows = np.bincount(codes)
    mean = float(numbers.sum() / rows.sum())
    if _is_rare(numbers):
        return mean, float("nan")
    sums = np.bincount(codes, numbers)
    squares = ((sums - mean * rows) ** 2).sum() / rows.sum() ** 2
    return mean, half_width(squares, len(rows))


def _is_rare(numbers: Floats) -> bool:
    """Whether the values are those of a rate with few events of either kind."""
    events = np.count_nonzero(numbers == 1)
    is_rate = events + np.count_nonzero(numbers == 0) == len(numbers)
    return bool(is_rate and min(events, len(numbers) - events) < FEWEST)


def clustered_difference(
    values: Values, clusters: Clusters, others: Values, other_clusters: Clusters
) -> tuple[float, float]:
    """The mean of values less the mean of others, and half the width of its 95% interval.

    The samples may have different sizes. Clusters that occur in both are paired.

    Parameters
    ----------
    values, others : (n,) and (m,) array-like
    clusters, other_clusters : (n,) and (m,) array-like

    Returns
    -------
    (float, float)
        NaN if either sample is empty; the second also where a sample has one cluster.
    """
    if not len(values) or not len(others):
        return float("nan"), float("nan")
    first = np.asarray(values, dtype=float)
    second = np.asarray(others, dtype=float)
    parts = [(first - first.mean()) / len(first), (second.mean() - second) / len(second)]
    codes = _codes(clusters, other_clusters)
    squares = (np.bincount(np.concatenate(codes), np.concatenate(parts)) ** 2).sum()
    fewest = min(len(np.unique(of_sample)) for of_sample in codes)
    return float(first.mean() - second.mean()), half_width(squares, fewest)


def _codes(*samples: Clusters) -> tuple[Ints, ...]:
    """Numbers of the clusters of several samples, in the order of their first occurrence."""
    code_of: dict[Hashable, int] = {}
    names = [np.asarray(sample).tolist() for sample in samples]
    return tuple(
        np.array([code_of.setdefault(name, len(code_of)) for name in sample]) for sample in names
    )
