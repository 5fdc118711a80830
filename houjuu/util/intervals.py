"""Means and differences of means with 95% intervals that count a cluster once.

Rows of one game, or of one deal, are not independent. The variance of a mean is therefore that of a
ratio of sums over clusters: Cochran, Sampling Techniques (1977), chapter 6, for a large number
of clusters.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from houjuu.util.arrays import Floats, Ints

Z95 = 1.959964
"""Half width of a normal 95% interval, in standard errors."""

Values = Sequence[float] | Floats
Clusters = Sequence[Hashable] | npt.NDArray[np.generic]


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
        NaN without values.

    Examples
    --------
    >>> clustered_mean([1.0, 2.0, 3.0], ["a", "b", "c"])
    (2.0, 0.9239358...)
    """
    if not len(values):
        return float("nan"), float("nan")
    (codes,) = _codes(clusters)
    sums = np.bincount(codes, np.asarray(values, dtype=float))
    rows = np.bincount(codes)
    mean = float(sums.sum() / rows.sum())
    spread = np.sqrt(((sums - mean * rows) ** 2).sum()) / rows.sum()
    return mean, float(Z95 * spread)


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
        NaN if either sample is empty.
    """
    if not len(values) or not len(others):
        return float("nan"), float("nan")
    first = np.asarray(values, dtype=float)
    second = np.asarray(others, dtype=float)
    parts = [(first - first.mean()) / len(first), (second.mean() - second) / len(second)]
    codes = np.concatenate(_codes(clusters, other_clusters))
    spread = np.sqrt((np.bincount(codes, np.concatenate(parts)) ** 2).sum())
    return float(first.mean() - second.mean()), float(Z95 * spread)


def _codes(*samples: Clusters) -> tuple[Ints, ...]:
    """Numbers of the clusters of several samples, in the order of their first occurrence."""
    code_of: dict[Hashable, int] = {}
    names = [np.asarray(sample).tolist() for sample in samples]
    return tuple(
        np.array([code_of.setdefault(name, len(code_of)) for name in sample]) for sample in names
    )
