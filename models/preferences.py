"""Fitting the preferences of strong players (`houjuu.player.action_value.preferences`)."""

from __future__ import annotations

from functools import partial
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.action_rows import TERM_COLUMNS
from houjuu.arrays import Floats
from houjuu.attributions import softmax
from houjuu.player.action_value.preference_terms import TERMS
from houjuu.player.action_value.preferences import PreferenceModel
from models import convex
from models.parts import Arrays, Parts, sums

MAX_ACTIONS = 24
"""More actions than this no decision has."""


class PreferenceRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of the terms.

    Parameters
    ----------
    penalty : float, default=1.0
        Half of it times the square of each weight is added to the log loss of all decisions.

    Attributes
    ----------
    weights_ : (terms,) array
    """

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def fit(self, parts: Parts) -> Self:
        """Fit to rows of `features.action_rows.ACTIONS`."""
        prepared = parts.prepare(decisions)

        def derivatives(weights: Floats) -> tuple[Floats, Floats, Floats]:
            here = weights[0]
            value, gradient, hessian = sums(prepared.map(partial(_derivatives, here)))
            return (
                np.array([value + self.penalty / 2 * here @ here]),
                (gradient + self.penalty * here)[None],
                (hessian + self.penalty * np.eye(len(here)))[None],
            )

        (self.weights_,) = convex.newton(derivatives, np.zeros((1, len(TERMS))))
        return self

    def to_runtime(self) -> PreferenceModel:
        """The weights as the runtime loads them."""
        return PreferenceModel(self.weights_)


def decisions(rows: pd.DataFrame) -> Arrays:
    """The rows as decisions.

    Returns
    -------
    dict
        ``terms`` (decisions, actions, terms), ``open`` (decisions, actions): whether there is such
        an action; and the index of the chosen one.
    """
    keys = pd.factorize(pd.Series(list(zip(rows["game"], rows["decision"], strict=True))))[0]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    place = np.arange(len(rows)) - starts[keys]
    terms = np.zeros((len(starts), MAX_ACTIONS, len(TERMS)))
    is_open = np.zeros((len(starts), MAX_ACTIONS), np.bool_)
    terms[keys, place] = rows[TERM_COLUMNS].to_numpy(np.float64)
    is_open[keys, place] = True
    chosen = np.zeros(len(starts), np.int64)
    taken = rows["chosen"].to_numpy()
    chosen[keys[taken]] = place[taken]
    return {"terms": terms, "open": is_open, "chosen": chosen}


def probabilities(weights: Floats, arrays: Arrays) -> Floats:
    """P(action), (decisions, actions), of the arrays of `decisions`."""
    return softmax(arrays["terms"] @ weights, arrays["open"])


def _derivatives(weights: Floats, arrays: Arrays) -> tuple[float, Floats, Floats]:
    """Log loss of the decisions, its gradient and its second derivative."""
    terms, chosen = arrays["terms"], arrays["chosen"]
    odds, index = probabilities(weights, arrays), np.arange(len(chosen))
    expected = np.einsum("na,naf->nf", odds, terms)
    weighted = (terms * odds[..., None]).reshape(-1, len(weights))
    hessian = weighted.T @ terms.reshape(-1, len(weights)) - expected.T @ expected
    loss = -np.log(np.maximum(odds[index, chosen], np.finfo(float).tiny)).sum()
    return float(loss), (expected - terms[index, chosen]).sum(axis=0), hessian
