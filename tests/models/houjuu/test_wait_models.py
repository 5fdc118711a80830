"""The fits of waits and han: to rows of games, and to rows that were made by hand."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from features import ron_score_rows
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear import closed_waits, han_model
from houjuu.estimators.log_linear.conditional_logit import ConditionalLogit
from houjuu.game.events import Game
from houjuu.game.tiles import KINDS
from houjuu.hands.wait_types import FU, WAITS, WIN_KIND, WIN_WAIT, ryanmen
from houjuu.reading import wait_features
from houjuu.util.arrays import Bools, Floats
from models.fitting import conditional_logit
from models.fitting.shards import ArrayList, FrameShards
from models.houjuu import wait_models
from models.metrics.calibration import row_losses
from models.paper.hand_prior import with_prior_han

CLOSED_TYPES = {"riichi", "closed"}


def beats_the_rate(predicted: Floats, label: Bools) -> bool:
    rate = np.full(len(label), label.mean())
    return bool(row_losses(predicted, label).mean() < row_losses(rate, label).mean())


@pytest.mark.parametrize("types", [{"riichi"}, CLOSED_TYPES])
def test_closed_waits_are_calibrated(wait_rows: pd.DataFrame, types: set[str]) -> None:
    rows = wait_rows[wait_rows["opponent_type"].isin(types)]
    logit = wait_models.WaitLogit(penalty=0.1, repeat_weight_exponent=0.0)
    model = logit.fit(FrameShards(rows)).to_runtime()
    predicted = wait_models.predict_kinds(model, rows)
    label, mask = wait_models.win_flags(rows), wait_models.evaluated_mask(rows)
    assert predicted.sum() == pytest.approx(label.sum(), rel=0.2)
    genbutsu = wait_features.per_kind(wait_models.wait_feature_matrix(rows), "genbutsu") != 0
    assert not predicted[genbutsu].any()
    assert beats_the_rate(predicted[mask], label[mask])


def test_melded_waits_are_calibrated(wait_rows: pd.DataFrame) -> None:
    rows = wait_rows[~wait_rows["opponent_type"].isin(CLOSED_TYPES)]
    logit = wait_models.MeldedWaitLogit(penalty=0.1, repeat_weight_exponent=0.0)
    model = logit.fit(FrameShards(rows)).to_runtime()
    mask = wait_models.evaluated_mask(rows)
    predicted = wait_models.predict_kinds(model, rows)[mask]
    label = wait_models.win_flags(rows)[mask]
    assert predicted.mean() == pytest.approx(label.mean(), rel=0.2)
    assert beats_the_rate(predicted, label)


def test_win_scale_by_hand() -> None:
    """A sanmenchan is two waits that share one kind: 1-4 and 4-7."""
    wait_wins = np.zeros((1, WAITS), dtype=bool)
    wait_wins[0, [ryanmen(0, 0), ryanmen(0, 3)]] = True
    kind_wins = np.zeros((1, KINDS), dtype=bool)
    kind_wins[0, [0, 3, 6]] = True
    n_waits, credit = wait_models.win_scale_sums(wait_wins, kind_wins, np.ones(1))
    scale = credit / np.maximum(n_waits, 1e-9)
    parts = wait_wins / 2
    expected = np.zeros(KINDS)
    np.add.at(expected, WIN_KIND, parts[0, WIN_WAIT] * scale)
    assert expected[[0, 3, 6]] == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
def test_rows_are_weighted_by_their_decisions(wait_rows: pd.DataFrame, exponent: float) -> None:
    """A row of n decisions counts as n ** exponent rows."""
    rows = wait_rows[wait_rows["opponent_type"] == "riichi"].iloc[:60]
    n_decisions = rows["n_decisions"].to_numpy(dtype=float)
    assert len(set(n_decisions)) > 3
    closed = wait_models.wait_samples(rows, exponent)
    melded = wait_models.melded_wait_samples(rows, exponent)
    assert closed.weight == pytest.approx(n_decisions**exponent)
    assert melded.weight == pytest.approx(n_decisions**exponent)


def test_the_fit_uses_the_weights(wait_rows: pd.DataFrame) -> None:
    """With exponent 1, a row of three decisions is as good as the same row three times."""
    rows = wait_rows[wait_rows["opponent_type"].isin(CLOSED_TYPES)].iloc[:30]
    repeat = 1 + np.arange(len(rows)) % 3
    once = rows.assign(n_decisions=repeat)
    repeated = rows.loc[rows.index.repeat(repeat)].assign(n_decisions=1)

    def weights(rows: pd.DataFrame, penalty: float, exponent: float) -> Floats:
        return wait_models.WaitLogit(penalty, exponent).fit(FrameShards(rows)).to_runtime().weights

    weighted = weights(once, 20.0, 1.0)
    # the weights have mean 1 over the rows of a fit
    plain = weights(repeated, 20.0 * repeat.sum() / len(rows), 1.0)
    assert weighted == pytest.approx(plain, abs=1e-4)
    assert np.abs(weighted - weights(once, 20.0, 0.0)).max() > 3e-3


def test_the_melded_fit_uses_the_weights(wait_rows: pd.DataFrame) -> None:
    rows = wait_rows[~wait_rows["opponent_type"].isin(CLOSED_TYPES)].iloc[:30]
    rows = rows.assign(n_decisions=1 + 8 * (np.arange(len(rows)) % 2))
    by_row, by_decision = (
        wait_models.MeldedWaitLogit(20.0, exponent).fit(FrameShards(rows)).to_runtime().weights
        for exponent in (0.0, 1.0)
    )
    assert np.abs(by_row - by_decision).max() > 3e-3


@pytest.fixture(scope="module")
def rons(own_games: list[Game], paper: KuritaHoki) -> pd.DataFrame:
    return with_prior_han(paper, ron_score_rows.rows(own_games))


def test_closed_han_are_a_distribution(rons: pd.DataFrame) -> None:
    closed = rons[rons["opponent_type"].isin(CLOSED_TYPES)]
    model = wait_models.HanLogit().fit(FrameShards(closed)).to_runtime()
    scores = model.scores(wait_models.wait_feature_matrix(closed)[0], np.ones(KINDS))
    assert scores.by_han.sum(axis=1) == pytest.approx(np.ones(KINDS))
    assert scores.fu.sum(axis=2) == pytest.approx(np.ones((KINDS, 3)))


@pytest.mark.parametrize("smoothing", [1.0, 20.0])
def test_fu_are_smoothed_towards_all_tiles(rons: pd.DataFrame, smoothing: float) -> None:
    """Counts of a class of tile, plus so many wins with the fu of all, by closed kans and han."""
    closed = rons[rons["opponent_type"].isin(CLOSED_TYPES) & (rons["fu"] > 0)]
    model = wait_models.HanLogit(smoothing=smoothing).fit(FrameShards(closed)).to_runtime()
    features = han_model.han_features(wait_models.wait_feature_matrix(closed))
    tile_class = features[np.arange(len(closed)), closed["kind"].to_numpy(), 0]
    n_kans = np.minimum(closed["n_melds"].to_numpy(), 2)
    fu_class = np.minimum(closed["han"].to_numpy(), 3) - 1
    seen = set()
    for kans, han in itertools.product(range(3), range(3)):
        group = (n_kans == kans) & (fu_class == han)
        fu = closed["fu"].to_numpy()[group]
        overall = np.array([(fu == value).sum() + 1 for value in FU]) / (len(fu) + len(FU))
        for number in range(han_model.TILE_CLASSES):
            of_tile = fu[tile_class[group] == number]
            counts = np.array([(of_tile == value).sum() for value in FU])
            expected = (counts + smoothing * overall) / (len(of_tile) + smoothing)
            assert model.fu[kans, number, han] == pytest.approx(expected)
            seen.add((kans, han, len(of_tile)))
    assert len(seen) >= 9


def test_a_prior_may_distinguish_neither_kans_nor_han(rons: pd.DataFrame) -> None:
    """As in files of earlier versions: its fu hold for any number, and so do those of the fit."""
    closed = rons[rons["opponent_type"].isin(CLOSED_TYPES)]
    fitted = wait_models.HanLogit().fit(FrameShards(closed)).to_runtime()
    older = replace(fitted, fu=fitted.fu[0, :, 2])
    again = wait_models.HanLogit().fit(FrameShards(closed), prior=older).to_runtime()
    assert again.fu.shape == older.fu.shape
    features = wait_models.wait_feature_matrix(closed)[0]
    kan = features.copy()
    kan[wait_features.LAYOUT.start["n_melds"]] = 1
    fu = [
        [model.scores(of, np.ones(KINDS)).fu for of in (features, kan)] for model in (older, fitted)
    ]
    assert (fu[0][0] == fu[0][1]).all()
    assert (fu[1][0][:, 2] == fu[0][0][:, 2]).all()
    assert (fu[0][0] == fu[0][0][:, :1]).all()
    assert (fu[1][1] != fu[1][0]).any()


def test_melded_han_beat_the_prior(rons: pd.DataFrame) -> None:
    melded = rons[~rons["opponent_type"].isin(CLOSED_TYPES)]
    samples = wait_models.melded_han_samples(melded)
    fitted = wait_models.MeldedHanLogit(penalty=1.0).fit(FrameShards(melded)).to_runtime().weights

    def loss(weights: Floats) -> float:
        logit = ConditionalLogit(han_model.MELDED_TERMS, weights)
        predicted = logit.predict(samples.features, samples.prior, samples.mask)
        return float(-np.log((samples.label * predicted).sum(axis=1)).mean())

    assert loss(fitted) < loss(np.zeros_like(fitted))


def test_labels_are_shared_by_the_winning_waits(wait_rows: pd.DataFrame) -> None:
    """The fit has the frequency of each class of wait in its rows, but for the penalty."""
    rows = wait_rows[wait_rows["opponent_type"].isin(CLOSED_TYPES)].iloc[:60]
    samples = wait_models.wait_samples(rows, 0.0)
    shards = ArrayList([conditional_logit.compact(closed_waits.TERMS, samples)])
    weights = conditional_logit.fit(closed_waits.TERMS, shards, 0.05)
    logit = ConditionalLogit(closed_waits.TERMS, weights)
    predicted = logit.predict(samples.features, samples.prior, samples.mask)
    by_class = np.zeros((2, closed_waits.CLASSES))
    for total, of_samples in zip(by_class, (predicted, samples.label), strict=True):
        np.add.at(total, closed_waits.WAIT_CLASS, of_samples.sum(axis=0))
    assert by_class[0] == pytest.approx(by_class[1], abs=0.2)
