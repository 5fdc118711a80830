"""Merging of equal elements by 64-bit keys.

A key is a sum of products with random numbers. Different elements have equal keys with a
probability of some 2^-60 for each pair. Elements are sorted by 16 bits, which is faster than a full
sort. This may separate equal elements: then a sum has more terms, with the same result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.hands.sets import Indices
from houjuu.util.arrays import Bools, Floats, UInt8s

Keys = npt.NDArray[np.uint64]

_BLOCK_BITS = 6

_random = np.random.default_rng(34)
_FACTOR_BITS = 32  # sums of some thousand products with a byte are exact in float64
_FACTORS: Floats = _random.integers(1 << _FACTOR_BITS, size=(1 << 13, 2)).astype(np.float64)


def random_keys(n: int) -> Keys:
    """Odd random numbers, the factors of keys, (n,)."""
    return _random.integers(1 << 64, size=n, dtype=np.uint64) | np.uint64(1)


_FACTOR_KEYS = random_keys(2)


def vector_keys(rows: UInt8s | Bools) -> Keys:
    """A key of each row, (n,), of an array (n, at most 2^13); 0 if the row is 0."""
    keys: Keys
    if rows.shape[1] == 1:
        keys = rows[:, 0].astype(np.uint64) * _FACTOR_KEYS[0]
    else:
        sums = rows.astype(np.float64) @ _FACTORS[: rows.shape[1]]
        keys = sums.astype(np.uint64) @ _FACTOR_KEYS
    return keys


class Merged(NamedTuple):
    """Runs of equal elements.

    Attributes
    ----------
    order : (n,) intp
        All elements, by block; those of a run are contiguous.
    first : (runs,) intp
        Index into `order` of the first element of each run.
    """

    order: Indices
    first: Indices

    @property
    def representatives(self) -> Indices:
        """An element of each run, (runs,)."""
        return self.order[self.first]

    @property
    def lengths(self) -> Indices:
        """Number of elements of each run, (runs,)."""
        return np.diff(self.first, append=len(self.order))

    @property
    def run(self) -> Indices:
        """Run of each element, (n,)."""
        run = np.empty(len(self.order), np.intp)
        run[self.order] = np.repeat(np.arange(len(self.first)), self.lengths)
        return run


def merge(key: Keys, block: Indices | None = None) -> Merged:
    """Runs of elements with equal keys and, if given, equal blocks, 0-63."""
    if block is None:
        order = np.argsort(key.astype(np.uint16), kind="stable")  # 16 bits: a radix sort
        in_order = key[order]
        return Merged(order, np.flatnonzero(np.diff(in_order, prepend=~in_order[:1])))
    shift = np.uint64(16 - _BLOCK_BITS)
    low = (key & ((np.uint64(1) << shift) - np.uint64(1))) | (block.astype(np.uint64) << shift)
    order = np.argsort(low.astype(np.uint16), kind="stable")
    in_order = key[order]
    changes = np.diff(in_order, prepend=~in_order[:1]).astype(np.bool_)
    changes[1:] |= np.diff(block[order]).astype(np.bool_)
    return Merged(order, np.flatnonzero(changes))


def ragged(start: Indices, length: Indices) -> tuple[Indices, Indices]:
    """Ranges of different lengths, one after the other: index of the range, and its elements."""
    index = np.repeat(np.arange(len(start)), length)
    end = length.cumsum()
    return index, np.arange(len(index)) + np.repeat(start - end + length, length)
