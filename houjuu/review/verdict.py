"""The verdict on a choice: the advised action, whether the seat chose it, and the value lost.

The player chooses by value and preference, so the advised action is the one with the largest sum
of both. The loss is the difference of the two values alone. It is 0 where the advised action has
no larger value: then only the preference speaks for it, and no points are lost.

The comparison has the figures of both actions as the page shows them, and their difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from houjuu.review.deciding import mistake_class
from houjuu.review.page_types import (
    Alternatives,
    AnsweredChoice,
    ComparedFigure,
    Figure,
    ValuedAction,
    Verdict,
)

FIGURES: tuple[Figure, ...] = get_args(Figure)
"""The compared figures, in the order of the page."""

_DIGITS = 3
"""Of a probability, after the point: the page shows tenths of a percent."""


def advised_action(choice: Alternatives) -> ValuedAction:
    """The action with the largest sum of value and preference; of equal ones the first."""
    return max(choice["actions"], key=with_preference)


def chosen_action(choice: AnsweredChoice) -> ValuedAction:
    """The action of the log."""
    return named_action(choice, choice["chosen"])


def verdict(choice: Alternatives, chosen: str) -> Verdict:
    """The verdict on a chosen action, which is one of the actions of the choice."""
    advised, action = advised_action(choice), named_action(choice, chosen)
    return {
        "advised": advised["action"],
        "agrees": with_preference(action) == with_preference(advised),
        "value_lost": max(advised["value"] - action["value"], 0),
        "mistake": mistake_class(action, advised),
        "comparison": [] if chosen == advised["action"] else comparison(action, advised),
    }


def mistakes(choices: Sequence[AnsweredChoice]) -> list[int]:
    """Indices of the choices that lose value, the largest loss first."""
    losing = [i for i, choice in enumerate(choices) if choice["value_lost"] > 0]
    return sorted(losing, key=lambda i: -choices[i]["value_lost"])


def comparison(chosen: ValuedAction, advised: ValuedAction) -> list[ComparedFigure]:
    """The `FIGURES` that both actions have; each difference is that of the rounded numbers."""
    return [
        _compared(name, chosen[name], advised[name])
        for name in FIGURES
        if name in chosen and name in advised
    ]


def rounded_chance(number: float) -> float:
    """A probability as the page shows it; whole numbers stay as they are."""
    return round(number, _DIGITS)


def _compared(name: Figure, *numbers: float) -> ComparedFigure:
    chosen, advised = map(rounded_chance, numbers)
    difference = rounded_chance(chosen - advised)
    return {"name": name, "chosen": chosen, "advised": advised, "difference": difference}


def named_action(choice: Alternatives, name: str) -> ValuedAction:
    """The action of this name; of several the one with the largest sum."""
    return max((one for one in choice["actions"] if one["action"] == name), key=with_preference)


def with_preference(action: ValuedAction) -> int:
    """The sum of value and preference, by which the player chooses."""
    return action["value"] + action["preference"]
