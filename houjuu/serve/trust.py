"""Which requests the server trusts: those of programs, of its own pages and of allowed origins.

A browser sends requests of every page that it shows. ``Origin`` names the page. ``Host`` shows a
page whose own name was pointed at this server (DNS rebinding). HTTP and WebSocket have one check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from houjuu.serve.refusals import RefusedError

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"(\[[\da-fA-F:.]+\]|[^\s:/?#@\[\]]+)(?::\d+)?")  # a name and a port


class TrustedRequests:
    """Middleware that refuses all other requests, over HTTP and WebSocket.

    Parameters
    ----------
    app : ASGIApp
    hosts : iterable of str
        Names of the server, besides `LOCAL_HOSTS`; "*" for all names.
    origins : iterable of str
        Origins of pages that may use the server, besides its own; "*" for all origins.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = (), origins: Iterable[str] = ()):
        self._app = app
        self._hosts = {_written(host) for host in (*LOCAL_HOSTS, *hosts)}
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        refusal = None if scope["type"] == "lifespan" else self._refusal(Headers(scope=scope))
        app = self._app if refusal is None else refusal.response()
        await app(scope, receive, send)

    def _refusal(self, headers: Headers) -> RefusedError | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        name = _HOST.fullmatch(host)
        if not self._hosts & {"*", name and name[1].lower()}:
            reason = f"this server is not the host {host!r}: start it with --allowed-host NAME"
            return RefusedError(HTTPStatus.FORBIDDEN, reason)
        own = (f"http://{host}".lower(), f"https://{host}".lower())  # a proxy may add TLS
        is_own = origin is None or origin.lower() in own
        if not is_own and not self._origins & {"*", origin}:
            reason = f"pages of {origin} may not use this server: start it with --cors {origin}"
            return RefusedError(HTTPStatus.FORBIDDEN, reason)
        return None


def _written(host: str) -> str:
    """A host as in the header: IPv6 in brackets."""
    return f"[{host}]".lower() if ":" in host and not host.startswith("[") else host.lower()
