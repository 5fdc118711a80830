"""The OpenAPI description, as far as it does not follow from the signatures; bodies of requests."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from typing_extensions import TypedDict  # pydantic asks for it before Python 3.12

import houjuu
from houjuu.util.errors import Error
from houjuu.util.languages import translate

_TEXT = translate("en")
SUMMARY = _TEXT("server.summary")
DESCRIPTION = "\n\n".join([_TEXT("server.live"), _TEXT("server.refusals")])
RISK = _TEXT("server.route.risk")
REVIEW = _TEXT("server.route.review")


class TileMeta(TypedDict):
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
    tiles: dict[str, TileMeta]


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
    field = ".".join(map(str, problem["loc"])) or "the body"
    return f"{field}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": _TEXT(f"server.status.{status}")}
    for status in (403, 408, 413, 422, 500, 503, 504)
}
RISK_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": Meta, "description": _TEXT("server.answer.risk")},
    **_REFUSALS,
}
REVIEW_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {}}, "description": _TEXT("server.answer.review")},
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
