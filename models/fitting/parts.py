"""Rows in parts, of which only a few are in memory: what every fit takes.

A fit is a number of passes over the parts. Each pass maps a function over them, maybe in other
processes, and adds up the results in the order of the parts: the same parts give the same bytes,
for any number of processes and any order of completion. (BLAS must use as many threads in each:
one, as in `pipeline.stage`.) A game lies in one part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from hashlib import blake2b
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

Arrays = dict[str, npt.NDArray[Any]]
Result = TypeVar("Result")
GAMES_PER_PART = 500


class Parts(Protocol):
    """Rows of one table in parts, in a fixed order."""

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """The function of the rows of every part, in the order of the parts.

        It is pickled and may run in other processes.
        """
        ...

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> ArrayParts:
        """Arrays computed once from every part and kept, so that a pass over them is cheap."""
        ...


class ArrayParts(Protocol):
    """Arrays of parts, in a fixed order."""

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        """The function of the arrays of every part, as `Parts.map`."""
        ...


class ArrayList:
    """Arrays of parts in memory."""

    def __init__(self, parts: Iterable[Arrays]) -> None:
        self._parts = list(parts)

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        """See `ArrayParts`."""
        return map(function, self._parts)


class FrameParts:
    """The rows of a table in memory, in shards with a number of games each."""

    def __init__(self, rows: pd.DataFrame, games_per_part: int = GAMES_PER_PART) -> None:
        part = pd.factorize(rows["game"])[0] // games_per_part
        order = np.argsort(part, kind="stable")
        starts = np.flatnonzero(np.diff(part[order], prepend=-1))[1:]
        self._rows, self._parts = rows, np.split(order, starts)

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """See `Parts`."""
        return (function(self._rows.iloc[index]) for index in self._parts)

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> ArrayList:
        """See `Parts`."""
        return ArrayList(self.map(function))


class SelectedParts:
    """Some rows of every part: those that a function selects."""

    def __init__(self, parts: Parts, select: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
        self._parts, self._select = parts, select

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """See `Parts`."""
        return self._parts.map(partial(_of_selected, self._select, function))

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> ArrayParts:
        """See `Parts`."""
        return self._parts.prepare(partial(_of_selected, self._select, function))


def _of_selected(
    select: Callable[[pd.DataFrame], pd.DataFrame],
    function: Callable[[pd.DataFrame], Result],
    rows: pd.DataFrame,
) -> Result:
    return function(select(rows))


def sums(results: Iterable[Sequence[Any]]) -> Sequence[Any]:
    """The sum over the parts of each number or array of their results, in the order given."""
    return reduce(_sum, results)


def _sum(first: Sequence[Any], second: Sequence[Any]) -> Sequence[Any]:
    return [a + b for a, b in zip(first, second, strict=True)]


def game_hashes(games: pd.Series[Any]) -> npt.NDArray[np.uint64]:
    """A hash of the game of every row, (m,); it depends on the id of the game alone."""
    codes, ids = pd.factorize(games)
    digests = [blake2b(str(id).encode(), digest_size=8).digest() for id in ids]
    return np.frombuffer(b"".join(digests), dtype="<u8")[codes]
