"""Refusals: a status of HTTP, and one sentence as JSON."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
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
