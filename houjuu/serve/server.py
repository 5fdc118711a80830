"""Serving an application until a signal ends it.

- Connections without a complete request are few, and not for long: uvicorn limits how long a
  connection is silent between two requests, but not how long the headers of a request take.
  Half-open connections would use up the files of the process.
- The log of the server has few lines, and none for a mistake of a client.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import time
from asyncio import BaseTransport, TimerHandle
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from houjuu.serve.app import create
from houjuu.serve.front import PIECE
from houjuu.serve.pool import Pool
from houjuu.serve.settings import ServerLimits, ServerSettings
from houjuu.util.errors import Error

_GRACE = 3  # unit: seconds; for requests at work when the server ends
_QUEUE = 2048  # connections that the operating system keeps until they are accepted
_AT_ONCE = 32  # accepted before a request is read: fewer than `ServerLimits.idle`
_FILES = 64  # besides the connections: pipes of the workers, models, listening
_HEADERS = 16 << 10  # unit: bytes of the headers of a request
_FULL_COLLECTION = 1000
"""Collections of the middle generation before a full one; Python's default is 10."""


def run(
    host: str,
    port: int,
    settings: ServerSettings,
    started: Callable[[str], object],
) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Parameters
    ----------
    host : str
        Address to listen on.
    port : int
        0 for any free port; the address contains it.
    settings : ServerSettings
    started : callable
        Called with the address (``http://127.0.0.1:8000/``) once connections are accepted.

    Raises
    ------
    Error
        The server cannot listen there, or there is no such model.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the workers use the cores
    settings = replace(settings, hosts=(host, *settings.hosts), limits=_affordable(settings.limits))
    limits = settings.limits
    app = create(settings)
    idle = IdleConnections(limits.sessions + limits.pending + limits.idle, limits.header_time)
    config = uvicorn.Config(
        app,
        http=cast("Any", partial(RequestProtocol, idle=idle)),
        h11_max_incomplete_event_size=_HEADERS,
        backlog=_AT_ONCE,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        # the application refuses shorter ones with a sentence
        ws_max_size=max(4 * limits.message, PIECE),
        ws_per_message_deflate=False,  # messages are short
        timeout_graceful_shutdown=_GRACE,
        server_header=False,
    )
    limit_lines()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # uvicorn raises it once more
    _collect_rarely()
    with _listening(host, port) as listener, suppress(KeyboardInterrupt):
        _Server(config, app, started).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Reports its address as soon as it accepts connections, and ends without waiting for work."""

    def __init__(
        self, config: uvicorn.Config, app: FastAPI, started: Callable[[str], object]
    ) -> None:
        super().__init__(config)
        self._app = app
        self._report = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            sockets[0].listen(_QUEUE)  # asyncio has set it to the number that it accepts at once
            host, port, *_ = sockets[0].getsockname()
            self._report(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        pool: Pool = self._app.state.pool
        pool.stop()
        await super().shutdown(sockets)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=_QUEUE)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise Error(f"cannot listen on {host}, port {port} ({reason}): pass another one") from None


def _affordable(limits: ServerLimits) -> ServerLimits:
    """The limits with as many live seats as the process may have files, one for each connection."""
    others = _FILES + _AT_ONCE + limits.idle + limits.pending
    sessions = _allow_files(limits.sessions + others) - others
    if sessions >= limits.sessions:
        return limits
    if sessions < 1:
        raise Error(f"the process may have {sessions + others} files: raise the limit, ulimit -n")
    _LOG.warning(
        "at most %d live seats, because the process may have %d files: raise the limit, ulimit -n",
        sessions,
        sessions + others,
    )
    return replace(limits, sessions=sessions)


def _allow_files(number: int) -> int:
    """Raise the limit of open files as far as possible; returns the number that is allowed."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return number
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= number:
        return number
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _collect_rarely() -> None:
    """Make full garbage collections rare: one takes 0.3 s with 1,000 seats, and all of them wait.

    The server frees almost everything by reference counts (tests/test_memory.py).
    """
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _FULL_COLLECTION)


_LOG = logging.getLogger("uvicorn.error")
_REASON = b'{"error":"too many connections are open, the limit: connect again later"}'
_BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n"
    b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
) % (len(_REASON), _REASON)
_FLUSH_TIME = 120  # unit: seconds; for a client that still reads its last response


class IdleConnections:
    """The connections of a server that wait for a request.

    Clients of all seats may connect at once, so that each of these may become a seat.

    Parameters
    ----------
    most : int
        Connections of all kinds; of one more the oldest that waits is refused.
    seconds : float
        How long the headers of a request may take.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._timers: dict[RequestProtocol, TimerHandle] = {}  # in the order of time

    def __len__(self) -> int:
        """Number of the connections."""
        return len(self._timers)

    def add(self, connection: RequestProtocol) -> None:
        """Let a connection wait for its next request."""
        self.remove(connection)
        if len(connection.connections) > self._most and self._timers:
            oldest = next(iter(self._timers))
            self.remove(oldest)
            oldest.refuse(self._most)
        self._timers[connection] = connection.loop.call_later(self._seconds, self._end, connection)

    def remove(self, connection: RequestProtocol) -> None:
        """Forget a connection that has sent a request, or is closed."""
        timer = self._timers.pop(connection, None)
        if timer is not None:
            timer.cancel()

    def _end(self, connection: RequestProtocol) -> None:
        self.remove(connection)
        connection.transport.close()
        connection.loop.call_later(_FLUSH_TIME, connection.transport.abort)


class RequestProtocol(H11Protocol):
    """HTTP of a connection, which waits for each request among the `IdleConnections`."""

    def __init__(self, *args: Any, idle: IdleConnections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle = idle

    def connection_made(self, transport: BaseTransport) -> None:
        """Wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._idle.add(self)

    def refuse(self, most: int) -> None:
        """Answer a request that has not arrived with 503; end a connection that had one."""
        _LOG.warning("a client was refused: %d connections are open, the limit", most)
        if self.cycle is None:
            self.transport.write(_BUSY)
        self.transport.close()
        self.loop.call_later(_GRACE, self.transport.abort)

    def handle_events(self) -> None:
        """Stop waiting once a request has arrived."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._idle.remove(self)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Stop waiting: the connection becomes a live seat."""
        self._idle.remove(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._idle.add(self)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._idle.remove(self)
        super().connection_lost(exc)


MOST_LINES = 5
"""Lines of one message in a minute."""

_PERIOD = 60.0  # unit: seconds
_NOT_ERRORS = {
    # uvicorn 0.54 logs it after every refused WebSocket, although it sends the refusal
    "ASGI callable returned without completing handshake.",
    # it would be logged with a traceback; the client gets the code 1007
    "Invalid UTF-8 sequence received from client.",
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
}


class LineLimit(logging.Filter):
    """Drops repeated messages; their number follows once the message is logged again.

    Parameters
    ----------
    clock : callable
        Returns the time, unit: seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._start = clock()
        self._counts: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is logged."""
        message = str(record.msg).partition("\n")[0]
        if message in _NOT_ERRORS:
            return False
        if self._clock() - self._start >= _PERIOD:
            self._start = self._clock()
            self._counts.clear()
        self._counts[message] += 1
        if self._counts[message] > MOST_LINES:
            self._dropped[message] += 1
            return False
        if n_dropped := self._dropped.pop(message, 0):
            record.msg = f"{record.msg}\n({n_dropped:,} more of these were not logged)"
        return True


def limit_lines() -> None:
    """Limit the lines of uvicorn and asyncio."""
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(LineLimit())
