"""Fitting the preferences of strong players (`houjuu.player.preference.preferences`)."""

from __future__ import annotations

from functools import partial
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.action_rows import INPUT_COLUMNS, TERM_COLUMNS
from houjuu.player.preference.features import FEATURES, VALUES
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.util.arrays import Floats, Ints
from models.fitting import convex
from models.fitting.parts import ArrayParts, Arrays, Parts, sums

LEAST_VALUE = 0.1
"""The least weight of the value, for a thousand points: a few games may show none."""


class PreferenceRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of the terms.

    Parameters
    ----------
    penalty : float, default=1.0
        Half of it times the square of each weight is added to the log loss of all decisions. Where
        the weight of the value is below `LEAST_VALUE`, it is held there.

    Attributes
    ----------
    weights_ : (terms,) array
    """

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def fit(self, parts: Parts) -> Self:
        """Fit to rows of `features.action_rows.ACTIONS`."""
        prepared = parts.prepare(decisions)
        start = np.zeros(len(FEATURES))
        self.weights_ = self._minimum(prepared, start, [])
        if min(self.weights_[0], self.weights_[: len(VALUES)].sum()) < LEAST_VALUE:
            start[0] = LEAST_VALUE
            self.weights_ = self._minimum(prepared, start, [*range(len(VALUES))])
        return self

    def _minimum(self, prepared: ArrayParts, start: Floats, held: list[int]) -> Floats:
        """The weights with the least loss; those held stay as they are at the start."""

        def derivatives(weights: Floats) -> tuple[Floats, Floats, Floats]:
            here = weights[0]
            value, gradient, hessian = sums(prepared.map(partial(_derivatives, here)))
            gradient += self.penalty * here
            hessian += self.penalty * np.eye(len(here))
            gradient[held] = hessian[held] = hessian[:, held] = 0.0
            hessian[held, held] = 1.0
            loss = value + self.penalty / 2 * here @ here
            return np.array([loss]), gradient[None], hessian[None]

        (found,) = convex.newton(derivatives, start[None])
        return np.asarray(found)

    def to_runtime(self) -> PreferenceModel:
        """The model of the terms alone."""
        return PreferenceModel(self.weights_)


def decisions(rows: pd.DataFrame) -> Arrays:
    """The rows as decisions.

    Returns
    -------
    dict
        ``terms`` (actions, terms) and ``inputs`` (actions, inputs) of all decisions in order; for
        each decision ``starts``, the index of its first action, and ``chosen``, that of the chosen
        one.
    """
    keys = pd.factorize(pd.Series(list(zip(rows["game"], rows["decision"], strict=True))))[0]
    return {
        "terms": rows[TERM_COLUMNS].to_numpy(np.float64),
        "inputs": rows[INPUT_COLUMNS].to_numpy(np.float32),
        "starts": np.flatnonzero(np.diff(keys, prepend=-1)),
        "chosen": np.flatnonzero(rows["chosen"].to_numpy()),
    }


def log_odds(logits: Floats, starts: Ints) -> Floats:
    """The log of P(action) in its decision, (actions,), by the logits and first actions."""
    logits = logits - _of_decision(np.maximum, logits, starts)
    return np.asarray(logits - np.log(_of_decision(np.add, np.exp(logits), starts)))


def best(log_odds: Floats, starts: Ints) -> Ints:
    """The index of the likeliest action of each decision, (decisions,): of equals the first."""
    is_best = log_odds == _of_decision(np.maximum, log_odds, starts)
    candidates = np.where(is_best, np.arange(len(log_odds)), len(log_odds))
    return np.minimum.reduceat(candidates, starts)


def _of_decision(reduction: np.ufunc, values: Floats, starts: Ints) -> Floats:
    """The reduction of the values of a decision, for each of its actions, (actions,)."""
    sizes = np.diff(starts, append=len(values))
    return np.asarray(np.repeat(reduction.reduceat(values, starts), sizes))


def _derivatives(weights: Floats, arrays: Arrays) -> tuple[float, Floats, Floats]:
    """Log loss of the decisions, its gradient and its second derivative."""
    terms, chosen = arrays["terms"], arrays["chosen"]
    losses = -log_odds(terms @ weights, arrays["starts"])
    weighted = terms * np.exp(-losses)[:, None]
    expected = np.add.reduceat(weighted, arrays["starts"])
    hessian = weighted.T @ terms - expected.T @ expected
    return float(losses[chosen].sum()), (expected - terms[chosen]).sum(axis=0), hessian
