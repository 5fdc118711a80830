"""Ablations: the groups of features that are left out, the tasks, and the lines of the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from features import schema
from features.schema.waits import WAITS
from houjuu.reading import tenpai_features, wait_features
from models import ablation
from models.ablation import Predictions
from models.houjuu import wait_models
from models.metrics.calibration import row_losses
from models.metrics.eval_tasks import TASKS, WAIT_TASKS, rows_of_task, task_of
from pipeline import eval_data, settings
from pipeline.stages import ablation as stage


@pytest.fixture(scope="module")
def params() -> dict[str, Any]:
    train = settings.load().train
    train["tenpai_gam"] |= {"fine": 8, "coarse": 3, "pairs": 3, "pair_rounds": 1}
    return train


def test_every_group_names_columns(params: dict[str, Any]) -> None:
    columns = set(schema.names(WAITS))
    named = [name for group in ablation.WAIT_FEATURE_GROUPS.values() for name in group]
    features = (*wait_features.BY_KIND, *wait_features.BY_SUIT, *wait_features.GLOBAL)
    assert len(named) == len(set(named))
    assert set(named) <= {feature.name for feature in features}
    groups = ablation.ablation_task("riichi", params).groups
    assert groups.keys() == ablation.WAIT_FEATURE_GROUPS.keys()
    assert all(set(group) <= columns and group for group in groups.values())
    of_tenpai = ablation.ablation_task("tenpai", params).groups.values()
    assert sorted(name for group in of_tenpai for name in group) == sorted(
        feature.name for feature in tenpai_features.FEATURES
    )


def test_columns_that_are_left_out_are_zero(wait_rows: pd.DataFrame) -> None:
    columns = ["discards", "discard_code_3"]
    assert wait_rows[columns].to_numpy().any()
    left = ablation.without(wait_rows, columns)
    assert not left[columns].to_numpy().any()
    assert (left.dtypes == wait_rows.dtypes).all()
    assert left.drop(columns=columns).equals(wait_rows.drop(columns=columns))
    assert (wait_models.evaluated_mask(left) == wait_models.evaluated_mask(wait_rows)).all()


@pytest.mark.parametrize("task", ["riichi", "melded"])
def test_a_task_gives_the_same_predictions_again(
    wait_rows: pd.DataFrame, params: dict[str, Any], task: str
) -> None:
    rows = rows_of_task(wait_rows, task).iloc[:40]
    predict = ablation.ablation_task(task, params).predict
    predicted, label, games = predict(rows, rows)
    assert len(predicted) == len(label) == len(games) > 50
    assert ((predicted > 0) & (predicted < 1)).all()
    assert (predict(rows, rows).predicted == predicted).all()


def test_the_tenpai_task_beats_the_rate(tenpai_rows: pd.DataFrame, params: dict[str, Any]) -> None:
    predicted, label, _ = ablation.ablation_task("tenpai", params).predict(tenpai_rows, tenpai_rows)
    rate = np.full(len(label), label.mean())
    assert row_losses(predicted, label).mean() < row_losses(rate, label).mean()


def test_every_hand_belongs_to_one_task(wait_rows: pd.DataFrame) -> None:
    parts = {task: rows_of_task(wait_rows, task) for task in WAIT_TASKS}
    assert ("tenpai", *parts) == TASKS
    assert sum(map(len, parts.values())) == len(wait_rows)
    for task, part in parts.items():
        assert {task_of(opponent_type) for opponent_type in part["opponent_type"]} == {task}


def test_fewer_games_are_spread_over_the_logs() -> None:
    names = [f"game-{number // 3}" for number in range(300)]
    rows = pd.DataFrame({"game": pd.Categorical(names)})
    ten = eval_data.spread_games(rows, 10)
    assert ten["game"].tolist() == [name for name in names if name.endswith("0")]
    assert eval_data.spread_games(rows, 1000).equals(rows)


def test_fits_to_one_length_are_evaluated_on_either() -> None:
    """On the games of a length, the fit to games of that length is the reference."""
    games = np.array(["long", "long", "short", "short"], dtype=object)
    label = np.array([True, False, True, False])
    predicted = {"all": 0.5, "hanchan": 0.6, "East-only": 0.8}
    results = [
        (stage.AblationFit("length", name, 1, [], name), Predictions(np.full(4, p), label, games))
        for name, p in predicted.items()
    ]
    assert [fit.name for fit, _ in stage.of_length(results, "all")] == ["all"]
    first, second = stage.lines(stage.of_length(results, "East-only"), ["short"])
    assert (first["name"], second["name"]) == ("East-only", "hanchan")
    assert first["log_loss"] == pytest.approx(-np.log([0.8, 0.2]).mean())
    assert first["difference"] == 0
    assert np.isnan(first["half_interval"])  # of one game of that length
    assert second["difference"] == pytest.approx(second["log_loss"] - first["log_loss"])
    assert second["difference"] < 0
