"""Luck and skill of a round by hand, and the balances of real games."""

from __future__ import annotations

import pytest

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.review import luck
from houjuu.review.page_types import AnsweredChoice, ValuedAction, ValuePart
from houjuu.review.review_data import review
from houjuu.scoring.seat_rounds import final_scores


def action(name: str, **parts: float) -> ValuedAction:
    named: list[ValuePart] = [{"name": part, "value": value} for part, value in parts.items()]
    return {"action": name, "value": sum(parts.values()), "parts": named}


def choice(kind: str, *actions: ValuedAction) -> AnsweredChoice:
    """A choice of the first action."""
    return {"seat": 0, "kind": kind, "chosen": actions[0]["action"], "actions": [*actions]}


CHOICES = [
    choice(
        "discard",
        action("discard 1m", win=700.0, deal_in=-200.0, score=-90.0),
        action("discard 5p", win=900.0, deal_in=-250.0, score=40.0, preference=60.0),
    ),
    choice("call", action("pass", win=500.0), action("pon 55p", win=450.0)),
]


def test_value_lost_and_expected_points() -> None:
    assert luck.value_lost(CHOICES[0]) == pytest.approx(690 - 410)
    assert luck.value_lost(CHOICES[1]) == 0
    assert [luck.agrees(choice) for choice in CHOICES] == [False, True]
    preferred = action("pon 55p", win=450.0, preference=60.0)
    habit = choice("call", action("pass", win=500.0), preferred)
    assert not luck.agrees(habit)
    assert luck.value_lost(habit) == 0
    assert luck.round_luck(CHOICES) == {
        "expected": pytest.approx(650),
        "lost": pytest.approx(280),
        "choices": 2,
    }
    assert luck.round_luck([]) == {"expected": None, "lost": 0, "choices": 0}


def test_balances_add_up_to_the_final_score(own_games: list[Game], estimator: Estimator) -> None:
    """But for the sticks that stay on the table, which go to the first place."""
    game = own_games[0]
    balances = [
        sum(round["balance"] for round in review(game, seat, estimator)["rounds"])
        for seat in range(4)
    ]
    missing = [
        score - 25_000 - balance
        for score, balance in zip(final_scores(game), balances, strict=True)
    ]
    (first,) = (seat for seat in range(4) if final_scores(game)[seat] == max(final_scores(game)))
    assert missing.pop(first) % 1000 == 0
    assert missing == [0, 0, 0]
