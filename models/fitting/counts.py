"""Equal values counted, in one shard and over all shards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np

from houjuu.util.arrays import Ints

Counts = tuple[Ints, Ints]
"""Distinct values, ascending, and the number of rows of each."""


def counted(values: Ints) -> Counts:
    """The counts of the values of some rows, (m,)."""
    distinct, n_rows = np.unique(values, return_counts=True)
    return distinct, n_rows


def merged(shards: Iterable[list[Counts]]) -> list[Counts]:
    """The counts over all shards, for each of several values of their rows."""
    return reduce(_merged, shards)


def _merged(first: list[Counts], second: list[Counts]) -> list[Counts]:
    return [_added(*both) for both in zip(first, second, strict=True)]


def _added(first: Counts, second: Counts) -> Counts:
    values = np.concatenate([first[0], second[0]])
    counts = np.concatenate([first[1], second[1]])
    distinct, index = np.unique(values, return_inverse=True)
    n_rows = np.zeros(len(distinct), np.int64)
    np.add.at(n_rows, index, counts)
    return distinct, n_rows
