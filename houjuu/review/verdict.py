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
    ChoiceKind,
    ComparedFigure,
    Figure,
    ReviewedChoice,
    ValuedAction,
    Verdict,
)

FIGURES: tuple[Figure, ...] = get_args(Figure)
"""The compared figures, in the order of the page."""

_DIGITS = 3
"""Of a probability, after the point: the page shows tenths of a percent."""


def advised_action(choice: ReviewedChoice) -> ValuedAction:
    """The action with the largest sum of value and preference; of equal ones the first."""
    return choice["actions"][0]


def chosen_action(choice: ReviewedChoice) -> ValuedAction:
    """The action of the log."""
    return choice["actions"][choice["chosen"]]


def verdict(kind: ChoiceKind, chosen: ValuedAction, advised: ValuedAction) -> Verdict:
    """The verdict on a chosen action beside the advised one."""
    return {
        "kind": kind,
        "agrees": with_preference(chosen) == with_preference(advised),
        "value_lost": max(advised["value"] - chosen["value"], 0),
        "mistake": mistake_class(chosen, advised),
    }


def mistakes(choices: Sequence[ReviewedChoice]) -> list[int]:
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


def with_preference(action: ValuedAction) -> int:
    """The sum of value and preference, by which the player chooses."""
    return action["value"] + action["preference"]
