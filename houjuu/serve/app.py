"""The routes of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.trustedhost import TrustedHostMiddleware
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

import houjuu
from houjuu.estimators.loading import load
from houjuu.serve import pages, schema, work
from houjuu.serve.front import Front
from houjuu.serve.pool import Pool
from houjuu.serve.refusals import TrustedOrigins, as_response, read_body, trusted_hosts
from houjuu.serve.seats import LiveSeats
from houjuu.serve.settings import ServerLimits, ServerSettings
from houjuu.util.errors import Error
from houjuu.util.languages import accepted_language, problem_text, translate


class _Application(FastAPI):
    """FastAPI with the schemas of `schema`."""

    def openapi(self) -> dict[str, Any]:
        description = super().openapi()
        description["components"] = {"schemas": schema.COMPONENTS}
        return description


def create(settings: ServerSettings) -> FastAPI:
    """The application, for an ASGI server such as uvicorn.

    Parameters
    ----------
    settings : ServerSettings

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
            app.state.front = Front(pool, limits)
            app.state.seats = LiveSeats(pool.workers, estimator, settings)
            yield

    app = _Application(
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

    @app.websocket("/v1/live")
    async def live(websocket: WebSocket, query: Annotated[schema.SeatQuery, Query()]) -> None:
        seats: LiveSeats = websocket.app.state.seats
        await seats.serve(websocket, query.seat, query.unseen)

    @app.websocket("/page")
    async def call(websocket: WebSocket) -> None:
        front: Front = websocket.app.state.front
        await front.serve(websocket)

    @app.websocket("/{path:path}")
    async def elsewhere(websocket: WebSocket, path: str) -> None:
        reason = f"there is no WebSocket /{path}: a live seat is /v1/live; see /openapi.json"
        await websocket.send_denial_response(as_response(HTTPStatus.NOT_FOUND, reason))

    @app.post("/v1/risk", **schema.RISK)
    async def risk(request: Request, query: Annotated[schema.RiskQuery, Query()]) -> Response:
        """The risk of every discard in a position.

        The body is a JSON object with the arguments of `houjuu.game.position`. With `unseen=true`
        the answer contains `unseen`: the expected copies of each unseen kind in the wall and in the
        hands.
        """
        return await _answer(request, limits, work.position_risk, query.unseen)

    @app.post("/v1/hands", **schema.HANDS)
    async def hands(request: Request, query: Annotated[schema.HandsQuery, Query()]) -> Response:
        """The hidden hands in a position: likely shapes, and deals for a search.

        The body is that of `/v1/risk`.
        """
        return await _answer(request, limits, work.position_hands, query.deals, query.seed)

    @app.post("/v1/meta", **schema.META)
    async def meta(request: Request, query: Annotated[schema.SeatQuery, Query()]) -> Response:
        """The risk of every discard of a seat after messages of mjai, as `meta`.

        The body is a JSON array or lines of messages, from the last `start_kyoku` on. `seat` is
        only needed if no `start_game` has an `id`. With `unseen=true` the answer contains `unseen`,
        as in `/v1/risk`, by the names of mjai.
        """
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.message, limits.request_time)
            answer = await pool.run(work.messages_meta, body, query.seat, query.unseen)
        return Response(answer, media_type="application/json")

    @app.post("/v1/review", **schema.REVIEW)
    async def review(request: Request, query: Annotated[schema.ReviewQuery, Query()]) -> Response:
        """The review of one seat of a game, with the risks and the advice of the server's model.

        The body is a log in any format that `houjuu` reads, plain, compressed or as the only game
        of an archive.
        """
        pool: Pool = request.app.state.pool
        with pool.slot():
            body = await read_body(request, limits.log, limits.request_time)
            answer = await pool.review(work.review_data, body, query)
        return Response(answer, media_type="application/json")

    @app.get("/health", include_in_schema=False)
    async def health() -> JSONResponse:
        about = {"houjuu": houjuu.__version__, "model": estimator.model}
        return JSONResponse({"status": "ok", **about})

    @app.get("/", include_in_schema=False)
    async def page() -> HTMLResponse:
        return HTMLResponse(pages.front(limits.log), headers=pages.HEADERS)

    return app


async def _answer(
    request: Request, limits: ServerLimits, function: Callable[..., str], *options: object
) -> Response:
    """The answer of a worker about the position in the body, as JSON."""
    pool: Pool = request.app.state.pool
    with pool.slot():
        body = await read_body(request, limits.message, limits.request_time)
        arguments = schema.position_arguments(schema.json_object(body))
        answer = await pool.run(function, arguments, *options)
    return Response(answer, media_type="application/json")


def _handle_errors(app: FastAPI) -> None:
    """Make every error a status and a sentence as JSON."""

    @app.exception_handler(Error)
    async def invalid(request: Request, error: Error) -> JSONResponse:
        accepted = request.headers.get("accept-language", "")
        status = getattr(error, "status", HTTPStatus.UNPROCESSABLE_ENTITY)
        return as_response(status, problem_text(translate(accepted_language(accepted)), error))

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
