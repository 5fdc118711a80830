"""Prices: the difference of the values of two actions, shrunk to what came of such decisions.

A difference of values claims too much where it is the largest of several uncertain ones. So each
class of decision has a slope: what came, by a claimed point. `PRICES_FILE` has them, measured on
games that no fit has seen (`benchmarks.prices`).
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
_GRADE_LIMITS = (300, 100)  # points; a blunder is also certain
_FAR = 3


class Price(NamedTuple):
    """A difference of values after shrinking, and half of its 95% interval, in whole points."""

    points: int
    half: int

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return abs(self.points) > self.half


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
    """What the first action is worth more than the second.

    0 points where the slope of the class cannot be told from 0.
    """
    claimed = first["value"] - second["value"]
    slope, half, spread = slopes().get(
        decision_class(first, second, facing_riichi=facing_riichi), (0.0, 0.0, 0.0)
    )
    if not slope > half:
        return Price(0, abs(claimed))
    return Price(round(min(slope, 1.0) * claimed), round(hypot(half * claimed, spread)))


def grade(lost: Price) -> Grade | None:
    """The grade of a loss; None if there is none."""
    blunder, mistake = _GRADE_LIMITS
    if lost.points <= 0:
        return None
    if lost.points >= blunder and lost.is_certain:
        return "blunder"
    return "mistake" if lost.points >= mistake else "inaccuracy"


@cache
def slopes() -> dict[str, tuple[float, float, float]]:
    """By class: the slope, half of its interval, and half of the interval of a single price."""
    file = resources.files(__package__) / PRICES_FILE
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return {
        name: (row["slope"], row["half"], row["spread"]) for name, row in content["classes"].items()
    }
