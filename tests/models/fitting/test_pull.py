"""Fits with a prior: nothing without games, the plain fit with many, and how strength is chosen."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from features import ron_score_rows, unseen_rows
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear.conditional_logit import LookupTerm, TermSet
from houjuu.estimators.log_linear.tenpai_gam import TenpaiGAMModel
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.estimators.log_linear.wait_models import WaitModels
from houjuu.game.events import Game
from houjuu.reading.shared_features import FeatureSpec
from houjuu.reading.tenpai_features import FEATURES
from houjuu.reading.wait_features import FeatureLayout
from models.fitting import conditional_logit, pull
from models.fitting.conditional_logit import (
    IndependentFit,
    LogitSamples,
    compact,
    fit_independent,
)
from models.fitting.shards import ArrayList, FrameShards, Shards
from models.houjuu import tenpai_gam, unseen_tiles, wait_models
from models.houjuu.tenpai_gam import TenpaiGAM
from models.houjuu.unseen_tiles import UnseenTileLogit
from models.houjuu.wait_models import HanLogit, MeldedHanLogit, MeldedWaitLogit, WaitLogit
from models.paper.hand_prior import with_prior_han
from tests.kit.files import shipped

SHIPPED = shipped("houjuu-additive")
GAM = TenpaiGAMModel(**SHIPPED.part("tenpai_gam"))
WAITS = WaitModels.from_parameters(SHIPPED)
UNSEEN = UnseenTileModel.from_parameters(SHIPPED)


def is_closed(rows: pd.DataFrame) -> pd.Series[bool]:
    return rows["opponent_type"].isin({"riichi", "closed"})


@pytest.fixture(scope="module")
def rows_of(
    own_games: list[Game], tenpai_rows: pd.DataFrame, wait_rows: pd.DataFrame, paper: KuritaHoki
) -> dict[str, pd.DataFrame]:
    rons = with_prior_han(paper, ron_score_rows.rows(own_games))
    return {
        "gam": tenpai_rows,
        "closed": wait_rows[is_closed(wait_rows)],
        "melded": wait_rows[~is_closed(wait_rows)],
        "closed han": rons[is_closed(rons)],
        "melded han": rons[~is_closed(rons)],
        "unseen": unseen_rows.rows(own_games),
    }


PARTS: dict[str, tuple[Any, Any, pull.Losses]] = {
    "gam": (TenpaiGAM(), GAM, tenpai_gam.losses),
    "closed": (WaitLogit(), WAITS.closed_waits, wait_models.losses),
    "melded": (MeldedWaitLogit(), WAITS.melded_waits, wait_models.losses),
    "closed han": (HanLogit(), WAITS.closed_han, wait_models.losses),
    "melded han": (MeldedHanLogit(), WAITS.melded_han, wait_models.losses),
    "unseen": (UnseenTileLogit(), UNSEEN, unseen_tiles.losses),
}


@pytest.mark.parametrize("name", PARTS)
def test_without_games_it_is_the_prior(rows_of: dict[str, pd.DataFrame], name: str) -> None:
    """To the byte; with some games the weights move, the less the stronger the pull."""
    estimator, prior, losses = PARTS[name]
    nothing = FrameShards(rows_of[name].iloc[:0])
    for model in (
        pull.fit(estimator, nothing, prior, losses).to_runtime(),
        estimator.pulled(1.0).fit(nothing, prior=prior).to_runtime(),
    ):
        for before, after in zip(astuple(prior), astuple(model), strict=True):
            assert before.tobytes() == after.tobytes()
    moves = []
    for strength in (1.0, 1e5):
        some = FrameShards(rows_of[name].iloc[:2000])
        fitted = estimator.pulled(strength).fit(some, prior=prior)
        moves.append(np.abs(fitted.to_runtime().weights - prior.weights).max())
        few = rows_of[name][:50]
        assert losses(fitted.to_runtime(), few).shape == (len(few),)
    assert moves[0] > 100 * moves[1] > 0


def test_with_many_games_the_gam_is_the_plain_fit(tenpai_rows: pd.DataFrame) -> None:
    """Many games are a weak penalty. The prior's bins are those of the plain fit."""
    weak = TenpaiGAM(fine=4, coarse=3, C=(1e3, 1e3), pair_rounds=0)
    shards = FrameShards(tenpai_rows)
    plain = weak.fit(shards)
    runtime = plain.to_runtime()
    noise = np.random.default_rng(0).normal(size=runtime.weights.shape)
    prior = replace(runtime, weights=runtime.weights + noise, bias=runtime.bias - 1.0)
    again = TenpaiGAM(C=(1e3, 1e3)).fit(shards, prior=prior)
    rows = tenpai_rows[::5]
    expected, result = (fitted.predict_proba(rows)[:, 1] for fitted in (plain, again))
    assert np.abs(np.exp(-tenpai_gam.losses(prior, rows)) - expected).mean() > 0.05
    assert np.abs(result - expected).mean() < 2e-3


