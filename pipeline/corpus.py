"""The logs at hand, and a function mapped over them on all cores or on a cluster.

What is computed per game is a pure function of a batch of files whose results add up; batches are
made and results come in the order of the files, so that the number of processes, or a cluster,
changes nothing.
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
from pipeline.settings import Run

LOGS = Path("data/logs")
SELFPLAY = Path("data/selfplay.zip")
BATCH = 50  # unit: games

Entry = tuple[str, bytes | Error]
Work = TypeVar("Work")
Result = TypeVar("Result")


def has_logs() -> bool:
    """Whether anybody put logs into data/logs; hidden files do not count."""
    return any(not path.name.startswith(".") for path in LOGS.glob("*"))


def source() -> Path:
    """data/logs when there is something in it, else the games of the project's own bots."""
    return LOGS if has_logs() else SELFPLAY


def some(games: pd.DataFrame, fitted: int = 0, held_out: int = 0) -> frozenset[str]:
    """The files of the games with the smallest digests.

    Parameters
    ----------
    games : DataFrame
        What ``parse`` has accepted.
    fitted, held_out : int, default=0
        How many of those that are fitted to, and of those that are held out; or all there are.
    """
    ordered = games.sort_values("digest")
    measured = ordered["validate"]
    to_fit, to_measure = ordered.loc[~measured, "source"], ordered.loc[measured, "source"]
    return frozenset(to_fit[:fitted]) | frozenset(to_measure[:held_out])


def batches(wanted: Collection[str] | None = None) -> Iterator[list[Entry]]:
    """Yield the files at hand, or those of certain names, in batches."""
    files = (entry for entry in entries(source()) if wanted is None or entry[0] in wanted)
    while batch := list(islice(files, BATCH)):
        yield batch


def each(
    function: Callable[[list[Game]], Result], wanted: Collection[str], run: Run, name: str
) -> Iterator[Result]:
    """Yield the function's result of every batch of games, in order, and show how far it is.

    Parameters
    ----------
    function : callable
        Of a list of games.
    wanted : collection of str
        The names of the files to read, which ``parse`` has accepted.
    run : Run
    name : str
        What is shown beside the progress.

    Raises
    ------
    Error
        Some of the files are not there any more.
    """
    found = 0
    with tqdm(total=len(wanted), desc=name, unit="game") as progress:
        for number, result in mapped(partial(_read, function), batches(wanted), run):
            found += number
            progress.update(number)
            yield result
    if found != len(wanted):
        raise Error(f"holds {found} of the {len(wanted)} games asked for", file=str(source()))


def _read(function: Callable[[list[Game]], Result], batch: Iterable[Entry]) -> tuple[int, Result]:
    games = [logs.parse(data, name) for name, data in batch if isinstance(data, bytes)]
    return len(games), function(games)


def mapped(function: Callable[[Work], Result], work: Iterable[Work], run: Run) -> Iterator[Result]:
    """Yield the function's result of every piece of work, in order."""
    with ExitStack() as stack:
        if run.backend == "dask":
            from distributed import Client

            stack.enter_context(Client(run.scheduler))
        stack.enter_context(parallel_config(backend=run.backend, n_jobs=run.jobs))
        yield from Parallel(return_as="generator")(delayed(function)(piece) for piece in work)
