"""Logistic regression on one-hot rows, with a separate L2 penalty for each weight.

The objective is that of scikit-learn's ``LogisticRegression``, which has one penalty for all
weights; the search (`models.convex`) is faster on these rows.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.special import expit

from houjuu.arrays import Floats
from models import convex

_HESSIAN_ROWS = 40_000
"""Rows from which the Hessian is estimated."""


def fit(
    design: sparse.csr_matrix,
    label: Floats,
    weight: Floats,
    penalty: Floats,
    *,
    start: tuple[Floats, float] | None = None,
) -> tuple[Floats, float]:
    """Coefficients and intercept that minimize the weighted log loss plus the penalty.

    Parameters
    ----------
    design : (m, n) sparse matrix of float64
    label : (m,) array
        0 or 1; both occur.
    weight : (m,) array
        Number of rows that each row represents.
    penalty : (n,) array
        Half of it times the square of the coefficient is added to the sum over rows; positive. In
        scikit-learn's terms it is 1/C.
    start : pair of (n,) array and float, optional
        Coefficients and intercept to start from.

    Returns
    -------
    (n,) array and float

    Raises
    ------
    Error
        The search has not converged.
    """
    transposed = design.T.tocsr()
    first = _base_rate(design, label, weight) if start is None else np.append(*start)
    penalties = np.append(penalty, 0.0)

    def logits(weights: Floats) -> Floats:
        return np.asarray(design @ weights[:-1] + weights[-1])

    def by_weight(by_row: Floats) -> Floats:
        return np.append(transposed @ by_row, by_row.sum())

    def loss(weights: Floats) -> tuple[float, Floats]:
        logit = logits(weights)
        value = weight @ (np.logaddexp(0, logit) - label * logit)
        gradient = by_weight(weight * (expit(logit) - label)) + penalties * weights
        return float(value + 0.5 * weights @ (penalties * weights)), gradient

    def hessian(weights: Floats) -> Floats:
        rows = np.arange(0, len(label), max(len(label) // _HESSIAN_ROWS, 1))
        probability = expit(logits(weights)[rows])
        variance = weight[rows] * probability * (1 - probability) * len(label) / len(rows)
        ones = sparse.csr_matrix(np.ones((len(rows), 1)))
        sample = sparse.hstack([design[rows], ones], format="csr")
        gram = (sample.T @ sample.multiply(variance[:, None]).tocsr()).toarray()
        gram[np.diag_indices_from(gram)] += penalties
        return np.asarray(gram)

    probability = expit(logits(first))
    curvature = by_weight(weight * probability * (1 - probability)) + penalties
    weights = convex.minimize_whitened(loss, hessian, first, curvature)
    return weights[:-1], float(weights[-1])


def _base_rate(design: sparse.csr_matrix, label: Floats, weight: Floats) -> Floats:
    rate = float(weight @ label / weight.sum())
    return np.append(np.zeros(design.shape[1]), np.log(rate / (1 - rate)))
