"""Reviews step by step: each seat is a call of its own, so that requests take turns.

The page of the server shows the steps; `/v1/review` answers with the last one.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from itertools import count
from typing import TypedDict

from starlette.requests import Request

from houjuu.serve import work
from houjuu.serve.pool import Pool
from houjuu.serve.refusals import read_body
from houjuu.serve.settings import ServerLimits
from houjuu.util.errors import Error, printable
from houjuu.util.languages import Catalogue, problem_text

_TICK = 0.25  # unit: seconds


class ReviewStep(TypedDict, total=False):
    """The progress of a review, or its end.

    Attributes
    ----------
    share : float
        How much of the review is done, 0 to 1.
    number, seats : int
        Which seat of how many is reviewed, from 1 on.
    page : str
        The page; the last step.
    error : str
        Why there is no page; the last step.
    """

    share: float
    number: int
    seats: int
    page: str
    error: str


class Reviews:
    """All requests for reviews.

    Parameters
    ----------
    pool : Pool
    limits : ServerLimits
    """

    def __init__(self, pool: Pool, limits: ServerLimits) -> None:
        self._pool = pool
        self._limits = limits
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[str]] = set()

    async def steps(
        self, request: Request, options: work.ReviewOptions, *, as_json: bool = False
    ) -> AsyncGenerator[ReviewStep, None]:
        """Yield the steps of a review of the log in a request; the last one has the page.

        With `as_json` it has the data of the first seat instead, as JSON.

        Raises
        ------
        Error
            The request is refused, or the log has not exactly one game that can be reviewed.
        """
        pool, reviews = self._pool, list[str]()
        with pool.slot():
            log = await read_body(request, self._limits.log, self._limits.request_time)
            seats = await pool.review(work.seats_to_review, log, options)
            for index, seat in enumerate(seats):
                number = next(self._numbers)
                task = self._start(number, log, options, seat)
                try:
                    while not task.done():
                        share = (index + (pool.share(number) or 0)) / len(seats)
                        yield {"share": share, "number": index + 1, "seats": len(seats)}
                        await asyncio.wait([task], timeout=_TICK)
                finally:
                    if pool.share(number) is None:  # the client left while this waited
                        task.cancel()
                reviews.append(task.result())
            made = work.review_data if as_json else work.review_page
            yield {"page": await pool.review(made, reviews, options)}

    def _start(
        self, number: int, log: bytes, options: work.ReviewOptions, seat: int
    ) -> asyncio.Task[str]:
        """Review a seat. A task keeps its turn to the end, even if the client leaves."""
        call = self._pool.review(work.seat_review, number, log, options, seat)
        task = asyncio.get_running_loop().create_task(call)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[str]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # asyncio logs one that nobody reads


async def lines(
    first: ReviewStep, others: AsyncGenerator[ReviewStep, None], t: Catalogue
) -> AsyncIterator[str]:
    """Yield the steps as lines of JSON; an error after the first step is the last line."""
    yield _line(first)
    async with aclosing(others):
        try:
            async for step in others:
                yield _line(step)
        except Error as error:
            yield _line({"error": printable(problem_text(t, error))})


def _line(step: ReviewStep) -> str:
    return json.dumps(step, ensure_ascii=False, separators=(",", ":")) + "\n"
