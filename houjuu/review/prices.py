"""Prices: the difference of the values of two actions, shrunk, where it is certain.

A difference of values claims too much where it is the largest of several uncertain ones. So each
class of decision has two slopes, by a claimed point: of the value one decision later, which shrinks
a price, and of the points that the round brought, which must be certain, too. `PRICES_FILE` has
them, measured on games that no fit has seen (`benchmarks.prices`).
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from math import hypot
from typing import Any, NamedTuple, get_args

from houjuu.review.deciding import KANS
from houjuu.review.page_types import Grade, ValuedAction

PRICES_FILE = "prices.json"
LIMIT = 100
"""Smaller losses are counted, listed and asked only if the reader lowers the limit; in points."""

GRADES: tuple[Grade, ...] = get_args(Grade)
_GRADE_LIMITS = (300, 100)  # points
_FAR = 3


class Price(NamedTuple):
    """A difference of values after shrinking, and half of its 95% interval, in whole points.

    The points are 0 where the interval has 0, or the class has no price.
    """

    points: int
    half: int


def decision_class(first: ValuedAction, second: ValuedAction, *, facing_riichi: bool) -> str:
    """The class by which the difference of two actions is shrunk."""
    verbs = {first["verb"], second["verb"]}
    if verbs & {"win", "nine_terminals"}:
        return "win"
    if verbs & KANS:
        return "kan"
    if "pass" in verbs:
        return "call"
    if verbs == {"riichi", "discard"}:
        return "riichi"
    if facing_riichi:
        return "push"
    return f"discard.{min(first.get('shanten', _FAR), second.get('shanten', _FAR), _FAR)}"


def price(first: ValuedAction, second: ValuedAction, *, facing_riichi: bool) -> Price:
    """What the first action is certainly worth more than the second."""
    claimed = first["value"] - second["value"]
    slope, half, spread = slopes().get(
        decision_class(first, second, facing_riichi=facing_riichi), (0.0, 1.0, 0.0)
    )
    points, interval = round(min(slope, 1.0) * claimed), round(hypot(half * claimed, spread))
    return Price(points if abs(points) > interval else 0, interval)


def grade(lost: Price) -> Grade | None:
    """The grade of a loss; None if there is none."""
    blunder, mistake = _GRADE_LIMITS
    if lost.points <= 0:
        return None
    if lost.points >= blunder:
        return "blunder"
    return "mistake" if lost.points >= mistake else "inaccuracy"


@cache
def slopes() -> dict[str, tuple[float, float, float]]:
    """By class with prices: slope, half of its interval, half of the interval of a single price.

    A class has prices if both of its slopes are certainly above 0.
    """
    file = resources.files(__package__) / PRICES_FILE
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: (row["slope"], row["half"], row["spread"])
        for name, row in content["classes"].items()
        if row["slope"] > row["half"] and row["round"] > row["half_round"]
    }
