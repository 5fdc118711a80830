"""Batches of logs, and functions mapped over them on all cores or on a cluster.

The results of a batch depend only on its files, and arrive in the order of the files: the number
of processes changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pandas as pd
from joblib import Parallel, delayed, parallel_config
from tqdm import tqdm

from houjuu import logs
from houjuu.errors import Error
from houjuu.events import Game
from houjuu.logs.sources import entries
from pipeline.settings import RunSettings

LOGS = Path("data/logs")
SELFPLAY = Path("data/selfplay.zip")
BATCH = 50  # unit: games

Entry = tuple[str, bytes | Error]
Work = TypeVar("Work")
Result = TypeVar("Result")


def has_logs() -> bool:
    """Whether there are logs in data/logs; hidden files do not count."""
    return any(not path.name.startswith(".") for path in LOGS.glob("*"))


def source() -> Path:
    """data/logs if it has files, else the self-played games."""
    return LOGS if has_logs() else SELFPLAY


def select_games(games: pd.DataFrame, fitted: int = 0, held_out: int = 0) -> frozenset[str]:
    """The files of the games with the smallest digests.

    Parameters
    ----------
    games : DataFrame
        The games that ``parse`` accepted.
    fitted, held_out : int, default=0
        Number of games of either split; all if there are fewer.
    """
    ordered = games.sort_values("digest")
    is_held_out = ordered["validate"]
    to_fit, to_evaluate = ordered.loc[~is_held_out, "source"], ordered.loc[is_held_out, "source"]
    return frozenset(to_fit[:fitted]) | frozenset(to_evaluate[:held_out])


def batches(wanted: Collection[str] | None = None) -> Iterator[list[Entry]]:
    """Yield all files, or those with certain names, in batches."""
    files = (entry for entry in entries(source()) if wanted is None or entry[0] in wanted)
    while batch := list(islice(files, BATCH)):
        yield batch


def map_games(
    function: Callable[[list[Game]], Result], wanted: Collection[str], run: RunSettings, name: str
) -> Iterator[Result]:
    """Yield the result of the function for every batch of games, in order, with a progress bar.

    Parameters
    ----------
    function : callable
        Takes a list of games.
    wanted : collection of str
        Names of the files, which ``parse`` accepted.
    run : RunSettings
    name : str
        Title of the progress bar.

    Raises
    ------
    Error
        Some of the files are missing.
    """
    n_games = 0
    with tqdm(total=len(wanted), desc=name, unit="game") as progress:
        for number, result in parallel_map(partial(_apply, function), batches(wanted), run):
            n_games += number
            progress.update(number)
            yield result
    if n_games != len(wanted):
        raise Error(f"has {n_games} of the {len(wanted)} wanted games", file=str(source()))


def _apply(function: Callable[[list[Game]], Result], batch: Iterable[Entry]) -> tuple[int, Result]:
    games = [logs.parse(data, name) for name, data in batch if isinstance(data, bytes)]
    return len(games), function(games)


def parallel_map(
    function: Callable[[Work], Result], work: Iterable[Work], run: RunSettings
) -> Iterator[Result]:
    """Yield the result of the function for every piece of work, in order."""
    with ExitStack() as stack:
        if run.backend == "dask":
            from distributed import Client

            stack.enter_context(Client(run.scheduler))
        stack.enter_context(parallel_config(backend=run.backend, n_jobs=run.jobs))
        yield from Parallel(return_as="generator")(delayed(function)(piece) for piece in work)
