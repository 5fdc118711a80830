"""The summary of a review: its deal-ins, its luck and skill, its agreement and its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from houjuu.game.notation import format_round
from houjuu.review.luck import round_lucks
from houjuu.review.page_types import (
    Agreement,
    Review,
    ReviewedPosition,
    ReviewedRound,
    RoundSummary,
    Summary,
)
from houjuu.review.review_data import discarded_tile, discards
from houjuu.review.risk_json import rounded
from houjuu.review.verdict import mistakes

_CONFIDENCE = 0.95


def summary(review: Review, usual_lost: float) -> Summary:
    """The summary of a review; `usual_lost` is the value that a decision usually loses."""
    made = list(discards(review["rounds"]))
    return {
        "rounds": [
            round_summary([round], usual_lost, format_round(round["round"], round["honba"]))
            for round in review["rounds"]
        ],
        "game": round_summary(review["rounds"], usual_lost),
        "interval": deal_in_interval([_risk(one) for one in made]),
        "lost": sum(ron["points"] for one in made for ron in one["rons"]),
        "expected_lost": rounded(sum(one["risks"][discarded_tile(one)]["points"] for one in made)),
        "agreement": _agreement(review),
        "mistakes": mistakes(review["choices"]),
    }


def round_summary(
    rounds: Sequence[ReviewedRound], usual_lost: float, name: str = ""
) -> RoundSummary:
    """The summary of some rounds; `name` is that of a single one."""
    made = list(discards(rounds))
    lucks = list(round_lucks(rounds))
    return {
        "name": name,
        "discards": len(made),
        "deal_ins": sum(bool(one["rons"]) for one in made),
        "expected_deal_ins": rounded(sum(map(_risk, made))),
        "expected": sum(one.expected for one in lucks) if lucks else None,
        "skill": sum(one.skill(usual_lost) for one in lucks) if lucks else None,
        "luck": sum(one.luck(usual_lost) for one in lucks) if lucks else None,
        "balance": sum(one.balance for one in lucks) if lucks else None,
    }


def deal_in_interval(risks: Sequence[float]) -> tuple[int, int]:
    """The central 95% interval of the number of deal-ins, if the discards are independent.

    >>> deal_in_interval([0.5] * 4), deal_in_interval([])
    ((0, 4), (0, 0))
    """
    odds = reduce(np.convolve, ([1 - risk, risk] for risk in risks), np.ones(1))
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.searchsorted(odds.cumsum(), [tail, 1 - tail]).tolist()
    return low, high


def _risk(position: ReviewedPosition) -> float:
    return position["risks"][discarded_tile(position)]["any"]


def _agreement(review: Review) -> Agreement | None:
    """The agreement in decisions with values, or else in discards; None without advice."""
    choices = review["choices"]
    if choices:
        agreeing = sum(choice["agrees"] for choice in choices)
        lost = sum(choice["value_lost"] for choice in choices)
        return {"n": len(choices), "agrees": agreeing, "value_lost": lost}
    advised = [one for one in discards(review["rounds"]) if one["advice"] is not None]
    if not advised:
        return None
    agreeing = sum(one["advice"] == discarded_tile(one) for one in advised)
    return {"n": len(advised), "agrees": agreeing, "value_lost": None}
