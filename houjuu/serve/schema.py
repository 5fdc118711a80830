"""The OpenAPI description, as far as it does not follow from the signatures; bodies of requests."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.json_schema import models_json_schema

import houjuu
from houjuu.game.position import BySeat, TileList
from houjuu.live.meta import InStepMeta, OutOfStepMeta
from houjuu.risk.answers import PositionAnswer
from houjuu.serve.json_schema import WithoutTitles, pydantic_type
from houjuu.serve.work import GamePlayers
from houjuu.util.errors import Error
from houjuu.util.languages import translate

_TEXT = translate("en")
SUMMARY = _TEXT("server.summary")
DESCRIPTION = "\n\n".join([_TEXT("server.live"), _TEXT("server.refusals")])
RISK = _TEXT("server.route.risk")
META = _TEXT("server.route.meta")
REVIEW = _TEXT("server.route.review")
STEPS = _TEXT("server.route.steps")
PLAYERS = _TEXT("server.route.players")


class Refusal(BaseModel):
    """Why a request was refused, in one sentence."""

    error: str


_JSON = {TileList: str, BySeat: dict[str, Any] | list[Any]}
"""What JSON has of the types of `houjuu.position`."""


def _position_model() -> type[BaseModel]:
    parameters = inspect.signature(houjuu.position, eval_str=True).parameters.values()
    fields: dict[str, Any] = {
        parameter.name: (
            _JSON.get(parameter.annotation, parameter.annotation),
            ... if parameter.default is parameter.empty else parameter.default,
        )
        for parameter in parameters
    }
    return create_model("Position", __config__=ConfigDict(extra="forbid"), **fields)


Position = _position_model()
"""The arguments of `houjuu.position`, which validates them further."""

_COMPONENT = "#/components/schemas/{model}"


def _reference(name: str) -> dict[str, str]:
    return {"$ref": _COMPONENT.format(model=name)}


_MESSAGE = {
    "title": "Message",
    "description": "A message of mjai.",
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "additionalProperties": True,
}
_, _MODELS = models_json_schema(
    [(Position, "validation"), (Refusal, "serialization")],
    ref_template=_COMPONENT,
    schema_generator=WithoutTitles,
)
COMPONENTS: dict[str, Any] = {**_MODELS["$defs"], "Message": _MESSAGE}
"""The schemas that the routes refer to themselves: of the bodies, and of refusals by any route."""


def position_arguments(body: bytes) -> dict[str, Any]:
    """The arguments of `houjuu.position` in a body.

    Raises
    ------
    Error
        It is not a JSON object, or an argument is missing, unknown or of a wrong type.
    """
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as problem:
        reason = str(problem).splitlines()[0]
        raise Error(f"the body is not JSON ({reason}); {_MESSAGES_ELSEWHERE}") from None
    if not isinstance(content, dict) or "type" in content:
        raise Error(f"the body is not a position, a JSON object; {_MESSAGES_ELSEWHERE}")
    try:
        arguments = Position.model_validate(content)
    except ValidationError as problem:
        raise Error(sentence(problem.errors()[0])) from None
    return {name: getattr(arguments, name) for name in arguments.model_fields_set}


_MESSAGES_ELSEWHERE = "send messages of mjai to /v1/meta"


def sentence(problem: Mapping[str, Any]) -> str:
    """A problem that pydantic found, in one sentence."""
    field = ".".join(map(str, problem["loc"])) or "the body"
    return f"{field}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {
        "content": {"application/json": {"schema": _reference("Refusal")}},
        "description": _TEXT(f"server.status.{status}"),
    }
    for status in (403, 408, 413, 422, 500, 503, 504)
}
RISK_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": pydantic_type(PositionAnswer), "description": _TEXT("server.answer.risk")},
    **_REFUSALS,
}
META_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": pydantic_type(InStepMeta) | pydantic_type(OutOfStepMeta),
        "description": _TEXT("server.answer.meta"),
    },
    **_REFUSALS,
}
REVIEW_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": _TEXT("server.answer.review")},
    **_REFUSALS,
}
STEPS_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": _TEXT("server.answer.steps")},
    **_REFUSALS,
}
PLAYERS_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": pydantic_type(GamePlayers), "description": _TEXT("server.answer.players")},
    **_REFUSALS,
}
RISK_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": _reference("Position")}},
    }
}
META_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"type": "array", "items": _reference("Message")}},
        },
    }
}
LOG_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
