"""Connections without a complete request: there are few, and not for long.

uvicorn limits how long a connection is silent between two requests, but not how long the headers
of a request take. Half-open connections would use up the files of the process.
"""

from __future__ import annotations

from asyncio import BaseTransport, TimerHandle
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

_FLUSH_TIME = 120  # unit: seconds; for a client that still reads its last response


class IdleConnections:
    """The connections of a server that wait for a request.

    Parameters
    ----------
    most : int
        One more closes the oldest.
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
        if len(self) >= self._most:
            oldest = next(iter(self._timers))
            self.remove(oldest)
            oldest.transport.abort()
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
        """Forget the connection."""
        self._idle.remove(self)
        super().connection_lost(exc)
