"""The fit of the models of the round's end: it finds what rows were drawn from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("riichienv", reason="the rows need it")

from features import round_end_rows
from features.round_end_rows import state_arrays
from houjuu.estimators.loading import load_once
from houjuu.game.events import Game
from houjuu.player.hand_value.scores import BASE
from houjuu.player.round_end import round_ends
from houjuu.player.round_end.endings import DRAW, PAYER, SELF, WINNER
from models.fitting.shards import FrameShards
from models.metrics import round_end_metrics
from models.player.round_ends import RoundEndRegression
from pipeline.paths import REAL_RUN

ROOT = Path(__file__).parents[3]

COPIES = 10
"""The ends of every state are drawn so many times."""


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    """Real states; their ends are drawn from the model that ships."""
    once = round_end_rows.rows(own_games, load_once(), stride=3)
    ends = pd.concat([once] * COPIES, ignore_index=True)
    rng, model, states = np.random.default_rng(5), round_ends.load(), state_arrays(ends)
    endings = drawn(rng, model.predict_endings(states))
    won, wins = endings < DRAW, np.minimum(endings, DRAW - 1)
    sizes = round_end_metrics.sizes_of_wins(model, states, wins)
    ends["ending"] = endings
    ends["size"] = np.where(won, drawn(rng, sizes), -1)
    ends["base_points"] = np.where(won, model.base_points[ends["size"]].round(), -1).astype(int)
    tenpai = rng.random((len(ends), 4)) < model.predict_tenpai_at_draw(states)
    ends["tenpai_at_draw"] = np.where(won, -1, tenpai @ (1 << np.arange(4)))
    return ends


def drawn(
    rng: np.random.Generator, table: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.asarray((table.cumsum(axis=1) > rng.random((len(table), 1))).argmax(axis=1))


def test_the_fit_predicts_like_the_model_that_drew_the_ends(rows: pd.DataFrame) -> None:
    shards, model = FrameShards(rows, 1), round_ends.load()
    fitted = RoundEndRegression(penalty=10.0).fit(shards).to_runtime()
    states = state_arrays(rows)
    for name in ("predict_endings", "predict_tenpai_at_draw"):
        predicted, true = (getattr(predictor, name)(states) for predictor in (fitted, model))
        assert np.abs(predicted - true).mean() < 0.04, name
        for column in range(true.shape[1]):
            assert predicted[:, column].mean() == pytest.approx(true[:, column].mean(), abs=0.03)
    sizes = [predictor.predict_sizes(states).mean(axis=0) for predictor in (fitted, model)]
    assert sizes[0] == pytest.approx(sizes[1], abs=0.08)
    scores = [predictor.predict_scores(states).mean(axis=0) for predictor in (fitted, model)]
    assert scores[0] @ BASE == pytest.approx(scores[1] @ BASE, rel=0.1)
    assert fitted.base_points == pytest.approx(model.base_points, rel=0.02)


def test_the_true_model_scores_better_than_the_baseline(rows: pd.DataFrame) -> None:
    result = round_end_metrics.evaluate(
        round_ends.load(), round_end_metrics.rates(FrameShards(rows, 2)), rows
    )
    scores = result["log_loss"]
    assert set(round_end_metrics.EVENTS) < set(scores)
    for name in ("own win", "size of own wins"):  # the baseline of all cells is of these rows
        assert scores[name]["difference"] < 0, name
    lines = pd.DataFrame(result["calibration"])
    assert set(lines["event"]) == set(round_end_metrics.CALIBRATED)
    assert (lines["low"] <= lines["measured"] + 1e-9).all()
    assert (lines["measured"] <= lines["high"] + 1e-9).all()


def test_the_true_model_is_calibrated_and_another_is_not(rows: pd.DataFrame) -> None:
    rates = round_end_metrics.rates(FrameShards(rows, 2))
    true = round_ends.load()
    other = replace(
        true,
        own_sizes=-true.own_sizes,
        own_han=true.own_han[::-1],
        opponent_sizes=-true.opponent_sizes,
        own_tenpai=-true.own_tenpai,
        opponent_tenpai=-true.opponent_tenpai,
    )
    inside = [calibrated(round_end_metrics.evaluate(one, rates, rows)) for one in (true, other)]
    for event in round_end_metrics.CALIBRATED:
        assert inside[0][event] > 0.8, event
    for event in round_end_metrics.CALIBRATED[len(round_end_metrics.EVENTS) :]:
        assert inside[1][event] < 0.5, event


def test_the_models_that_ship_are_calibrated_on_real_games() -> None:
    """One slope of points up to one from tenpai left 46% of the bins of own wins outside."""
    inside = calibrated(json.loads((ROOT / REAL_RUN / "round_ends.json").read_text()))
    assert set(inside) == set(round_end_metrics.CALIBRATED)
    for event, share in inside.items():
        assert share > 0.75, event


def calibrated(result: dict[str, Any]) -> dict[str, float]:
    """By event the share of the bins of 30 rows and more within their intervals."""
    lines = pd.DataFrame(result["calibration"])
    lines = lines[lines["rows"] >= 30]
    inside = lines["predicted"].between(lines["low"], lines["high"])
    return {
        str(event): float(mean) for event, mean in inside.groupby(lines["event"]).mean().items()
    }


def test_a_hand_that_may_declare_counts_in_one_class_of_each_kind(rows: pd.DataFrame) -> None:
    """Its rows are those that declare, and closed tenpai hands without riichi."""
    lines = pd.DataFrame(round_end_metrics.riichi_or_dama(round_ends.load(), rows))
    tenpai = rows[(rows["shanten"] == 0) & (rows["closed"] == 1) & (rows["tiles_left"] > 4)]
    riichi, dama = tenpai[tenpai["declares"] == 1], tenpai[tenpai["riichi"] == 0]
    for action, hands in (("riichi", riichi), ("dama", dama)):
        assert len(hands) > 30
        of_action = lines[lines["action"] == action].set_index("group")
        for groups in ((0, 2), (2, 6), (6, 8), (8, 10)):
            names = of_action.index.isin(round_end_metrics.GROUPS[slice(*groups)])
            assert of_action["rows"][names].sum() == len(hands)
        several = hands[hands["wait_kinds"] > 1]
        won = several["ending"].isin(np.flatnonzero(round_end_metrics.EVENTS["own win"]))
        assert of_action.loc["several kinds", "measured"] == pytest.approx(won.mean())
        facing = hands.filter(like="opponent_riichi").sum(axis=1) > 0
        assert of_action["rows"].get("facing a riichi", 0) == facing.sum()
        assert of_action["rows"].get("5 to 8 draws", 0) == hands["draws"].between(5, 8).sum()
        assert of_action["rows"].get("with a yaku", 0) == (hands["ron_ways"] > 0).sum()


def test_events_are_endings() -> None:
    events = round_end_metrics.EVENTS
    assert events["own win"].sum() == 4
    assert events["deals in"].sum() == events["tsumo of an opponent"].sum() == 3
    assert (PAYER[events["deals in"][:-1]] == SELF).all()
    assert (WINNER[events["own win"][:-1]] == SELF).all()
