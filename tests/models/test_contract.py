"""Every fit of `models` keeps scikit-learn's contract.

scikit-learn's own checks run as far as they do not fit: a fit here takes the shards of a table, in
which the label is a column, and not X and y. Fits are checked here, on rows of a few games.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_checks
from sklearn.utils.validation import check_is_fitted

pytest.importorskip("riichienv", reason="its actions are the choices")

import models
from features import (
    action_rows,
    final_rank_rows,
    hidden_hand_rows,
    paper_tenpai_rows,
    paper_wait_counts,
    ron_score_rows,
    round_end_rows,
    unseen_rows,
    yaku_rows,
)
from features import wait_rows as wait_rows_of
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.loading import load_once
from houjuu.estimators.per_opponent import PerOpponentModel
from houjuu.game.events import Game
from houjuu.player.players import value_player
from models.fitting.binary_classifier import BinaryClassifier
from models.fitting.descent import NetworkFit
from models.fitting.shards import FrameShards
from models.houjuu.discard_network import DiscardNetworkFit
from models.houjuu.hidden_hands import HiddenHandLogit
from models.houjuu.tenpai_gam import TenpaiGAM
from models.houjuu.unseen_tiles import UnseenTileLogit
from models.houjuu.wait_models import HanLogit, MeldedHanLogit, MeldedWaitLogit, WaitLogit
from models.paper.hand_prior import with_prior_han
from models.paper.melded import MeldedWeights
from models.paper.tenpai import TenpaiGrid
from models.paper.waits import WaitFrequencies
from models.player.final_ranks import FinalRankRegression
from models.player.preferences import PreferenceFit
from models.player.round_ends import RoundEndRegression
from models.player.yaku import YakuRegression
from tests.models.houjuu.test_discard_network import GAM, order_rows
from tests.models.isolated import Isolated

SMALL: dict[str, Any] = {"units": 4, "epochs": 2, "batch": 16}

FITS: dict[type[BaseEstimator], dict[str, Any]] = {
    TenpaiGrid: {"max_discards": 3},
    WaitFrequencies: {"smoothing": 2.0},
    MeldedWeights: {"prior_sd": 2.0},
    TenpaiGAM: {"fine": 4, "coarse": 3, "pair_rounds": 1, "pairs": 2},
    WaitLogit: {"penalty": 30.0},
    MeldedWaitLogit: {"penalty": 30.0},
    HanLogit: {"penalty": 6.0},
    MeldedHanLogit: {"penalty": 6.0},
    UnseenTileLogit: {"penalty": 5.0, "smoothing": 5.0},
    DiscardNetworkFit: SMALL,
    YakuRegression: {"iterations": 1},
    FinalRankRegression: {"penalty": 2.0},
    RoundEndRegression: {"penalty": 2.0},
    PreferenceFit: SMALL,
    HiddenHandLogit: {"hands": 40, "draws": 4, "rounds": 1},
}
"""Each fit, with settings of which some are not the defaults."""

NETWORKS = (DiscardNetworkFit, PreferenceFit)

CHECKS: tuple[Callable[[str, BaseEstimator], None], ...] = (
    estimator_checks.check_estimator_cloneable,
    estimator_checks.check_estimator_repr,
    estimator_checks.check_estimator_tags_renamed,
    estimator_checks.check_mixin_order,
    estimator_checks.check_no_attributes_set_in_init,
    estimator_checks.check_parameters_default_constructible,
    estimator_checks.check_get_params_invariance,
    estimator_checks.check_set_params,
    estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
)

Data = Callable[[type[BaseEstimator]], tuple[Any, ...]]
"""Maps a class to the arguments of its fit."""

BASES = {"_Penalized", BinaryClassifier.__name__, NetworkFit.__name__}


def name_of(fit: type[BaseEstimator]) -> str:
    return fit.__name__


@pytest.fixture(scope="module")
def data(
    own_games: list[Game], tenpai_rows: pd.DataFrame, wait_rows: pd.DataFrame, paper: KuritaHoki
) -> Data:
    """Gives the arguments of the fit of a class."""
    games = own_games[:2]
    riichi = wait_rows[wait_rows["opponent_type"] == "riichi"]
    melded = wait_rows[wait_rows["n_melds"] > 0]
    rons = with_prior_han(paper, ron_score_rows.rows(games))

    def actions() -> pd.DataFrame:
        return action_rows.rows(games[:1], value_player(load_once()), stride=25, rare_stride=5)

    ours = cast(PerOpponentModel, load_once())
    arguments: dict[type[BaseEstimator], Callable[[], tuple[Any, ...]]] = {
        TenpaiGrid: lambda: (FrameShards(paper_tenpai_rows.rows(games)),),
        WaitFrequencies: lambda: (paper_wait_counts.count(games),),
        MeldedWeights: lambda: (FrameShards(wait_rows_of.rows(games)[1]),),
        TenpaiGAM: lambda: (FrameShards(tenpai_rows),),
        WaitLogit: lambda: (FrameShards(riichi),),
        MeldedWaitLogit: lambda: (FrameShards(melded),),
        HanLogit: lambda: (FrameShards(rons[rons["n_melds"] == 0]),),
        MeldedHanLogit: lambda: (FrameShards(rons[rons["n_melds"] > 0]),),
        UnseenTileLogit: lambda: (FrameShards(unseen_rows.rows(games)),),
        DiscardNetworkFit: lambda: (FrameShards(order_rows(4)), GAM),
        YakuRegression: lambda: (FrameShards(yaku_rows.rows(games, decision_stride=5)),),
        FinalRankRegression: lambda: (FrameShards(final_rank_rows.rows(games)),),
        RoundEndRegression: lambda: (FrameShards(round_end_rows.rows(games, load_once(), 9)),),
        PreferenceFit: lambda: (FrameShards(actions()),),
        HiddenHandLogit: lambda: (hidden_hand_rows.samples(games[:1], ours),),
    }
    return lambda fit: arguments[fit]()


def test_every_fit_is_listed() -> None:
    """All classes of the package that are estimators, but for those they share."""
    classes = set()
    for module in pkgutil.walk_packages(models.__path__, "models."):
        for value in vars(import_module(module.name)).values():
            is_own = isinstance(value, type) and value.__module__ == module.name
            if is_own and issubclass(value, BaseEstimator):
                classes.add(value.__name__)
    assert classes - BASES == {fit.__name__ for fit in FITS}
    assert classes >= BASES


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("fit", FITS, ids=name_of)
def test_checks_of_scikit_learn(
    fit: type[BaseEstimator], check: Callable[[str, BaseEstimator], None]
) -> None:
    check(fit.__name__, fit(**FITS[fit]))


def fit_and_check(fit: type[BaseEstimator], arguments: tuple[Any, ...]) -> None:
    """Fit twice, and compare."""
    unfitted = fit(**FITS[fit])
    before = deepcopy(unfitted.get_params())
    with pytest.raises(NotFittedError):
        check_is_fitted(unfitted)
    fitted = clone(unfitted)
    assert fitted.fit(*arguments) is fitted
    check_is_fitted(fitted)
    assert fitted.get_params() == unfitted.get_params() == before
    learned = vars(fitted).keys() - before.keys()
    assert learned
    assert all(name.endswith("_") and not name.startswith("_") for name in learned)
    assert vars(clone(fitted)).keys() == before.keys()
    first = {name: deepcopy(getattr(fitted, name)) for name in learned}
    fitted.fit(*arguments)  # does not depend on the fit before
    for name, value in sorted(first.items()):
        assert _same(getattr(fitted, name), value), name


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if is_dataclass(one) and not isinstance(one, type):
        return all(_same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    if isinstance(one, BaseEstimator):
        return _same(_numbers(one), _numbers(other))
    return bool(one == other)


def _numbers(estimator: BaseEstimator) -> dict[str, Any]:
    """The learned numbers of an estimator of scikit-learn."""
    names = ("coef_", "intercept_", "n_iter_", "train_score_")
    return {name: getattr(estimator, name, None) for name in names}


@pytest.mark.parametrize(
    "fit", [fit for fit in FITS if not issubclass(fit, NetworkFit)], ids=name_of
)
def test_a_fit(fit: type[BaseEstimator], data: Data) -> None:
    fit_and_check(fit, data(fit))


@pytest.mark.deep  # JAX compiles each twice
@pytest.mark.parametrize("fit", NETWORKS, ids=name_of)
def test_the_fit_of_a_network(
    fit: type[BaseEstimator],
    data: Data,
    isolated: Isolated,
) -> None:
    isolated(fit_and_check, fit, data(fit))


@pytest.mark.parametrize("fit", [TenpaiGrid, TenpaiGAM], ids=name_of)
def test_classifiers(
    fit: type[BaseEstimator],
    own_games: list[Game],
    tenpai_rows: pd.DataFrame,
    data: Data,
) -> None:
    rows = paper_tenpai_rows.rows(own_games[:2]) if fit is TenpaiGrid else tenpai_rows
    unfitted = fit(**FITS[fit])
    assert is_classifier(unfitted)
    with pytest.raises(NotFittedError):
        unfitted.predict_proba(rows)
    fitted = unfitted.fit(*data(fit))
    chances = fitted.predict_proba(rows)
    assert fitted.classes_.tolist() == [False, True]
    assert chances.shape == (len(rows), 2)
    assert ((chances >= 0) & (chances <= 1)).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    predicted = fitted.predict(rows)
    assert (predicted == (chances[:, 1] > 0.5)).all()
    label = rows["tenpai"].to_numpy()
    assert chances[label, 1].mean() > chances[~label, 1].mean()
    assert fitted.score(rows, label) == (predicted == label).mean()


def test_only_classifiers_predict_labels() -> None:
    for fit in FITS:
        assert hasattr(fit, "predict") == issubclass(fit, ClassifierMixin)
        assert hasattr(fit, "predict") == hasattr(fit, "predict_proba")


class _Wrong(BaseEstimator):  # type: ignore[misc]
    """Computes in its constructor, and keeps what it learned under the name of a setting."""

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty
        self.half = penalty / 2

    def fit(self, rows: pd.DataFrame) -> None:
        self.penalty = float(len(rows))


def test_a_broken_contract_is_noticed() -> None:
    with pytest.raises(AssertionError):
        estimator_checks.check_no_attributes_set_in_init("_Wrong", _Wrong())
    FITS[_Wrong] = {"penalty": 3.0}
    try:
        with pytest.raises(AssertionError):
            fit_and_check(_Wrong, (pd.DataFrame(),))
    finally:
        del FITS[_Wrong]
