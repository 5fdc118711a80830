"""The choice of pairs of features of the tenpai GAM, from sums over rows by pair and cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.util.arrays import Floats

Pair = tuple[int, int]
_PAIRS_PER_FEATURE = 2
"""Limit in a round: the pairs of one feature are much alike."""


def _cells(sizes: Sequence[int]) -> dict[Pair, slice]:
    """The cells of every pair of features in one row of numbers."""
    cells = {}
    start = 0
    for first, second in combinations(range(len(sizes)), 2):
        end = start + sizes[first] * sizes[second]
        cells[first, second] = slice(start, end)
        start = end
    return cells


def sums_by_cell(bins: npt.NDArray[Any], sizes: Sequence[int], numbers: Sequence[Floats]) -> Floats:
    """Sums over rows by pair of features and cell, (numbers, cells of all pairs).

    Two times two features are counted at once, which gives the sums of four pairs.

    Parameters
    ----------
    bins : (n, m) array
        Bin of every feature of m rows.
    sizes : (n,) sequence of int
        Number of bins of every feature.
    numbers : sequence of (m,) arrays
    """
    cells = _cells(sizes)
    n_cells = max((pair_cells.stop for pair_cells in cells.values()), default=0)
    totals = np.zeros((len(numbers), n_cells))
    n_features = len(sizes)
    all_features = tuple(range(n_features))
    twos = [all_features[first : first + 2] for first in range(0, n_features, 2)]
    codes = [_code(bins, two, sizes) for two in twos]
    for (i, first), (j, second) in combinations(enumerate(twos), 2):
        features = first + second
        shape = [sizes[feature] for feature in features]
        n_codes_of_second = prod(shape[len(first) :])
        code = codes[i] * n_codes_of_second + codes[j]
        for total, number in zip(totals, numbers, strict=True):
            table = np.bincount(code, number, prod(shape))
            for pair, pair_sums in _marginals(table.reshape(shape), features):
                total[cells[pair]] = pair_sums
    return totals


def _code(
    bins: npt.NDArray[Any], features: Sequence[int], sizes: Sequence[int]
) -> npt.NDArray[np.int64]:
    code = np.zeros(bins.shape[1], np.int64)
    for feature in features:
        code = code * sizes[feature] + bins[feature]
    return code


def _marginals(
    table: npt.NDArray[Any], features: tuple[int, ...]
) -> Iterator[tuple[Pair, npt.NDArray[Any]]]:
    """Yield every pair of the features of a table and its sums."""
    axes = range(len(features))
    for first, second in combinations(axes, 2):
        other_axes = tuple(axis for axis in axes if axis not in (first, second))
        pair = features[first], features[second]
        yield pair, table.sum(axis=other_axes).ravel()


def gains(halves: Sequence[Floats], sizes: Sequence[int], penalty: float) -> dict[Pair, float]:
    """Gain in log loss, nats, of every pair on each half of the rows, estimated from the other.

    One Newton step from weights of 0.

    Parameters
    ----------
    halves : sequence of 2 (2, cells) arrays
        `sums_by_cell` of slope and curvature of the log loss by logit.
    sizes
        As in `sums_by_cell`.
    penalty : float
    """
    (slope, curvature), (other_slope, other_curvature) = halves
    step = slope / (curvature + penalty)
    other_step = other_slope / (other_curvature + penalty)
    by_cell = other_slope * step - 0.5 * other_curvature * step**2
    by_cell += slope * other_step - 0.5 * curvature * other_step**2
    cells = _cells(sizes).items()
    return {pair: float(by_cell[pair_cells].sum()) for pair, pair_cells in cells}


def best(gains: dict[Pair, float], count: int, without: Sequence[Pair] = ()) -> list[Pair]:
    """The pairs with the largest positive gains, except for those that are taken."""
    features = {feature for pair in gains for feature in pair}
    n_pairs = dict.fromkeys(features, 0)
    chosen = list[Pair]()
    candidates = gains.keys() - set(without)
    for pair in sorted(candidates, key=lambda pair: (-gains[pair], pair)):
        if len(chosen) == count or gains[pair] <= 0:
            break
        if max(n_pairs[feature] for feature in pair) < _PAIRS_PER_FEATURE:
            chosen.append(pair)
            for feature in pair:
                n_pairs[feature] += 1
    return chosen
