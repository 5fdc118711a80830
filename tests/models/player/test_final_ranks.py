"""Fitting the model of final ranks, against games drawn from known weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from features.final_rank_rows import FINAL_RANKS, ranks, round_starts
from houjuu.player.values.final_ranks import (
    COLUMNS,
    FEATURES,
    ORDERS,
    PHASES,
    RANKS,
    FinalRankModel,
    ScorePairs,
    pair_features,
)
from models.fitting.shards import FrameShards
from models.metrics import final_rank_metrics
from models.player.final_ranks import FinalRankRegression, slopes

GAMES = 3000
SEAT_LINES = [i for i, name in enumerate(COLUMNS) if name.startswith(("score", "lacks"))]


@pytest.fixture(scope="module")
def true_model() -> FinalRankModel:
    """No line falls, as in each model that the fit can find."""
    weights = np.random.default_rng(1).normal(0, 0.05, (len(PHASES), len(FEATURES)))
    return FinalRankModel(np.abs(weights))


@pytest.fixture(scope="module")
def rows(true_model: FinalRankModel) -> pd.DataFrame:
    """Starts of rounds with final ranks drawn from the model."""
    rng = np.random.default_rng(2)
    scores = 100 * rng.multinomial(1000, [0.25] * 4, GAMES)
    scores += 100 * rng.integers(-80, 80, scores.shape)
    hanchan = rng.random(GAMES) < 0.5
    table = pd.DataFrame(
        {
            "game": [f"game {number}" for number in range(GAMES)],
            "hanchan": hanchan,
            "round": rng.integers(0, np.where(hanchan, 9, 5)),
            "honba": rng.integers(0, 3, GAMES),
            "riichi_sticks": rng.integers(0, 2, GAMES),
            **{f"score_{seat}": scores[:, seat] for seat in range(4)},
            **{f"rank_{seat}": 0 for seat in range(4)},
        }
    )
    chances = true_model.orders(round_starts(table)).cumsum(axis=1)
    drawn = (rng.random(GAMES)[:, None] > chances).sum(axis=1)
    table[[f"rank_{seat}" for seat in range(4)]] = RANKS[drawn]
    assert list(table.columns) == [column.name for column in FINAL_RANKS]
    return table


def test_orders_and_ranks_are_inverse() -> None:
    assert (np.take_along_axis(RANKS, ORDERS, axis=1) == np.arange(4)).all()


def test_the_slopes_are_those_of_the_features() -> None:
    """The logits of pairs and seats rise with points if no slope is negative, and else fall."""
    weights = np.random.default_rng(3).normal(size=len(COLUMNS))
    rising = slopes() @ weights
    knots = np.arange(0, 50_000, 1000.0)
    lows = np.concatenate([-knots - 1000, knots])
    seen = []
    for deals, other_deals in ((0, 0), (1, 0), (0, 1)):
        for pot in (0, 2000):
            rest = [np.full(len(lows), one * 1.0) for one in (deals, other_deals, pot)]
            low, high = (pair_features(ScorePairs(d, *rest)) for d in (lows, lows + 1000))
            seen += ((high - low) @ weights[: low.shape[1]]).tolist()
    assert {*np.round(seen, 9)} == {*np.round(rising[: -len(SEAT_LINES)], 9)}
    assert rising[-len(SEAT_LINES) :].tolist() == weights[SEAT_LINES].tolist()


def test_the_fit_finds_the_model_of_the_games(
    rows: pd.DataFrame, true_model: FinalRankModel
) -> None:
    """Nearer to the truth than the rates by present rank, and better on its own games."""
    shards = FrameShards(rows, games_per_shard=700)
    fitted = FinalRankRegression(5.0, phase_penalty=1.0, slope_penalty=1.0).fit(shards)
    predicted = fitted.to_runtime().predict(round_starts(rows))
    by_place = fitted.weights_.reshape(-1, len(COLUMNS))
    assert (by_place @ slopes().T).min() > 0
    rates = final_rank_metrics.rates(shards)
    scores = final_rank_metrics.evaluate(fitted.to_runtime(), rates, rows)
    at_truth = final_rank_metrics.evaluate(true_model, rates, rows)["log_loss"]["all"]
    assert scores["log_loss"]["all"]["log_loss"] < at_truth["log_loss"]
    assert at_truth["log_loss"] < at_truth["log_loss_base"]
    assert np.abs(predicted - true_model.predict(round_starts(rows))).mean() < 0.03


def test_the_partition_changes_nothing(rows: pd.DataFrame) -> None:
    regression = FinalRankRegression(5.0, phase_penalty=1.0, slope_penalty=1.0)
    whole, parts = (
        regression.fit(FrameShards(rows.iloc[:200], games)).weights_ for games in (200, 70)
    )
    assert parts == pytest.approx(whole, abs=1e-7)


def test_scores_by_hand(rows: pd.DataFrame, true_model: FinalRankModel) -> None:
    some = rows.iloc[:300]
    rates = final_rank_metrics.rates(FrameShards(rows))
    assert rates.sum(axis=2) == pytest.approx(np.ones((len(PHASES), 4)))
    metrics = final_rank_metrics.evaluate(true_model, rates, some)
    predicted, true = true_model.predict(round_starts(some)), ranks(some)
    by_hand = [
        -np.log(predicted[row, seat, true[row, seat]])
        for row in range(len(some))
        for seat in range(4)
    ]
    assert metrics["log_loss"]["all"]["log_loss"] == pytest.approx(np.mean(by_hand))
    assert metrics["log_loss"]["all"]["rows"] == 4 * len(some)
    lines = pd.DataFrame(metrics["calibration"])
    assert lines.groupby("rank")["rows"].sum().tolist() == [4 * len(some)] * 4
    last = lines[lines["rank"] == 4]
    assert (last["measured"] * last["rows"]).sum() == pytest.approx(len(some))
