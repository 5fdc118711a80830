"""The fit of the yaku model, and its metrics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from features import yaku_rows
from houjuu.game.events import Game
from houjuu.player.hand_value.yaku_model import target_flags
from houjuu.player.hand_value.yaku_targets import FOUR_SETS, TARGETS, WIN
from models.fitting.shards import FrameShards
from models.metrics import yaku_metrics
from models.player import yaku
from models.player.yaku import YakuRegression


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return yaku_rows.rows(own_games, decision_stride=1)


@pytest.fixture(scope="module")
def fitted(rows: pd.DataFrame) -> YakuRegression:
    return YakuRegression(iterations=1).fit(FrameShards(rows))


def test_predictions_are_calibrated(fitted: YakuRegression, rows: pd.DataFrame) -> None:
    predicted = yaku_metrics.predict(fitted.to_runtime(), rows)
    wins = rows["won_form"] >= 0
    assert predicted["win"].mean() == pytest.approx(wins.mean(), rel=0.1)
    assert predicted["expected"].mean() == pytest.approx(rows["won_han"].mean(), rel=0.2)
    assert (predicted["total"] <= predicted["expected"] + 1e-9).all()
    baseline = yaku_metrics.predict_baseline(yaku_metrics.label_sums(FrameShards(rows)), rows)
    rates = target_flags(rows["won_targets"]).mean(axis=0)
    scores = yaku_metrics.of_yaku(rows, predicted, baseline, rates)["all"]["four sets: 和了"]
    assert scores["log_loss"] < scores["log_loss_baseline"]
    assert scores["improvement"] == pytest.approx(
        scores["log_loss_baseline"] - scores["log_loss"], rel=1e-6
    )
    assert scores["auc"] > scores["auc_baseline"] > 0.5
    han = yaku_metrics.of_han(rows, predicted, baseline)
    assert han["all"]["wins"]["rows"] == wins.sum()
    assert han["all"]["all"]["measured"] == pytest.approx(rows["won_han"].mean())


def test_the_fits_are_those_of_scikit_learn(rows: pd.DataFrame) -> None:
    """With the mean of the splits, in standardized features; constant ones have the weight 0."""
    weights = YakuRegression(penalty=3.0, iterations=0).fit(FrameShards(rows, 2)).weights_
    arrays = yaku._compact(yaku.mean_split, rows)
    fitted = np.argwhere(weights[:, :, 1:].any(axis=2)).tolist()
    assert len(fitted) > 10
    for is_open, target in fitted:
        inputs, won = yaku._samples(arrays, is_open, target)
        mean, spread = inputs[:, 1:].mean(axis=0), inputs[:, 1:].std(axis=0)
        spread[spread < 1e-6] = np.inf
        theirs = LogisticRegression(C=1 / 3, solver="newton-cholesky", tol=1e-10)
        theirs.fit((inputs[:, 1:] - mean) / spread, won)
        slopes = theirs.coef_[0] / spread
        constant = theirs.intercept_[0] - slopes @ mean
        assert weights[is_open, target] == pytest.approx([constant, *slopes], abs=1e-7)


def test_yakuhai_of_a_win_have_the_mean_han_of_closed_and_of_open_hands(
    fitted: YakuRegression, rows: pd.DataFrame
) -> None:
    won = rows[(rows["won_form"] == FOUR_SETS) & (rows["won_yakuhai_han"] > 0)]
    means = won.groupby("closed")["won_yakuhai_han"].mean()
    assert means[True] != means[False]
    assert fitted.yakuhai_ == pytest.approx([means[True], means[False]])


def test_without_wins_no_hand_is_expected_to_win(rows: pd.DataFrame) -> None:
    lost = rows[rows["won_form"] < 0]
    model = YakuRegression(iterations=0).fit(FrameShards(lost)).to_runtime()
    assert yaku_metrics.predict(model, lost[:50])["win"].max() < 0.05


def test_the_baseline_has_the_overall_mean_han_where_no_hand_won() -> None:
    """Open hands at shanten 5 hardly ever win."""
    win = 1 << next(index for index, target in enumerate(TARGETS) if target.yaku == WIN)
    rows = pd.DataFrame(
        {
            "game": ["a", "a", "b"],
            "won_targets": [win, 0, 0],
            "won_han": [4, 0, 0],
            "closed": [True, True, False],
            "shanten": [1, 1, 5],
        }
    )
    baseline = yaku_metrics.predict_baseline(yaku_metrics.label_sums(FrameShards(rows)), rows)
    assert baseline["han"].tolist() == [4.0, 4.0, 4.0]
    assert baseline.notna().all(axis=None)
