"""The logs at hand, and a function mapped over them on all cores or on a cluster.

What is computed per game is a pure function of a batch of files whose results add up; batches are
made and results come in the order of the files, so that the number of processes, or a cluster,
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TypeVar

from joblib import Parallel, delayed, parallel_config

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


def batches(wanted: Collection[str] | None = None) -> Iterator[list[Entry]]:
    """Yield the files at hand, or those of certain names, in batches."""
    files = (entry for entry in entries(source()) if wanted is None or entry[0] in wanted)
    while batch := list(islice(files, BATCH)):
        yield batch


def games(batch: Iterable[Entry]) -> list[Game]:
    """Read a batch of files that ``parse`` has accepted."""
    return [logs.parse(data, name) for name, data in batch if isinstance(data, bytes)]


def mapped(function: Callable[[Work], Result], work: Iterable[Work], run: Run) -> Iterator[Result]:
    """Yield the function's result of every piece of work, in order."""
    with ExitStack() as stack:
        if run.backend == "dask":
            from distributed import Client

            stack.enter_context(Client(run.scheduler))
        stack.enter_context(parallel_config(backend=run.backend, n_jobs=run.jobs))
        yield from Parallel(return_as="generator")(delayed(function)(piece) for piece in work)
