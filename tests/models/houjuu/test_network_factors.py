"""Factors of the terms of the logit of P(tenpai), on simulated rows and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from houjuu.estimators.log_linear.rooms import TenpaiRows
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.reading.tenpai_features import FEATURES
from houjuu.util.arrays import Bools, Floats, Ints
from models.houjuu import discard_network, export
from models.houjuu.discard_network import DiscardNetworkFit
from tests.kit.files import shipped

TRUE = np.array([[0.8, 0.5, 0.1], [1.0, 1.0, 0.0], [1.3, 0.7, -0.4], [0.9, 0.0, 0.2]])


def fit(terms: Floats, melds: Ints, label: Bools) -> Floats:
    rows = TenpaiRows(terms, melds, label, np.zeros(len(melds), np.uint64))
    return discard_network.fitted_factors(rows, np.ones(len(melds), bool))


def test_the_factors_of_the_simulation_come_back() -> None:
    rng = np.random.default_rng(0)
    gam, network, melds = (
        rng.normal(-1, 1.5, 80_000),
        rng.normal(0, 1, 80_000),
        rng.integers(0, 4, 80_000),
    )
    terms = np.column_stack([gam, network, np.ones(80_000)])
    label = rng.random(80_000) < expit((terms * TRUE[melds]).sum(axis=1))
    factors = fit(terms, melds, label)
    assert factors == pytest.approx(TRUE, abs=0.1)
    for group in range(4):
        rows = melds == group
        (both,) = LogisticRegression(C=np.inf).fit(terms[rows, :2], label[rows]).coef_
        assert factors[group, :2] == pytest.approx(both, abs=0.01)


def test_few_rows_change_little() -> None:
    """Without a row the terms are as they were; one row of a rare outcome moves them a little."""
    none = fit(np.zeros((0, 3)), np.zeros(0, int), np.zeros(0, bool))
    assert np.array_equal(none, np.tile(discard_network.UNCHANGED, (4, 1)))
    one = fit(np.array([[-3.0, 0.0, 1.0]]), np.array([2]), np.array([True]))
    assert one[2] != pytest.approx(discard_network.UNCHANGED, abs=1e-3)
    assert one[2] == pytest.approx(discard_network.UNCHANGED, abs=0.2)


def test_the_exported_model_has_the_factors() -> None:
    """The GAM's logits of the file are multiplied; everything else of the additive file stays."""
    additive = shipped("houjuu-additive")
    fit = DiscardNetworkFit(units=2)
    fit.weights_ = fit._start(np.random.default_rng(0))
    fit.gam_factors_ = np.array([0.9, 0.8, 1.1, 1.2])
    part = export.network_part(TenpaiModel.from_parameters(additive).gam, fit)
    exported = export.network_parameters(additive, part, {})
    before, after = (TenpaiModel.from_parameters(file) for file in (additive, exported))
    features = np.random.default_rng(1).integers(0, 9, (40, len(FEATURES)))
    melds = np.arange(40) % 4
    logits = before.gam.logits(melds, features)
    assert after.gam.logits(melds, features) == pytest.approx(fit.gam_factors_[melds] * logits)
    assert after.network is not None
    changed = {"tenpai_gam/bias", "tenpai_gam/weights"}
    for name in additive.arrays.keys() - changed:
        assert np.array_equal(exported.arrays[name], additive.arrays[name])


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        ((1.0, 0.0, 0.0), discard_network.WITHOUT),
        ((1.5, 0.0, 0.3), discard_network.WITHOUT),  # a GAM that saw the rows
        ((0.9, 0.8, 0.3), (0.9, 0.8, 0.3)),
    ],
)
def test_a_network_that_does_not_help_has_the_factor_0(
    truth: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    """200 games of 60 rows; fewer than two games decide nothing."""
    rng = np.random.default_rng(2)
    n = 12_000
    gam, network, melds = rng.normal(-1, 1.5, n), rng.normal(0, 1, n), rng.integers(0, 4, n)
    terms = np.column_stack([gam, network, np.ones(n)])
    label = rng.random(n) < expit(terms @ truth)
    game = np.repeat(rng.integers(0, 2**63, 200).astype(np.uint64), 60)
    rows = TenpaiRows(terms, melds, label, game)
    factors = discard_network.chosen_factors(rows)
    exact = expected == discard_network.WITHOUT
    assert factors == pytest.approx(np.tile(expected, (4, 1)), abs=1e-12 if exact else 0.2)
    one = discard_network.chosen_factors(TenpaiRows(terms[:60], melds[:60], label[:60], game[:60]))
    assert np.array_equal(one, np.tile(discard_network.WITHOUT, (4, 1)))
