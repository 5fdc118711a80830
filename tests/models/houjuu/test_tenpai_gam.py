"""The fit of the tenpai GAM, against scikit-learn and against simulated rows."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

from features.tenpai_rows import feature_matrix
from houjuu.estimators.log_linear.tenpai_gam import NO_EDGE, Bins, TenpaiGAMModel
from houjuu.reading import tenpai_features
from houjuu.reading.tenpai_features import FEATURES
from houjuu.util.errors import Error
from houjuu.util.intervals import clustered_mean
from models.fitting.shards import FrameShards
from models.houjuu import export, tenpai_gam
from models.houjuu.tenpai_compact import subsample_mask
from models.houjuu.tenpai_gam import TenpaiGAM, baseline, baseline_columns
from models.metrics.calibration import row_losses

NAMES = [feature.name for feature in FEATURES]
BIN_EDGES = st.integers(-50, 50)
SMALL: dict[str, Any] = {"fine": 8, "coarse": 3, "pair_rounds": 1, "pairs": 4}


@pytest.fixture(scope="module")
def gam(tenpai_rows: pd.DataFrame) -> TenpaiGAM:
    return TenpaiGAM(**SMALL).fit(FrameShards(tenpai_rows))


def test_runtime_and_fit_agree(
    tenpai_rows: pd.DataFrame, gam: TenpaiGAM, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert export.check_tenpai_gam(gam, tenpai_rows) < 1e-12
    model = gam.to_runtime()
    wrong = dataclasses.replace(model, bias=model.bias + 0.1)
    monkeypatch.setattr(TenpaiGAM, "to_runtime", lambda self: wrong)
    with pytest.raises(Error, match="differs from the fit"):
        export.check_tenpai_gam(gam, tenpai_rows)


def test_predictions_are_calibrated_and_informative(
    tenpai_rows: pd.DataFrame, gam: TenpaiGAM
) -> None:
    predicted = gam.predict_proba(tenpai_rows)[:, 1]
    tenpai = tenpai_rows["tenpai"].to_numpy()
    assert predicted[tenpai].mean() > 2 * predicted[~tenpai].mean()
    assert predicted.mean() == pytest.approx(tenpai.mean(), abs=0.01)


def test_attributions_add_up(tenpai_rows: pd.DataFrame, gam: TenpaiGAM) -> None:
    model = gam.to_runtime()
    rows = tenpai_rows.iloc[::97]
    assert len(rows) > 10
    for _, row in rows.iterrows():
        features, n_open_melds = [int(row[name]) for name in NAMES], int(row["n_open_melds"])
        parts = model.explain(n_open_melds, features, {})
        (predicted,) = model.predict(np.array([n_open_melds]), np.array([features]))
        assert sum(parts.values()) == pytest.approx(predicted)
        assert len(parts) == 1 + len(tenpai_features.GROUPS)


def test_attributions_by_hand() -> None:
    """Two features of different groups and their pair, half of which belongs to each."""
    edges = np.full((len(NAMES), 1), NO_EDGE)
    edges[[0, -1], 0] = 5
    pairs = np.array([[0, len(NAMES) - 1]])
    weights = np.zeros((4, len(NAMES) + 2 + 4))
    weights[:, 1], weights[:, -5], weights[:, -1] = 1.0, 0.5, 0.5
    model = TenpaiGAMModel(np.array(NAMES), edges, edges, pairs, np.full(4, -2.0), weights)
    parts = model.explain(1, [9] * len(NAMES), {})
    base, predicted = 1 / (1 + np.exp(2.0)), 0.5
    assert parts["1 open meld"] == pytest.approx(base)
    assert parts["its pace"] == pytest.approx((predicted - base) * 1.25 / 2)
    assert parts["the game"] == pytest.approx((predicted - base) * 0.75 / 2)


def test_cells(tenpai_rows: pd.DataFrame, gam: TenpaiGAM) -> None:
    """Every value has a cell of its own term, values outside the training rows included."""
    bins = gam.to_runtime().bins
    outside = np.array([[-(10**4)] * len(NAMES), [10**4] * len(NAMES)])
    for features in (feature_matrix(tenpai_rows), outside):
        cells = bins.cells(features)
        assert (cells >= bins.offsets[:-1]).all()
        assert (cells < bins.offsets[1:]).all()
    by_hand = Bins(np.array([[2, 5], [1, 2**31 - 1]]), np.array([[5], [1]]), np.array([[0, 1]]))
    assert by_hand.offsets.tolist() == [0, 3, 5, 9]
    assert by_hand.cells(np.array([[4, 0], [5, 7]])).tolist() == [[1, 3, 5], [2, 4, 8]]


@given(
    st.lists(st.tuples(st.sets(BIN_EDGES, max_size=4), st.sets(BIN_EDGES, max_size=3)), min_size=1),
    st.integers(-60, 60),
)
def test_bins_equal_a_search_in_each_row(
    edges: list[tuple[set[int], set[int]]], value: int
) -> None:
    """Fine and coarse edges may coincide, and a feature may have none."""
    rows = [[sorted(of_sort) for of_sort in of_feature] for of_feature in edges]
    fine, coarse = (
        np.array([[*row[sort], *[NO_EDGE] * (5 - len(row[sort]))] for row in rows])
        for sort in (0, 1)
    )
    pair = np.array([[0, len(rows) - 1]])
    bins = Bins(fine, coarse, pair)
    features = value + np.arange(len(rows))[None, :] * 7 % 11
    (cells,) = bins.cells(features) - bins.offsets[:-1]
    of_features = zip(rows, features[0].tolist(), strict=True)
    expected = [[sum(edge <= at for edge in row) for row in both] for both, at in of_features]
    assert cells[:-1].tolist() == [both[0] for both in expected]
    second_size = len(rows[-1][1]) + 1
    assert cells[-1] == expected[0][1] * second_size + expected[-1][1]


def test_rows_with_one_label_still_give_a_model(tenpai_rows: pd.DataFrame) -> None:
    model = TenpaiGAM().fit(FrameShards(tenpai_rows[~tenpai_rows["tenpai"]])).to_runtime()
    n_open_melds = tenpai_rows["n_open_melds"].to_numpy(np.int64)
    predicted = model.predict(n_open_melds, feature_matrix(tenpai_rows))
    assert np.isfinite(predicted).all()
    assert (predicted <= 0.5).all()


def simulated(n_rows: int = 4000, **columns: Any) -> pd.DataFrame:
    """Rows with independent features 0–3, and 0–2 open melds; a label must be added."""
    rng = np.random.default_rng(1)
    rows = pd.DataFrame({name: rng.integers(0, 4, n_rows) for name in NAMES})
    rows["n_open_melds"] = rng.integers(0, 3, n_rows)
    rows["game"] = pd.Categorical(rng.integers(0, 40, n_rows))
    rows["noise"] = rng.random(n_rows)
    return rows.assign(**columns)


def test_pairs_are_selected() -> None:
    """A label that only two features together predict selects their pair."""
    rows = simulated()
    pair = "dangerous_discards", "points_vs_best"
    rows["tenpai"] = (rows[pair[0]] % 2 == rows[pair[1]] % 2) ^ (rows["noise"] < 0.2)
    gam = TenpaiGAM(pair_rounds=1, pairs=1, subsample_stride=2, l2_pairs=1.0).fit(FrameShards(rows))
    assert [regression.pairs for regression in gam.regressions_] == [
        [tuple(map(NAMES.index, pair))]
    ] * 2
    assert (gam.predict(rows) == rows["tenpai"]).mean() > 0.75


def test_few_rows_fall_back_on_a_logistic_regression() -> None:
    """A strong penalty leaves scikit-learn's line of the values; many rows add to it."""
    rows = simulated()
    slope = rows["rank"] + rows["n_open_melds"]
    rows["tenpai"] = expit(slope - 3.0 + (rows["points"] == 2)) > rows["noise"]
    columns = baseline_columns(rows)
    logit = baseline(0.01).fit(columns, rows["tenpai"]).predict_proba(columns)[:, 1]
    few = TenpaiGAM().pulled(1e9).fit(FrameShards(rows)).to_runtime()
    melds, features = columns[:, -1], columns[:, :-1]
    assert few.predict(melds, features) == pytest.approx(logit, abs=1e-3)
    weights = few.weights[0, : few.bins.offsets[1]]
    assert np.diff(weights, 2) == pytest.approx(0.0, abs=1e-6)
    many = TenpaiGAM(pair_rounds=0).fit(FrameShards(rows)).to_runtime()
    start = many.bins.offsets[NAMES.index("points")]
    step = np.diff(many.weights[0, start : start + 4])
    assert step[1] > 0.4 > 0 > step[2]


