"""Fitting the preferences of strong players (`houjuu.player.preference.preferences`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.action_rows import INPUT_COLUMNS, TERM_COLUMNS
from houjuu.player.preference.features import FEATURES, VALUES
from houjuu.player.preference.preferences import PreferenceModel, least_value
from houjuu.player.round_end.logit import Block
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting import penalized_logit
from models.fitting.penalized_logit import LogitRows
from models.fitting.shards import Arrays, Shards

_CHUNK = 500  # unit: decisions
LEAST_VALUE = 0.1
"""The least weight of the value, for a thousand points: a few games may show none."""


@dataclass(eq=False, repr=False)
class PreferenceRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of the terms.

    Parameters
    ----------
    penalty : float, default=1.0
        L2 penalty on the weights. Where the weight of the value is below `LEAST_VALUE`, it is kept
        there.

    Attributes
    ----------
    weights_ : (terms,) array
    """

    penalty: float = 1.0

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.action_rows.ACTIONS`."""
        prepared = shards.prepare(decisions)
        start = np.zeros((1, len(FEATURES)))
        (self.weights_,) = penalized_logit.fit(prepared, _design, start, self.penalty)
        if least_value(self.weights_) < LEAST_VALUE:
            start[0, 0] = LEAST_VALUE
            (self.weights_,) = penalized_logit.fit(
                prepared, _design, start, self.penalty, fixed=range(len(VALUES))
            )
        return self

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
    keys = list(zip(rows["game"], rows["decision"], strict=True))
    number, _ = pd.factorize(pd.Series(keys))
    return {
        "terms": rows[TERM_COLUMNS].to_numpy(np.float32),
        "inputs": rows[INPUT_COLUMNS].to_numpy(np.float32),
        "starts": np.flatnonzero(np.diff(number, prepend=-1)),
        "chosen": np.flatnonzero(rows["chosen"].to_numpy()),
    }


def padded(starts: Ints, sizes: Ints, width: int) -> tuple[Ints, Bools]:
    """The indices of the actions of some decisions in rows of one length.

    Parameters
    ----------
    starts, sizes : (d,) arrays
        First action and number of actions of each decision.
    width : int
        At least the largest size.

    Returns
    -------
    (d, width) array
        Shorter decisions are filled up with their first action.
    (d, width) array
        Which are actions of the decision, and not filled up.
    """
    position = np.arange(width)
    is_action = position < sizes[:, None]
    return starts[:, None] + np.where(is_action, position, 0), is_action


def _design(arrays: Arrays) -> Iterator[LogitRows]:
    """Yield decisions of about one size: each action is an alternative, all have the weights."""
    starts = arrays["starts"]
    n_terms = arrays["terms"].shape[1]
    sizes = np.diff(starts, append=len(arrays["terms"]))
    by_size = np.argsort(sizes, kind="stable")
    for begin in range(0, len(by_size), _CHUNK):
        chosen = by_size[begin : begin + _CHUNK]
        width = int(sizes[chosen[-1]])
        index, is_action = padded(starts[chosen], sizes[chosen], width)
        terms = arrays["terms"][index].astype(np.float64)
        block = Block(slice(0, n_terms), np.eye(width), terms)
        label = arrays["chosen"][chosen] - starts[chosen]
        yield LogitRows([block], label, is_action)


def log_odds(logits: Floats, starts: Ints) -> Floats:
    """The log of P(action) in its decision, (actions,), by the logits and first actions."""
    logits = logits - _of_decision(np.maximum, logits, starts)
    total = _of_decision(np.add, np.exp(logits), starts)
    return np.asarray(logits - np.log(total))


def best(log_odds: Floats, starts: Ints) -> Ints:
    """The index of the likeliest action of each decision, (decisions,): of equals the first."""
    is_best = log_odds == _of_decision(np.maximum, log_odds, starts)
    candidates = np.where(is_best, np.arange(len(log_odds)), len(log_odds))
    return np.minimum.reduceat(candidates, starts)


def _of_decision(reduction: np.ufunc, values: Floats, starts: Ints) -> Floats:
    """The reduction of the values of a decision, for each of its actions, (actions,)."""
    sizes = np.diff(starts, append=len(values))
    return np.asarray(np.repeat(reduction.reduceat(values, starts), sizes))
