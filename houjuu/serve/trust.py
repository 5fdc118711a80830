"""Which requests the server trusts: those of programs, of its own page and of allowed origins.

A browser sends requests of every page that it shows. ``Origin`` names the page. ``Host`` shows a
page whose own name was pointed at this server (DNS rebinding), which starlette checks.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from houjuu.serve.refusals import RefusedError

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