def test_with_many_games_a_conditional_logit_is_the_plain_fit() -> None:
    """Two alternatives and a feature of two values; the pull is that of four samples."""
    layout = FeatureLayout(([FeatureSpec("riichi", 2, "")], 1))
    term = LookupTerm("riichi", np.array([0, 1]), [("riichi", np.array([0, 0]))])
    terms = TermSet([term], layout)
    rng = np.random.default_rng(0)
    features = rng.integers(0, 2, (20_000, 1)).astype(np.int8)
    first = rng.random(20_000) < np.where(features[:, 0], 0.8, 0.3)
    rates = [first[features[:, 0] == value].mean() for value in range(2)]
    samples = LogitSamples(
        features=features,
        prior=np.zeros((20_000, 2)),
        mask=np.ones((20_000, 2), bool),
        label=np.column_stack([first, ~first]).astype(float),
        weight=np.ones(20_000),
        group=np.zeros(20_000, np.int64),
    )
    shards = ArrayList([compact(terms, samples)])
    away = np.array([2.0, -1.0, 0.5, 3.0])
    single = np.array([False])
    for centre in (np.zeros(4), away):
        weights = conditional_logit.fit(terms, shards, 4.0, centre)
        assert expit(weights[:2] - weights[2:]) == pytest.approx(rates, abs=0.01)
        start = IndependentFit(centre, np.array([1.5]), np.ones(1))
        both = fit_independent(terms, shards, single, 4.0, start)
        share = both.scale * expit(both.weights[:2] - both.weights[2:])
        assert share == pytest.approx(rates, abs=0.01)
    assert conditional_logit.fit(terms, shards, 1e9, away) == pytest.approx(away, abs=1e-4)


def test_a_prior_of_other_features_keeps_its_predictions(tenpai_rows: pd.DataFrame) -> None:
    """A file may have some of the features, in another order."""
    some = np.random.default_rng(0).permutation(len(FEATURES))[:60].tolist()
    pairs = np.array([[3, 1], [5, 59]])
    sizes = (GAM.fine[some] != GAM.fine.max()).sum(axis=1) + 1
    coarse = GAM.bins.coarse_sizes[some]
    n_cells = sizes.sum() + (coarse[pairs[:, 0]] * coarse[pairs[:, 1]]).sum()
    weights = np.random.default_rng(1).normal(size=(4, n_cells))
    fields = GAM.names[some], GAM.fine[some], GAM.coarse[some], pairs, GAM.bias, weights
    prior = TenpaiGAMModel(*fields)
    kept = TenpaiGAM().fit(FrameShards(tenpai_rows.iloc[:0]), prior=prior).to_runtime()
    rows = tenpai_rows[:300]
    assert tenpai_gam.losses(kept, rows) == pytest.approx(tenpai_gam.losses(prior, rows))


@dataclass
class Mean:
    """The mean of x with a penalty, in the place of a model."""

    penalty: float = 1.0

    def fit(self, shards: Shards, *, prior: float | None = 0.0) -> Mean:
        prior = prior or 0.0
        rows = pd.concat([*shards.map(lambda rows: rows)])
        self.mean = prior + (rows["x"] - prior).sum() / (len(rows) + self.penalty)
        return self

    def pulled(self, strength: float) -> Mean:
        return Mean(strength * self.penalty)

    def set_params(self) -> Mean:
        return self

    def to_runtime(self) -> float:
        return float(self.mean)

    def get_params(self) -> dict[str, Any]:
        return {"penalty": self.penalty}


def mean_losses(model: float, rows: pd.DataFrame) -> Any:
    return ((rows["x"] - model) ** 2).to_numpy() / 2


@pytest.mark.parametrize(("truth", "strengths"), [(0.0, {None, 1000.0}), (0.7, {1.0, 10.0})])
def test_the_pull_is_chosen_on_games_that_the_fits_have_not_seen(
    truth: float, strengths: set[float | None]
) -> None:
    rng = np.random.default_rng(0)
    games = [f"{game}" for game in range(200) for _ in range(20)]
    rows = pd.DataFrame({"game": games, "x": rng.normal(truth, 1.0, len(games))})
    part = pull.fit(Mean(), FrameShards(rows, 40), 0.0, mean_losses)
    chosen = part.get_params()["pull"]
    assert chosen in strengths
    mean, error = part.gains["1000"]
    assert (mean > error) == (truth > 0)
    if chosen is not None:
        assert part.to_runtime() == Mean(chosen).fit(FrameShards(rows), prior=0.0).to_runtime()
    hashes = partial(pull._selected, wanted=True)(rows)["game"].nunique()
    assert 10 < hashes < 30


@pytest.mark.parametrize(
    ("n_games", "truth", "penalties"),
    [(99, 0.7, {1e3}), (200, 0.7, {1.0, 10.0, 100.0}), (200, 0.0, {1e3}), (10_000, 0.0, {1.0})],
)
def test_few_games_fit_from_nothing_with_stronger_penalties(
    n_games: int, truth: float, penalties: set[float]
) -> None:
    """The fewest with the strongest, many with those of the settings, others by kept games."""
    rng = np.random.default_rng(0)
    games = [f"{game}" for game in range(200) for _ in range(3)]
    rows = pd.DataFrame({"game": games, "x": rng.normal(truth, 1.0, len(games))})
    strengths = (1000.0, 100.0, 10.0, 1.0)
    shards = FrameShards(rows, 40)
    fitted = pull.from_nothing(Mean(), shards, mean_losses, n_games, strengths)
    assert fitted.penalty in penalties
    assert fitted.mean == Mean(fitted.penalty).fit(shards).mean
