"""Merging of equal elements by 64-bit keys.

A key is a sum of products with random numbers. Different elements have equal keys with a
probability of some 2^-60 for each pair. Elements are sorted by 16 bits, which is faster than a full
sort. This may separate equal elements: then a sum has more terms, with the same result.

Keys are sums so that they can be extended: the key of an element with a bonus is the key of the
element plus the bonus times a random factor. No element is compared field by field.

>>> merged = merge(np.array([7, 9, 7, 8], np.uint64))
>>> merged.classes.tolist(), merged.order[merged.first].tolist()
([0, 2, 0, 1], [0, 3, 1])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.hands.sets import Indices
from houjuu.util.arrays import Bools, Floats, UInt8s

Keys = npt.NDArray[np.uint64]

_CATEGORY_BITS = 6

# The seed is fixed, so that the order of the sums, and with it their last digits, never change.
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
        # A product of float64 matrices uses BLAS; numpy multiplies integers in a plain loop.
        sums = rows.astype(np.float64) @ _FACTORS[: rows.shape[1]]
        keys = sums.astype(np.uint64) @ _FACTOR_KEYS
    return keys


class Merged(NamedTuple):
    """Classes of equal elements.

    Attributes
    ----------
    order : (n,) intp
        All elements; those of a class are contiguous, those of a category too.
    first : (c,) intp
        Index into `order` of the first element of each class.
    """

    order: Indices
    first: Indices

    @property
    def representatives(self) -> Indices:
        """An element of each class, (c,)."""
        return self.order[self.first]

    @property
    def sizes(self) -> Indices:
        """Number of elements of each class, (c,)."""
        return np.append(self.first[1:], len(self.order)) - self.first

    @property
    def classes(self) -> Indices:
        """Class of each element, (n,)."""
        classes = np.empty(len(self.order), np.intp)
        classes[self.order] = np.repeat(np.arange(len(self.first)), self.sizes)
        return classes


def merge(key: Keys, category: Indices | None = None) -> Merged:
    """Classes of elements with equal keys and, if given, equal categories, 0-63."""
    sort_key = key
    if category is not None:
        shift = np.uint64(16 - _CATEGORY_BITS)
        sort_key = (key & ((np.uint64(1) << shift) - np.uint64(1))) | (
            category.astype(np.uint64) << shift
        )
    order = np.argsort(sort_key.astype(np.uint16), kind="stable")  # 16 bits: a radix sort
    in_order = key[order]
    changes = np.ones(len(order), np.bool_)  # by slices: `np.diff` takes four times as long
    np.not_equal(in_order[1:], in_order[:-1], out=changes[1:])
    if category is not None:
        category = category[order]
        changes[1:] |= category[1:] != category[:-1]
    return Merged(order, np.flatnonzero(changes))


def ragged(start: Indices, length: Indices) -> tuple[Indices, Indices]:
    """Ranges of different lengths, one after the other: index of the range, and its elements.

    >>> index, element = ragged(np.array([5, 0]), np.array([2, 3]))
    >>> index.tolist(), element.tolist()
    ([0, 0, 1, 1, 1], [5, 6, 0, 1, 2])
    """
    index = np.repeat(np.arange(len(start)), length)
    end = length.cumsum()
    return index, np.arange(len(index)) + np.repeat(start - end + length, length)
