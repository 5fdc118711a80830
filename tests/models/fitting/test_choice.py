"""The fit of choices, against scikit-learn and against numerical derivatives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from houjuu.player.round_end import logit as runtime
from houjuu.player.round_end.logit import Part, by_alternative, either, places
from houjuu.util.arrays import Floats
from models.fitting import choice
from models.fitting.choice import CHOICE
from models.fitting.shards import ArrayList, Arrays


def rows(n: int, n_alternatives: int, seed: int = 0) -> Arrays:
    rng = np.random.default_rng(seed)
    terms = rng.normal(size=(n, 3))
    logits = terms @ rng.normal(size=(3, n_alternatives))
    return {"terms": terms, CHOICE: (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)}


def in_parts(arrays: Arrays) -> ArrayList:
    halves = (slice(0, 300), slice(300, None))
    return ArrayList({name: array[half] for name, array in arrays.items()} for half in halves)


@pytest.mark.parametrize("penalty", [1.0, 30.0])
def test_either_is_logistic_regression(penalty: float) -> None:
    arrays = rows(1000, 2)
    weights = choice.fit(in_parts(arrays), lambda some: either(some["terms"]), 3, penalty)
    oracle = LogisticRegression(C=1 / penalty, fit_intercept=False, tol=1e-10)
    oracle.fit(arrays["terms"], arrays[CHOICE])
    assert weights == pytest.approx(oracle.coef_[0], abs=1e-5)
    found = runtime.probabilities(either(arrays["terms"]), weights)
    assert found == pytest.approx(oracle.predict_proba(arrays["terms"]), abs=1e-5)


def test_by_alternative_is_multinomial_regression() -> None:
    arrays = rows(1000, 4)
    weights = choice.fit(in_parts(arrays), lambda some: by_alternative(some["terms"], 4), 12, 1.0)
    oracle = LogisticRegression(C=1.0, fit_intercept=False, tol=1e-10)
    oracle.fit(arrays["terms"], arrays[CHOICE])
    assert weights.reshape(4, 3) == pytest.approx(oracle.coef_, abs=1e-4)


def test_rows_without_a_choice_do_not_count() -> None:
    arrays, more = rows(600, 2), rows(400, 2, seed=1)
    more[CHOICE][:] = -1
    both = {name: np.concatenate([arrays[name], more[name]]) for name in arrays}
    fits = [
        choice.fit(in_parts(some), lambda some: either(some["terms"]), 3, 1.0)
        for some in (arrays, both)
    ]
    assert fits[0] == pytest.approx(fits[1], rel=1e-9)


def shared(arrays: Arrays) -> list[Part]:
    """A part that occurs twice, once with two counts, and another one."""
    terms = arrays["terms"]
    both_ways = np.stack((terms, terms[:, ::-1]), axis=1)
    return [
        Part(slice(0, 3), np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 1.0]]), both_ways),
        Part(slice(3, 4), np.array([[0.0, 0.0, 1.0]]), terms[:, None, :1]),
    ]


def loss(arrays: Arrays, weights: Floats) -> float:
    odds = runtime.probabilities(shared(arrays), weights)
    return float(-np.log(odds[np.arange(len(odds)), arrays[CHOICE]]).sum())


def test_the_derivatives_are_those_of_the_loss() -> None:
    arrays = rows(50, 3)
    weights, step = np.array([0.3, -0.2, 0.5, 0.1]), 1e-5
    value, gradient, hessian = choice._derivatives(shared, weights, arrays)
    assert value == pytest.approx(loss(arrays, weights))
    steps = np.eye(4) * step
    slopes = [(loss(arrays, weights + s) - loss(arrays, weights - s)) / (2 * step) for s in steps]
    assert gradient == pytest.approx(slopes, rel=1e-6)
    of = partial(choice._derivatives, shared, arrays=arrays)
    bends = [(of(weights=weights + s)[1] - of(weights=weights - s)[1]) / (2 * step) for s in steps]
    assert hessian == pytest.approx(np.array(bends), rel=1e-5)


def test_places_follow_one_another() -> None:
    assert places([["a", "b"], ["c"], []]) == [slice(0, 2), slice(2, 3), slice(3, 3)]
