"""Tasks mapped over the processes of one machine, or over the workers of a Dask cluster.

A task is small: it names its input, and the worker opens it. A bounded number of tasks is in
flight. Results arrive in the order of the tasks, so that a sum over them has the same bytes for any
number of workers and any order of completion.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from pipeline.settings import RunSettings
from pipeline.stage import StageError, one_thread

Task = TypeVar("Task")
Result = TypeVar("Result")

_IN_FLIGHT = 4
"""Tasks in flight for each worker."""

_KILLED = (
    "a worker process was killed, perhaps for lack of memory; run the command again: it continues"
)


class Engine(Protocol):
    """Workers, and what is in common to processes and clusters.

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


class Future(Protocol):
    """What a pool and a cluster return for a task."""

    def result(self) -> Any:
        """The result, once it is there."""
        ...

    def cancel(self) -> Any:
        """Give up a task that has not started."""
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
                lambda task: self._pool.submit(function, task), tasks, _IN_FLIGHT * self.n_workers
            )
        except BrokenProcessPool:
            raise StageError(_KILLED) from None


def in_order(
    submit: Callable[[Any], Future], tasks: Iterable[Any], in_flight: int
) -> Iterator[Any]:
    """Yield results in the order of the tasks, with at most so many tasks submitted ahead."""
    pending: deque[Future] = deque()
    try:
        for task in tasks:
            pending.append(submit(task))
            if len(pending) >= in_flight:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


@contextmanager
def open_engine(run: RunSettings) -> Iterator[Engine]:
    """Yield the workers that params.yaml asks for, or the environment (`RunSettings`)."""
    n_workers = run.jobs if run.jobs > 0 else os.cpu_count() or 1
    if run.scheduler:
        from pipeline.cluster import open_cluster

        with open_cluster(run.scheduler, _IN_FLIGHT) as cluster:
            yield cluster
    elif n_workers == 1:
        yield SerialEngine()
    else:
        spawn = get_context("spawn")
        with ProcessPoolExecutor(n_workers, spawn, initializer=one_thread) as pool:
            try:
                yield ProcessEngine(pool, n_workers)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
