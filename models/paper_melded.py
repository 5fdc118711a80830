"""Fitting the weights of melded hands (Kurita & Hoki 2017, section 5.2) to the true hands.

The paper sets the weight of a hand without a ryanmen or shanpon wait by hand (0.2, equation 15).
This weight and that of a hand without a yaku are fitted by conditional maximum likelihood given the
colour: P(q|T,c,u) is the ways to draw q times the weight of its class, over the sum of the same for
every hand of the colour (equations 13–17). The weights do not depend on the ways to draw q, so that
the fit needs only the class of q and the ways to draw the four classes
(`features.paper_melded_rows`). A kind that no hand wins on gets the frequency of such wins.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.base import BaseEstimator

from features.schema import SHARES
from houjuu.arrays import Floats
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel

_SHARES = [column.name for column in SHARES]
_CLASSES: Floats = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
"""Class of each share: other form, no yaku."""

_PAPER = MeldedHandModel()


class MeldedWeights(BaseEstimator):  # type: ignore[misc]
    """The two weights, by conditional maximum likelihood.

    The log-likelihood is concave in the logarithms of the weights.

    Parameters
    ----------
    prior_sd : float, default=1.0
        Standard deviation of a normal prior on the logarithm of each weight, around the paper's
        0.2 and 1: with few rows the weights stay close to the paper's.
    smoothing_floor : float, default=2000.0
        Uncovered kinds, with half a win among them, that are added to the counts.

    Attributes
    ----------
    floor_ : float
    other_forms_, no_yaku_ : float
        As in `MeldedModel`.
    other_forms_error_, no_yaku_error_ : float
        The standard errors; the rows of a hand (same game, round and opponent) are one
        observation.
    """

    def __init__(self, prior_sd: float = 1.0, smoothing_floor: float = 2000.0) -> None:
        self.prior_sd = prior_sd
        self.smoothing_floor = smoothing_floor

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.PAPER_MELDED`; there may be none."""
        kinds = rows["uncovered_kinds"].sum() + self.smoothing_floor
        self.floor_ = float((rows["uncovered_wins"].sum() + 0.5) / kinds)
        rows = counted_rows(rows)
        prior = _logs(_PAPER)
        precision = np.eye(2) / self.prior_sd**2
        shares, true = _shares(rows), _true(rows)

        def loss(logs: Floats) -> float:
            distance = logs - prior
            return float(
                distance @ precision @ distance / 2 - _log_likelihood(shares, true, logs).sum()
            )

        def gradient(logs: Floats) -> Floats:
            return np.asarray(
                precision @ (logs - prior) - _gradients(shares, true, logs).sum(axis=0)
            )

        def curvature(logs: Floats) -> Floats:
            return np.asarray(precision + _information(shares, logs))

        best = minimize(loss, prior, jac=gradient, hess=curvature, method="trust-exact").x
        inverse = np.linalg.inv(curvature(best))
        spread = precision + _by_hand(rows, _gradients(shares, true, best))
        errors = np.exp(best) * np.sqrt(np.diag(inverse @ spread @ inverse))
        self.other_forms_, self.no_yaku_ = np.exp(best).tolist()
        self.other_forms_error_, self.no_yaku_error_ = errors.tolist()
        return self

    def to_runtime(self) -> MeldedHandModel:
        """The weights as the runtime loads them."""
        return MeldedHandModel(
            self.other_forms_, self.no_yaku_, self.floor_, colour_of_one_tile=1.0
        )


def counted_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows in which the paper counts the hands."""
    return rows[rows[_SHARES[0]].notna()]


def _logs(model: MeldedHandModel) -> Floats:
    return np.log([model.other_forms, model.no_yaku])


def _shares(rows: pd.DataFrame) -> Floats:
    return rows[_SHARES].to_numpy(dtype=float)


def _true(rows: pd.DataFrame) -> Floats:
    return rows[["other_form", "no_yaku"]].to_numpy(dtype=float)


def _log_likelihood(shares: Floats, true: Floats, logs: Floats) -> Floats:
    return np.asarray(true @ logs - np.log(shares @ np.exp(_CLASSES @ logs)))


def _posterior(shares: Floats, logs: Floats) -> Floats:
    """P(class|T,c,u), (n, 4)."""
    weighted = shares * np.exp(_CLASSES @ logs)
    return np.asarray(weighted / weighted.sum(axis=1, keepdims=True))


def _gradients(shares: Floats, true: Floats, logs: Floats) -> Floats:
    """Gradient of the log-likelihood of each row, (n, 2)."""
    return np.asarray(true - _posterior(shares, logs) @ _CLASSES)


def _information(shares: Floats, logs: Floats) -> Floats:
    """Negative second derivative of the log-likelihood: Σ of the covariances, (2, 2)."""
    posterior = _posterior(shares, logs)
    mean = posterior @ _CLASSES
    return np.asarray(_CLASSES.T @ np.diag(posterior.sum(axis=0)) @ _CLASSES - mean.T @ mean)


def _by_hand(rows: pd.DataFrame, gradients: Floats) -> Floats:
    """Σ over hands of the outer product of the summed gradients of their rows, (2, 2)."""
    hand = rows.groupby(["game", "round", "opponent"], observed=True).ngroup().to_numpy()
    summed = np.zeros((len(rows), 2))
    np.add.at(summed, hand, gradients)
    return np.asarray(summed.T @ summed)
