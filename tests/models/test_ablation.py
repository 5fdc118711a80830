"""What ideas are worth: the questions, what is left out, and the intervals of differences."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import schema, wait_rows
from features import tenpai_rows as rows_of
from houjuu.events import Game
from houjuu.reading import tenpai_features, wait_features
from models import ablation, wait_models
from models.metrics.eval_tasks import TASKS, rows_of_task, task_of
from pipeline import ablation, eval_data, settings


@pytest.fixture(scope="module")
def params() -> dict[str, dict[str, float]]:
    return settings.load().regress


@pytest.fixture(scope="module")
def hands(own_games: list[Game]) -> pd.DataFrame:
    return wait_rows.rows(own_games, houjuu.load("kurita-hoki-2017"))


def test_every_idea_names_columns(params: dict[str, dict[str, float]]) -> None:
    columns = set(schema.names(schema.WAITS))
    entries = [e for of in ablation.WAIT_FEATURE_GROUPS.values() for e in of]
    known = [
        entry.name
        for entry in (*wait_features.BY_KIND, *wait_features.BY_SUIT, *wait_features.WHOLE)
    ]
    assert len(entries) == len(set(entries))
    assert set(entries) <= set(known)
    for name, of in ablation.ablation_task("riichi", params).ideas.items():
        assert set(of) <= columns
        assert of, name
    told = ablation.ablation_task("tenpai", params).ideas.values()
    assert sorted(name for of in told for name in of) == sorted(
        sign.name for sign in tenpai_features.FEATURES
    )


def test_what_is_left_out_says_nothing(hands: pd.DataFrame) -> None:
    columns = ["turn", "discarded_3"]
    left = ablation.without(hands, columns)
    assert not left[columns].to_numpy().any()
    assert (left.dtypes == hands.dtypes).all()
    assert left.drop(columns=columns).equals(hands.drop(columns=columns))
    assert (wait_models.in_hand(left) == wait_models.in_hand(hands)).all()


@pytest.mark.parametrize("name", ["riichi", "melded"])
def test_a_question_is_answered_twice_alike(
    hands: pd.DataFrame, params: dict[str, dict[str, float]], name: str
) -> None:
    rows = rows_of_task(hands, name)
    question = ablation.ablation_task(name, params)
    predicted, happened, games = question.answered(rows, rows)
    assert len(predicted) == len(happened) == len(games) > 50
    assert ((predicted > 0) & (predicted < 1)).all()
    again, *_ = question.answered(rows, rows)
    assert (predicted == again).all()


def test_tenpai_is_answered(own_games: list[Game], params: dict[str, dict[str, float]]) -> None:
    rows = rows_of.rows(own_games)
    predicted, happened, _ = ablation.ablation_task("tenpai", params).answered(rows, rows)
    flat = np.full(len(happened), happened.mean())
    assert ablation.loss(predicted, happened).mean() < ablation.loss(flat, happened).mean()


def test_every_hand_is_asked_of_once(hands: pd.DataFrame) -> None:
    parts = [rows_of_task(hands, question) for question in TASKS[1:]]
    assert sum(map(len, parts)) == len(hands)
    for question, part in zip(TASKS[1:], parts, strict=True):
        assert {task_of(read_as) for read_as in part["read_as"]} == {question}


def test_fewer_games_are_of_all_the_logs() -> None:
    names = [f"game-{number // 3}" for number in range(300)]
    rows = pd.DataFrame({"game": pd.Categorical(names)})
    some = eval_data.of_games(rows, 10)
    assert some["game"].tolist() == [name for name in names if name.endswith("0")]
    assert eval_data.of_games(rows, 1000).equals(rows)


def test_an_interval_counts_games() -> None:
    """Rows that are all the same in a game are one observation."""
    rng = np.random.default_rng(4)
    of_game = rng.normal(0.3, 1.0, 400)
    games = np.repeat(np.arange(400).astype(str).astype(object), 25)
    mean, half = ablation.difference(np.repeat(of_game, 25), np.zeros(10_000), games)
    assert mean == pytest.approx(of_game.mean())
    assert half == pytest.approx(1.96 * of_game.std() / np.sqrt(400), rel=0.01)


def test_fits_to_one_length_are_asked_of_either() -> None:
    """Each of the games of a length, beside the fit to games of that length."""
    games = np.array(["long", "long", "short", "short"], dtype=object)
    happened = np.array([True, False, True, False])
    of = {"all": 0.5, "hanchan": 0.6, "East-only": 0.8}
    told = [
        (ablation.AblationFit("length", name, 1, [], name), (np.full(4, said), happened, games))
        for name, said in of.items()
    ]
    assert [fit.name for fit, _ in ablation.beside(told, "all")] == ["all"]
    first, second = ablation.lines(ablation.beside(told, "East-only"), ["short"])
    assert (first["of"], second["of"]) == ("East-only", "hanchan")
    assert first["log_loss"] == pytest.approx(-np.log([0.8, 0.2]).mean())
    assert first["worse_by"] == first["half_interval"] == 0
    assert second["worse_by"] == pytest.approx(second["log_loss"] - first["log_loss"])
    assert second["worse_by"] < 0
