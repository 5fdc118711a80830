"""The penalized logit, against scikit-learn and against numerical derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from houjuu.player.round_end.logit import Block, places, probabilities
from houjuu.util.arrays import Floats
from models.fitting.penalized_logit import LogitRows, chunks, derivatives, fit, regression
from models.fitting.shards import ArrayList, Arrays

SCIKIT_LEARN = partial(LogisticRegression, fit_intercept=False, tol=1e-10)


def rows(n: int, n_alternatives: int, seed: int = 0) -> Arrays:
    rng = np.random.default_rng(seed)
    terms = rng.normal(size=(n, 3))
    logits = terms @ rng.normal(size=(3, n_alternatives))
    return {"terms": terms, "label": (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)}


def in_shards(arrays: Arrays) -> ArrayList:
    halves = (slice(0, 300), slice(300, None))
    return ArrayList({name: array[half] for name, array in arrays.items()} for half in halves)


def plain(n_alternatives: int, arrays: Arrays) -> Iterator[LogitRows]:
    """A block for each alternative, all with the same terms and each with its own weights."""
    one_hot = np.eye(n_alternatives)[:, None]
    for chunk in chunks(arrays):
        terms = chunk["terms"][:, None]
        blocks = [Block(slice(3 * a, 3 * a + 3), one_hot[a], terms) for a in range(n_alternatives)]
        yield LogitRows(blocks, chunk["label"])


@pytest.mark.parametrize("penalty", [1.0, 30.0])
def test_several_alternatives_are_a_multinomial_regression(penalty: float) -> None:
    """Of more rows than one chunk; scikit-learn's weights, by both ways of fitting."""
    arrays = rows(3000, 4)
    weights = fit(in_shards(arrays), partial(plain, 4), np.zeros((1, 12)), penalty)
    oracle = SCIKIT_LEARN(C=1 / penalty).fit(arrays["terms"], arrays["label"])
    assert weights.reshape(4, 3) == pytest.approx(oracle.coef_, abs=1e-4)
    plainly = regression(arrays["terms"], arrays["label"], 4, penalty)
    assert weights.reshape(4, 3) == pytest.approx(plainly, rel=1e-8)


def test_numbers_stay_positive() -> None:
    """One that would be negative is nearly 0; the others are those of the fit without its term."""
    rng = np.random.default_rng(0)
    terms = rng.normal(size=(3000, 3))
    label = 1 * (terms @ [1.0, -1.0, 0.5] + rng.logistic(size=3000) < 0)
    matrix = sparse.csr_matrix(np.eye(6)[:3] - np.eye(6)[3:])  # of the first less the second

    def numbers(terms: Floats, factor: float | None) -> Floats:
        start = np.array([[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]])
        shards = in_shards({"terms": terms, "label": label})
        positive = None if factor is None else (matrix, factor)
        return np.asarray(
            matrix @ fit(shards, partial(plain, 2), start, 1.0, positive=positive).ravel()
        )

    free, kept = numbers(terms, None), numbers(terms, 1e-4)
    assert free == pytest.approx([1.0, -1.0, 0.5], abs=0.15)
    assert 0 < kept[1] < 1e-3
    without = numbers(terms * [1, 0, 1], None)
    assert kept[[0, 2]] == pytest.approx(without[[0, 2]], abs=1e-3)


def test_a_regression_may_have_an_intercept() -> None:
    arrays = rows(1000, 2)
    label = arrays["label"] ^ (arrays["terms"][:, 0] > -1)
    weights = regression(arrays["terms"], label, 2, 2.0, intercept=True)
    oracle = LogisticRegression(C=0.5, tol=1e-10).fit(arrays["terms"], label)
    expected = np.append(oracle.intercept_, oracle.coef_)
    assert weights == pytest.approx(expected[None], abs=1e-5)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_class_without_rows_has_weights(n_classes: int) -> None:
    """The weights of the penalized logit, which knows all alternatives."""
    arrays = rows(400, n_classes - 1) | {"label": np.zeros(400, np.int64)}
    weights = regression(arrays["terms"], arrays["label"], n_classes, 3.0)
    design = partial(plain, n_classes)
    expected = fit(in_shards(arrays), design, np.zeros((1, 3 * n_classes)), 3.0)
    by_class = expected.reshape(n_classes, 3)
    if n_classes == 2:  # one weight that is penalized once, for two of opposite sign
        by_class = by_class[1:]
        assert (weights * by_class > 0).all()
    else:
        assert weights == pytest.approx(by_class, rel=1e-8)
    none = regression(arrays["terms"][:0], arrays["label"][:0], n_classes, 3.0)
    assert none.tolist() == np.zeros_like(weights).tolist()


