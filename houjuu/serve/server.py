"""Serving an application until a signal ends it."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from houjuu.serve.app import create
from houjuu.serve.pool import Pool
from houjuu.serve.settings import ServerSettings
from houjuu.util.errors import Error

_GRACE = 3  # unit: seconds; for requests at work when the server ends
_FILES = 256  # besides the connections
_FULL_COLLECTION = 1000
"""Collections of the middle generation before a full one; Python's default is 10."""
_FALSE_ALARM = "ASGI callable returned without completing handshake."
"""uvicorn 0.54 logs this error after every refused WebSocket, although it sends the refusal."""


def run(host: str, port: int, settings: ServerSettings, started: Callable[[str], object]) -> None:
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
    _allow_files(settings.limits.sessions + _FILES)
    limits = settings.limits
    app = create(settings)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=4 * limits.message,  # the application refuses shorter ones with a sentence
        ws_per_message_deflate=False,  # messages are short
        timeout_graceful_shutdown=_GRACE,
        server_header=False,
    )
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.msg != _FALSE_ALARM)
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
            host, port, *_ = sockets[0].getsockname()
            self._report(f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        pool: Pool = self._app.state.pool
        pool.stop()
        await super().shutdown(sockets)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise Error(f"cannot listen on {host}, port {port} ({reason}): pass another one") from None


def _allow_files(number: int) -> None:
    """Raise the limit of open files, one of which is a connection."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        most = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _collect_rarely() -> None:
    """Make full garbage collections rare: one takes 0.3 s with 1,000 seats, and all of them wait.

    The server frees almost everything by reference counts.
    """
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], _FULL_COLLECTION)
