"""Refusals: a status of HTTP, and one sentence as JSON; and which requests the server trusts.

Trusted are those of programs, of its own page and of allowed origins. A browser sends requests of
every page that it shows. ``Origin`` names the page. ``Host`` shows a page whose own name was
pointed at this server (DNS rebinding), which starlette checks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from houjuu.util.errors import Error, printable

_LOG = logging.getLogger("uvicorn.error")
_DRAINED = 8  # times the limit; a client that still sends would not read the refusal


class RefusedError(Error):
    """A request that the server does not serve.

    Parameters
    ----------
    status : HTTPStatus
    reason : str
        The problem and the remedy, in one sentence.
    """

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status

    def response(self) -> JSONResponse:
        return as_response(self.status, self.reason)


def as_response(status: int, reason: str) -> JSONResponse:
    """A status and a sentence as a response."""
    busy = status == HTTPStatus.SERVICE_UNAVAILABLE
    if busy:
        _LOG.warning("a client was refused: %s", reason)
    return JSONResponse(
        {"error": printable(reason)}, status, {"retry-after": "1"} if busy else None
    )


async def read_body(request: Request, limit: int, seconds: float) -> bytes:
    """The body of a request, in memory.

    Raises
    ------
    RefusedError
        It has more than `limit` bytes, has none, takes longer than `seconds`, or the client leaves.
    """
    body = bytearray()
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size <= limit:
                    body += part
                elif size > _DRAINED * limit:
                    break
    except TimeoutError:
        reason = f"the body did not arrive within {seconds:g} seconds, the limit"
        raise RefusedError(HTTPStatus.REQUEST_TIMEOUT, reason) from None
    except ClientDisconnect:
        reason = "the client left before the end of the body"
        raise RefusedError(HTTPStatus.BAD_REQUEST, reason) from None
    if size > limit:
        reason = f"the body is longer than {limit:,} bytes, the limit"
        raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, reason)
    if not body:
        raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "the request has no body")
    return bytes(body)


async def received(websocket: WebSocket) -> bytes:
    """The next message of a connection.

    Raises
    ------
    WebSocketDisconnect
        The client has left.
    """
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text: str | None = message.get("text")
    return message["bytes"] if text is None else text.encode()


LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")


def trusted_hosts(hosts: Iterable[str]) -> list[str]:
    """`LOCAL_HOSTS` and others, as in the header: IPv6 in brackets."""
    bare = (host.strip("[]") for host in hosts)
    return [*LOCAL_HOSTS, *(f"[{host}]" if ":" in host else host for host in bare)]


class TrustedOrigins:
    """Middleware that refuses pages of other origins, over HTTP and WebSocket.

    CORS alone lets a page send what it may not read, and open a WebSocket.

    Parameters
    ----------
    app : ASGIApp
    origins : iterable of str
        Origins of pages that may use the server, besides its own; "*" for all origins.
    """

    def __init__(self, app: ASGIApp, origins: Iterable[str] = ()):
        self._app = app
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        headers = Headers(scope=scope) if "headers" in scope else {}
        host, origin = headers.get("host"), headers.get("origin")
        own = (None, f"http://{host}".lower(), f"https://{host}".lower())  # a proxy may add TLS
        app = self._app
        if (origin and origin.lower()) not in own and not self._origins & {"*", origin}:
            reason = f"pages of {origin} may not use this server: start it with --cors {origin}"
            app = RefusedError(HTTPStatus.FORBIDDEN, reason).response()
        await app(scope, receive, send)
