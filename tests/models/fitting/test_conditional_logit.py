"""The fit of conditional logits, against scikit-learn and against simulated data."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from houjuu.estimators.log_linear import melded_waits
from houjuu.estimators.log_linear.conditional_logit import ConditionalLogit, LookupTerm, TermSet
from houjuu.estimators.log_linear.melded_waits import MeldedWaitModel
from houjuu.reading.shared_features import FeatureSpec
from houjuu.reading.wait_features import FeatureLayout
from models.fitting.conditional_logit import LogitSamples, compact, fit, fit_independent
from models.fitting.shards import ArrayList
from tests.kit.random_features import random_features


def binary_samples(weight: np.ndarray) -> tuple[TermSet, LogitSamples, np.ndarray]:
    """Samples of two alternatives with a term each, and their one-hot features."""
    rng = np.random.default_rng(1)
    layout = FeatureLayout(([FeatureSpec("a", 4, ""), FeatureSpec("b", 3, "")], 1))
    group, zero = np.array([0, 1]), np.zeros(2, np.int64)
    terms = TermSet(
        [LookupTerm("a", group, [("a", zero)]), LookupTerm("b", group, [("b", zero)])], layout
    )
    n = len(weight)
    features = np.column_stack([rng.integers(4, size=n), rng.integers(3, size=n)]).astype(np.int8)
    probability = 1 / (1 + np.exp(-0.7 * features[:, 0] + 1.1 * features[:, 1]))
    label = rng.random(n) < probability
    samples = LogitSamples(
        features,
        np.zeros((n, 2)),
        np.ones((n, 2), dtype=bool),
        np.column_stack([~label, label]).astype(float),
        weight,
    )
    return terms, samples, np.hstack([np.eye(4)[features[:, 0]], np.eye(3)[features[:, 1]]])


@pytest.mark.parametrize("weighted", [False, True])
def test_two_alternatives_are_a_logistic_regression(weighted: bool) -> None:
    """Both alternatives have terms: their weights are opposite, so the penalty counts half."""
    weight = np.random.default_rng(2).integers(1, 4, 3000) if weighted else np.ones(3000)
    terms, samples, one_hot = binary_samples(weight.astype(float))
    weights = fit(terms, ArrayList([compact(terms, samples)]), penalty=2.0)
    theirs = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10, max_iter=1000)
    theirs.fit(one_hot, samples.label[:, 1] > 0, samples.weight / samples.weight.mean())
    logit = ConditionalLogit(terms, weights)
    ours = logit.predict(samples.features, samples.prior, samples.mask)[:, 1]
    assert ours == pytest.approx(theirs.predict_proba(one_hot)[:, 1], abs=1e-6)


def test_scale_and_prior_exponent_are_recovered() -> None:
    """Independent labels simulated from a known model of two groups, with four alternatives."""
    rng = np.random.default_rng(8)
    n, alternative = 20000, np.array([0, 1, 2, 3, 4])
    layout = FeatureLayout(([FeatureSpec("a", 2, "")], 5))
    terms = TermSet([LookupTerm("a", alternative, [("a", alternative)])], layout)
    features = rng.integers(2, size=(n, 5)).astype(np.int8)
    features[:, -1] = 0
    prior = np.column_stack([rng.normal(size=(n, 4)), np.zeros(n)])
    mask = np.ones((n, 5), dtype=bool)
    mask[:, 0] = rng.random(n) < 0.5
    groups = rng.integers(2, size=n)
    scale, exponent = np.array([1.2, 0.6]), np.array([0.5, 1.5])
    weights = np.array([0.0, 0.8, 0.0, -0.9, 0.0, 0.4, 0.0, 0.0, 0.0, 0.0])
    tempered = np.column_stack([exponent[groups, None] * prior[:, :4], prior[:, 4]])

    def probabilities(weights: np.ndarray) -> np.ndarray:
        share = ConditionalLogit(terms, weights).predict(features, tempered, mask)
        return np.asarray(share[:, :4] * scale[groups, None])

    label = np.zeros((n, 5))
    label[:, :4] = rng.random((n, 4)) < probabilities(weights)
    samples = LogitSamples(features, prior, mask, label, np.ones(n), groups)
    shards = ArrayList([compact(terms, samples)])
    result = fit_independent(terms, shards, np.zeros(2, bool), penalty=1e-3)
    assert result.scale == pytest.approx(scale, abs=0.05)
    assert result.prior_exponent == pytest.approx(exponent, abs=0.1)
    assert probabilities(result.weights) == pytest.approx(probabilities(weights), abs=0.06)
    single = fit_independent(terms, shards, np.array([True, False]), penalty=1e-3)
    assert single.scale[0] == 1
    assert single.scale[1] == pytest.approx(scale[1], abs=0.05)
    assert single.prior_exponent[0] != 1


def test_without_samples_the_weights_are_zero() -> None:
    terms = melded_waits.TERMS
    zeros = np.zeros((0, terms.alternatives))
    samples = LogitSamples(random_features(0), zeros, zeros.astype(bool), zeros, np.zeros(0))
    shards = ArrayList([compact(terms, samples)] * 2)
    assert not fit(terms, shards, 1.0).any()
    result = fit_independent(terms, shards, np.arange(5) == 4, 1.0)
    assert not result.weights.any()
    assert result.scale.tolist() == pytest.approx([1.5, 1.5, 1.5, 1.5, 1.0])
    MeldedWaitModel(result.weights, result.scale, result.prior_exponent)
