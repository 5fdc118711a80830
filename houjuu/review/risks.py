"""What discarding each tile of a hand risks and why, in numbers of five significant digits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.deal_in import HONBA_POINTS, DealIn, Term
from houjuu.hands.points import POINTS
from houjuu.review.shown import name
from houjuu.table import View
from houjuu.tiles import COPIES

Data = dict[str, Any]

WAYS = 6  # to win on a tile, that are told of an opponent
LEAST = 0.00005  # of a probability, that a way or a reason be told


def lost_by(risk: DealIn, tile: int) -> npt.NDArray[np.float64]:
    """Expected points lost to each opponent by discarding a tile (id 0–135), (3,).

    They add up to `DealIn.points_of`.
    """
    ron = POINTS[[int(opponent.dealer) for opponent in risk.opponents]]
    return np.asarray(((ron + HONBA_POINTS * risk.honba) * risk.scores_of(tile)).sum(axis=1))


class Words:
    """Gives every name of a reason a number, for they come again and again."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def told(self, terms: Iterable[Term]) -> list[tuple[int, float]]:
        """What weighs enough, as number of the name and probability."""
        return [
            (self.numbers.setdefault(term.name, len(self.numbers)), digits(term.probability))
            for term in terms
            if abs(term.probability) >= LEAST
        ]


def risks(view: View, risk: DealIn, words: Words) -> Data:
    """The numbers of a decision: of every tile in hand, and of the opponents."""
    kinds = sorted({tile // COPIES for tile in view.hand})
    why = {kind: risk.explain(kind) for kind in kinds}
    tiles = sorted(view.hand)
    return {
        "tenpai": _all(risk.tenpai),
        "read": [opponent.kind.value for opponent in risk.opponents],
        "why_tenpai": [words.told(of.tenpai_reasons) for of in why[kinds[0]]],
        "risks": {name(tile, risk.red_fives): _risk(risk, tile) for tile in tiles},
        "why": {
            _plain(kind): [[words.told(of.terms[:WAYS]), words.told(of.reasons)] for of in told]
            for kind, told in why.items()
        },
    }


def _risk(risk: DealIn, tile: int) -> Data:
    kind = tile // COPIES
    return {
        "any": digits(risk.any[kind]),
        "lost": digits(risk.points_of(tile)),
        "by": _all(risk.by_opponent[:, kind]),
        "lost_by": _all(lost_by(risk, tile)),
        "genbutsu": [bool(opponent.genbutsu[kind]) for opponent in risk.opponents],
    }


def _plain(kind: int) -> str:
    return name(COPIES * kind + 1)


def _all(values: Iterable[float]) -> list[float]:
    return [digits(value) for value in values]


def digits(value: float) -> float:
    """A number to five significant digits."""
    return float(f"{value:.5g}")
