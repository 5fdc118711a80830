from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.metrics import calibration


def rows(predicted: list[float], label: list[bool], games: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        {"predicted": predicted, "label": label, "game": games, "bin": [0] * len(games)}
    )


def test_scores_by_hand() -> None:
    scores = calibration.metrics(np.array([0.8, 0.4]), np.array([True, False]), base_rate=0.5)
    assert scores["rows"] == 2
    assert scores["rate"] == 0.5
    assert scores["log_loss"] == pytest.approx(-(np.log(0.8) + np.log(0.6)) / 2)
    assert scores["log_loss_base"] == pytest.approx(np.log(2))
    assert scores["brier"] == pytest.approx((0.04 + 0.16) / 2)
    assert scores["brier_base"] == 0.25
    assert scores["auc"] == 1


def test_probabilities_are_clipped() -> None:
    scores = calibration.metrics(np.array([0.0, 1.0]), np.array([True, True]), base_rate=1.0)
    assert scores["log_loss"] == pytest.approx(-np.log(1e-6) / 2, rel=1e-3)
    assert np.isnan(scores["auc"])


def test_the_parts_of_a_loss() -> None:
    """They add up to it; a distortion adds to the miscalibration alone."""
    rng = np.random.default_rng(3)
    p = rng.beta(1, 8, 40_000)
    label, games = rng.random(len(p)) < p, rng.integers(200, size=len(p))
    good, bad = (calibration.loss_parts(one, label, games) for one in (p, p**1.3))
    for parts in (good, bad):
        total = parts["miscalibration"] - parts["discrimination"] + parts["uncertainty"]
        assert total == pytest.approx(parts["log_loss"])
    assert 0 <= good["miscalibration"] < 0.002
    assert bad["miscalibration"] > 0.01 > bad["miscalibration_half"] > 0
    assert bad["discrimination"] == pytest.approx(good["discrimination"])
    few = calibration.loss_parts(p[:100], np.arange(100) < 3, games[:100])
    assert np.isnan(few["miscalibration_half"])


def test_curves_rise_and_need_events() -> None:
    rng = np.random.default_rng(4)
    p = rng.random(4000)
    table = pd.DataFrame({"predicted": p, "label": rng.random(4000) < p, "group": "many"})
    table["game"] = np.arange(4000) // 8
    rare = pd.DataFrame({"predicted": [0.1] * 20, "label": [True] * 9 + [False] * 11, "game": 0})
    steps = calibration.curves(pd.concat([table, rare.assign(group="few")]), "group")
    assert set(steps["group"]) == {"all", "many"}
    assert (steps["low"] <= steps["high"]).all()
    covered = steps["predicted"].between(steps["low"], steps["high"])
    assert covered.mean() > 0.8
    by_game = table.assign(game=np.arange(4000) // 400, label=np.repeat(rng.random(10), 400) < p)
    wide = calibration.curves(by_game, "group")  # what happens is common to a game
    assert (wide["high"] - wide["low"]).mean() > 2 * (steps["high"] - steps["low"]).mean() > 0.1


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.8, 0.3)])
def test_the_line_of_the_logits_is_found(slope: float, intercept: float) -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(-2, 1, 60_000)
    label = rng.random(len(logits)) < 1 / (1 + np.exp(-(intercept + slope * logits)))
    predicted = np.append(1 / (1 + np.exp(-logits)), [0.0, 1.0])  # the certain ones do not count
    line = calibration.logit_line(
        predicted, np.append(label, [True, False]), np.arange(len(predicted))
    )
    assert line["rows"] == len(logits)
    assert line["slope"] == pytest.approx(slope, abs=0.03)
    assert line["intercept"] == pytest.approx(intercept, abs=0.06)
    assert 0.01 < line["slope_half"] < 0.04


def test_a_game_counts_once_in_the_interval_of_the_slope() -> None:
    """Rows that occur four times in a game leave the intervals as they are."""
    rng = np.random.default_rng(4)
    logits = rng.normal(-1, 1, 2000)
    label = rng.random(len(logits)) < 1 / (1 + np.exp(-logits))
    predicted = 1 / (1 + np.exp(-logits))
    once = calibration.logit_line(predicted, label, np.arange(len(label)))
    games = np.repeat(np.arange(len(label)), 4)
    often = calibration.logit_line(np.repeat(predicted, 4), np.repeat(label, 4), games)
    for name in calibration.LINE:
        assert often[name] == pytest.approx(once[name], rel=1e-4)
    halves = [once["slope_half"], once["intercept_half"]]
    slopes = []
    for _ in range(200):  # the spread of the slope over samples of the same distribution
        label = rng.random(len(logits)) < predicted
        slopes.append(calibration.logit_line(predicted, label, np.arange(len(label)))["slope"])
    assert halves[0] == pytest.approx(1.96 * np.std(slopes), rel=0.2)


def test_the_line_of_one_label_or_prediction_is_unknown() -> None:
    for predicted, label in (([0.2, 0.4], [True, True]), ([0.2, 0.2], [True, False])):
        line = calibration.logit_line(np.array(predicted), np.array(label), np.array(["a", "b"]))
        assert np.isnan(line["slope"])
        assert np.isnan(line["intercept"])


def test_table_by_hand() -> None:
    table = calibration.calibration(
        rows([0.2, 0.4, 0.6], [False, True, True], list("aab")), ["bin"]
    )
    line = table.iloc[0]
    assert (line["games"], line["rows"]) == (2, 3)
    assert line["predicted"] == pytest.approx(0.4)
    assert line["measured"] == pytest.approx(2 / 3)
    assert 0 <= line["low"] < 2 / 3 < line["high"] <= 1


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh")), min_size=1, max_size=60))
def test_intervals_contain_the_rate(labels: list[tuple[bool, str]]) -> None:
    label, games = zip(*labels, strict=True)
    table = calibration.calibration(rows([0.5] * len(labels), list(label), list(games)), ["bin"])
    line = table.iloc[0]
    assert 0 <= line["low"] <= line["measured"] + 1e-12
    assert line["measured"] - 1e-12 <= line["high"] <= 1
    assert line["high"] > line["low"]


@pytest.mark.deep
def test_intervals_cover() -> None:
    """About 95% of the intervals of simulated dependent rows contain the true rate."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(300):
        of_game = rng.beta(2, 8, 80)  # games differ, rows of a game share its rate
        label = (rng.random((80, 15)) < of_game[:, None]).ravel()
        games = np.repeat(np.arange(80), 15).astype(str)
        table = calibration.calibration(rows([0.2] * 1200, list(label), list(games)), ["bin"])
        covered += bool(table["low"][0] <= 0.2 <= table["high"][0])
    assert 0.90 <= covered / 300 <= 0.985


def test_one_sided_groups_count_games() -> None:
    """Five positive rows of one game have no more information than one row."""
    one = calibration.calibration(rows([0.9] * 5, [True] * 5, ["a"] * 5), ["bin"])
    five = calibration.calibration(rows([0.9] * 5, [True] * 5, list("abcde")), ["bin"])
    assert one["low"][0] < five["low"][0] < 1
    assert one["high"][0] == five["high"][0] == 1


def test_bins() -> None:
    edges = [0.0, 0.1, 0.5, 1.0]
    assert calibration.bins(np.array([0.0, 0.1, 0.49, 0.5, 1.0]), edges).tolist() == [0, 1, 1, 2, 2]
