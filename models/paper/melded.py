"""Fitting the weights of melded hands (Kurita & Hoki 2017, section 5.2) to the true hands.

The paper sets the weight of a hand without a ryanmen or shanpon wait by hand (0.2, equation 15).
This weight and that of a hand without a yaku are fitted by conditional maximum likelihood given the
colour: P(q|T,c,u) is the ways to draw q times the weight of its class, over the sum of the same for
every hand of the colour (equations 13–17). The weights do not depend on the ways to draw q, so that
the fit needs only the class of q and the ways to draw the four classes
(`features.wait_rows`). A kind that no hand wins on gets the frequency of such wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.columns import floats, ints
from features.schema.paper import SHARES
from houjuu.estimators.kurita_hoki.melded_hands import MeldedHandModel
from houjuu.util.arrays import Floats
from models.fitting import convex
from models.fitting.shards import Arrays, Shards, sums

_SHARES = [column.name for column in SHARES]
_CLASSES: Floats = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
"""Class of each share: other form, no yaku."""

_PAPER = MeldedHandModel()


@dataclass(eq=False, repr=False)
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

    prior_sd: float = 1.0
    smoothing_floor: float = 2000.0

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.schema.paper.PAPER_MELDED`; there may be none."""
        prepared = shards.prepare(_compact)
        wins, kinds = sums(prepared.map(_uncovered))
        self.floor_ = float((wins + 0.5) / (kinds + self.smoothing_floor))
        prior = _logs(_PAPER)
        precision = np.eye(2) / self.prior_sd**2

        def derivatives(logs: Floats) -> tuple[float, Floats, Floats]:
            shard_derivatives = partial(_derivatives, logs)
            value, gradient, information = sums(prepared.map(shard_derivatives))
            distance = logs - prior
            loss = float(distance @ precision @ distance / 2 - value)
            return loss, precision @ distance - gradient, precision + information

        best = convex.newton(derivatives, prior)
        _, _, hessian = derivatives(best)
        inverse = np.linalg.inv(hessian)
        (spread,) = sums(prepared.map(partial(_by_hand, best)))
        # The rows of a hand are not independent: the spread is that of the sums by hand.
        covariance = inverse @ (precision + spread) @ inverse
        errors = np.exp(best) * np.sqrt(np.diag(covariance))
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


def _compact(rows: pd.DataFrame) -> Arrays:
    """Shares, class and hand of the rows that the paper counts, and the numbers of the others."""
    counted = counted_rows(rows)
    hand = counted.groupby(["game", "round", "opponent"], observed=True).ngroup()
    return {
        "uncovered": ints(rows, ["uncovered_wins", "uncovered_kinds"]).sum(axis=0),
        "shares": floats(counted, _SHARES),
        "true": floats(counted, ["other_form", "no_yaku"]),
        "hand": hand.to_numpy(dtype=np.int64),
    }


def _uncovered(arrays: Arrays) -> tuple[int, int]:
    """Wins on uncovered kinds, and their number."""
    wins, kinds = arrays["uncovered"].tolist()
    return wins, kinds


def _derivatives(logs: Floats, arrays: Arrays) -> tuple[float, Floats, Floats]:
    """The log-likelihood of a shard, its gradient and its negative second derivative."""
    shares = arrays["shares"]
    true = arrays["true"]
    gradient = _gradients(shares, true, logs).sum(axis=0)
    value = float(_log_likelihood(shares, true, logs).sum())
    return value, gradient, _information(shares, logs)


def _log_likelihood(shares: Floats, true: Floats, logs: Floats) -> Floats:
    factors = np.exp(_CLASSES @ logs)
    return np.asarray(true @ logs - np.log(shares @ factors))


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
    by_class = np.diag(posterior.sum(axis=0))
    return np.asarray(_CLASSES.T @ by_class @ _CLASSES - mean.T @ mean)


def _by_hand(logs: Floats, arrays: Arrays) -> tuple[Floats]:
    """Σ over hands of the outer product of the summed gradients of their rows, (2, 2)."""
    gradients = _gradients(arrays["shares"], arrays["true"], logs)
    summed = np.zeros_like(gradients)
    np.add.at(summed, arrays["hand"], gradients)
    return (np.asarray(summed.T @ summed),)
