"""Live seats over WebSocket: messages of mjai in, ``meta`` out at each decision.

The server follows the table of each seat itself, and a worker computes the risks. A worker that
dies thus costs a seat one answer and not its game. A seat stays with one worker, which keeps its
`houjuu.HandCache`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from itertools import count
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Call, Dora
from houjuu.game.view import View
from houjuu.live.live import Live
from houjuu.live.overlay import meta
from houjuu.serve import work
from houjuu.serve.pool import Worker
from houjuu.serve.refusals import RefusedError, received
from houjuu.serve.settings import ServerSettings
from houjuu.util.errors import Error

TOO_LONG, POLICY = 1009, 1008
"""Codes with which a WebSocket is closed (RFC 6455, section 7.4.1)."""

_SEAT_UNKNOWN = "the own seat is unknown: connect with ?seat=0, or send start_game with an id"


class LiveSeats:
    """All live seats.

    Parameters
    ----------
    workers : sequence of Worker
    estimator : Estimator
        Of the model of the workers.
    settings : ServerSettings
    """

    def __init__(
        self, workers: Sequence[Worker], estimator: Estimator, settings: ServerSettings
    ) -> None:
        self._workers = workers
        self._estimator = estimator
        self._limits = settings.limits
        self._numbers = count()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def n_open(self) -> int:
        return sum(worker.n_seats for worker in self._workers)

    async def serve(self, websocket: WebSocket, seat: int | None, unseen: bool) -> None:
        """Serve one connection to its end."""
        if self.n_open >= self._limits.sessions:
            reason = f"{self._limits.sessions} sessions are open, the limit: connect again later"
            refusal = RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, reason)
            await websocket.send_denial_response(refusal.response())
            return
        with self._worker() as (worker, number):
            await websocket.accept()
            live = Live(seat, self._estimator)
            session = _Session(websocket, live, worker, number, self._tasks, unseen=unseen)
            limits = self._limits
            try:
                async with asyncio.timeout(limits.session_time):
                    await session.follow(limits.message)
            except TimeoutError:
                reason = f"the session has lasted {limits.session_time:g} seconds, the limit"
                await session.close(POLICY, f"{reason}: connect again")
            except WebSocketDisconnect:
                pass

    @contextmanager
    def _worker(self) -> Iterator[tuple[Worker, int]]:
        """The worker of a new session, and the number of the session."""
        worker = min(self._workers, key=lambda worker: worker.n_seats)
        number = next(self._numbers)
        worker.n_seats += 1
        try:
            yield worker, number
        finally:
            worker.n_seats -= 1
            _run_unanswered(self._tasks, worker.run(work.forget, number))


def _run_unanswered(tasks: set[asyncio.Task[None]], call: Coroutine[Any, Any, None]) -> None:
    """Let a worker do something that nobody waits for."""

    async def run() -> None:
        with suppress(RefusedError, RuntimeError):  # the process has ended, and its caches with it
            await call

    task = asyncio.get_running_loop().create_task(run())
    tasks.add(task)
    task.add_done_callback(tasks.discard)


class _Session:
    """One live seat and its connection."""

    def __init__(
        self,
        websocket: WebSocket,
        live: Live,
        worker: Worker,
        number: int,
        tasks: set[asyncio.Task[None]],
        *,
        unseen: bool,
    ) -> None:
        self._websocket = websocket
        self._live = live
        self._worker = worker
        self._number = number
        self._tasks = tasks
        self._unseen = unseen
        self._answered: View | None = None
        self._table = live.table
        self._n_messages = 0
        self._problem: str | None = None
        self._has_advised = False

    async def follow(self, limit: int) -> None:
        """Follow the messages until the client disconnects or sends a message over the limit."""
        while True:
            message = await received(self._websocket)
            if len(message) > limit:
                reason = f"the message is longer than {limit:,} bytes, the limit"
                await self.close(TOO_LONG, reason)
                return
            answer = await self._answer(message)
            if answer is not None:
                await self._websocket.send_text(answer)

    async def _answer(self, message: bytes) -> str | None:
        """The answer to a message, as JSON; None where there is no new decision."""
        live = self._live
        self._n_messages += 1
        try:
            live.hear(message)
        except Error as error:
            if live.in_step:
                return self._error(error)
        if live.table is not self._table:  # also of a round that the client sends again
            self._table, self._answered = live.table, None
        if live.seat is None and live.table.events:
            return self._seat_unknown()
        if not live.in_step:
            return self._out_of_step()
        self._problem = None
        if live.decision is None:
            self._prepare()
            return None
        view = live.view
        if view == self._answered:
            return None
        self._answered = view
        try:
            number = self._n_messages
            return await self._worker.run(work.seat_meta, self._number, view, number, self._unseen)
        except RefusedError as refusal:
            return self._error(refusal)

    def _prepare(self) -> None:
        """Let an idle worker build new hands now, and not when a decision is due."""
        live = self._live
        if live.seat is None or self._worker.n_calls or not live.table.events:
            return
        if isinstance(live.table.events[-1], (Call, Dora)):
            preparation = self._worker.run(work.prepare, self._number, live.view)
            _run_unanswered(self._tasks, preparation)

    def _out_of_step(self) -> str | None:
        """The reason, once."""
        if self._live.problem == self._problem:
            return None
        self._problem = self._live.problem
        return self._json(meta(self._live))

    def _seat_unknown(self) -> str | None:
        """The advice to name the seat, once."""
        if self._has_advised:
            return None
        self._has_advised = True
        return self._error(Error(_SEAT_UNKNOWN))

    def _error(self, error: Error) -> str:
        return self._json({"error": str(error)})

    def _json(self, answer: Mapping[str, Any]) -> str:
        """An answer with the number, from 1, of the client's message that it is for."""
        return json.dumps({**answer, "message": self._n_messages}, ensure_ascii=False)

    async def close(self, code: int, reason: str) -> None:
        """Send the reason as JSON, and close the connection with a code."""
        if self._websocket.application_state is WebSocketState.CONNECTED:
            await self._websocket.send_text(json.dumps({"error": reason}))
            await self._websocket.close(code, reason)
