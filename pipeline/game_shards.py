"""The games that ``parse`` accepted, cut into shards by their ids; stages make rows from each.

data/game_logs has the logs themselves, so that every later stage opens some without unpacking an
archive to their place. data/games.parquet has a row per game, with the number of its file there and
its position in it. The shards of a table depend on its games alone, and not on these files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

from features import schema
from houjuu.game.events import Game
from houjuu.logs import any_format as logs
from houjuu.scoring.win_scoring import scored
from houjuu.util.files import atomic_path
from pipeline import settings
from pipeline.engine import Engine, open_engine
from pipeline.paths import FITTED, GAME_LOGS, GAMES, HELD_OUT
from pipeline.resume import (
    Counts,
    Job,
    content_digest,
    make_shards,
    runs,
    shard_file,
    total,
)

Result = TypeVar("Result")
Tables = Sequence[pd.DataFrame]


@dataclass(frozen=True, slots=True)
class GameTask:
    """The games of one shard of a split.

    Attributes
    ----------
    place : str
        The split and the number of the shard.
    files : tuple of (str, tuple of int)
        Absolute path of each file of logs, and the positions of the games there.
    keys : tuple of str
        Id and hash of the log of each game.
    """

    place: str
    files: tuple[tuple[str, tuple[int, ...]], ...]
    keys: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.keys)

    def shards(self) -> tuple[GameTask]:
        return (self,)

    def content(self) -> Iterator[bytes]:
        return map(str.encode, self.keys)

    def games(self) -> list[Game]:
        """The games, by id."""
        games: list[Game] = []
        for path, positions in self.files:
            table = pq.read_table(path).take(np.array(positions, dtype=np.int64))
            names, contents = (table[name].to_pylist() for name in ("source", "log"))
            both = zip(names, contents, strict=True)
            games += [logs.parse(log, name, judge=scored) for name, log in both]
        return sorted(games, key=attrgetter("id"))


def accepted_games() -> pd.DataFrame:
    """The games that ``parse`` accepted."""
    return pd.read_parquet(GAMES)


def select_games(
    games: pd.DataFrame, fitted: int | None = 0, held_out: int | None = 0
) -> pd.DataFrame:
    """The rows of the games with the smallest digests.

    Parameters
    ----------
    games : DataFrame
        As `accepted_games`.
    fitted, held_out : int or None, default=0
        Number of games of either split; None, or if there are fewer: all.
    """
    ordered = games.sort_values("digest", kind="stable")
    is_held_out = ordered["validate"]
    return pd.concat([ordered[~is_held_out][:fitted], ordered[is_held_out][:held_out]])


def game_tasks(wanted: pd.DataFrame) -> list[GameTask]:
    """The tasks for some rows of `accepted_games`: shards of the games to fit to, then others."""
    size = settings.load().parse.games_per_shard
    tasks = []
    for split, is_held_out in ((FITTED, False), (HELD_OUT, True)):
        games = wanted[wanted["validate"] == is_held_out].sort_values("game")
        for number, run in enumerate(runs([*games["game"]], size)):
            of_shard = games[run]
            files = tuple(
                (str(Path(GAME_LOGS, f"{file:06}.parquet").resolve()), tuple(positions))
                for file, positions in of_shard.groupby("shard")["position"]
            )
            keys = tuple(of_shard["game"] + " " + of_shard["log"])
            tasks.append(GameTask(f"{split}/{number:06}", files, keys))
    return tasks


def map_games(
    function: Callable[[list[Game]], Result], wanted: pd.DataFrame, engine: Engine, name: str
) -> Iterator[Result]:
    """Yield the result of the function for the wanted games of each shard, with a progress bar."""
    tasks = game_tasks(wanted)
    with tqdm(total=len(wanted), desc=name, unit="game") as progress:
        results = engine.map(partial(_apply, function), tasks)
        for task, result in zip(tasks, results, strict=True):
            progress.update(task.size)
            yield result


def _apply(function: Callable[[list[Game]], Result], task: GameTask) -> Result:
    return function(task.games())


def extract(
    stage: str,
    function: Callable[[list[Game]], Tables],
    tables: Sequence[tuple[str, tuple[schema.Column, ...]]],
    wanted: pd.DataFrame,
    inputs: Iterable[str] = (),
) -> Counts:
    """Make the tables of a stage from the wanted games.

    Parameters
    ----------
    stage : str
        Its name in dvc.yaml.
    function : callable
        Makes a shard of each table from some games.
    tables : sequence of (str, columns)
        The folder of each table, and its columns.
    wanted : DataFrame
        Rows of `accepted_games`.
    inputs : iterable of str
        Paths of files that the rows depend on, besides the games.

    Returns
    -------
    dict of str to int
        The number of rows of each table, by folder.
    """
    digests = [content_digest(path) for path in inputs]
    make = partial(_extract, function, tuple(tables))
    outs = [out for out, _ in tables]
    with open_engine(settings.load().run) as engine:
        counts = total(make_shards(Job(stage, outs, digests), make, game_tasks(wanted), engine))
    print(", ".join(f"{out}: {counts.get(out, 0):,} rows" for out in outs))
    return counts


def extract_table(
    stage: str,
    rows: Callable[[list[Game]], pd.DataFrame],
    table: tuple[str, tuple[schema.Column, ...]],
    limits: settings.RowSettings,
    inputs: Iterable[str] = (),
) -> Counts:
    """Make one table, of the games with the smallest digests; else as `extract`.

    Parameters
    ----------
    stage, inputs
        As of `extract`.
    rows : callable
        Makes a shard of the table from some games.
    table : (str, columns)
        The folder of the table, and its columns.
    limits : RowSettings
        Number of games of each split.
    """
    wanted = select_games(accepted_games(), limits.games, limits.held_out)
    return extract(stage, partial(_only_table, rows), (table,), wanted, inputs)


def _only_table(rows: Callable[[list[Game]], pd.DataFrame], games: list[Game]) -> Tables:
    return (rows(games),)


def _extract(
    function: Callable[[list[Game]], Tables],
    tables: Sequence[tuple[str, tuple[schema.Column, ...]]],
    task: GameTask,
    folder: Path,
) -> Counts:
    counts = {}
    for (out, columns), rows in zip(tables, function(task.games()), strict=True):
        counts[out] = len(rows)
        if len(rows):
            write_shard(shard_file(folder, out), rows, columns)
    return counts


def write_shard(path: Path, rows: pd.DataFrame, columns: tuple[schema.Column, ...]) -> None:
    table = pa.Table.from_pandas(rows, schema.arrow(columns), preserve_index=False)
    with atomic_path(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")