@pytest.mark.parametrize("n_games", [30, 150])
def test_few_games_are_not_worse_than_a_logistic_regression(n_games: int) -> None:
    """On other games, where the truth is a line, which look-ups without one fit worse."""
    rows = simulated()
    slopes = np.linspace(-0.4, 0.4, len(NAMES))
    logits = rows[NAMES].clip(-3, 3) @ slopes + rows["n_open_melds"] - 2.0
    rows = rows.assign(tenpai=expit(logits) > rows["noise"])
    rows["game"] = (np.arange(len(rows)) % (3 * n_games)).astype(str)
    is_fitted = rows["game"].astype(int) < n_games
    fitted, others = rows[is_fitted], rows[~is_fitted]
    own = tenpai_gam.from_nothing({}, FrameShards(fitted), n_games).predict_proba(others)
    logit = baseline().fit(baseline_columns(fitted), fitted["tenpai"])
    both = own, logit.predict_proba(baseline_columns(others))
    losses = [row_losses(predicted[:, 1], others["tenpai"].to_numpy()) for predicted in both]
    less, half = clustered_mean(losses[0] - losses[1], others["game"].tolist())
    assert less < half


def test_l2_per_meld_draws_the_numbers_of_melds_together() -> None:
    """A feature that acts differently with one and with two melds."""
    rows = simulated(n_open_melds=1 + np.arange(4000) % 2)
    high = rows["rank"] >= 2
    rows["tenpai"] = np.where(rows["n_open_melds"] == 1, high, ~high) ^ (rows["noise"] < 0.2)

    def contrast(l2_per_meld: float) -> float:
        """The effect of the feature with one meld less that with two, in logits."""
        gam = TenpaiGAM(pair_rounds=0, pairs=0, l2_per_meld=l2_per_meld).fit(FrameShards(rows))
        model = gam.to_runtime()
        start = model.bins.offsets[NAMES.index("rank")]
        effect = model.weights[:, start + 3] - model.weights[:, start]
        return float(effect[1] - effect[2])

    weak, strong = contrast(1.0), contrast(1000.0)
    assert weak > 3.0
    assert 0 < strong < 0.2 * weak