def test_an_impossible_alternative_does_not_count() -> None:
    """A third alternative that no row has changes nothing."""
    arrays = rows(600, 2)

    def masked(arrays: Arrays) -> Iterator[LogitRows]:
        for some in plain(3, arrays):
            mask = np.tile([True, True, False], (len(some.label), 1))
            yield some._replace(mask=mask)

    weights = fit(in_shards(arrays), masked, np.zeros((1, 9)), 1.0)
    expected = fit(in_shards(arrays), partial(plain, 2), np.zeros((1, 6)), 1.0)
    assert weights[0, :6] == pytest.approx(expected[0], rel=1e-8)
    assert not weights[0, 6:].any()


def test_groups_have_their_own_weights_and_penalties_tie_them() -> None:
    first, second = rows(700, 2, seed=1), rows(500, 2, seed=2)

    def grouped(arrays: Arrays) -> Iterator[LogitRows]:
        for group in range(2):
            in_group = arrays["group"] == group
            own = {name: arrays[name][in_group] for name in ("terms", "label")}
            yield from (some._replace(group=group) for some in plain(2, own))

    both = {name: np.concatenate([first[name], second[name]]) for name in first}
    both["group"] = np.repeat([0, 1], [700, 500])
    start, difference = np.zeros((2, 6)), np.array([[1.0, -1.0], [-1.0, 1.0]])
    free = fit(in_shards(both), grouped, start, np.eye(12))
    for weights, alone in zip(free, (first, second), strict=True):
        expected = fit(in_shards(alone), partial(plain, 2), np.zeros((1, 6)), 1.0)
        assert weights == pytest.approx(expected[0], rel=1e-8)
    tied = fit(in_shards(both), grouped, start, np.eye(12) + 1e6 * np.kron(difference, np.eye(6)))
    assert tied[0] == pytest.approx(tied[1], abs=1e-3)


def test_fixed_weights_keep_their_start() -> None:
    start = np.array([[0.5, 0, 0, 0, 0, 0]])
    arrays = rows(600, 2)
    weights = fit(in_shards(arrays), partial(plain, 2), start, 1.0, fixed=[0, 1])
    assert weights[0, :2].tolist() == [0.5, 0.0]
    again = fit(in_shards(arrays), partial(plain, 2), weights, 1.0, fixed=[0, 1])
    assert again == pytest.approx(weights, rel=1e-9)


def shared(arrays: Arrays) -> LogitRows:
    """A block that occurs twice, once with two counts, another one, and a mask."""
    terms = arrays["terms"]
    both_ways = np.stack((terms, terms[:, ::-1]), axis=1)
    blocks = [
        Block(slice(0, 3), np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 1.0]]), both_ways),
        Block(slice(3, 4), np.array([[0.0, 0.0, 1.0]]), terms[:, None, :1]),
    ]
    return LogitRows(blocks, arrays["label"])


def test_the_derivatives_are_those_of_the_loss() -> None:
    arrays = rows(50, 3)
    weights, step = np.array([0.3, -0.2, 0.5, 0.1]), 1e-5

    def loss(weights: Floats) -> float:
        odds = probabilities(shared(arrays).blocks, weights)
        return float(-np.log(odds[np.arange(len(odds)), arrays["label"]]).sum())

    def gradient_at(weights: Floats) -> Floats:
        return derivatives(shared(arrays), weights)[1]

    value, gradient, hessian = derivatives(shared(arrays), weights)
    assert value == pytest.approx(loss(weights))
    steps = np.eye(4) * step
    slopes = [(loss(weights + s) - loss(weights - s)) / (2 * step) for s in steps]
    assert gradient == pytest.approx(slopes, rel=1e-6)
    bends = [(gradient_at(weights + s) - gradient_at(weights - s)) / (2 * step) for s in steps]
    assert hessian == pytest.approx(np.array(bends), rel=1e-5)


def test_places_follow_one_another() -> None:
    assert places([["a", "b"], ["c"], []]) == [slice(0, 2), slice(2, 3), slice(3, 3)]
