"""The verdict on a choice: the advised action, whether the seat chose it, and the price.

The player chooses by value and preference, so the advised action is the one with the largest sum
of both. What the choice certainly lost or gained is the difference of the two values, shrunk
(`prices`): the preference is no points. Other differences are close, and lose nothing. Where
another action is certainly worth more than the advised one, there are two schools, and the choice
of neither loses anything.

The comparison has the figures of both actions as the page shows them, and their difference.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
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
from houjuu.review.prices import grade, price

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


def verdict(
    kind: ChoiceKind,
    actions: Sequence[ValuedAction],
    chosen: int,
    *,
    facing_riichi: bool,
    silent: Container[str] = (),
) -> Verdict:
    """The verdict on a chosen action among all, of which the first is advised.

    `silent` is that of `houjuu.review.deciding.mistake_class`.
    """
    advised, made = actions[0], actions[chosen]
    best = max(range(len(actions)), key=lambda index: actions[index]["value"])
    beyond = price(actions[best], advised, facing_riichi=facing_riichi)
    school = best if beyond.points else None
    agrees = with_preference(made) == with_preference(advised)
    if agrees:
        advised = made  # of equal actions none is better
    lost = price(advised, made, facing_riichi=facing_riichi)
    return {
        "kind": kind,
        "agrees": agrees,
        "claimed": advised["value"] - made["value"],
        "value_lost": max(lost.points, 0),
        "value_gained": max(-lost.points, 0),
        "uncertainty": lost.half,
        "grade": grade(lost),
        "school": school,
        "repeats": None,
        "mistake": mistake_class(made, advised, silent) if lost.points > 0 else None,
    }


def merge_plans(choices: Sequence[ReviewedChoice], turns: Sequence[int]) -> None:
    """Price a plan once: of the losses of a round that only repeat an earlier choice, the largest.

    The same dama, the same kept tile, the same fold or the same call that is passed again. All
    others of the plan lose nothing, and name the turn of the entry.
    """
    entries: dict[Hashable, int] = {}
    losing = [index for index, choice in enumerate(choices) if choice["value_lost"]]
    for index in sorted(losing, key=lambda index: -choices[index]["value_lost"]):
        choice = choices[index]
        entry = entries.setdefault((choice["round"], *_plan(choice)), index)
        if entry != index:
            choice["repeats"] = turns[entry]
            choice |= {"value_lost": 0, "grade": None, "mistake": None}


def _plan(choice: ReviewedChoice) -> tuple[object, ...]:
    """What the player sticks to by a choice against the advice."""
    advised, made = advised_action(choice), chosen_action(choice)
    if {advised["verb"], made["verb"]} == {"riichi", "discard"} or advised["verb"] == "win":
        return made["verb"], advised["verb"]
    if made["verb"] == "pass":
        return "pass", advised["verb"], *advised["tiles"]
    if choice["mistake"] == "push_fold" and made.get("deal_in", 0) < advised.get("deal_in", 0):
        return ("fold",)
    return made["verb"], "for", *advised["tiles"]


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
