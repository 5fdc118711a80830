"""Sums of look-ups in compact rows, which take most of the time of a fit.

A logit is a sum of one weight for each term. Terms are grouped into blocks: a row has one small
integer for each block, the code of the values of all its terms. A pass then looks up one sum of
weights for each block instead of one weight for each term.

Three rows through the steps. Two terms share a block: the first has two values, with the weights 0
and 1, the second three values, with the weights 2 to 4. A row with the values 1 and 2 has the code
1 · 3 + 2:

>>> lookups = Lookups([CodeBlock.side_by_side(np.array([[0, 2]]), [2, 3])], size=5)
>>> codes = [packed(np.array([[1, 0, 1], [2, 0, 0]]), [2, 3])]
>>> codes[0].tolist()
[5, 0, 3]

The table of the block has the sum of both weights for each of its six codes, and the logit of a
row is a look-up:

>>> tables = lookups.tables(np.array([10.0, 20.0, 1.0, 2.0, 3.0]))
>>> tables[0].tolist()
[[11.0, 12.0, 13.0, 21.0, 22.0, 23.0]]
>>> looked_up([table.ravel() for table in tables], codes).tolist()
[23.0, 11.0, 21.0]

A gradient goes the way back: numbers of rows are added up by code, and these sums by weight. The
weights 0 and 1 of the first term get the sums of the rows with its values 0 and 1:

>>> by_code = [np.zeros(6)]
>>> add_by_code(by_code, codes, np.array([0.5, 0.25, 2.0]))
>>> by_code[0].tolist()
[0.25, 0.0, 0.0, 2.0, 0.0, 0.5]
>>> lookups.by_weight(by_code).tolist()
[0.25, 2.5, 2.25, 0.0, 0.5]

Rows may be of several classes (numbers of open melds, kinds of alternatives) with other weights
for the same values. All classes share the codes; each has a table of its own. The code of a row
with its class is class · codes of a class + code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
class CodeBlock:
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
    def side_by_side(
        cls, first: Ints, sizes: Sequence[int], axes: Sequence[int] | None = None
    ) -> Self:
        """Terms whose weights lie side by side, from the first of each class and term, (c, k)."""
        axes = range(len(sizes)) if axes is None else axes
        cells = [
            start[:, None] + np.arange(sizes[axis])
            for start, axis in zip(first.T, axes, strict=True)
        ]
        return cls(cells, tuple(axes), tuple(sizes))

    @property
    def shape(self) -> tuple[int, int]:
        """Number of classes, and of codes of each class."""
        return len(self.cells[0]), prod(self.sizes)

    def cells_of_axis(self, axis: int) -> list[Ints]:
        """The cells of the terms whose value has a position in the code."""
        terms = zip(self.cells, self.axes, strict=True)
        return [cells for cells, term_axis in terms if term_axis == axis]

    def table(self, weights: Floats) -> Floats:
        """The sum of the weights of all terms, by class and code."""
        table = np.zeros(self._unpacked_shape)
        for cells, other_axes in self._terms():
            table += np.expand_dims(weights[cells], other_axes)
        return table.reshape(self.shape)

    def add_by_weight(self, by_code: Floats, by_weight: Floats) -> None:
        """Add sums over rows by class and code to those by weight."""
        table = by_code.reshape(self._unpacked_shape)
        for cells, other_axes in self._terms():
            np.add.at(by_weight, cells, table.sum(axis=other_axes))

    @property
    def _unpacked_shape(self) -> tuple[int, ...]:
        """An axis for the class, then one for each value in the code."""
        return len(self.cells[0]), *self.sizes

    def _terms(self) -> Iterator[tuple[Ints, tuple[int, ...]]]:
        """The cells of every term, and the axes that it does not depend on."""
        value_axes = range(1, 1 + len(self.sizes))
        for cells, axis in zip(self.cells, self.axes, strict=True):
            yield cells, tuple(other for other in value_axes if other != 1 + axis)


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

    def joint_sums(self, other: Values, by_row: Floats) -> Floats:
        """Σ over rows of a number, by class, own value and value of the other."""
        shape = (*self.shape, other.shape[1])
        code = self.class_value * other.shape[1] + other.value
        counts = np.bincount(code, by_row, prod(shape))
        joint_sums = counts.astype(np.float64, copy=False)
        return joint_sums.reshape(shape)


@dataclass(frozen=True)
class Lookups:
    """The blocks of all terms.

    Attributes
    ----------
    blocks : list of CodeBlock
    size : int
        Number of weights.
    """

    blocks: list[CodeBlock]
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
        for block, block_codes in zip(self.blocks, codes, strict=True):
            n_classes, _ = block.shape
            shape = (n_classes, *block.sizes)
            class_, *axis_values = np.unravel_index(block_codes, shape)
            for axis, value in enumerate(axis_values):
                size = block.sizes[axis]
                values.append(
                    Values(
                        class_value=class_ * size + value,
                        value=value,
                        shape=(n_classes, size),
                        cells=block.cells_of_axis(axis),
                    )
                )
        return values

    def gram(self, values: list[Values], by_row: Floats) -> Floats:
        """Σ over rows of a number times x xᵀ, (size, size), where x is the one-hot row."""
        gram = np.zeros((self.size, self.size), order="F")
        for number, first in enumerate(values):
            for second in values[number:]:
                # One sum for each pair of values serves the weights of all pairs of terms.
                table = first.joint_sums(second, by_row)
                for rows, columns in product(first.cells, second.cells):
                    row = rows[:, :, None]
                    column = columns[:, None, :]
                    np.add.at(gram, (row, column), table)
                    if first is not second:
                        np.add.at(gram, (column, row), table)
        return gram

    def by_group(self, values: list[Values], group: Ints, by_row: Floats) -> Floats:
        """Σ over the rows of each group of a number times x, (groups, size)."""
        n_groups = int(group[-1]) + 1
        total = np.zeros((n_groups, self.size))
        for position in values:
            n_values = prod(position.shape)
            code = group * n_values + position.class_value
            table = np.bincount(code, by_row, n_groups * n_values)
            table = table.reshape(n_groups, *position.shape)
            by_class = table.swapaxes(0, 1)
            for cells in position.cells:
                for class_cells, class_table in zip(cells, by_class, strict=True):
                    total[:, class_cells] += class_table
        return total

    def restricted(self, used: Ints) -> Lookups:
        """With the weights of some cells only; all others are one more weight, the last."""
        position = np.full(self.size, len(used))
        position[used] = np.arange(len(used))
        blocks = []
        for block in self.blocks:
            cells = [position[term_cells] for term_cells in block.cells]
            blocks.append(CodeBlock(cells, block.axes, block.sizes))
        return Lookups(blocks, len(used) + 1)


def looked_up(tables: Sequence[Floats], codes: Codes) -> Floats:
    """The sum over blocks of the look-ups of every row, (m,), in flat tables."""
    total = np.zeros(len(codes[0]))
    buffer = np.empty_like(total)
    for table, block_codes in zip(tables, codes, strict=True):
        # "clip" is the one mode in which numpy writes to `out` without another buffer
        total += table.take(block_codes, out=buffer, mode="clip")
    return total


def add_by_code(by_code: Sequence[Floats], codes: Codes, by_row: Floats) -> None:
    """Add a number of every row, (m,), to the sums by code of each block."""
    for total, block_codes in zip(by_code, codes, strict=True):
        sums = np.bincount(block_codes, by_row, len(total))
        np.add(total, sums, out=total)


def grouped(sizes: Sequence[int], n_classes: int = 1) -> list[slice]:
    """Consecutive terms as blocks, with at most `MAX_CODES` codes for several terms."""
    groups = []
    start = 0
    n_codes = n_classes
    for term, size in enumerate(sizes):
        if term > start and n_codes * size > MAX_CODES:
            groups.append(slice(start, term))
            start = term
            n_codes = n_classes
        n_codes *= size
    if len(sizes):
        groups.append(slice(start, len(sizes)))
    return groups


def packed(values: Codes, sizes: Sequence[int]) -> npt.NDArray[Any]:
    """The code of values of several terms, (m,), in the smallest type that holds all codes."""
    dtype = np.min_scalar_type(prod(sizes) - 1)
    code = values[0].astype(dtype)
    for value, size in zip(values[1:], sizes[1:], strict=True):
        code *= dtype.type(size)
        code += value.astype(dtype, copy=False)
    return code
