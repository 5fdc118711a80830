"""Rows in shards, of which only a few are in memory: what every fit takes.

A fit is a number of passes over the shards. Each pass maps a function over them, maybe in other
processes, and adds up the results in the order of the shards: the same shards give the same bytes,
for any number of processes and any order of completion. (BLAS must use as many threads in each:
one, as in `pipeline.stage`.) A game lies in one shard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from houjuu.util.game_hashes import hashes

Arrays = dict[str, npt.NDArray[Any]]
Result = TypeVar("Result")
GAMES_PER_SHARD = 500
_PART = 10
_FEWEST = 20
"""Shards from which the early rounds of a fit see one of `_PART`."""


class Shards(Protocol):
    """Rows of one table in shards, in a fixed order."""

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """The function of the rows of every shard, in the order of the shards.

        It is pickled and may run in other processes.
        """
        ...

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> ArrayShards:
        """Arrays computed once from every shard and kept, so that a pass over them is cheap."""
        ...


class ArrayShards(Protocol):
    """Arrays of shards, in a fixed order."""

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        """The function of the arrays of every shard, as `Shards.map`."""
        ...

    def every(self, step: int) -> ArrayShards:
        """Every n-th shard, the first included."""
        ...

    def __len__(self) -> int: ...


class ArrayList:
    """Arrays of shards in memory."""

    def __init__(self, shards: Iterable[Arrays]) -> None:
        self._shards = list(shards)

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        """See `ArrayShards`."""
        return map(function, self._shards)

    def every(self, step: int) -> ArrayList:
        """See `ArrayShards`."""
        return ArrayList(self._shards[::step])

    def __len__(self) -> int:
        return len(self._shards)


class FrameShards:
    """The rows of a table in memory, in shards of equal numbers of games."""

    def __init__(self, rows: pd.DataFrame, games_per_shard: int = GAMES_PER_SHARD) -> None:
        shard = pd.factorize(rows["game"])[0] // games_per_shard
        order = np.argsort(shard, kind="stable")
        is_first = np.diff(shard[order], prepend=-1)
        starts = np.flatnonzero(is_first)
        self._rows = rows
        self._shards = np.split(order, starts[1:])

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """See `Shards`."""
        return (function(self._rows.iloc[index]) for index in self._shards)

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> ArrayList:
        """See `Shards`."""
        return ArrayList(self.map(function))


def as_shards(rows: Shards | pd.DataFrame, label: str, y: npt.ArrayLike | None = None) -> Shards:
    """The shards of a fit: as they are, or those of a table in memory.

    Parameters
    ----------
    rows : Shards or DataFrame
    label : str
        The column of the label.
    y : (n,) array-like, optional
        The labels of a table, as scikit-learn passes them; without them those of the column.
    """
    if not isinstance(rows, pd.DataFrame):
        return rows
    return FrameShards(rows if y is None else rows.assign(**{label: np.asarray(y)}))


class SelectedShards:
    """Some rows of every shard: those that a function selects."""

    def __init__(self, shards: Shards, select: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
        self._shards = shards
        self._select = select

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """See `Shards`."""
        return self._shards.map(partial(_of_selected, self._select, function))

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> ArrayShards:
        """See `Shards`."""
        return self._shards.prepare(partial(_of_selected, self._select, function))


def _of_selected(
    select: Callable[[pd.DataFrame], pd.DataFrame],
    function: Callable[[pd.DataFrame], Result],
    rows: pd.DataFrame,
) -> Result:
    return function(select(rows))


def concatenated(shards: Iterable[Arrays]) -> Arrays:
    """The arrays of all shards in memory, for fits by a library, which takes all rows at once."""
    by_shard = list(shards)
    joined = {}
    for name in by_shard[0]:
        joined[name] = np.concatenate([arrays[name] for arrays in by_shard])
    return joined


class Part(NamedTuple):
    """Some of the shards of a fit, whose sums stand for those of all.

    Attributes
    ----------
    shards : ArrayShards
    factor : float
        All shards for each of these.
    """

    shards: ArrayShards
    factor: float

    def sums(self, function: Callable[[Arrays], Sequence[Any]]) -> Sequence[Any]:
        """Estimates of the sums over all shards of each number or array of the results."""
        return [self.factor * total for total in sums(self.shards.map(function))]


def early_part(shards: ArrayShards) -> Part:
    """A tenth of many shards, or few shards: the early rounds of a fit end far from the minimum."""
    if len(shards) < _FEWEST:
        return Part(shards, 1.0)
    part = shards.every(_PART)
    return Part(part, len(shards) / len(part))


def sums(results: Iterable[Sequence[Any]]) -> Sequence[Any]:
    """The sum over the shards of each number or array of their results, in the order given."""
    return reduce(_sum, results)


def _sum(first: Sequence[Any], second: Sequence[Any]) -> Sequence[Any]:
    return [a + b for a, b in zip(first, second, strict=True)]


def game_hashes(games: pd.Series[Any]) -> npt.NDArray[np.uint64]:
    """A hash of the game of every row, (m,); it depends on the id of the game alone."""
    codes, ids = pd.factorize(games)
    return hashes(ids)[codes]
