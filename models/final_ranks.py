"""Fitting the model of final ranks (`houjuu.player.final_ranks`).

Maximum likelihood with a quadratic penalty. Every phase of the game is a convex problem of its own,
of few weights, which Newton's method solves to the last digits.
"""

from __future__ import annotations

from functools import partial
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.final_rank_rows import ranks, situations
from houjuu.arrays import Floats, Ints
from houjuu.player.final_ranks import PARTS, PHASES, RANKS, TERMS, FinalRankModel, phases, terms
from models import convex
from models.parts import Arrays, Parts, sums

_PLACES = RANKS.shape[1] ** np.arange(RANKS.shape[1])


class FinalRankRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of every phase.

    Parameters
    ----------
    penalty : float, default=1.0
        Half of it times the square of each weight is added to the log loss of all rows.

    Attributes
    ----------
    weights_ : (phases, terms) array
    """

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def fit(self, parts: Parts) -> Self:
        """Fit to rows of `features.final_rank_rows.FINAL_RANKS`."""
        prepared = parts.prepare(_compact)

        def derivatives(weights: Floats) -> tuple[Floats, Floats, Floats]:
            value, gradient, hessian = sums(prepared.map(partial(_derivatives, weights)))
            value += self.penalty / 2 * (weights**2).sum(axis=1)
            return value, gradient + self.penalty * weights, hessian + self.penalty * np.eye(n)

        n = len(TERMS)
        self.weights_ = convex.newton(derivatives, np.zeros((len(PHASES), n)))
        return self

    def to_runtime(self) -> FinalRankModel:
        """The weights as the runtime loads them."""
        return FinalRankModel(self.weights_)


def order_of(of_seats: Ints) -> Ints:
    """The index in `ORDERS` of the final ranks of the seats, (n,), from (n, 4)."""
    codes = RANKS @ _PLACES
    by_code = np.argsort(codes)
    return np.asarray(by_code[np.searchsorted(codes[by_code], of_seats @ _PLACES)])


def _compact(rows: pd.DataFrame) -> Arrays:
    at_start = situations(rows)
    return {
        "phase": phases(at_start.hanchan, at_start.round),
        "terms": terms(at_start),
        "order": order_of(ranks(rows)),
    }


def _derivatives(weights: Floats, arrays: Arrays) -> tuple[Floats, Floats, Floats]:
    """Log loss of the rows of each phase, (phases,), its gradient and its second derivative."""
    n_phases, n_terms = weights.shape
    value, gradient = np.zeros(n_phases), np.zeros((n_phases, n_terms))
    hessian = np.zeros((n_phases, n_terms, n_terms))
    for phase in np.unique(arrays["phase"]):
        here = arrays["phase"] == phase
        of_parts, order = arrays["terms"][here], arrays["order"][here]
        logits = of_parts @ weights[phase] @ PARTS.T
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        total = odds.sum(axis=1)
        expected = (odds / total[:, None]) @ PARTS
        rows = np.arange(len(order))
        value[phase] = float((np.log(total) - logits[rows, order]).sum())
        gradient[phase] = np.einsum("np,npf->f", expected - PARTS[order], of_parts)
        spread = np.einsum("no,op,oq->npq", odds / total[:, None], PARTS, PARTS)
        spread -= expected[:, :, None] * expected[:, None, :]
        weighted = np.einsum("npq,nqf->npf", spread, of_parts)
        flat = of_parts.reshape(-1, n_terms)
        hessian[phase] = flat.T @ weighted.reshape(-1, n_terms)
    return value, gradient, hessian
