"""Positions to answer: the largest mistakes of a game, with what a page needs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, cast

from houjuu.review.page_types import (
    ActionName,
    HandPosition,
    MistakeClass,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
)
from houjuu.review.prices import LIMIT, price
from houjuu.review.verdict import advised_action, chosen_action, with_preference
from houjuu.util.languages import Language

MOST_PER_GAME = 12
MOST_PER_CLASS = 30
_MOST_ANSWERS = 6


class Answer(ActionName):
    """An action with the discard that follows a call.

    ``lost`` is its price against the advised action, at least 0, in points.
    """

    discard: str | None
    lost: int


class Drill(TypedDict):
    """A mistake as a question; the first ``answers`` are the advised and the chosen action.

    ``round`` and ``step`` are its address on the page of the game, the step from 1.
    """

    round: int
    step: int
    kind: str
    mistake: MistakeClass
    lost: int
    position: HandPosition
    answers: list[Answer]
    why: Mapping[Language, str]


class PlacedDrill(NamedTuple):
    """A drill, and the address of its decision relative to the folder of reviews."""

    drill: Drill
    href: str


def drills(review: Review) -> list[Drill]:
    """The drills of a game: its mistakes that lose most."""
    losing = [one for one in review["choices"] if one["value_lost"] >= LIMIT]
    losing.sort(key=lambda choice: -choice["value_lost"])
    return [_drill(one, review["rounds"][one["round"]]) for one in losing[:MOST_PER_GAME]]


def _drill(choice: ReviewedChoice, round: ReviewedRound) -> Drill:
    assert choice["mistake"] is not None
    assert choice["why"] is not None
    return {
        "round": choice["round"],
        "step": choice["step"] + 1,
        "kind": choice["kind"],
        "mistake": choice["mistake"],
        "lost": choice["value_lost"],
        "position": _position(choice, round),
        "answers": _answers(choice, round["decisions"][choice["step"]]),
        "why": choice["why"],
    }


def _position(choice: ReviewedChoice, round: ReviewedRound) -> HandPosition:
    fields: dict[str, Any] = {**round, **round["decisions"][choice["step"]]}
    return cast(HandPosition, {key: fields[key] for key in HandPosition.__annotations__})


def _answers(choice: ReviewedChoice, position: ReviewedPosition) -> list[Answer]:
    """The advised and the chosen action, then those that the player prefers next."""
    advised, chosen = advised_action(choice), chosen_action(choice)
    facing = any(seat["riichi"] for seat in position["seats"][1:])
    first = [advised, chosen]
    others = sorted(
        (one for one in choice["actions"] if one not in first), key=with_preference, reverse=True
    )
    return [
        {
            "verb": one["verb"],
            "tiles": one["tiles"],
            "discard": one.get("discard"),
            "lost": max(price(advised, one, facing_riichi=facing).points, 0),
        }
        for one in [*first, *others][:_MOST_ANSWERS]
    ]


def selected(placed: Sequence[PlacedDrill]) -> list[PlacedDrill]:
    """Of each class the `MOST_PER_CLASS` that lose most; the largest loss first."""
    counts: dict[str, int] = {}
    kept = []
    for one in sorted(placed, key=lambda one: -one.drill["lost"]):
        name = one.drill["mistake"]
        counts[name] = counts.get(name, 0) + 1
        if counts[name] <= MOST_PER_CLASS:
            kept.append(one)
    return kept
