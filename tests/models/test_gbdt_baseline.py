"""The baseline of gradient-boosted trees: its fits and its features."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from houjuu.game.tiles import KINDS, parse_kind
from houjuu.reading import wait_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.util.errors import Error
from models.gbdt_baseline import TenpaiTrees, WinTrees, gbdt_features
from models.houjuu import wait_models
from models.metrics import calibration, evaluation
from models.metrics.eval_tasks import WAIT_TASKS, rows_of_task, task_of, win_metrics
from tests.kit.positions import view_of

FEW: dict[str, Any] = {"max_iter": 20, "min_samples_leaf": 5}


@pytest.fixture(scope="module")
def tenpai_trees(tenpai_rows: pd.DataFrame) -> TenpaiTrees:
    return TenpaiTrees(FEW, subsample_stride=2).fit(tenpai_rows)


@pytest.fixture(scope="module")
def win_trees(wait_rows: pd.DataFrame) -> dict[str, WinTrees]:
    return {task: WinTrees(FEW).fit(rows_of_task(wait_rows, task)) for task in WAIT_TASKS}


def test_tenpai_beats_the_base_rate(tenpai_rows: pd.DataFrame, tenpai_trees: TenpaiTrees) -> None:
    predicted = tenpai_trees.predict_proba(tenpai_rows)[:, 1]
    rates = tenpai_trees.rates_
    metrics = evaluation.tenpai_metrics(tenpai_rows.assign(predicted=predicted), rates)["all"]
    assert metrics["rate"] == rates["all"]
    assert metrics["rows"] == len(tenpai_rows)
    assert metrics["log_loss"] < 0.8 * metrics["log_loss_base"]
    # the weights make up for the rows that are left out
    assert predicted.mean() == pytest.approx(tenpai_rows["tenpai"].mean(), rel=0.1)


@pytest.mark.parametrize("task", WAIT_TASKS)
def test_wins_beat_the_base_rate(
    wait_rows: pd.DataFrame, win_trees: dict[str, WinTrees], task: str
) -> None:
    trees, rows = win_trees[task], rows_of_task(wait_rows, task)
    predicted, mask = trees.predict_rows(rows), wait_models.evaluated_mask(rows)
    assert not predicted[~mask].any()
    assert ((predicted[mask] > 0) & (predicted[mask] < 1)).all()
    metrics = win_metrics(rows, task, trees.predict_rows)
    assert metrics
    assert {task_of(name) for name in metrics} == {task}
    assert all(scores["log_loss"] < scores["log_loss_base"] for scores in metrics.values())


def test_win_metrics_are_those_of_the_evaluated_kinds(wait_rows: pd.DataFrame) -> None:
    """Genbutsu, and kinds that are not in the hand, are left out."""
    rows = wait_rows[wait_rows["opponent_type"] == "riichi"]
    genbutsu = wait_features.per_kind(wait_models.wait_feature_matrix(rows), "genbutsu") != 0
    in_hand = rows["hand_kinds_mask"].to_numpy()[:, None] >> np.arange(KINDS) & 1 == 1
    label = wait_models.win_flags(rows)[in_hand & ~genbutsu]
    metrics = win_metrics(rows, "riichi", lambda hands: np.full((len(hands), KINDS), 0.1))
    expected = calibration.metrics(np.full(len(label), 0.1), label, float(label.mean()))
    assert metrics == {"riichi": expected}


def test_fitting_twice_gives_the_same_bytes(wait_rows: pd.DataFrame) -> None:
    rows = rows_of_task(wait_rows, "riichi")
    one, other = (pickle.dumps(WinTrees(FEW).fit(rows)) for _ in range(2))
    assert pickle.dumps(pickle.loads(one)) == pickle.dumps(pickle.loads(other))


def test_rows_with_one_label_are_refused(tenpai_rows: pd.DataFrame) -> None:
    with pytest.raises(Error, match=r"TenpaiTrees: its \d+ rows have one label only"):
        TenpaiTrees(FEW).fit(tenpai_rows[~tenpai_rows["tenpai"]])


def features_of_kind(river: str, kind: str) -> list[float]:
    view = view_of("", river)
    (context,) = opponent_contexts(view, [view.seats[1]])
    mask = np.zeros((1, KINDS), bool)
    mask[0, parse_kind(kind)] = True
    features = gbdt_features(wait_features.extract(context)[None], np.zeros((1, KINDS)), mask)
    return list(map(float, features[0]))


def test_features_are_mirrored_in_the_upper_half_of_a_suit() -> None:
    features = features_of_kind("1z 4m 9m 2p'", "1m")
    assert features == features_of_kind("1z 6s 1s 8m'", "9s")
    assert features != features_of_kind("1z 4m 9m 2p'", "9m")
    assert features != features_of_kind("1z 3m 9m 2p'", "1m")
    assert len(features) == len(features_of_kind("1z 4m 9m 2p'", "7z"))
