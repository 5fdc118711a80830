"""The OpenAPI description, as far as it does not follow from the signatures; bodies of requests."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from typing_extensions import TypedDict  # pydantic asks for it before Python 3.12

import houjuu
from houjuu.errors import Error

SUMMARY = "How likely each discard deals in at riichi mahjong, to whom and for how many points."
DESCRIPTION = """\
`WS /v1/live?seat=0` follows a running game. The client sends the messages of mjai as they come, one
or several in a WebSocket message. At each decision of the seat, the server answers with `meta`.
After a lost message it answers once with `in_step` false and the reason. A refusal is
`{"error": "…"}`. The query parameter `seat` is not needed if `start_game` has an `id`.

Every refusal over HTTP is a status and `{"error": "one sentence"}`."""


class TileRisk(TypedDict):
    """The risk of a tile in hand."""

    deal_in: float
    points: int
    by_seat: list[float | None]


class Meta(TypedDict, total=False):
    """The risks of a seat; without `tenpai` and `tiles`, but with `problem`, if out of step."""

    schema: str
    model: str
    seat: int
    in_step: bool
    problem: str
    tenpai: list[float | None]
    tiles: dict[str, TileRisk]


class Refusal(TypedDict):
    """Why a request was refused, in one sentence."""

    error: str


def _position_model() -> type[BaseModel]:
    parameters = inspect.signature(houjuu.position, eval_str=True).parameters.values()
    fields: dict[str, Any] = {
        parameter.name: (
            parameter.annotation,
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in parameters
    }
    return create_model("Position", __config__=ConfigDict(extra="forbid"), **fields)


Position = _position_model()
"""The arguments of `houjuu.position`, which validates them further."""


def position_arguments(body: bytes) -> dict[str, Any] | None:
    """The arguments of `houjuu.position` in a body; None if it consists of messages of mjai.

    Raises
    ------
    Error
        An argument is missing, unknown or of a wrong type.
    """
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None  # lines of messages, or an error that `Live.hear` describes
    if not isinstance(content, dict) or "type" in content:
        return None
    try:
        arguments = Position.model_validate(content)
    except ValidationError as problem:
        raise Error(sentence(problem.errors()[0])) from None
    return {name: getattr(arguments, name) for name in arguments.model_fields_set}


def sentence(problem: Mapping[str, Any]) -> str:
    """A problem that pydantic found, in one sentence."""
    place = ".".join(map(str, problem["loc"])) or "the body"
    return f"{place}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": description}
    for status, description in {
        408: "The body arrives too slowly.",
        413: "The body is too long.",
        422: "The body, or a parameter, is invalid.",
        500: "The worker process has ended.",
        503: "Too many requests are pending.",
        504: "The work takes too long.",
    }.items()
}
RISK_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": Meta, "description": "`meta` for messages; `DealIn.to_dict()` for a position."},
    **_REFUSALS,
}
REVIEW_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {}}, "description": "The page, which needs no other file."},
    **_REFUSALS,
}
RISK_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        Position.model_json_schema(),
                        {"title": "Messages of mjai", "type": "array", "items": {"type": "object"}},
                    ]
                }
            },
            "application/x-ndjson": {"schema": {"type": "string", "title": "Lines of mjai"}},
        },
    }
}
REVIEW_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
