"""Penalized logits with a dense design: P(alternative) ∝ exp(logit), linear in the weights.

`regression` is for one set of terms, of which every alternative has its own weights, and for rows
that fit into memory: scikit-learn fits it.

`fit` is the conditional logit (McFadden 1974) of `houjuu.player.round_end.logit`: alternatives
share weights, a mask has the possible ones, groups of rows have weights of their own, and a matrix
of penalties ties weights to each other. No library fits all of that, nor rows in shards. It needs
few weights: the Hessian is exact.

One row through the steps, with two blocks and three alternatives. The first block occurs twice
with the weight w₀, in the logits of alternatives 0 and 1; the second belongs to alternative 2:

>>> first = Block(slice(0, 1), np.array([[1.0, 0, 0], [0, 1, 0]]), np.array([[[2.0], [3.0]]]))
>>> second = Block(slice(1, 2), np.array([[0, 0, 1.0]]), np.array([[[1.0]]]))
>>> rows = LogitRows([first, second], label=np.array([1]))

With weights of 0 the three logits (2 w₀, 3 w₀, w₁) are equal, and the loss is log 3. The gradient
is the expected term less that of the label: (2 + 3) / 3 − 3 and 1/3 − 0. The Hessian is the
covariance of the terms (2, 0), (3, 0) and (0, 1) of the alternatives:

>>> loss, gradient, hessian = derivatives(rows, np.zeros(2))
>>> round(loss, 4), gradient.round(4).tolist()
(1.0986, [-1.3333, 0.3333])
>>> hessian.round(4).tolist()
[[1.5556, -0.5556], [-0.5556, 0.2222]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import block_diag
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from houjuu.player.round_end.logit import Block, logits
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting import convex
from models.fitting.shards import Arrays, ArrayShards, Part, early_part, sums

_CHUNK = 2_000  # unit: rows
_SCIKIT_LEARN = {"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 1000}
"""Newton's method, down to a gradient that leaves more than six digits of the weights."""


class LogitRows(NamedTuple):
    """Some rows of one group.

    Attributes
    ----------
    blocks : sequence of Block
    label : (n,) array
        The true alternative.
    mask : (n, alternatives) array, optional
        The possible alternatives; default: all.
    group : int, default=0
    """

    blocks: Sequence[Block]
    label: Ints
    mask: Bools | None = None
    group: int = 0


Design = Callable[[Arrays], Iterable[LogitRows]]
"""Maps the arrays of a shard to its rows, some at a time; it is pickled."""


def fit(
    shards: ArrayShards,
    design: Design,
    start: Floats,
    penalty: float | Floats,
    fixed: Sequence[int] = (),
    *,
    positive: tuple[sparse.csr_matrix, float] | None = None,
) -> Floats:
    """The weights that minimize the log loss of all rows plus the penalty, (groups, weights).

    Parameters
    ----------
    shards : ArrayShards
    design : callable
    start : (groups, weights) array
        Weights to start from.
    penalty : float or matrix
        L2 penalty: the loss grows by w·P·w/2, where w are the weights of all groups in a row, and P
        is the matrix or the number times the identity; positive definite.
    fixed : sequence of int
        Positions in w of weights that keep their start.
    positive : (sparse matrix, float), optional
        The numbers matrix · w stay above 0, where they must start: the loss falls by their
        logarithms times the second number.

    Raises
    ------
    Error
        The search has not converged.
    """
    matrix = penalty * np.eye(start.size) if isinstance(penalty, float) else penalty
    fixed = list(fixed)

    def derivatives_of(part: Part, weights: Floats) -> tuple[float, Floats, Floats]:
        by_group = weights.reshape(start.shape)
        barrier = _barrier(weights, *positive) if positive else None
        if barrier and barrier[0] == np.inf:
            return barrier
        shard_derivatives = partial(_shard_derivatives, design, by_group)
        loss, gradients, hessians = part.sums(shard_derivatives)
        gradient = gradients.ravel() + matrix @ weights
        hessian = block_diag(*hessians) + matrix
        gradient[fixed] = hessian[fixed] = hessian[:, fixed] = 0.0
        hessian[fixed, fixed] = 1.0
        loss += weights @ matrix @ weights / 2
        if barrier:
            loss, gradient, hessian = sums([(loss, gradient, hessian), barrier])
        return float(loss), gradient, hessian

    weights = start.ravel()
    for part in dict.fromkeys((early_part(shards), Part(shards, 1.0))):
        weights = convex.newton(partial(derivatives_of, part), weights)
    return weights.reshape(start.shape)


def _barrier(
    weights: Floats, matrix: sparse.csr_matrix, factor: float
) -> tuple[float, Floats, Floats]:
    """The negative logarithms of the numbers that stay positive, and the two derivatives."""
    numbers = matrix @ weights
    if not (numbers > 0).all():
        return np.inf, weights, np.eye(len(weights))
    scaled = sparse.diags(1 / numbers) @ matrix
    gradient = -factor * (matrix.T @ (1 / numbers))
    return -factor * np.log(numbers).sum(), gradient, factor * (scaled.T @ scaled).toarray()


def _shard_derivatives(
    design: Design, weights: Floats, arrays: Arrays
) -> tuple[float, Floats, Floats]:
    """The loss of a shard, and by group its gradients, (g, w), and Hessians, (g, w, w)."""
    loss = 0.0
    gradients = np.zeros(weights.shape)
    hessians = np.zeros((*weights.shape, weights.shape[1]))
    for rows in design(arrays):
        own_loss, gradient, hessian = derivatives(rows, weights[rows.group])
        loss += own_loss
        gradients[rows.group] += gradient
        hessians[rows.group] += hessian
    return loss, gradients, hessians


