"""The OpenAPI description, as far as it does not follow from the signatures; bodies of requests."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.json_schema import models_json_schema

import houjuu
from houjuu.game.limits import MAX_RULES
from houjuu.game.position import BySeat, TileList
from houjuu.game.rules import PROFILES, Rules
from houjuu.live.overlay import InStepMeta, OutOfStepMeta
from houjuu.risk.answers import PositionAnswer
from houjuu.serve.json_schema import WithoutTitles, described, pydantic_type
from houjuu.serve.work import GamePlayers
from houjuu.util.errors import Error
from houjuu.util.languages import translate

TEXT = translate("en")
SUMMARY = TEXT("server.summary")
DESCRIPTION = "\n\n".join([TEXT("server.live"), TEXT("server.refusals")])
RISK = TEXT("server.route.risk")
META = TEXT("server.route.meta")
REVIEW = TEXT("server.route.review")
STEPS = TEXT("server.route.steps")
PLAYERS = TEXT("server.route.players")


class Refusal(BaseModel):
    """Why a request was refused."""

    error: str = Field(
        description="The problem and the remedy, in one sentence.",
        examples=["9x is no tile: …"],
    )


class RulesOfPosition(BaseModel):
    """The rules of a game."""

    model_config = ConfigDict(extra="forbid", title="Rules")
    flags: int = Field(
        Rules().flags,
        description="The type of the game in Tenhou's bits, as `<GO type>` of its logs: 1 is set "
        "in games of people, 2 without red fives, 4 without open tanyao, 8 in a hanchan.",
        examples=[9],
        ge=0,
        le=MAX_RULES,
    )
    profile: Literal["tenhou", "mahjong-soul", "m-league"] = Field(
        "tenhou", description="The site or league whose rules hold beyond the flags."
    )


_EXAMPLE: dict[str, Any] = {
    "hand": "123m067p1199s555z + 4p",
    "rivers": {"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"},
    "melds": {"left": "chi 3~45m, pon 777z"},
    "riichi": {"across": 2},
    "dora": "3p",
    "round": "E2.1",
    "seat": 3,
    "scores": [25000, 25000, 24000, 25000],
    "riichi_sticks": 1,
    "rules": {"flags": 9, "profile": "tenhou"},
}
"""A value of each argument of `houjuu.position`."""


_JSON = {
    TileList: str,
    BySeat: dict[str, Any] | list[Any],
    Rules | None: RulesOfPosition | None,
}
"""What JSON has of the types of `houjuu.position`."""


def _position_model() -> type[BaseModel]:
    parameters = inspect.signature(houjuu.position, eval_str=True).parameters.values()
    texts = described(houjuu.position)
    fields: dict[str, Any] = {
        parameter.name: (
            _JSON.get(parameter.annotation, parameter.annotation),
            Field(
                ... if parameter.default is parameter.empty else parameter.default,
                description=texts[parameter.name],
                examples=[_EXAMPLE[parameter.name]],
            ),
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
    "description": 'A message of mjai, such as `{"type": "tsumo", "actor": 0, "pai": "6p"}`.',
    "type": "object",
    "properties": {
        "type": {
            "type": "string",
            "description": "Its type. `start_kyoku` deals a round; unknown types are ignored.",
            "examples": ["tsumo"],
        }
    },
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
    given = {name: getattr(arguments, name) for name in arguments.model_fields_set}
    rules = given.get("rules")
    if rules is not None:
        given["rules"] = Rules(rules.flags, profile=PROFILES[rules.profile])
    return given


_MESSAGES_ELSEWHERE = "send messages of mjai to /v1/meta"


def sentence(problem: Mapping[str, Any]) -> str:
    """A problem that pydantic found, in one sentence."""
    field = ".".join(map(str, problem["loc"])) or "the body"
    return f"{field}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {
        "content": {"application/json": {"schema": _reference("Refusal")}},
        "description": TEXT(f"server.status.{status}"),
    }
    for status in (403, 408, 413, 422, 500, 503, 504)
}
RISK_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": pydantic_type(PositionAnswer), "description": TEXT("server.answer.risk")},
    **_REFUSALS,
}
META_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": pydantic_type(InStepMeta) | pydantic_type(OutOfStepMeta),
        "description": TEXT("server.answer.meta"),
    },
    **_REFUSALS,
}
REVIEW_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": TEXT("server.answer.review"),
        "content": {"application/json": {"schema": {"type": "object"}}},
    },
    **_REFUSALS,
}
STEPS_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": TEXT("server.answer.steps")},
    **_REFUSALS,
}
PLAYERS_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"model": pydantic_type(GamePlayers), "description": TEXT("server.answer.players")},
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
