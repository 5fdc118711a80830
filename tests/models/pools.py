"""Rows in shards whose results come from other processes, or in another order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import joblib
import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from models.fitting.shards import ArrayList, Arrays, ArrayShards

Result = TypeVar("Result")


class PooledShards:
    """The shards of a table, in files; functions run in another process, the last shard first.

    Parameters
    ----------
    folder : Path
    shards : sequence of DataFrame or dict
    """

    def __init__(self, folder: Path, shards: list[Any]) -> None:
        folder.mkdir()
        self._paths = [folder / f"{number}.pickle" for number in range(len(shards))]
        for path, shard in zip(self._paths, shards, strict=True):
            joblib.dump(shard, path)

    def map(self, function: Callable[[Any], Result]) -> Iterator[Result]:
        """As `models.fitting.shards.Shards.map`."""
        calls = [delayed(_apply)(function, path) for path in reversed(self._paths)]
        results: list[Result] = Parallel(n_jobs=2)(calls)
        return reversed(results)

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> PooledShards:
        """As `models.fitting.shards.Shards.prepare`."""
        folder = self._paths[0].parent
        number = sum(1 for _ in folder.parent.iterdir())
        return PooledShards(folder.parent / f"{folder.name}-{number}", list(self.map(function)))

    def every(self, step: int) -> ArrayShards:
        """As `models.fitting.shards.ArrayShards.every`."""
        return ArrayList(map(joblib.load, self._paths[::step]))

    def __len__(self) -> int:
        return len(self._paths)


def _apply(function: Callable[[Any], Result], path: Path) -> Result:
    return function(joblib.load(path))


class LazyShards:
    """Shards that are made anew in every pass, and never two at once."""

    def __init__(self, count: int, rows: Callable[[int], pd.DataFrame], folder: Path) -> None:
        self._count, self._rows, self._folder = count, rows, folder

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """As `models.fitting.shards.Shards.map`."""
        return (function(self._rows(number)) for number in range(self._count))

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> SavedArrays:
        """As `models.fitting.shards.Shards.prepare`."""
        folder = self._folder / str(sum(1 for _ in self._folder.iterdir()))
        folder.mkdir()
        for number, arrays in enumerate(self.map(function)):
            np.savez(folder / str(number), **arrays)  # type: ignore[arg-type]
        return SavedArrays(sorted(folder.iterdir(), key=lambda path: int(path.stem)))


class SavedArrays:
    """Arrays of shards in files."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        """As `models.fitting.shards.ArrayShards.map`."""
        for path in self._paths:
            with np.load(path) as arrays:
                result = function(dict(arrays))
            yield result

    def every(self, step: int) -> SavedArrays:
        """As `models.fitting.shards.ArrayShards.every`."""
        return SavedArrays(self._paths[::step])

    def __len__(self) -> int:
        return len(self._paths)
