"""Luck and skill of a round by hand, and the balances of real games."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.review import luck
from houjuu.review.export import action_text
from houjuu.review.page_types import Review
from houjuu.review.review_data import discards, review
from houjuu.review.summary import class_summary, expected_score, number_interval, summary
from houjuu.review.usual import usual_decisions
from houjuu.review.verdict import advised_action, mistakes
from houjuu.scoring.seat_rounds import final_scores
from tests.review.page_data import choice_of, valued

CHOICES = [
    choice_of(
        valued("discard 1m", {"win": 700, "deal_in.left": -200, "score": -90}, preference=-60),
        valued("discard 5p", {"win": 900, "deal_in.left": -250, "score": 40}),
    ),
    choice_of(valued("pass", {"win": 500}), valued("pon 55p", {"win": 450}), kind="call"),
]


def test_the_verdict_compares_values_without_preferences() -> None:
    assert [one["value_lost"] for one in CHOICES] == [690 - 410, 0]
    assert [one["agrees"] for one in CHOICES] == [False, True]
    assert [*map(action_text, map(advised_action, CHOICES))] == ["discard 5p", "pass"]


def test_the_luck_of_a_round() -> None:
    assert luck.round_luck(CHOICES) == {"expected": 650, "lost": 280, "choices": 2}
    assert luck.round_luck([]) == {"expected": None, "lost": 0, "choices": 0}


def test_balances_add_up_to_the_final_score(own_games: list[Game], estimator: Estimator) -> None:
    """But for the sticks that stay on the table, which go to the first place."""
    game = own_games[0]
    balances = [
        sum(round["balance"] or 0 for round in review(game, seat, estimator)["rounds"])
        for seat in range(4)
    ]
    missing = [
        score - 25_000 - balance
        for score, balance in zip(final_scores(game), balances, strict=True)
    ]
    (first,) = (seat for seat in range(4) if final_scores(game)[seat] == max(final_scores(game)))
    assert missing.pop(first) % 1000 == 0
    assert missing == [0, 0, 0]


def with_double_ron(data: Review) -> Review:
    """The review, where two seats win on a discard that one seat won on."""
    doubled = deepcopy(data)
    deal_in = next(one for one in discards(doubled["rounds"]) if one["rons"])
    deal_in["rons"] *= 2
    return doubled


def test_two_rons_on_a_discard_are_one_deal_in(data: Review) -> None:
    """The points are those of both."""
    before, after = (
        summary(one, usual_decisions(hanchan=True)) for one in (data, with_double_ron(data))
    )
    n = sum(bool(one["rons"]) for one in discards(data["rounds"]))
    assert n > 0
    assert [one["game"]["deal_ins"] for one in (before, after)] == [n, n]
    assert sum(round["deal_ins"] for round in after["rounds"]) == n
    assert after["lost"] > before["lost"] > 0


def test_a_game_has_a_percentile_of_phoenix_players(docs_review: Review) -> None:
    """The percent of their games that lose more a decision."""
    lost = sum(one["value_lost"] for one in docs_review["choices"]) / len(docs_review["choices"])
    usual = usual_decisions(hanchan=True)
    for factors, percentile in (((0, 0, 1, 2, 3), 50), ((2, 3, 4), 100), ((0, 0, 0.5), 0)):
        quantiles = [factor * lost for factor in factors]
        agreement = summary(docs_review, {**usual, "quantiles": quantiles})["agreement"]
        assert agreement is not None
        assert agreement["percentile"] == percentile


def test_the_summary_of_a_round() -> None:
    lucky = luck.RoundLuck(expected=500, lost=300, choices=2, balance=8000)
    assert lucky.skill(usual=110.0) == -80
    assert lucky.luck(usual=110.0) == 8000 - 500 + 80


def test_mistakes_come_by_their_loss() -> None:
    small = choice_of(valued("discard 1m", {"win": 10}), valued("discard 2m", {"win": 20}))
    assert mistakes([small, CHOICES[1], CHOICES[0], small]) == [2, 0, 3]


def test_the_course_is_the_score_and_what_is_expected() -> None:
    """The advised action of a choice expects points of the round, without the score situation."""
    position: Any = {"scores": [31000, 25000, 20000, 24000]}
    made: Any = CHOICES[0]
    round: Any = {"decisions": [position], "round": 0, "honba": 0}
    assert expected_score(made, [round]) == 31000 + luck.expected_points(advised_action(made))


def test_the_classes_beside_those_of_phoenix_players() -> None:
    made: Any = [
        {"mistake": mistake, "value_lost": lost}
        for mistake, lost in (("call", 300), ("call", 20), ("rank", 70), *[(None, 0)] * 97)
    ]
    assert class_summary(made, "call", {"share": 0.1, "lost": 4.5}) == {
        "name": "call",
        "n": 1,
        "usual": 10.0,
        "interval": (5, 16),
        "lost": 300,
        "usual_lost": 450.0,
    }


def test_the_interval_of_deal_ins_is_that_of_independent_discards() -> None:
    """Of 100 discards at 10% it is that of the binomial distribution."""
    assert number_interval([0.1] * 100) == (5, 16)
