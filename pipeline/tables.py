"""Tables of rows: folders of Parquet files, a file per shard and split."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeVar
from weakref import finalize

import numpy as np
import pandas as pd
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from features import schema
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path
from houjuu.util.game_hashes import Hashes
from models.fitting.shards import Arrays, game_hashes
from pipeline.engine import Engine, SerialEngine
from pipeline.game_shards import accepted_games, select_games
from pipeline.paths import FITTED, GAMES, HELD_OUT, SPARE_ROWS
from pipeline.resume import UNFINISHED

Result = TypeVar("Result")
Columns = tuple[schema.Column, ...]
OpenTable = Callable[[str, Columns], "StoredShards"]
"""Opens the rows of a table that a fit sees."""
_FEW = 10_000
"""Rows of a table that are read and fitted to before another process has started."""


def shard_files(folder: str, *, held_out: bool) -> list[Path]:
    """The files of a split of a table, in the order of the shards.

    Raises
    ------
    Error
        There are none.
    """
    paths = sorted(Path(folder, HELD_OUT if held_out else FITTED).glob("*.parquet"))
    if not paths:
        split = "held out for the evaluation" if held_out else "left to fit to"
        n_games = len(accepted_games())
        reason = f"none of its {n_games} games is {split}, or they have no row in {folder}"
        raise Error(f"{reason}; see parse.validate_share", file=GAMES)
    return paths


def read_rows(
    folder: str, columns: Columns, *, held_out: bool, games: int | None = None
) -> pd.DataFrame:
    """The rows of one split of a table, in memory: of all games, or of some of them.

    Parameters
    ----------
    folder : str
        The folder of the table.
    columns : tuple of Column
    held_out : bool
        Whether to read the rows of the held-out games, or of the others.
    games : int, optional
        The number of games, those with the smallest digests; default: all.

    Raises
    ------
    Error
        There are none.
    """
    paths = [str(path) for path in shard_files(folder, held_out=held_out)]
    chosen = None
    if games is not None:
        wanted = select_games(accepted_games(), **{"held_out" if held_out else "fitted": games})
        chosen = ds.field("game").isin(list(wanted["game"]))
    table = ds.dataset(paths, schema=schema.arrow(columns)).to_table(filter=chosen)
    rows = schema.check(table.to_pandas(), columns)
    rows["game"] = rows["game"].cat.remove_unused_categories()
    return rows


def without_seen(rows: pd.DataFrame, seen: Hashes) -> pd.DataFrame:
    """The rows of games that are not in a fit, by the hashes of `seen_games.seen_by`."""
    return rows.loc[~np.isin(game_hashes(rows["game"]), seen)]


def read_shard(columns: Columns, path: str) -> pd.DataFrame:
    return schema.check(pd.read_parquet(path, columns=schema.names(columns)), columns)


def fitted_files(folder: str) -> list[Path]:
    """The files of the rows to fit to."""
    return shard_files(folder, held_out=False)


def all_files(folder: str) -> list[Path]:
    """The files of all rows of a table: of the games to fit to, and of the held-out ones."""
    files = fitted_files(folder) + shard_files(folder, held_out=True)
    spare = SPARE_ROWS.get(folder)
    return files if spare is None else files + sorted(Path(spare, HELD_OUT).glob("*.parquet"))


class StoredShards:
    """The rows of a table on disk, as `models.fitting.shards.Shards`.

    A pass over them is a map of an engine.

    Parameters
    ----------
    paths : sequence of Path
        The files of the shards.
    columns : tuple of Column
    engine : Engine
    scratch : Path
        A folder for the arrays of `prepare`, which all workers see.
    """

    def __init__(
        self, paths: Sequence[Path], columns: Columns, engine: Engine, scratch: Path
    ) -> None:
        self._paths = [str(path.resolve()) for path in paths]
        self._columns, self._engine, self._scratch = columns, engine, scratch
        self._n_prepared = 0

    def map(self, function: Callable[[pd.DataFrame], Result]) -> Iterator[Result]:
        """Yield the function of the rows of every shard, in order."""
        return self._engine.map(partial(_of_rows, function, self._columns), self._paths)

    def prepare(self, function: Callable[[pd.DataFrame], Arrays]) -> StoredArrays:
        """Compute arrays from every shard, once, and keep them on disk as long as they are used."""
        folder = self._scratch / f"{self._n_prepared}"
        self._n_prepared += 1
        folder.mkdir(parents=True)
        names = [str(folder / f"{number:06}.npz") for number in range(len(self._paths))]
        save = partial(_save_arrays, function, self._columns)
        for _ in self._engine.map(save, zip(self._paths, names, strict=True)):
            pass
        arrays = StoredArrays(names, self._engine)
        finalize(arrays, shutil.rmtree, folder, ignore_errors=True)
        return arrays


class StoredArrays:
    """Arrays of shards on disk, as `models.fitting.shards.ArrayShards`."""

    def __init__(
        self, paths: Sequence[str], engine: Engine, whole: StoredArrays | None = None
    ) -> None:
        self._paths, self._engine = paths, engine
        self._whole = whole  # whose files are removed with it

    def map(self, function: Callable[[Arrays], Result]) -> Iterator[Result]:
        """Yield the function of the arrays of every shard, in order."""
        yield from self._engine.map(partial(_of_arrays, function), self._paths)

    def every(self, step: int) -> StoredArrays:
        """Every n-th shard."""
        return StoredArrays(self._paths[::step], self._engine, self)

    def __len__(self) -> int:
        return len(self._paths)


def _of_rows(function: Callable[[pd.DataFrame], Result], columns: Columns, path: str) -> Result:
    return function(read_shard(columns, path))


def _save_arrays(
    function: Callable[[pd.DataFrame], Arrays], columns: Columns, paths: tuple[str, str]
) -> None:
    source, target = paths
    with atomic_path(target) as path, path.open("wb") as file:
        np.savez(file, allow_pickle=False, **function(read_shard(columns, source)))


def _of_arrays(function: Callable[[Arrays], Result], path: str) -> Result:
    with np.load(path) as arrays:
        return function(dict(arrays))


@contextmanager
def stored_shards(
    stage: str, engine: Engine, files: Callable[[str], list[Path]] = fitted_files
) -> Iterator[OpenTable]:
    """Yield a function that opens the rows of a table to fit to; prepared arrays last as long.

    The process itself passes over few rows, and starts no worker for them.
    """
    scratch, numbers = (UNFINISHED / stage / "prepared").resolve(), count()
    shutil.rmtree(scratch, ignore_errors=True)

    def open_table(folder: str, columns: Columns) -> StoredShards:
        paths = files(folder)
        is_small = sum(pq.read_metadata(path).num_rows for path in paths) < _FEW
        chosen = SerialEngine() if is_small else engine
        return StoredShards(paths, columns, chosen, scratch / str(next(numbers)))

    try:
        yield open_table
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        with suppress(OSError):  # it has other files
            scratch.parent.rmdir()
