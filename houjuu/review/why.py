"""Why: the chosen action beside another one, and the parts of their values that decide.

What decides are reasons (`houjuu.review.reasons`), and `houjuu.review.sentences` renders them.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.game.actions import ActionKind
from houjuu.game.rules import Rules
from houjuu.review.deciding import CALLS, WIN, decisive
from houjuu.review.page_types import (
    BadLuck,
    Lead,
    Reasons,
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    ValuedAction,
)
from houjuu.review.prices import price
from houjuu.review.reasons import Contrast, reason
from houjuu.review.sentences import sentence
from houjuu.review.verdict import advised_action, chosen_action, with_preference
from houjuu.util.languages import LANGUAGES, translate

_EXPLAINED = CALLS | {"riichi"}
"""Verbs of the actions that are always explained."""
_LEAST_EXPLAINED = 50  # points of value between a close choice and the other action


def add_reasons(
    rounds: Sequence[ReviewedRound],
    choices: Sequence[ReviewedChoice],
    rules: Rules,
    engines: Sequence[str] = (),
) -> None:
    """Add ``reasons`` and ``why`` to the choices of a complete review, where there are some.

    These lose value, or are against the advice or on a riichi, a call or a kan and not of nearly
    the same value, or they are right and deal in. The only choice of a review always has them.
    `engines` are the names of the other engines.
    """
    for number, choice in enumerate(choices):
        following = [one for one in choices[number + 1 :] if one["round"] == choice["round"]]
        loses_later = any(one["value_lost"] > 0 for one in following)
        reasons = _reasons(
            choice,
            rounds[choice["round"]],
            rules,
            loses_later=loses_later,
            is_only=len(choices) == 1,
        )
        choice["reasons"] = reasons
        choice["why"] = reasons and {
            language: sentence(translate(language), choice, reasons, engines)
            for language in LANGUAGES
        }


def _reasons(
    choice: ReviewedChoice,
    round: ReviewedRound,
    rules: Rules,
    *,
    loses_later: bool,
    is_only: bool,
) -> Reasons | None:
    position = round["decisions"][choice["step"]]
    other = _other(choice, position)
    if other is None:
        return None
    contrast = Contrast(
        position,
        round,
        target=rules.profile.target if round["round"] >= rules.last_round else None,
        bust=rules.profile.bust,
        subject=chosen_action(choice),
        other=other,
    )
    points = _points(choice, contrast)
    claimed = abs(contrast.subject["value"] - other["value"])
    is_large = choice["school"] is not None or claimed >= _LEAST_EXPLAINED
    is_made = chosen_action(choice)["verb"] in _EXPLAINED
    is_decision = choice["kind"] in ("riichi", "call", "kan") or not choice["agrees"]
    if not (
        choice["value_lost"] or position["rons"] or is_made or is_only or (is_decision and is_large)
    ):
        return None
    parts, against = decisive(contrast.differences)
    if contrast.names_win and WIN not in parts:
        parts = [max(parts, key=lambda part: abs(contrast.differences[part])), WIN]
        against = None if against == WIN else against
    return {
        "lead": _lead(choice, contrast, points) if parts else "same",
        "other": next(i for i, one in enumerate(choice["actions"]) if one is other),
        "points": points,
        "decisive": [reason(contrast, part) for part in parts],
        "main": parts.index(WIN) if contrast.names_win else 0,
        "against": None if against is None else reason(contrast, against),
        "luck": None if loses_later else _luck(choice, position, round),
    }


def _other(choice: ReviewedChoice, position: ReviewedPosition) -> ValuedAction | None:
    """The action to compare with: the advised one, or beside that the best of another verb.

    A call is compared with passing, and a right discard with the safest one.
    """
    chosen = chosen_action(choice)
    school = choice["school"]
    if choice["agrees"] and school not in (None, choice["chosen"]):
        return choice["actions"][school]
    if not choice["agrees"] or school is not None:
        return advised_action(choice)
    others = [one for one in choice["actions"] if one is not chosen]
    passing = [one for one in others if one["verb"] == ActionKind.PASS]
    of_another_verb = [one for one in others if one["verb"] != chosen["verb"]]
    if passing or (of_another_verb and not position["rons"]):
        return max(passing or of_another_verb, key=with_preference)
    return min(others, key=lambda one: (_risk(one, position), -with_preference(one)), default=None)


def _risk(action: ValuedAction, position: ReviewedPosition) -> float:
    """P(the discard deals in), 0 for an action without one."""
    tiles = action["tiles"]
    return position["risks"][tiles[0]]["deal_in"] if len(tiles) == 1 else 0.0


def _luck(
    choice: ReviewedChoice, position: ReviewedPosition, round: ReviewedRound
) -> BadLuck | None:
    """The loss after a right decision: by its deal-in, or in the round."""
    if not choice["agrees"] or _is_better_and_safer(choice, position):
        return None
    if position["rons"]:
        return {"cause": "deal_in", "points": sum(ron["points"] for ron in position["rons"])}
    lost = -(round["balance"] or 0)
    if lost <= 0 or chosen_action(choice)["verb"] not in _EXPLAINED:
        return None
    return {"cause": "round", "points": lost}


def _is_better_and_safer(choice: ReviewedChoice, position: ReviewedPosition) -> bool:
    """Whether another action had a better value and a lower risk, or there are two schools."""
    made = chosen_action(choice)
    return choice["school"] is not None or any(
        one["value"] > made["value"]
        and (
            _risk(one, position) < _risk(made, position)
            or one.get("deal_in", 0.0) < made.get("deal_in", 0.0)
        )
        for one in choice["actions"]
    )


def _points(choice: ReviewedChoice, contrast: Contrast) -> int:
    """The price of the difference of the contrast; of a repeated plan what it would be."""
    if choice["value_lost"] or not choice["agrees"]:
        return choice["value_lost"] or choice["value_gained"]
    facing = any(seat["riichi"] for seat in contrast.position["seats"][1:])
    return abs(price(contrast.subject, contrast.other, facing_riichi=facing).points)


def _lead(choice: ReviewedChoice, contrast: Contrast, points: int) -> Lead:
    """The beginning: two schools and close decisions blame nobody."""
    if choice["value_lost"]:
        return "lost"
    gain = contrast.subject["value"] - contrast.other["value"]
    if choice["repeats"] is not None:
        return "repeats"
    if choice["school"] is not None and choice["chosen"] in (0, choice["school"]):
        return "school_kept" if gain > 0 else "school"
    if gain < 0 or not points:
        return "even"
    return "right" if choice["agrees"] else "kept"
