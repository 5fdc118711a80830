"""Fitting the weights of melded hands of Kurita & Hoki 2017, section 5.2, to hands truly held.

The paper chose by hand what a hand without a two-sided or pair wait weighs (0.2, equation 15). Here
it and the weight of a hand without a yaku are those that make the true hands most likely, given the
colour: P(q|T,c,u) is the ways to draw q times the weight of its class, over the sum of the same for
every hand of the colour (equations 13–17). Of the ways to draw q no weight depends, so the class of
q and the ways to draw the four classes (`features.hands`) are all that the fit needs. What no hand
explains gets the frequency with which it happens.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.optimize import minimize
from sklearn.base import BaseEstimator

from features.schema import SHARES
from houjuu.melded import MeldedModel

Array = npt.NDArray[Any]

_SHARES = [column.name for column in SHARES]
_CLASSES: Array = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
"""Of the shares: other form, no yaku."""

_PAPER = MeldedModel()


class MeldedWeights(BaseEstimator):  # type: ignore[misc]
    """The two weights, by conditional maximum likelihood.

    The log-likelihood is concave in the logarithms of the weights.

    Parameters
    ----------
    prior_sd : float, default=1.0
        Standard deviation of a normal prior on the logarithm of each weight, around the paper's
        0.2 and 1: where there are few rows the paper's weights stay.
    smoothing_floor : float, default=2000.0
        Kinds that no hand wins on, with half a case among them, given besides those counted.

    Attributes
    ----------
    floor_ : float
    other_forms_, no_yaku_ : float
        As in `MeldedModel`.
    other_forms_error_, no_yaku_error_ : float
        The standard errors, the rows of a hand (same game, round and opponent) counted as one
        observation.
    """

    def __init__(self, prior_sd: float = 1.0, smoothing_floor: float = 2000.0) -> None:
        self.prior_sd = prior_sd
        self.smoothing_floor = smoothing_floor

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.HANDS`, none being enough."""
        kinds = rows["unexplained"].sum() + self.smoothing_floor
        self.floor_ = float((rows["missed"].sum() + 0.5) / kinds)
        rows = counted(rows)
        prior = _logs(_PAPER)
        precision = np.eye(2) / self.prior_sd**2
        shares, true = _shares(rows), _true(rows)

        def loss(logs: Array) -> float:
            away = logs - prior
            return float(away @ precision @ away / 2 - _log_likelihood(shares, true, logs).sum())

        def gradient(logs: Array) -> Array:
            return np.asarray(precision @ (logs - prior) - _scores(shares, true, logs).sum(axis=0))

        def curvature(logs: Array) -> Array:
            return np.asarray(precision + _information(shares, logs))

        best = minimize(loss, prior, jac=gradient, hess=curvature, method="trust-exact").x
        inverse = np.linalg.inv(curvature(best))
        spread = precision + _by_hand(rows, _scores(shares, true, best))
        errors = np.exp(best) * np.sqrt(np.diag(inverse @ spread @ inverse))
        self.other_forms_, self.no_yaku_ = np.exp(best).tolist()
        self.other_forms_error_, self.no_yaku_error_ = errors.tolist()
        return self

    def model(self) -> MeldedModel:
        """The weights as the runtime reads them."""
        return MeldedModel(self.other_forms_, self.no_yaku_, self.floor_)


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows in which the paper counts the hands."""
    return rows[rows[_SHARES[0]].notna()]


def log_likelihood(rows: pd.DataFrame, model: MeldedModel) -> Array:
    """By how much the weights make each true hand more likely than weights of 1 do.

    A number a row that is `counted`, in nats: log P(q|T,c,u) less what it would be by the ways to
    draw q alone (equation 14).
    """
    rows = counted(rows)
    return _log_likelihood(_shares(rows), _true(rows), _logs(model))


def _logs(model: MeldedModel) -> Array:
    return np.log([model.other_forms, model.no_yaku])


def _shares(rows: pd.DataFrame) -> Array:
    return rows[_SHARES].to_numpy(dtype=float)


def _true(rows: pd.DataFrame) -> Array:
    return rows[["other_form", "no_yaku"]].to_numpy(dtype=float)


def _log_likelihood(shares: Array, true: Array, logs: Array) -> Array:
    return np.asarray(true @ logs - np.log(shares @ np.exp(_CLASSES @ logs)))


def _posterior(shares: Array, logs: Array) -> Array:
    """P(class|T,c,u), (n, 4)."""
    weighed = shares * np.exp(_CLASSES @ logs)
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True))


def _scores(shares: Array, true: Array, logs: Array) -> Array:
    """The gradient of each row's log-likelihood, (n, 2)."""
    return np.asarray(true - _posterior(shares, logs) @ _CLASSES)


def _information(shares: Array, logs: Array) -> Array:
    """Less the second derivative of the log-likelihood: Σ of the covariances, (2, 2)."""
    posterior = _posterior(shares, logs)
    mean = posterior @ _CLASSES
    return np.asarray(_CLASSES.T @ np.diag(posterior.sum(axis=0)) @ _CLASSES - mean.T @ mean)


def _by_hand(rows: pd.DataFrame, scores: Array) -> Array:
    """Σ over hands of the outer product of the summed gradients of their rows, (2, 2)."""
    hand = rows.groupby(["game", "round", "opponent"], observed=True).ngroup().to_numpy()
    summed = np.zeros((len(rows), 2))
    np.add.at(summed, hand, scores)
    return np.asarray(summed.T @ summed)
