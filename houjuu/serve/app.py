"""The routes of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request, WebSocket
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.trustedhost import TrustedHostMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

import houjuu
from houjuu.estimators.loading import load
from houjuu.serve import pages, schema, work
from houjuu.serve.front import Front, PositionText
from houjuu.serve.pool import Pool
from houjuu.serve.refusals import RefusedError, as_response, read_body
from houjuu.serve.seats import LiveSeats
from houjuu.serve.settings import ServerSettings
from houjuu.serve.trust import TrustedOrigins, trusted_hosts
from houjuu.util.errors import Error
from houjuu.util.languages import Catalogue, Language, accepted_language, problem_text, translate


def _parameter(example: object, description: str, **bounds: Any) -> Any:
    return Query(description=description, openapi_examples={"usual": {"value": example}}, **bounds)


SeatNumber = Annotated[
    int | None,
    _parameter(
        0,
        "The seat, 0 to 3; 0 is the first dealer. By default that of `start_game` or of the log.",
        ge=0,
        le=3,
    ),
]
Unseen = Annotated[
    bool,
    _parameter(False, "Whether the answer contains `unseen`, where the unseen tiles are."),
]
LogName = Annotated[
    str, _parameter("game.mjlog", "The name of the file, for messages.", max_length=200)
]
Player = Annotated[
    str | None,
    _parameter(
        "none",
        "The player that gives the advice, such as `rank`; `none` for no advice. By default "
        "`rank`, if it is installed.",
        max_length=200,
    ),
]


def _known_parameters(connection: HTTPConnection) -> None:
    """Refuse a query parameter that the route does not have."""
    known = set(_parameters(connection.scope["route"].dependant))
    for name in connection.query_params:
        if name not in known:
            names = ", ".join(sorted(known)) or "none"
            problem = {"loc": ("query", name), "msg": f"there is no such parameter; known: {names}"}
            if connection.scope["type"] == "websocket":
                raise WebSocketRequestValidationError([problem])
            raise RequestValidationError([problem])


def _parameters(dependant: Dependant) -> Iterator[str]:
    """Yield the query parameters of a route, and those of its dependencies."""
    for field in dependant.query_params:
        yield field.alias
    for other in dependant.dependencies:
        yield from _parameters(other)


def _accepted(request: Request) -> Catalogue:
    """The catalogue of an error."""
    return translate(accepted_language(request.headers.get("accept-language", "")))


class _Application(FastAPI):
    """FastAPI, and the schemas that it does not collect itself."""

    def openapi(self) -> dict[str, Any]:
        description = super().openapi()
        description["components"]["schemas"].update(schema.COMPONENTS)
        return description


def create(settings: ServerSettings, position_text: PositionText) -> FastAPI:
    """The application, for an ASGI server such as uvicorn.

    Parameters
    ----------
    settings : ServerSettings
    position_text : callable
        The text of a position by hand: `houjuu.cli.danger.position_text`.

    Raises
    ------
    ParameterError
        There is no such model.
    """
    limits = settings.limits
    estimator = load(settings.model)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with Pool(settings) as pool:
            app.state.pool = pool
            app.state.front = Front(pool, limits, position_text, settings.model)
            app.state.seats = LiveSeats(pool.workers, estimator, settings)
            yield

    app = _Application(
        dependencies=[Depends(_known_parameters)],
        title="houjuu serve",
        version=houjuu.__version__,
        summary=schema.SUMMARY,
        description=schema.DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    _handle_errors(app)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.origins,
            allow_methods=["GET", "POST"],
            allow_headers=["content-type"],
        )
    app.add_middleware(TrustedOrigins, origins=settings.origins)
    hosts = trusted_hosts(settings.hosts)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)
    app.mount("/static", StaticFiles(packages=[("houjuu.serve", "static")]))

    @app.websocket("/v1/live")
    async def live(websocket: WebSocket, seat: SeatNumber = None, unseen: Unseen = False) -> None:
        seats: LiveSeats = websocket.app.state.seats
        await seats.serve(websocket, seat, unseen)

    @app.websocket("/page")
    async def call(websocket: WebSocket) -> None:
        front: Front = websocket.app.state.front
        await front.serve(websocket)

    @app.websocket("/{path:path}")
    async def elsewhere(websocket: WebSocket, path: str) -> None:
        reason = f"there is no WebSocket /{path}: a live seat is /v1/live; see /openapi.json"
        await websocket.send_denial_response(as_response(HTTPStatus.NOT_FOUND, reason))

    @app.post("/v1/risk", **schema.RISK)
    async def risk(request: Request, unseen: Unseen = False) -> Response:
        """The risk of every discard in a position.

        The body is a JSON object with the arguments of `houjuu.game.position`. With `unseen=true`
        the answer contains `unseen`: the expected copies of each unseen kind in the wall and in the
        hands.
        """
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.message, limits.request_time)
            arguments = schema.position_arguments(schema.json_object(body))
            answer = await pool.run(work.position_risk, arguments, unseen)
        return Response(answer, media_type="application/json")

    @app.post("/v1/meta", **schema.META)
    async def meta(request: Request, seat: SeatNumber = None, unseen: Unseen = False) -> Response:
        """The risk of every discard of a seat after messages of mjai, as `meta`.

        The body is a JSON array or lines of messages, from the last `start_kyoku` on. `seat` is
        only needed if no `start_game` has an `id`. With `unseen=true` the answer contains `unseen`,
        as in `/v1/risk`, by the names of mjai.
        """
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.message, limits.request_time)
            answer = await pool.run(work.messages_meta, body, seat, unseen)
        return Response(answer, media_type="application/json")

    @app.post("/v1/review", **schema.REVIEW)
    async def review(
        request: Request, seat: SeatNumber = None, player: Player = None, name: LogName = "log"
    ) -> Response:
        """The review of one seat of a game, with the risks and the advice of the server's model.

        The body is a log in any format that `houjuu` reads, plain, compressed or as the only game
        of an archive.
        """
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.log, limits.request_time)
            answer = await pool.review(work.review_data, body, name, seat, player)
        return Response(answer, media_type="application/json")

    @app.get("/health", include_in_schema=False)
    async def health() -> JSONResponse:
        about = {"houjuu": houjuu.__version__, "model": estimator.model}
        return JSONResponse({"status": "ok", **about})

    @app.get("/", include_in_schema=False)
    async def page(lang: Language | None = None) -> HTMLResponse:
        """The page, whose script chooses the language."""
        return HTMLResponse(pages.front(limits.log), headers=pages.HEADERS)

    return app


def _handle_errors(app: FastAPI) -> None:
    """Make every error a status and a sentence as JSON."""

    @app.exception_handler(RefusedError)
    async def refused(request: Request, refusal: RefusedError) -> JSONResponse:
        return refusal.response(_accepted(request))

    @app.exception_handler(Error)
    async def invalid(request: Request, error: Error) -> JSONResponse:
        return as_response(HTTPStatus.UNPROCESSABLE_ENTITY, problem_text(_accepted(request), error))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        return as_response(HTTPStatus.UNPROCESSABLE_ENTITY, schema.sentence(error.errors()[0]))

    @app.exception_handler(WebSocketRequestValidationError)
    async def malformed_handshake(
        websocket: WebSocket, error: WebSocketRequestValidationError
    ) -> None:
        reason = schema.sentence(error.errors()[0])
        refusal = as_response(HTTPStatus.UNPROCESSABLE_ENTITY, reason)
        await websocket.send_denial_response(refusal)

    @app.exception_handler(HTTPException)
    async def failed(request: Request, error: HTTPException) -> JSONResponse:
        reason = f"{request.method} {request.url.path}: {error.detail}; see /openapi.json"
        return as_response(error.status_code, reason)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        reason = "the server failed at this request; its log has the reason"
        return as_response(HTTPStatus.INTERNAL_SERVER_ERROR, reason)
