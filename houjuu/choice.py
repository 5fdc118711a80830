"""A conditional logit: which of several alternatives is so, as a sum of numbers from tables.

P(a|u) = exp(s_a) / Σ exp(s_b) over the alternatives that are possible, s_a = offset_a + Σ over
tables of the number in the cell that a and the evidence u (`houjuu.evidence`) fall into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu.errors import ParameterError
from houjuu.evidence import LAYOUT, PAD, Layout
from houjuu.tiles import EAST

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]
Reasons = dict[str, float]
"""Parts of a probability by what they stand on, in words; they add up to it."""

Why = Callable[[int], Reasons]
"""The parts of what is said of a kind."""

CERTAIN = 0.97
"""What is never exceeded: no river tells a wait for certain."""

_NODES, _STEPS = np.polynomial.legendre.leggauss(24)


@dataclass(frozen=True)
class Table:
    """A table of numbers, one for each class of alternative and value of the evidence.

    Attributes
    ----------
    name : str
        What a player would call it; tables of the same name are explained as one.
    group : (a,) array
        Class of every alternative, from 0.
    looks : sequence of (str, (a,) array)
        Entries of the evidence, and which of an entry's numbers each alternative looks at.
    """

    name: str
    group: Ints
    looks: Sequence[tuple[str, Ints]] = ()


def of_whole(group: Ints, named: Sequence[tuple[str, str]]) -> list[Table]:
    """Tables that look at one entry of the whole each, from (name, entry) pairs."""
    here = np.zeros(len(group), np.int64)
    return [Table(name, group, [(entry, here)]) for name, entry in named]


def beside(kinds: Ints, mirrored: Bools, steps: int) -> Ints:
    """The kinds so many ranks above others of their suit, below where mirrored; `PAD` for none."""
    there = kinds + np.where(mirrored, -steps, steps)
    inside = (kinds < EAST) & (there // 9 == kinds // 9)
    return np.where(inside, there, PAD)


class Tables:
    """The cells of several tables, in one row of numbers.

    Parameters
    ----------
    tables : sequence of Table
        With the same alternatives.
    layout : Layout
        Of the evidence.

    Attributes
    ----------
    names : list of str
        A name for every table, (f,).
    size : int
        Cells in all.
    places : (d, a, f) array
        Where in the evidence each alternative looks for each table, at up to d places.
    """

    def __init__(self, tables: Sequence[Table], layout: Layout = LAYOUT) -> None:
        self.names = [table.name for table in tables]
        self.alternatives = len(tables[0].group)
        deepest = max(len(table.looks) for table in tables)
        shape = self.alternatives, len(tables)
        self._base = np.zeros(shape, np.int64)
        self.places = np.zeros((deepest, *shape), np.int64)
        self._steps = np.zeros((deepest, len(tables)), np.int64)
        self.size = 0
        for column, table in enumerate(tables):
            step = 1
            for depth, (name, index) in enumerate(table.looks):
                self.places[depth, :, column] = layout.start[name] + index
                self._steps[depth, column] = step
                step *= layout.size[name]
            self._base[:, column] = self.size + step * table.group
            self.size += step * (int(table.group.max()) + 1)

    def cells(self, evidence: Bytes) -> Ints:
        """The cell of every table for each alternative, (…, a, f), from evidence, (…, LENGTH)."""
        numbers = evidence.astype(np.int64)
        found = self._base + numbers.take(self.places[0], axis=-1) * self._steps[0]
        for deep, places, steps in self._deeper:
            found[..., deep] += numbers.take(places, axis=-1) * steps
        return np.asarray(found)

    @cached_property
    def _deeper(self) -> list[tuple[Ints, Ints, Ints]]:
        """Of the second look and those after it the tables that have one, places and steps."""
        deep = [np.flatnonzero(steps) for steps in self._steps[1:]]
        looks = zip(deep, self.places[1:], self._steps[1:], strict=True)
        return [(of, places[:, of], steps[of]) for of, places, steps in looks]

    def some(self, columns: Sequence[int]) -> Tables:
        """Some of the tables, whose cells are numbered as here."""
        found = copy(self)
        vars(found).pop("_deeper", None)
        found.names = [self.names[column] for column in columns]
        found._base = self._base[:, columns]
        found.places, found._steps = self.places[:, :, columns], self._steps[:, columns]
        return found


@dataclass(frozen=True)
class Choice:
    """A fitted conditional logit.

    Attributes
    ----------
    tables : Tables
    weights : (size,) array

    Raises
    ------
    ParameterError
        The weights are not as many as the cells, or one is not finite.
    """

    tables: Tables
    weights: Floats

    def __post_init__(self) -> None:
        if self.weights.shape != (self.tables.size,):
            shape = self.weights.shape
            raise ParameterError(
                f"the weights of a choice have shape {shape}, not that of its tables"
            )
        if not np.isfinite(self.weights).all():
            raise ParameterError("a weight of a choice is not finite")

    def read(self, evidence: Bytes, offset: Floats, possible: Bools) -> Floats:
        """P of every alternative, (…, a).

        Parameters
        ----------
        evidence : (…, LENGTH) array
        offset : (…, a) array
        possible : (…, a) array
            At least one of them, as a rule the last.
        """
        return softmax(offset + self.terms(evidence).sum(axis=-1), possible)

    def terms(self, evidence: Bytes) -> Floats:
        """The numbers that are added up, (…, a, f)."""
        return self.weights.take(self.tables.cells(evidence))

    def why(self, evidence: Bytes, offset: Floats, possible: Bools, worth: Floats) -> Reasons:
        """What each table adds to Σ worth · P, by its name; the offsets alone come first.

        The numbers of the tables grow from 0 to what they are, all alike, and what each moves on
        the way is its own (Aumann & Shapley 1974): whatever the order, it all adds up.

        Parameters
        ----------
        evidence, offset, possible
            As `read` takes them, of one opponent.
        worth : (a,) array
        """
        terms = self.terms(evidence)
        along = offset + (1 + _NODES[:, None]) / 2 * terms.sum(axis=1)
        chances = softmax(along, possible)
        pull = chances * (worth - (chances @ worth)[:, None])
        found = {"": float(softmax(offset, possible) @ worth)}
        for name, moved in zip(self.tables.names, _STEPS / 2 @ (pull @ terms), strict=True):
            found[name] = found.get(name, 0.0) + float(moved)
        return found


def with_none(offset: Floats, possible: Bools, for_none: float) -> tuple[Floats, Bools]:
    """Offsets and what is possible, (…, a), with one more alternative, which always is."""
    one = (*offset.shape[:-1], 1)
    offsets = np.concatenate([offset, np.full(one, for_none)], axis=-1)
    return offsets, np.concatenate([possible, np.ones(one, dtype=bool)], axis=-1)


def softmax(scores: Floats, possible: Bools) -> Floats:
    """Exp of the scores over their sum among what is possible, (…, a)."""
    held = np.where(possible, scores, -np.inf)
    weight = np.exp(held - held.max(axis=-1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True))
