"""Sums of look-ups in compact rows, the part of a fit that takes its time.

A logit is a sum over terms of one weight each. Terms are grouped into blocks: a row has one small
integer for each block, the code of the values of all its terms. A pass then looks up one sum of
weights for each block instead of one weight for each term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from houjuu.util.arrays import Floats, Ints

Codes = Sequence[npt.NDArray[Any]] | npt.NDArray[Any]
"""The code of every row for each block, (m,) each."""

MAX_CODES = 1 << 13
"""The most codes of a block of several terms: its table fits into the nearest cache."""


@dataclass(frozen=True)
class Block:
    """Terms with one code, in the order of `numpy.ravel_multi_index`: (class, value, value, …).

    Attributes
    ----------
    cells : list of (c, n) arrays
        For every term the index of its weight, by class of rows and value.
    axes : tuple of int
        For every term the position of its value in the code; terms may share a value.
    sizes : tuple of int
        Number of values at each position.
    """

    cells: list[Ints]
    axes: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, first: Ints, sizes: Sequence[int], axes: Sequence[int] | None = None) -> Self:
        """Terms whose weights lie side by side, from the first of each class and term, (c, k)."""
        axes = range(len(sizes)) if axes is None else axes
        starts = zip(first.T, axes, strict=True)
        cells = [of_term[:, None] + np.arange(sizes[axis]) for of_term, axis in starts]
        return cls(cells, tuple(axes), tuple(sizes))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of classes, and of codes of each class."""
        return len(self.cells[0]), prod(self.sizes)

    @property
    def _shape(self) -> tuple[int, ...]:
        return len(self.cells[0]), *self.sizes

    def table(self, weights: Floats) -> Floats:
        """The sum of the weights of all terms, by class and code."""
        table = np.zeros(self._shape)
        for cells, axis in zip(self.cells, self.axes, strict=True):
            other_axes = [i for i in range(1, table.ndim) if i != axis + 1]
            table += np.expand_dims(weights[cells], other_axes)
        return table.reshape(self.shape)

    def add_by_weight(self, by_code: Floats, by_weight: Floats) -> None:
        """Add sums over rows by class and code to those by weight."""
        table = by_code.reshape(self._shape)
        for cells, axis in zip(self.cells, self.axes, strict=True):
            other_axes = tuple(i for i in range(1, table.ndim) if i != axis + 1)
            np.add.at(by_weight, cells, table.sum(axis=other_axes))


class Values(NamedTuple):
    """The values of some rows at one position of the code of a block.

    Attributes
    ----------
    class_value : (m,) array
        class · size + value
    value : (m,) array
    shape : (int, int)
        Number of classes and of values.
    cells : list of (classes, size) arrays
        The weights of every term with the value.
    """

    class_value: Ints
    value: Ints
    shape: tuple[int, int]
    cells: list[Ints]


@dataclass(frozen=True)
class Lookups:
    """The blocks of all terms.

    Attributes
    ----------
    blocks : list of Block
    size : int
        Number of weights.
    """

    blocks: list[Block]
    size: int

    def tables(self, weights: Floats) -> list[Floats]:
        """The table of every block."""
        return [block.table(weights) for block in self.blocks]

    def by_weight(self, by_code: Sequence[Floats]) -> Floats:
        """Sums over rows by weight, (size,), from those by class and code of every block."""
        by_weight = np.zeros(self.size)
        for block, sums in zip(self.blocks, by_code, strict=True):
            block.add_by_weight(sums, by_weight)
        return by_weight

    def values(self, codes: Codes) -> list[Values]:
        """The values of rows, from codes with the class, which all blocks share."""
        values = []
        for block, of_block in zip(self.blocks, codes, strict=True):
            n_classes = block.shape[0]
            class_, *at_axes = np.unravel_index(of_block, (n_classes, *block.sizes))
            for axis, (value, size) in enumerate(zip(at_axes, block.sizes, strict=True)):
                terms = zip(block.cells, block.axes, strict=True)
                cells = [cells for cells, of_term in terms if of_term == axis]
                values.append(Values(class_ * size + value, value, (n_classes, size), cells))
        return values

    def gram(self, values: list[Values], by_row: Floats) -> Floats:
        """Σ over rows of a number times x xᵀ, (size, size), where x is the one-hot row."""
        gram = np.zeros((self.size, self.size), order="F")
        for number, first in enumerate(values):
            for second in values[number:]:
                shape = (*first.shape, second.shape[1])
                code = first.class_value * shape[2] + second.value
                table = np.bincount(code, by_row, prod(shape)).reshape(shape)
                for rows, columns in product(first.cells, second.cells):
                    cells = rows[:, :, None], columns[:, None, :]
                    np.add.at(gram, cells, table)
                    if first is not second:
                        np.add.at(gram, cells[::-1], table)
        return gram

    def by_group(self, values: list[Values], group: Ints, by_row: Floats) -> Floats:
        """Σ over the rows of each group of a number times x, (groups, size)."""
        n_groups = int(group[-1]) + 1
        total = np.zeros((n_groups, self.size))
        for of_rows in values:
            n_values = prod(of_rows.shape)
            code = group * n_values + of_rows.class_value
            table = np.bincount(code, by_row, n_groups * n_values)
            by_class = table.reshape(n_groups, *of_rows.shape).transpose(1, 0, 2)
            for cells in of_rows.cells:
                for of_class, of_table in zip(cells, by_class, strict=True):
                    total[:, of_class] += of_table
        return total

    def restricted(self, used: Ints) -> Lookups:
        """With the weights of some cells only; all others are one more weight, the last."""
        position = np.full(self.size, len(used))
        position[used] = np.arange(len(used))
        blocks = [
            Block([position[cells] for cells in block.cells], block.axes, block.sizes)
            for block in self.blocks
        ]
        return Lookups(blocks, len(used) + 1)


def looked_up(tables: Sequence[Floats], codes: Codes) -> Floats:
    """The sum over blocks of the look-ups of every row, (m,), in flat tables."""
    total = np.zeros(len(codes[0]))
    buffer = np.empty_like(total)
    for table, of_block in zip(tables, codes, strict=True):
        total += table.take(of_block, out=buffer, mode="clip")
    return total


def add_by_code(by_code: Sequence[Floats], codes: Codes, by_row: Floats) -> None:
    """Add a number of every row, (m,), to the sums by code of each block."""
    for total, of_block in zip(by_code, codes, strict=True):
        np.add(total, np.bincount(of_block, by_row, len(total)), out=total)


def grouped(sizes: Sequence[int], n_classes: int = 1) -> list[slice]:
    """Consecutive terms as blocks, with at most `MAX_CODES` codes for several terms."""
    groups, start, n_codes = [], 0, n_classes
    for term, size in enumerate(sizes):
        if term > start and n_codes * size > MAX_CODES:
            groups.append(slice(start, term))
            start, n_codes = term, n_classes
        n_codes *= size
    return [*groups, slice(start, len(sizes))] if len(sizes) else []


def packed(values: Codes, sizes: Sequence[int]) -> npt.NDArray[Any]:
    """The code of values of several terms, (m,), in the smallest type that holds all codes."""
    dtype = np.min_scalar_type(prod(sizes) - 1)
    code = values[0].astype(dtype)
    for value, size in zip(values[1:], sizes[1:], strict=True):
        code *= dtype.type(size)
        code += value.astype(dtype, copy=False)
    return code