def derivatives(rows: LogitRows, weights: Floats) -> tuple[float, Floats, Floats]:
    """The log loss of the rows, its gradient, (w,), and its Hessian, (w, w), without a penalty."""
    blocks = rows.blocks
    label = rows.label
    counts = np.concatenate([block.counts for block in blocks])
    utilities = logits(blocks, weights)
    if rows.mask is not None:
        utilities = np.where(rows.mask, utilities, -np.inf)
    log_odds = log_softmax(utilities, axis=1)
    loss = -log_odds[np.arange(len(label)), label].sum()
    odds = np.exp(log_odds)
    expected = odds @ counts.T
    surplus = expected - counts[:, label].T
    covariance = _covariances(odds, counts, expected)
    n_weights = len(weights)
    gradient = np.zeros(n_weights)
    hessian = np.zeros((n_weights, n_weights))
    pairs = [*zip(blocks, _occurrences(blocks), strict=True)]
    for number, (block, occurrences) in enumerate(pairs):
        block_surplus = surplus[:, occurrences]
        gradient[block.place] += np.einsum("nm,nmk->k", block_surplus, block.terms)
        flat = block.terms.reshape(-1, block.terms.shape[2])
        for other, other_occurrences in pairs[: number + 1]:
            block_covariance = covariance[:, occurrences, other_occurrences]
            weighted = block_covariance @ other.terms
            product = flat.T @ weighted.reshape(len(flat), -1)
            hessian[block.place, other.place] += product
            if other is not block:
                hessian[other.place, block.place] += product.T
    return float(loss), gradient, hessian


def _covariances(odds: Floats, counts: Floats, expected: Floats) -> Floats:
    """The covariances of the counts of all occurrences of blocks, in each row, (n, m, m)."""
    n_occurrences, n_alternatives = counts.shape
    products = (counts[:, None] * counts).reshape(-1, n_alternatives)
    mean_products = odds @ products.T
    mean_products = mean_products.reshape(-1, n_occurrences, n_occurrences)
    products_of_means = expected[:, :, None] * expected[:, None, :]
    return np.asarray(mean_products - products_of_means)


def _occurrences(blocks: Sequence[Block]) -> list[slice]:
    """The occurrences of each block among those of all blocks."""
    occurrences = []
    start = 0
    for block in blocks:
        end = start + len(block.counts)
        occurrences.append(slice(start, end))
        start = end
    return occurrences


def chunks(arrays: Arrays) -> Iterator[Arrays]:
    """Yield the rows of arrays of one length, some at a time: terms need much memory."""
    n_rows = len(next(iter(arrays.values())))
    for start in range(0, n_rows, _CHUNK):
        yield {name: array[start : start + _CHUNK] for name, array in arrays.items()}


def regression(
    terms: Floats, label: Ints | Bools, n_classes: int, penalty: float, *, intercept: bool = False
) -> Floats:
    """The weights of a logistic regression by scikit-learn: a row for each class but of two one.

    Parameters
    ----------
    terms : (n, k) array
    label : (n,) array
        0 to `n_classes` − 1; a class may have no row.
    n_classes : int
    penalty : float
        L2 penalty, 1/C in scikit-learn's terms.
    intercept : bool
        Whether the first column of the result is an intercept, which has no penalty.

    Returns
    -------
    (1, k) array where `n_classes` is 2, otherwise (n_classes, k); with an intercept k + 1
        The weights of the second class, or of each class; 0 without any row.
    """
    n_rows, n_terms = terms.shape
    if not n_rows:
        n_rows_of_weights = 1 if n_classes == 2 else n_classes
        return np.zeros((n_rows_of_weights, n_terms + intercept))
    # scikit-learn drops a class without rows, which must have weights: a row of weight 0 for each.
    weight = np.repeat([1.0, 0.0], [n_rows, n_classes])
    no_terms = np.zeros((n_classes, n_terms))
    fitted = LogisticRegression(C=1 / penalty, fit_intercept=intercept, **_SCIKIT_LEARN).fit(
        np.vstack([terms, no_terms]),
        np.append(label, np.arange(n_classes)),
        sample_weight=weight,
    )
    columns = [fitted.intercept_[:, None]] if intercept else []
    return np.hstack([*columns, fitted.coef_])


def mixture(terms: Floats, likelihood: Floats, penalty: float) -> Floats:
    """The weights of a logit whose label is hidden, (classes, k).

    The loss is −Σ log Σ P(class) · likelihood: it may have several minima, and the one below equal
    odds is found.

    Parameters
    ----------
    terms : (n, k) array
    likelihood : (n, classes) array
        The probability of the observed event of each row, given the class; one is above 0.
    penalty : float
        L2 penalty.
    """
    shape = likelihood.shape[1], terms.shape[1]

    def loss(weights: Floats) -> tuple[float, Floats]:
        by_class = weights.reshape(shape)
        log_odds = log_softmax(terms @ by_class.T, axis=1)
        joint = np.exp(log_odds) * likelihood
        total = joint.sum(axis=1, keepdims=True)
        surplus = np.exp(log_odds) - joint / total
        gradient = surplus.T @ terms + penalty * by_class
        return float(penalty * weights @ weights / 2 - np.log(total).sum()), gradient.ravel()

    found = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options=_L_BFGS)
    return np.asarray(found.x.reshape(shape))


_L_BFGS = {"maxiter": 2000, "maxfun": 4000, "maxcor": 30, "ftol": 1e-13, "gtol": 1e-6}
