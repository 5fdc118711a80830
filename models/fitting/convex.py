"""Minimizing smooth losses until the result does not depend on the processor.

The last bits of a sum differ between linear-algebra kernels, and a search that stops early turns
them into other digits of the result. The search here goes on until the loss no longer changes. It
fails unless the gradient is then negligible: the excess loss is below `TOLERANCE`² nats of the
whole sample.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import minimize

from houjuu.util.arrays import Floats
from houjuu.util.errors import Error

Loss = Callable[[Floats], tuple[float, Floats]]
"""Maps weights to the loss (nats, penalty included) and its gradient."""

TOLERANCE = 1e-3
"""Largest norm of the gradient at the end, with every weight in units of 1/√curvature."""

Derivatives = Callable[[Floats], tuple[Floats, Floats, Floats]]
"""Maps the weights of r losses, (r, n), to the losses, (r,), gradients, (r, n), and Hessians."""

_NEWTON_STEPS, _ROUNDING = 100, 1e-12
_STEPS = (15, 15, 300, 300, 300)
_OPTIONS = {"maxfun": 50_000, "maxcor": 30, "maxls": 8, "ftol": 4e-15, "gtol": 1e-6}


def minimize_whitened(loss: Loss, hessian: Callable[[Floats], Floats], start: Floats) -> Floats:
    """A minimum of a smooth loss, the only one where the loss is convex.

    L-BFGS in coordinates in which the Hessian at the last point is the identity, again and again.

    Parameters
    ----------
    loss : callable
    hessian : callable
        Maps weights to an estimate of the Hessian there, (n, n), positive definite, in Fortran's
        order; only its lower triangle is read. A better estimate makes the search faster and does
        not change the result.
    start : (n,) array

    Raises
    ------
    Error
        The search has not converged.
    """
    centre = start
    for steps in _STEPS:
        centre, converged = _search(loss, centre, _root(hessian(centre)), steps)
        if converged:
            return centre
    raise Error("the fit has not converged")


def newton(derivatives: Derivatives, start: Floats) -> Floats:
    """The minima of some smooth convex losses of few weights each, (r, n).

    Newton's method, with shorter steps where the loss would rise.

    Raises
    ------
    Error
        A search has not converged.
    """
    weights = start
    value, gradient, hessian = derivatives(weights)
    for _ in range(_NEWTON_STEPS):
        step = -np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        decrease = -(gradient * step).sum(axis=1)
        if (decrease <= TOLERANCE**4).all():
            return np.asarray(weights + step)
        slack = _ROUNDING * (1 + np.abs(value))
        while True:
            found = derivatives(weights + step)
            rises = found[0] > value + slack
            if not rises.any():
                break
            step[rises] /= 2
        weights, (value, gradient, hessian) = weights + step, found
    raise Error("the fit has not converged")


def _root(hessian: Floats) -> Floats:
    """The Cholesky factor, in the place of the Hessian."""
    factor = cholesky(hessian, lower=True, overwrite_a=True, check_finite=False)
    return np.asarray(factor)


def _search(loss: Loss, centre: Floats, root: Floats, steps: int) -> tuple[Floats, bool]:
    """Search in z where the weights are centre + root⁻ᵀ z."""

    def weights(white: Floats) -> Floats:
        step = solve_triangular(root, white, lower=True, trans="T", check_finite=False)
        return np.asarray(centre + step)

    def white_loss(white: Floats) -> tuple[float, Floats]:
        value, gradient = loss(weights(white))
        return value, solve_triangular(root, gradient, lower=True, check_finite=False)

    result: Any = minimize(
        white_loss,
        np.zeros(len(centre)),
        jac=True,
        method="L-BFGS-B",
        options={**_OPTIONS, "maxiter": steps},
    )
    return weights(result.x), bool(np.linalg.norm(result.jac) <= TOLERANCE)
