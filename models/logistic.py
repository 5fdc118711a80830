"""Logistic regression on rows that are ones in a few of many columns, each with its own penalty.

What scikit-learn's does with one penalty for all columns, in the same terms, and sooner: columns
are scaled by how much the rows say of them before the search (L-BFGS) begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import expit

Floats = npt.NDArray[np.float64]

_SEARCH = {"maxcor": 20, "ftol": 1e-8, "gtol": 1e-7}


def fit(
    design: sparse.csr_matrix,
    outcome: Floats,
    weight: Floats,
    penalty: Floats,
    *,
    start: tuple[Floats, float] | None = None,
    steps: int = 250,
) -> tuple[Floats, float]:
    """The coefficients and the intercept that make weighted log loss plus penalty least.

    Parameters
    ----------
    design : (m, n) sparse matrix of float32
    outcome : (m,) array
        0 or 1, both of which occur.
    weight : (m,) array
        How many rows each stands for.
    penalty : (n,) array
        Half of it times the square of the coefficient is added to the sum over rows; positive. In
        scikit-learn's terms it is 1/C.
    start : pair of (n,) array and float, optional
        Coefficients and intercept from which to search.
    steps : int
        Most of them.

    Returns
    -------
    (n,) array and float
    """
    rows = weight.sum()
    first = _guesser(design, outcome, weight) if start is None else np.append(*start)
    said = expit(design @ first[:-1].astype(np.float32) + first[-1])
    known = weight * said * (1 - said)
    column = (design.T @ known.astype(np.float32)).astype(np.float64) + penalty
    scale = 1 / np.sqrt(np.append(column, known.sum()))

    def loss(scaled: Floats) -> tuple[float, Floats]:
        moved = scale * scaled
        coefficients = moved[:-1]
        score = design @ coefficients.astype(np.float32) + moved[-1]
        fine = 0.5 * coefficients @ (penalty * coefficients)
        cost = weight @ (np.logaddexp(0, score) - outcome * score) + fine
        residual = weight * (expit(score) - outcome)
        slope = np.append(design.T @ residual.astype(np.float32), residual.sum())
        slope[:-1] += penalty * coefficients
        return cost / rows, scale * slope / rows

    search = {**_SEARCH, "maxiter": steps}
    found: Any = minimize(loss, first / scale, jac=True, method="L-BFGS-B", options=search)
    moved = scale * found.x
    return moved[:-1], float(moved[-1])


def _guesser(design: sparse.csr_matrix, outcome: Floats, weight: Floats) -> Floats:
    rate = float(weight @ outcome / weight.sum())
    return np.append(np.zeros(design.shape[1]), np.log(rate / (1 - rate)))