def test_l2_pairs_shrinks_the_pairs() -> None:
    rows = simulated()
    rows["tenpai"] = (rows["rank"] % 2 == rows["points"] % 2) ^ (rows["noise"] < 0.2)

    def largest(l2_pairs: float) -> float:
        gam = TenpaiGAM(pair_rounds=1, pairs=1, l2_pairs=l2_pairs).fit(FrameShards(rows))
        model = gam.to_runtime()
        return float(np.abs(model.weights[0, model.bins.offsets[len(NAMES)] :]).max())

    assert largest(1.0) > 2 * largest(30.0) > 0


def test_the_subsample(tenpai_rows: pd.DataFrame) -> None:
    """One of four rows that are closed and not tenpai, and all others."""
    frequent = ((tenpai_rows["n_open_melds"] == 0) & ~tenpai_rows["tenpai"]).to_numpy()
    mask = subsample_mask(tenpai_rows, 4)
    assert mask[~frequent].all()
    shifts = set()
    for _, used in pd.Series(mask[frequent]).groupby(tenpai_rows["game"].to_numpy()[frequent]):
        index = np.flatnonzero(used)
        assert (np.diff(index) == 4).all()
        shifts.add(int(index[0]))
    assert len(shifts) > 1


def test_the_subsample_of_a_game_does_not_depend_on_other_games(
    tenpai_rows: pd.DataFrame,
) -> None:
    mask = subsample_mask(tenpai_rows, 4)
    for game in tenpai_rows["game"].unique():
        of_game = (tenpai_rows["game"] == game).to_numpy()
        assert (subsample_mask(tenpai_rows[of_game], 4) == mask[of_game]).all()


def test_the_fit_uses_the_weights_of_the_subsample(tenpai_rows: pd.DataFrame) -> None:
    """The mean prediction of closed hands is the rate of all rows, not of the used ones."""
    closed = tenpai_rows[tenpai_rows["n_open_melds"] == 0]
    gam = TenpaiGAM(**SMALL | {"pair_rounds": 0}, subsample_stride=4).fit(FrameShards(tenpai_rows))
    used = closed[subsample_mask(closed, 4)]
    weights = np.where(used["tenpai"], 1.0, 4.0)
    predicted = float(weights @ gam.predict_proba(used)[:, 1] / weights.sum())
    rate = float(weights @ used["tenpai"] / weights.sum())
    assert predicted == pytest.approx(rate, rel=1e-4)
    assert rate < 0.5 * used["tenpai"].mean()


def test_it_is_a_classifier_of_scikit_learn(tenpai_rows: pd.DataFrame) -> None:
    """Validation by game, a search and a calibration, on a table with labels beside it."""
    label = tenpai_rows["tenpai"].to_numpy()
    rows = tenpai_rows.assign(tenpai=False)
    gam = TenpaiGAM(fine=4, coarse=3, pair_rounds=0)
    games = {"cv": GroupKFold(2), "scoring": "neg_log_loss"}
    scores = cross_val_score(gam, rows, label, groups=rows["game"], **games)
    constant = log_loss(label, np.full(len(label), label.mean()))
    assert (scores > -constant).all()
    search = GridSearchCV(gam, {"fine": [2, 8]}, **games).fit(rows, label, groups=rows["game"])
    assert search.best_params_["fine"] in (2, 8)
    calibrated = CalibratedClassifierCV(gam, cv=2).fit(rows, label)
    assert calibrated.predict_proba(rows)[:, 1].mean() == pytest.approx(label.mean(), abs=0.02)
    direct = gam.fit(tenpai_rows).predict_proba(rows)
    assert np.array_equal(gam.fit(rows, label).predict_proba(rows), direct)
