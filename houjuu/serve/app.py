"""The routes of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Header, Query, Request, WebSocket
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

import houjuu
from houjuu.estimators.loading import load
from houjuu.serve import pages, schema, work
from houjuu.serve.pool import Pool
from houjuu.serve.refusals import RefusedError, as_response, read_body
from houjuu.serve.reviews import Reviews, lines
from houjuu.serve.seats import LiveSeats
from houjuu.serve.settings import ServerLimits, ServerSettings
from houjuu.serve.trust import TrustedRequests
from houjuu.util.errors import Error
from houjuu.util.languages import Catalogue, Language, accepted_language, problem_text, translate


def _parameter(name: str, example: object, **bounds: Any) -> Any:
    text = schema.TEXT(f"server.parameter.{name}")
    return Query(description=text, openapi_examples={"usual": {"value": example}}, **bounds)


SeatNumber = Annotated[int | None, _parameter("seat", 0, ge=0, le=3)]
LogName = Annotated[str, _parameter("name", "game.mjlog", max_length=200)]
Unseen = Annotated[bool, _parameter("unseen", False)]


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


def _catalogue(
    lang: Language | None = None, accept_language: Annotated[str, Header()] = ""
) -> Catalogue:
    """The catalogue of a page: of the query, else of the browser."""
    return translate(lang or accepted_language(accept_language))


def _accepted(request: Request) -> Catalogue:
    """The catalogue of an error: of the page that sent the request."""
    return _catalogue(None, request.headers.get("accept-language", ""))


def _review_options(
    seat: SeatNumber = None,
    one_seat: Annotated[bool, _parameter("one_seat", True)] = False,
    player: Annotated[str | None, _parameter("player", "none", max_length=200)] = None,
    name: LogName = "log",
    lang: Annotated[Language | None, _parameter("lang", "ja")] = None,
) -> work.ReviewOptions:
    return work.ReviewOptions(name, seat, one_seat, player, lang)


Options = Annotated[work.ReviewOptions, Depends(_review_options)]
PageCatalogue = Annotated[Catalogue, Depends(_catalogue)]


class _Lines(StreamingResponse):
    """Lines of JSON, sent as they come."""

    media_type = "application/x-ndjson"


class _Application(FastAPI):
    """FastAPI, and the schemas that it does not collect itself."""

    def openapi(self) -> dict[str, Any]:
        description = super().openapi()
        description["components"]["schemas"].update(schema.COMPONENTS)
        return description


def create(settings: ServerSettings | None = None) -> FastAPI:
    """The application, for an ASGI server such as uvicorn.

    Raises
    ------
    ParameterError
        There is no such model.
    """
    settings = settings or ServerSettings()
    limits = settings.limits
    estimator = load(settings.model)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with Pool(settings) as pool:
            app.state.pool = pool
            app.state.reviews = Reviews(pool, limits)
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
    app.add_middleware(TrustedRequests, hosts=settings.hosts, origins=settings.origins)
    app.mount("/static", StaticFiles(packages=[("houjuu.serve", "static")]))

    @app.websocket("/v1/live")
    async def live(websocket: WebSocket, seat: SeatNumber = None, unseen: Unseen = False) -> None:
        seats: LiveSeats = websocket.app.state.seats
        await seats.serve(websocket, seat, unseen)

    @app.websocket("/{path:path}")
    async def elsewhere(websocket: WebSocket, path: str) -> None:
        reason = f"there is no WebSocket /{path}: a live seat is /v1/live; see /docs"
        await websocket.send_denial_response(as_response(HTTPStatus.NOT_FOUND, reason))

    @app.post(
        "/v1/risk",
        description=schema.RISK,
        openapi_extra=schema.RISK_BODY,
        responses=schema.RISK_RESPONSES,
    )
    async def risk(request: Request, unseen: Unseen = False) -> Response:
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.message, limits.request_time)
            arguments = schema.position_arguments(body)
            answer = await pool.run(work.position_risk, arguments, unseen)
        return Response(answer, media_type="application/json")

    @app.post(
        "/v1/meta",
        description=schema.META,
        openapi_extra=schema.META_BODY,
        responses=schema.META_RESPONSES,
    )
    async def meta(request: Request, seat: SeatNumber = None, unseen: Unseen = False) -> Response:
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.message, limits.request_time)
            answer = await pool.run(work.messages_meta, body, seat, unseen)
        return Response(answer, media_type="application/json")

    @app.post(
        "/v1/review",
        description=schema.REVIEW,
        openapi_extra=schema.LOG_BODY,
        responses=schema.REVIEW_RESPONSES,
        response_class=HTMLResponse,
    )
    async def review(
        request: Request,
        options: Options,
        format: Annotated[Literal["page", "json"], _parameter("format", "json")] = "page",
    ) -> Response:
        reviews: Reviews = request.app.state.reviews
        as_json = format == "json"
        if as_json:
            options = replace(options, one_seat=True)
        async for step in reviews.steps(request, options, as_json=as_json):
            last = step
        if as_json:
            return Response(last["page"], media_type="application/json")
        return HTMLResponse(last["page"], headers=pages.REVIEW_HEADERS)

    @app.post(
        "/v1/review/steps",
        description=schema.STEPS,
        openapi_extra=schema.LOG_BODY,
        responses=schema.STEPS_RESPONSES,
        response_class=_Lines,
    )
    async def steps(request: Request, options: Options) -> _Lines:
        reviews: Reviews = request.app.state.reviews
        steps = reviews.steps(request, options)
        first = await anext(steps)  # its refusal is a status
        return _Lines(lines(first, steps, _accepted(request)), headers=pages.STEPS_HEADERS)

    @app.post(
        "/v1/players",
        description=schema.PLAYERS,
        openapi_extra=schema.LOG_BODY,
        responses=schema.PLAYERS_RESPONSES,
    )
    async def players(request: Request, name: LogName = "log") -> JSONResponse:
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.log, limits.request_time)
            answer = await pool.review(work.game_players, body, name)
        return JSONResponse(answer)

    _add_pages(app, limits, estimator.model)
    return app


def _add_pages(app: FastAPI, limits: ServerLimits, model: str) -> None:
    """Add what people and proxies open."""

    @app.get("/health", include_in_schema=False)
    async def health() -> JSONResponse:
        about = {"houjuu": houjuu.__version__, "model": model}
        return JSONResponse({"status": "ok", **about})

    @app.get("/", include_in_schema=False)
    async def index(catalogue: PageCatalogue) -> HTMLResponse:
        return HTMLResponse(pages.index(limits, catalogue), headers=pages.HEADERS)

    @app.get("/docs", include_in_schema=False)
    async def docs(catalogue: PageCatalogue) -> HTMLResponse:
        return HTMLResponse(pages.docs(app.openapi(), catalogue), headers=pages.HEADERS)


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
        reason = f"{request.method} {request.url.path}: {error.detail}; see /docs"
        return as_response(error.status_code, reason)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        reason = "the server failed at this request; its log has the reason"
        return as_response(HTTPStatus.INTERNAL_SERVER_ERROR, reason)
