"""All worker processes, and the slots of the requests that wait for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import ParamSpec, Self, TypeVar

from houjuu.serve.refusals import RefusedError
from houjuu.serve.settings import ServerSettings
from houjuu.serve.workers import Worker

P = ParamSpec("P")
T = TypeVar("T")


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
