"""The summary of a review: its deal-ins, its luck and skill, its agreement and its mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from houjuu.game.notation import format_round
from houjuu.review.deciding import MISTAKES
from houjuu.review.luck import expected_points, round_lucks
from houjuu.review.page_types import (
    Agreement,
    ClassSummary,
    MistakeClass,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    RoundSummary,
    Summary,
    UsualDecisions,
    UsualMistakes,
)
from houjuu.review.prices import LIMIT
from houjuu.review.review_data import discarded_tile, discards
from houjuu.review.risk_json import rounded
from houjuu.review.verdict import advised_action, mistakes

_CONFIDENCE = 0.95


def summary(review: Review, usual: UsualDecisions) -> Summary:
    """The summary of a review, beside the `usual` decisions of phoenix players."""
    usual_lost = usual["lost"]
    made = list(discards(review["rounds"]))
    return {
        "rounds": [
            round_summary([round], usual_lost, format_round(round["round"], round["honba"]))
            for round in review["rounds"]
        ],
        "game": round_summary(review["rounds"], usual_lost),
        "interval": number_interval([_risk(one) for one in made]),
        "lost": sum(ron["points"] for one in made for ron in one["rons"]),
        "expected_lost": rounded(sum(one["risks"][discarded_tile(one)]["points"] for one in made)),
        "agreement": _agreement(review, usual["quantiles"]),
        "mistakes": mistakes(review["choices"]),
        "classes": [
            class_summary(review["choices"], name, usual["mistakes"].get(name))
            for name in MISTAKES
            if review["choices"]
        ],
        "course": [expected_score(choice, review["rounds"]) for choice in review["choices"]],
    }


def class_summary(
    choices: Sequence[ReviewedChoice], name: MistakeClass, usual: UsualMistakes | None
) -> ClassSummary:
    """The mistakes of a class among some choices; `usual` is None where that was not measured."""
    named = [choice["value_lost"] for choice in choices if choice["mistake"] == name]
    lost = [points for points in named if points >= LIMIT]
    return {
        "name": name,
        "n": len(lost),
        "usual": rounded(usual["share"] * len(choices)) if usual else None,
        "interval": number_interval([usual["share"]] * len(choices)) if usual else None,
        "lost": sum(lost),
        "usual_lost": rounded(usual["lost"] * len(choices)) if usual else None,
    }


def expected_score(choice: ReviewedChoice, rounds: Sequence[ReviewedRound]) -> int:
    """The score of the seat, and the points that the advised action expects in the round."""
    position = rounds[choice["round"]]["decisions"][choice["step"]]
    return position["scores"][0] + expected_points(advised_action(choice))


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


def number_interval(risks: Sequence[float]) -> tuple[int, int]:
    """The central 95% interval of the number of independent events of these probabilities.

    >>> number_interval([0.5] * 4), number_interval([])
    ((0, 4), (0, 0))
    """
    odds = reduce(np.convolve, ([1 - risk, risk] for risk in risks), np.ones(1))
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.searchsorted(odds.cumsum(), [tail, 1 - tail]).tolist()
    return low, high


def _risk(position: ReviewedPosition) -> float:
    return position["risks"][discarded_tile(position)]["deal_in"]


def _agreement(review: Review, quantiles: Sequence[float]) -> Agreement | None:
    """The agreement in decisions with values, or else in discards; None without advice."""
    choices = review["choices"]
    if choices:
        agreeing = sum(choice["agrees"] for choice in choices)
        lost = sum(choice["value_lost"] for choice in choices)
        gained = sum(choice["value_gained"] for choice in choices)
        return {
            "n": len(choices),
            "agrees": agreeing,
            "value_lost": lost,
            "value_gained": gained,
            "percentile": 100
            - round(np.interp(lost / len(choices), quantiles, np.linspace(0, 100, len(quantiles)))),
        }
    advised = [one for one in discards(review["rounds"]) if one["advice"] is not None]
    if not advised:
        return None
    agreeing = sum(one["advice"] == discarded_tile(one) for one in advised)
    return {
        "n": len(advised),
        "agrees": agreeing,
        "value_lost": None,
        "value_gained": None,
        "percentile": None,
    }
