"""The OpenAPI description, as far as it does not follow from the signatures; bodies of requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypedDict, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from houjuu.game.limits import MAX_RULES
from houjuu.game.rules import PROFILES, Rules
from houjuu.live.overlay import Meta
from houjuu.risk.answers import HandsAnswer, PositionAnswer
from houjuu.serve.json_schema import Schema, schema
from houjuu.util.errors import Error
from houjuu.util.json_types import Keywords, RoomName
from houjuu.util.languages import DEFAULT, Language

Model = TypeVar("Model", bound=BaseModel)

SUMMARY = "How likely each discard deals in at riichi mahjong, to whom and for how many points."
DESCRIPTION = """\
`WS /v1/live?seat=0` follows a running game. The client sends the messages of mjai as they come, one
or several in a WebSocket message. At each decision of the seat, the server answers with `meta`.
After a lost message it answers once with `in_step` false and the reason. A refusal is
`{"error": "…"}`. The query parameter `seat` is not needed if `start_game` has an `id`. With
`unseen=true` each `meta` contains `unseen`, where the unseen tiles are.

Every refusal over HTTP is a status and `{"error": "one sentence"}`."""


class Refusal(TypedDict):
    """Why a request was refused."""

    error: Annotated[str, Keywords(example="9x is no tile: …")]
    """The problem and the remedy, in one sentence."""


class WithoutTitles(GenerateJsonSchema):
    """Without titles and defaults: openapi-typescript requires a key that has a default."""

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """The schema without its default."""
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No key has a title."""
        return False


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RulesOfPosition(_Strict):
    """The rules of a game."""

    model_config = ConfigDict(title="Rules")
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


_BySeat = dict[str, Any] | list[Any]


class Position(_Strict):
    """The arguments of `houjuu.position`, which validates them further."""

    hand: str = Field(
        description="Concealed tiles of the seat, such as `123m0678p1199s55z + 4p`. On its own "
        "turn the drawn tile stands behind `+`, or is the last one. After a chi or pon no tile is "
        "drawn.",
        examples=["123m067p1199s555z + 4p"],
    )
    rivers: _BySeat = Field(
        {},
        description='The river of each seat, such as `{"right": "9m 1z\' 5p* 2s\'"}`, or of the '
        "seats 0 to 3. After a riichi every discard is tsumogiri.",
        examples=[{"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"}],
    )
    melds: _BySeat = Field(
        {},
        description="The melds of each seat in the order of the calls, as text or list of texts, "
        'such as `{"left": "chi 3~45m, pon 777z"}`.',
        examples=[{"left": "chi 3~45m, pon 777z"}],
    )
    riichi: _BySeat = Field(
        {},
        description="Number of the discard, from 1, that declares riichi, in place of its `*`; 0 "
        "for none.",
        examples=[{"across": 2}],
    )
    dora: str = Field(description="The dora indicators, such as `3p`.", examples=["3p"])
    round: str = Field(
        "E1",
        description="`E2` for East 2, `E2.1` for East 2 with one honba.",
        examples=["E2.1"],
    )
    seat: int | str = Field(
        0,
        description="The asking seat: 0–3, where seat 0 is East in round E1, or its wind in this "
        "round.",
        examples=[3],
    )
    scores: _BySeat = Field(
        {},
        description="By default 25,000, less 1,000 in riichi.",
        examples=[[25000, 25000, 24000, 25000]],
    )
    riichi_sticks: int | None = Field(
        None, description="By default one for each seat in riichi.", examples=[1]
    )
    rules: RulesOfPosition | None = Field(
        None,
        description="By default those of a ranked hanchan on Tenhou.",
        examples=[{"flags": 9, "profile": "tenhou"}],
    )
    room: RoomName | None = Field(
        None, description="By default that of the rules, or the phoenix room.", examples=["general"]
    )


_ADDRESS = "#/components/schemas/"

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
    [(Position, "validation")],
    ref_template=_ADDRESS + "{model}",
    schema_generator=WithoutTitles,
)
COMPONENTS: dict[str, Schema] = {**_MODELS["$defs"], "Message": _MESSAGE}
"""The schemas of the bodies and of the answers."""


class RiskQuery(_Strict):
    """The parameters of `/v1/risk`."""

    unseen: bool = Field(
        default=False,
        description="Whether the answer contains `unseen`, where the unseen tiles are.",
        examples=[False],
    )


