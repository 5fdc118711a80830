"""The worker processes, and the slots of the requests that wait for them.

A process that dies is replaced, and its requests get an error.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from ctypes import c_double
from functools import partial
from http import HTTPStatus
from typing import ParamSpec, Self, TypeVar

from houjuu.serve import work
from houjuu.serve.refusals import RefusedError
from houjuu.serve.settings import ServerSettings

P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = 2
"""Requests of `Worker.run_in_turn` that a process has at the same time: one at work, one ready."""

_STOPPED = "the server is shutting down: send the request again later"
_DIED = "the worker process of this request has ended, and a new one takes over: send it again"


class Worker:
    """One process, which runs one function at a time, in the order of the calls.

    Parameters
    ----------
    model : str
        A model as `houjuu.load` takes it.
    seconds : float
        Time limit of `run_in_turn`.
    background : bool
        Whether the operating system should prefer other processes.

    Attributes
    ----------
    n_seats : int
        Live seats that use the process.
    n_requests : int
        Requests of `run_in_turn` that wait or are at work.
    n_calls : int
        Calls of `run` and `run_in_turn` that the process has not answered.
    progress : c_double
        Shared with the process, which writes to it (`houjuu.serve.work.seat_review`).
    """

    def __init__(self, model: str, seconds: float, *, background: bool = False) -> None:
        self.n_seats = self.n_requests = self.n_calls = 0
        self._seconds = seconds
        self._turns = asyncio.Semaphore(1 if background else AT_ONCE)
        self._context = multiprocessing.get_context("spawn")
        self.progress = self._context.RawValue(c_double, 0)
        self._start_arguments = (model, background, self.progress)
        self._is_stopped = False
        self._start()

    def _start(self) -> None:
        self._executor = ProcessPoolExecutor(
            max_workers=1,
            mp_context=self._context,
            initializer=work.start,
            initargs=self._start_arguments,
        )
        others = set(multiprocessing.active_children())
        with _interrupts_ignored():
            self._pid = self._executor.submit(os.getpid)
        (self._process,) = set(multiprocessing.active_children()) - others

    async def pid(self) -> int:
        """The id of the process, once it is ready."""
        return await asyncio.shield(asyncio.wrap_future(self._pid))

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in the process.

        Raises
        ------
        RefusedError
            The process died before the function returned.
        """
        return await self._call(None, partial(function, *args, **kwargs))

    async def run_in_turn(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """`run` for everything but live seats, which thus never wait behind a long queue.

        Raises
        ------
        RefusedError
            The process died, or the call took longer than the limit, so that it was killed.
        """
        self.n_requests += 1
        try:
            async with self._turns:
                with suppress(BrokenProcessPool):  # `_call` replaces it
                    await self.pid()
                return await self._call(self._seconds, partial(function, *args, **kwargs))
        finally:
            self.n_requests -= 1

    async def _call(self, seconds: float | None, work: Callable[[], T]) -> T:
        future = self._submit(work)
        executor = self._executor
        self.n_calls += 1
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(future)
        except BrokenProcessPool:
            self._replace(executor)
            raise RefusedError(HTTPStatus.INTERNAL_SERVER_ERROR, _DIED) from None
        except TimeoutError:
            self._replace(executor)
            reason = f"the work took longer than {seconds:g} seconds, the limit"
            raise RefusedError(HTTPStatus.GATEWAY_TIMEOUT, reason) from None
        finally:
            self.n_calls -= 1

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        try:
            return self._executor.submit(work)
        except RuntimeError:  # the process died while it was idle, or the server ends
            self._replace(self._executor)
            return self._executor.submit(work)

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        """Start a new process, unless another request has done so."""
        if self._is_stopped:
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, _STOPPED) from None
        if self._executor is broken:
            self._end()
            self._start()

    def _end(self) -> None:
        self._executor.shutdown(wait=False)
        self._process.kill()  # all its calls raise BrokenProcessPool

    def stop(self) -> None:
        """End the process without waiting for its work, whose requests are refused."""
        self._is_stopped = True
        self._end()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Let a new process ignore Ctrl-C from its first instruction: the server ends it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


class Pool:
    """The worker processes; an asynchronous context manager that starts and ends them.

    Attributes
    ----------
    workers : tuple of Worker
        For live seats and risks. One more process makes the reviews.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._limits = settings.limits
        process = settings.model, self._limits.request_time
        self.workers = tuple(Worker(*process) for _ in range(settings.workers))
        self._reviewer = Worker(*process, background=True)
        self._n_pending = 0

    async def __aenter__(self) -> Self:
        """Wait until every process is ready."""
        await asyncio.gather(*(worker.pid() for worker in (*self.workers, self._reviewer)))
        return self

    async def __aexit__(self, *error: object) -> None:
        """End the processes, as `stop` does."""
        self.stop()

    def stop(self) -> None:
        """End the processes; the requests at work are refused."""
        for worker in (*self.workers, self._reviewer):
            worker.stop()

    @contextmanager
    def slot(self) -> Iterator[None]:
        """A slot among the pending requests.

        Raises
        ------
        RefusedError
            There is none.
        """
        if self._n_pending >= self._limits.pending:
            reason = f"{self._n_pending} requests are pending, the limit: send it again later"
            raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, reason)
        self._n_pending += 1
        try:
            yield
        finally:
            self._n_pending -= 1

    async def run(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function that takes milliseconds in the worker with the fewest requests."""
        worker = min(self.workers, key=lambda worker: worker.n_requests)
        return await worker.run_in_turn(function, *args, **kwargs)

    async def review(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function that takes seconds in the process for reviews."""
        return await self._reviewer.run_in_turn(function, *args, **kwargs)

    def share(self, number: int) -> float | None:
        """How much of a call of `work.seat_review` is done, 0 to 1; None if it is not at work."""
        share = self._reviewer.progress.value - number
        return share if 0 <= share < 1 else None
