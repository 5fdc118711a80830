"""The log of the server: few lines, and none for a mistake of a client."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable

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