class HandsQuery(_Strict):
    """The parameters of `/v1/hands`."""

    deals: int = Field(default=20, description="Number of deals.", examples=[20], ge=1, le=512)
    seed: int = Field(
        default=0, description="The same seed gives the same deals.", examples=[0], ge=0, le=2**32
    )


class SeatQuery(RiskQuery):
    """The parameters of `/v1/live` and `/v1/meta`."""

    seat: int | None = Field(
        default=None,
        description="The seat, 0 to 3; 0 is the first dealer. By default that of `start_game`.",
        examples=[0],
        ge=0,
        le=3,
    )


class ReviewQuery(_Strict):
    """The parameters of a review."""

    name: str = Field(
        default="log",
        description="The name of the file, for messages.",
        examples=["game.mjlog"],
        max_length=200,
    )
    seat: int | None = Field(
        default=None,
        description="The seat, 0 to 3; 0 is the first dealer. By default that of the log.",
        examples=[0],
        ge=0,
        le=3,
    )
    player: str | None = Field(
        default=None,
        description="The player that gives the advice, such as `rank`; `none` for no advice. By "
        "default `rank`, if it is installed.",
        examples=["none"],
        max_length=200,
    )
    room: RoomName | None = Field(
        default=None,
        description="The room of the players. By default that of the log, or the phoenix room.",
        examples=["general"],
    )


class Call(ReviewQuery):
    """What the page asks for: a function, with the log of a name, ``size`` bytes."""

    function: Literal["players", "review", "position"]
    language: Language = DEFAULT
    size: int = Field(default=0, ge=0)
    one_seat: bool = False
    position: dict[str, Any] = {}


def json_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a body; raises Error if it is none."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as problem:
        reason = str(problem).splitlines()[0]
        raise Error(f"the body is not JSON ({reason}); {_MESSAGES_ELSEWHERE}") from None
    if not isinstance(content, dict) or "type" in content:
        raise Error(f"the body is not a position, a JSON object; {_MESSAGES_ELSEWHERE}")
    return content


def validated(model: type[Model], content: dict[str, Any]) -> Model:
    """The values of a model.

    Raises
    ------
    Error
        A key is missing, unknown or of a wrong type.
    """
    try:
        return model.model_validate(content)
    except ValidationError as problem:
        raise Error(sentence(problem.errors()[0])) from None


def position_arguments(content: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `houjuu.position` in a JSON object; the error is that of `validated`."""
    arguments = validated(Position, content)
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


_REFUSALS = {
    403: "The page is not its own.",
    408: "The body arrives too slowly.",
    413: "The body is too long.",
    422: "The body, or a parameter, is invalid.",
    500: "The worker process has ended.",
    503: "Too many requests are pending.",
    504: "The work takes too long.",
}


def _json(hint: Any) -> dict[str, Any]:
    """The content of an answer of a type."""
    return {"application/json": {"schema": schema(hint, COMPONENTS, _ADDRESS)}}


def _responses(description: str, content: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    refusal = _json(Refusal)
    return {
        200: {"description": description, "content": content},
        **{status: {"description": text, "content": refusal} for status, text in _REFUSALS.items()},
    }


def _body(media_type: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}


_MESSAGES = {"type": "array", "items": {"$ref": _ADDRESS + "Message"}}
RISK: dict[str, Any] = {
    "openapi_extra": _body("application/json", {"$ref": _ADDRESS + "Position"}),
    "responses": _responses("The risk of each kind and each red five.", _json(PositionAnswer)),
}
HANDS: dict[str, Any] = {
    "openapi_extra": _body("application/json", {"$ref": _ADDRESS + "Position"}),
    "responses": _responses("Likely shapes of the hidden hands, and deals.", _json(HandsAnswer)),
}
META: dict[str, Any] = {
    "openapi_extra": _body("application/json", _MESSAGES),
    "responses": _responses(
        "The risks of the tiles in hand. Where a message may be lost, `in_step` is false, and the "
        "reason replaces the risks.",
        _json(Meta),
    ),
}
REVIEW: dict[str, Any] = {
    "openapi_extra": _body("application/octet-stream", {"type": "string", "format": "binary"}),
    "responses": _responses(
        "The data of the seat, as `houjuu review --json` prints them.",
        {"application/json": {"schema": {"type": "object"}}},
    ),
}
"""What the description has of each route besides its function."""
