"""The risk of every tile in hand and its explanation, rounded to five significant digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from houjuu.game.table import View
from houjuu.game.tiles import KIND, kind_name
from houjuu.review import risk_bar
from houjuu.review.board_reasons import safety_name
from houjuu.review.page_types import EncodedTerms, RiskExplanation, Risks, TileRisks
from houjuu.review.table_json import name
from houjuu.risk.deal_in import DealIn
from houjuu.risk.opponent_risk import OpponentRisk, Term
from houjuu.risk.reasons import tenpai_reasons, wait_reasons

MOST_TERMS = 6  # waits or scores listed for one opponent
LEAST_LISTED = 0.00005  # unit: probability; terms and reasons below it are left out
LEAST_EXPLAINED = 0.001  # unit: probability; risks below it are not explained


class ReasonNames:
    """Numbers the names of terms and reasons, so that the page contains each name once.

    Attributes
    ----------
    indices : dict
        Index by name, in ascending order.
    """

    def __init__(self) -> None:
        self.indices: dict[str, int] = {}

    def encode(self, terms: Iterable[Term]) -> EncodedTerms:
        """Index of the name and probability of all terms of at least `LEAST_LISTED`."""
        return [
            (self.indices.setdefault(term.name, len(self.indices)), rounded(term.probability))
            for term in terms
            if abs(term.probability) >= LEAST_LISTED
        ]


def risks(view: View, risk: DealIn, names: ReasonNames) -> Risks:
    """The numbers of a decision: for every tile in hand, and for the opponents."""
    kinds = sorted({KIND[tile] for tile in view.hand})
    unseen = view.unseen().tolist()
    without_tenpai = [replace(opponent, tenpai_explainer=None) for opponent in risk.opponents]
    return {
        "tenpai": _all_rounded(risk.tenpai),
        "opponent_types": [opponent.opponent_type.value for opponent in risk.opponents],
        "melded": [opponent.opponent_type.is_melded for opponent in risk.opponents],
        "tenpai_reasons": [
            names.encode(tenpai_reasons(opponent.explain(kind_name(kinds[0]))))
            for opponent in risk.opponents
        ],
        "risks": {
            name(tile, risk.red_fives): _risk(risk, view, unseen, tile)
            for tile in sorted(view.hand)
        },
        "explanations": {
            kind_name(kind): [
                _explanation(opponent, view, kind, names) for opponent in without_tenpai
            ]
            for kind in kinds
        },
    }


def _explanation(
    opponent: OpponentRisk, view: View, kind: int, names: ReasonNames
) -> RiskExplanation:
    """Terms and reasons; without any below `LEAST_EXPLAINED`."""
    if opponent.score_distribution[kind].sum() < LEAST_EXPLAINED:
        return {"terms": [], "reasons": []}
    explanation = opponent.explain(kind_name(kind))
    return {
        "terms": names.encode(explanation.terms[:MOST_TERMS]),
        "reasons": names.encode(wait_reasons(explanation, view, kind)),
    }


def _risk(risk: DealIn, view: View, unseen: Sequence[int], tile: int) -> TileRisks:
    kind = KIND[tile]
    return {
        "deal_in": rounded(risk.any[kind]),
        "level": risk_bar.level(float(risk.any[kind])),
        "points": rounded(risk.points_of(tile)),
        "by_opponent": _all_rounded(risk.by_opponent[:, kind]),
        "points_by_opponent": _all_rounded(risk.tile_points_by_opponent(tile)),
        "genbutsu": [bool(opponent.genbutsu[kind]) for opponent in risk.opponents],
        "safety": [safety_name(view, unseen, kind, seat.seat) for seat in view.opponents],
    }


def _all_rounded(values: Iterable[float]) -> list[float]:
    return [rounded(value) for value in values]


def rounded(value: float) -> float:
    """A number to five significant digits."""
    return float(f"{value:.5g}")
