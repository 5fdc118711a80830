"""Minimizing smooth losses until the result does not depend on the processor.

The last bits of a sum differ between linear-algebra kernels, and a search that stops early turns
them into other digits of the result. The search here goes on until the loss no longer changes. It
fails unless the gradient is then negligible: the excess loss is below `TOLERANCE`² nats of the
whole sample.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import minimize

from houjuu.util.arrays import Floats
from houjuu.util.errors import Error
from models.fitting.shards import ArrayShards, Part, early_part

Loss = Callable[[Floats], tuple[float, Floats]]
"""Maps weights to the loss (nats, penalty included) and its gradient."""

PartLoss = Callable[[Part, Floats], tuple[float, Floats]]
"""Maps a part of the shards and weights to an estimate of `Loss`, exact for the whole."""

TOLERANCE = 1e-3
"""Largest norm of the gradient at the end, with every weight in units of 1/√curvature."""

Derivatives = Callable[[Floats], tuple[float, Floats, Floats]]
"""Maps weights to the loss (nats, penalty included), its gradient and its Hessian, (n, n)."""

_NEWTON_STEPS = 100
_LAST_STEPS = 2
_LEAST_SHARE = 1e-12  # of a step
_FALL = 1e-4  # of the fall of the loss that the slope at the start promises
_EARLY_STEPS = (15, 15)
_STEPS = (300, 300, 300)
_OPTIONS = {"maxfun": 50_000, "maxcor": 30, "maxls": 8, "ftol": 4e-15, "gtol": 1e-6}


def minimize_whitened(
    shards: ArrayShards, loss: PartLoss, hessian: Callable[[Part, Floats], Floats], start: Floats
) -> Floats:
    """A minimum of a smooth loss over shards, the only one where the loss is convex.

    L-BFGS in coordinates in which the Hessian at the last point is the identity, again and again.
    The early rounds see a part of many shards, and the others all of them.

    Parameters
    ----------
    shards : ArrayShards
    loss : callable
    hessian : callable
        Maps a part and weights to an estimate of the Hessian there, (n, n), positive definite, in
        Fortran's order; only its lower triangle is read. A better estimate makes the search faster
        and does not change the result.
    start : (n,) array

    Raises
    ------
    Error
        The search has not converged.
    """
    early, whole = early_part(shards), Part(shards, 1.0)
    centre = start
    for part, steps in [(early, n) for n in _EARLY_STEPS] + [(whole, n) for n in _STEPS]:
        # Without a name the root is gone before the next Hessian is made: both are large.
        centre, converged = _search(
            partial(loss, part), centre, _root(hessian(part, centre)), steps
        )
        if converged and part.factor == 1:
            return centre
    raise Error("the fit has not converged")


def newton(derivatives: Derivatives, start: Floats) -> Floats:
    """The minimum of a smooth convex loss of few weights, (n,).

    Newton's method: a step is halved until the loss falls enough (Armijo 1966). It stops within
    `TOLERANCE` of the minimum, where rounding errors of the loss do not yet matter. Two plain steps
    then give the last digits: each squares the distance.

    Parameters
    ----------
    derivatives : callable
        The loss may be infinite, but not at the start.
    start : (n,) array

    Raises
    ------
    Error
        The search has not converged.
    """
    weights, found = start, derivatives(start)
    for _ in range(_NEWTON_STEPS):
        step, decrease = _newton_step(found)
        if decrease <= TOLERANCE**2:
            break
        share = 1.0
        while not (after := derivatives(weights + share * step))[0] <= (
            found[0] - _FALL * share * decrease
        ):
            share /= 2
            if share < _LEAST_SHARE:
                raise Error("the fit has not converged")
        weights, found = weights + share * step, after
    for _ in range(_LAST_STEPS):
        step, decrease = _newton_step(found)
        if not decrease <= TOLERANCE**2:
            raise Error("the fit has not converged")
        weights = weights + step
        found = derivatives(weights)
    return weights


def _newton_step(derivatives: tuple[float, Floats, Floats]) -> tuple[Floats, float]:
    """The step to the minimum of the quadratic approximation, and twice its decrease in loss."""
    _, gradient, hessian = derivatives
    step = np.asarray(-np.linalg.solve(hessian, gradient), np.float64)
    return step, float(-gradient @ step)


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
