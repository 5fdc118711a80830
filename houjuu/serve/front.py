"""The socket behind the page: a connection a call, which ends with it.

The page sends the call as JSON, then the log in pieces, and gets steps, then a result or an error.
Each seat of a review is a call of its own in the process for reviews, so that pages take turns.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from itertools import count
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from houjuu.serve import schema, work
from houjuu.serve.pool import Pool
from houjuu.serve.refusals import RefusedError, received
from houjuu.serve.settings import ServerLimits
from houjuu.util.errors import Error, printable
from houjuu.util.languages import DEFAULT, problem_text, translate

PIECE = 64 << 10  # unit: bytes; of a log, in a message of the page
_TICK = 0.25  # unit: seconds


class Front:
    """All calls of pages.

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

    async def serve(self, websocket: WebSocket) -> None:
        """Answer the call of a connection."""
        language: str = DEFAULT
        await websocket.accept()
        try:
            try:
                with self._pool.slot():
                    call, log = await self._received(websocket)
                    language = call.language
                    async with aclosing(self.answers(call, log)) as answers:
                        async for answer in answers:
                            await websocket.send_text(json.dumps(answer, ensure_ascii=False))
            except Error as error:
                problem = printable(problem_text(translate(language), error))
                await websocket.send_text(json.dumps({"error": problem}))
            await websocket.close()
        except WebSocketDisconnect:
            pass

    async def _received(self, websocket: WebSocket) -> tuple[schema.Call, bytes]:
        """The call and its log."""
        limits, log = self._limits, bytearray()
        try:
            async with asyncio.timeout(limits.request_time):
                call = schema.validated(schema.Call, schema.json_object(await received(websocket)))
                if call.size > limits.log:
                    reason = f"the body is longer than {limits.log:,} bytes, the limit"
                    raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
                while len(log) < call.size:
                    log += await received(websocket)
        except TimeoutError:
            reason = f"the body did not arrive within {limits.request_time:g} seconds, the limit"
            raise RefusedError(HTTPStatus.REQUEST_TIMEOUT, reason) from None
        return call, bytes(log)

    async def answers(self, call: schema.Call, log: bytes) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the steps of a call, then its result.

        Raises
        ------
        Error
            The request is refused, or the log has not exactly one game that can be reviewed.
        """
        pool, reviews = self._pool, list[str]()
        if call.function == "position":
            position = schema.position_arguments(call.position)
            page = await pool.review(work.position_page, position, call.language)
            yield {"result": _single(page)}
            return
        if call.function == "players":
            yield {"result": await pool.review(work.players, log, call.name)}
            return
        choice = call.seat, call.one_seat, call.player
        seats = await pool.review(work.seats_to_review, log, call.name, *choice)
        for index, seat in enumerate(seats):
            number = next(self._numbers)
            task = self._start(number, log, call, seat)
            try:
                while not task.done():
                    share = (index + (pool.share(number) or 0)) / len(seats)
                    yield {"step": {"share": share}}
                    await asyncio.wait([task], timeout=_TICK)
            finally:
                if pool.share(number) is None:  # the client left while this waited
                    task.cancel()
            reviews.append(task.result())
        page = await pool.review(work.review_page, reviews, call.player, call.language)
        yield {"result": _single(page)}

    def _start(self, number: int, log: bytes, call: schema.Call, seat: int) -> asyncio.Task[str]:
        """Review a seat. A task keeps its turn to the end, even if the client leaves."""
        review = self._pool.review(work.seat_review, number, log, seat, call)
        task = asyncio.get_running_loop().create_task(review)
        self._tasks.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[str]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # asyncio logs one that nobody reads


def _single(page: str) -> dict[str, Any]:
    """The result that shows one page."""
    return {"pages": {"review.html": page}, "first": "review.html"}
