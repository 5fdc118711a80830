"""What ideas are worth: the questions, what is left out, and the intervals of differences."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import schema, situations
from features import signs as rows_of
from houjuu import evidence, signs
from houjuu.events import Game
from models import comparison, rivers
from pipeline import settings


@pytest.fixture(scope="module")
def params() -> dict[str, dict[str, float]]:
    return settings.load().regress


@pytest.fixture(scope="module")
def hands(own_games: list[Game]) -> pd.DataFrame:
    return situations.rows(own_games, houjuu.load("kurita-hoki-2017"))


def test_every_idea_names_columns(params: dict[str, dict[str, float]]) -> None:
    columns = set(schema.names(schema.SITUATIONS))
    entries = [e for of in comparison.OF_RIVERS.values() for e in of]
    known = [entry.name for entry in (*evidence.BY_KIND, *evidence.BY_SUIT, *evidence.WHOLE)]
    assert len(entries) == len(set(entries))
    assert set(entries) <= set(known)
    for name, of in comparison.waits(params["riichi"]).ideas.items():
        assert set(of) <= columns
        assert of, name
    told = comparison.tenpai(params["signs"]).ideas.values()
    assert sorted(name for of in told for name in of) == sorted(sign.name for sign in signs.SIGNS)


def test_what_is_left_out_says_nothing(hands: pd.DataFrame) -> None:
    columns = ["turn", "discarded_3"]
    left = comparison.without(hands, columns)
    assert not left[columns].to_numpy().any()
    assert (left.dtypes == hands.dtypes).all()
    assert left.drop(columns=columns).equals(hands.drop(columns=columns))
    assert (rivers.in_hand(left) == rivers.in_hand(hands)).all()


@pytest.mark.parametrize("name", ["riichi", "melded"])
def test_a_question_is_answered_twice_alike(
    hands: pd.DataFrame, params: dict[str, dict[str, float]], name: str
) -> None:
    rows = comparison.rows_read_as(hands, name)
    if name == "melded":
        question = comparison.kinds(params["melded_river"])
    else:
        question = comparison.waits(params["riichi"])
    for made in (question.fit, question.yardstick):
        predicted, happened, games = made(rows)(rows)
        assert len(predicted) == len(happened) == len(games) > 50
        assert ((predicted > 0) & (predicted < 1)).all()
        again, *_ = made(rows)(rows)
        assert (predicted == again).all()


def test_tenpai_is_answered(own_games: list[Game], params: dict[str, dict[str, float]]) -> None:
    rows = rows_of.rows(own_games)
    question = comparison.tenpai(params["signs"])
    for made in (question.fit, question.yardstick):
        predicted, happened, _ = made(rows)(rows)
        flat = np.full(len(happened), happened.mean())
        assert comparison.loss(predicted, happened).mean() < comparison.loss(flat, happened).mean()


def test_an_interval_counts_games() -> None:
    """Rows that are all the same in a game are one observation."""
    rng = np.random.default_rng(4)
    of_game = rng.normal(0.3, 1.0, 400)
    games = np.repeat(np.arange(400).astype(str).astype(object), 25)
    mean, half = comparison.difference(np.repeat(of_game, 25), np.zeros(10_000), games)
    assert mean == pytest.approx(of_game.mean())
    assert half == pytest.approx(1.96 * of_game.std() / np.sqrt(400), rel=0.01)
