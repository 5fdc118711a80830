"""The fit of the yaku model, and its metrics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from features import yaku_rows
from houjuu.game.events import Game
from houjuu.player.hand_value.yaku_targets import FOUR_SETS
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
    baseline = yaku_metrics.predict_baseline(yaku_metrics.label_sums(FrameShards(rows)), rows)
    scores = yaku_metrics.of_yaku(rows, predicted, baseline)["all"]["four sets: 和了"]
    assert scores["mean"] == pytest.approx(scores["rate"], rel=0.1)
    assert scores["improvement"] > 0
    han = yaku_metrics.of_han(rows, predicted)
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


def test_the_baseline_is_the_mean_of_as_near_hands() -> None:
    """And of all where the fit saw none."""
    hands = {"won_targets": [1, 0, 0], "closed": [True, True, False], "shanten": [1, 1, 5]}
    fitted = pd.DataFrame(hands | {"game": [*"aab"]})
    other = pd.DataFrame({"closed": [False], "shanten": [0]})
    sums = yaku_metrics.label_sums(FrameShards(fitted, 2))
    assert yaku_metrics.predict_baseline(sums, fitted)[0].tolist() == [0.5, 0.5, 0.0]
    assert yaku_metrics.predict_baseline(sums, other)[0].tolist() == [1 / 3]
