"""Tasks mapped over the processes of one machine, or over the workers of a Dask cluster.

A task is small: it names its input, and the worker opens it (`houjuu.util.in_flight`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Protocol, TypeVar

from houjuu.util.in_flight import PER_WORKER, in_order
from pipeline.settings import RunSettings
from pipeline.stage import StageError, one_thread

Task = TypeVar("Task")
Result = TypeVar("Result")

_KILLED = (
    "a worker process was killed, perhaps for lack of memory; run the command again: it continues"
)


class Engine(Protocol):
    """Workers: the common part of processes and clusters.

    Attributes
    ----------
    n_workers : int
    """

    n_workers: int

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of the function for every task, in order.

        The function is pickled. An exception of a task is raised here, and no further task starts.

        Raises
        ------
        StageError
            A worker was killed, and no other one could do its task.
        """
        ...


class SerialEngine:
    """The process itself, without workers."""

    n_workers = 1

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results, one task after another."""
        return map(function, tasks)


class ProcessEngine:
    """Processes of this machine.

    Parameters
    ----------
    pool : ProcessPoolExecutor
    n_workers : int
    """

    def __init__(self, pool: ProcessPoolExecutor, n_workers: int) -> None:
        self.n_workers = n_workers
        self._pool = pool

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results in order."""
        try:
            yield from in_order(
                lambda task: self._pool.submit(function, task), tasks, PER_WORKER * self.n_workers
            )
        except BrokenProcessPool:
            raise StageError(_KILLED) from None


def _start_worker() -> None:
    one_thread()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End the worker when a signal has killed the stage, rather than wait for tasks for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def open_engine(run: RunSettings) -> Iterator[Engine]:
    """Yield the workers that params.yaml asks for, or the environment (`RunSettings`)."""
    n_workers = run.jobs if run.jobs > 0 else os.cpu_count() or 1
    if run.scheduler:
        from pipeline.cluster import open_cluster

        with open_cluster(run.scheduler) as cluster:
            yield cluster
    elif n_workers == 1:
        yield SerialEngine()
    else:
        spawn = get_context("spawn")
        with ProcessPoolExecutor(n_workers, spawn, initializer=_start_worker) as pool:
            try:
                yield ProcessEngine(pool, n_workers)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
