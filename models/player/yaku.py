"""Fitting the yaku model (`houjuu.player.hand_value.yaku_model`): a logistic regression per target.

A hand has many splits, and the rows do not show which one it won with. The first fit therefore uses
the mean of all splits. Each further iteration uses the split that is best by the weights so far, as
the model itself does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit
from sklearn.base import BaseEstimator

from features.yaku_rows import hands
from houjuu.player.hand_value import hand_decomposition
from houjuu.player.hand_value.yaku_model import COLUMNS, YakuModel, target_flags, terms
from houjuu.player.hand_value.yaku_targets import (
    FOUR_SETS,
    HAND_NUMBERS,
    SEVEN_PAIRS,
    SURE,
    TARGETS,
    WIN,
    HandSummary,
    YakuTarget,
)
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting import convex
from models.fitting.shards import Arrays, Shards, sums

Float32s = npt.NDArray[np.float32]
Split = Callable[[HandSummary], npt.NDArray[Any]]
"""Maps a hand to counts of the classes, (21,)."""

_MIN_SPREAD = 1e-6
_NUMBERS = [name for name, _ in HAND_NUMBERS]


class YakuRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of every target on the classes of the best split of a hand.

    Parameters
    ----------
    penalty : float, default=3.0
        Half of it times the square of each weight is added to the log loss of all rows. The weights
        are those of standardized features.
    iterations : int, default=2
        How often the best splits are chosen again.

    Attributes
    ----------
    weights_ : (2, targets, columns) array
    yakuhai_ : (2,) array
    dora_ : (3, 2) array
        As `YakuModel` takes them.
    """

    def __init__(self, penalty: float = 3.0, iterations: int = 2) -> None:
        self.penalty = penalty
        self.iterations = iterations

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.yaku_rows`."""
        self.yakuhai_, self.dora_ = _han(*sums(shards.map(_han_sums)))
        self.weights_ = self._fit_weights(shards, mean_split)
        for _ in range(self.iterations):
            self.weights_ = self._fit_weights(shards, self.to_runtime().split)
        return self

    def to_runtime(self) -> YakuModel:
        """The fitted model as the runtime loads it."""
        return YakuModel(self.weights_, self.yakuhai_, self.dora_)

    def _fit_weights(self, shards: Shards, split: Split) -> Floats:
        """Constants and weights, (2, targets, columns).

        Where the label is always the same, the weights are 0. The Newton search converges to the
        last digits: the result does not depend on the processor.
        """
        rows = shards.prepare(partial(_compact, split))
        weights = np.zeros((2, len(TARGETS), len(COLUMNS)))
        n_rows, n_won, total, squares = sums(rows.map(_moments))
        rate = (n_won + 0.5) / (n_rows + 1)
        weights[..., 0] = np.where(n_rows > 0, np.log(rate / (1 - rate)), 0.0)
        used = np.argwhere((n_won > 0) & (n_won < n_rows))
        if not len(used):
            return weights
        index = tuple(used.T)
        mean = total[index] / n_rows[index][:, None]
        spread = np.sqrt(np.maximum(squares[index] / n_rows[index][:, None] - mean**2, 0.0))
        varies = spread > _MIN_SPREAD
        varies[:, 0] = True  # the constant
        penalty = self.penalty * spread**2

        def derivatives(of_used: Floats) -> tuple[Floats, Floats, Floats]:
            value, gradient, hessian = sums(rows.map(partial(_derivatives, used, of_used)))
            value += (penalty * of_used**2).sum(axis=1) / 2
            gradient = np.where(varies, gradient + penalty * of_used, 0.0)
            hessian *= varies[:, :, None] & varies[:, None, :]
            hessian += np.where(varies, penalty, 1.0)[:, :, None] * np.eye(len(COLUMNS))
            return value, gradient, hessian

        weights[index] = convex.newton(derivatives, weights[index])
        return weights


def _compact(split: Split, rows: pd.DataFrame) -> Arrays:
    """Inputs of every form, flags of the targets, and whether the hand is open."""
    values = terms(rows[_NUMBERS].to_numpy()).astype(np.float32)
    ones = np.ones((len(rows), 1), np.float32)
    counts = split_counts(rows, split)
    return {
        "inputs": np.stack([np.hstack([ones, of_form, values]) for of_form in counts]),
        "won": target_flags(rows["won_targets"].to_numpy()),
        "possible": target_flags(rows["possible_targets"].to_numpy()),
        "is_open": ~rows["closed"].to_numpy(),
    }


def _regression(arrays: Arrays, is_open: int, target: int) -> tuple[Floats, Bools]:
    """Inputs, (m, columns), and labels, (m,), of the rows of a regression.

    A win is fitted to all hands that may still win in the form, a yaku to those that did so.
    """
    form, yaku = TARGETS[target]
    mask = arrays["possible"][:, target] & (arrays["is_open"] == is_open)
    if yaku != WIN:
        mask &= arrays["won"][:, TARGETS.index(YakuTarget(form, WIN))]
    return arrays["inputs"][form, mask].astype(np.float64), arrays["won"][mask, target]


def _moments(arrays: Arrays) -> tuple[Ints, Ints, Floats, Floats]:
    """Number of rows, of wins, and Σ of the inputs and of their squares, by regression."""
    shape = 2, len(TARGETS)
    n_rows, n_won = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    total, squares = np.zeros((*shape, len(COLUMNS))), np.zeros((*shape, len(COLUMNS)))
    for index in np.ndindex(shape):
        if TARGETS[index[1]].yaku == WIN or TARGETS[index[1]].yaku not in SURE:
            inputs, won = _regression(arrays, *index)
            n_rows[index], n_won[index] = len(won), won.sum()
            total[index], squares[index] = inputs.sum(axis=0), (inputs**2).sum(axis=0)
    return n_rows, n_won, total, squares


def _derivatives(used: Ints, weights: Floats, arrays: Arrays) -> tuple[Floats, Floats, Floats]:
    """Log losses of some regressions, (r,), gradients, (r, columns), and Hessians."""
    values = np.zeros(len(used))
    gradients = np.zeros(weights.shape)
    hessians = np.zeros((*weights.shape, weights.shape[1]))
    for number, (is_open, target) in enumerate(used.tolist()):
        inputs, won = _regression(arrays, is_open, target)
        logit = inputs @ weights[number]
        predicted = expit(logit)
        values[number] = np.sum(np.logaddexp(0, logit) - won * logit)
        gradients[number] = (predicted - won) @ inputs
        hessians[number] = inputs.T @ ((predicted * (1 - predicted))[:, None] * inputs)
    return values, gradients, hessians


def _han_sums(rows: pd.DataFrame) -> tuple[Ints, Ints]:
    """Sums for the han of wins with four sets, closed and open, and with seven pairs, of dora.

    Returns
    -------
    (2, 2) array
        Number and Σ of the han of yakuhai, where there are some.
    (3, 5) array
        Number, and Σ of x, y, x² and x·y of the dora x in the hand and y in the win.
    """
    four_sets = rows[rows["won_form"] == FOUR_SETS]
    cells = [four_sets[four_sets["closed"] == closed] for closed in (True, False)]
    han = [cell["won_yakuhai_han"].to_numpy(np.int64) for cell in cells]
    cells.append(rows[rows["won_form"] == SEVEN_PAIRS])
    dora = [cell[["dora", "won_dora_han"]].to_numpy(np.int64).T for cell in cells]
    return (
        np.array([((of_cell > 0).sum(), of_cell.sum()) for of_cell in han]),
        np.array([(len(x), x.sum(), y.sum(), (x * x).sum(), (x * y).sum()) for x, y in dora]),
    )


def _han(yakuhai: Ints, dora: Ints) -> tuple[Floats, Floats]:
    """Mean han of yakuhai, (2,), and lines of dora, (3, 2)."""
    means = [han / count if count else 1.0 for count, han in yakuhai.tolist()]
    return np.array(means), np.array([_line(*of_cell) for of_cell in dora.tolist()])


def _line(n: int, x: int, y: int, xx: int, xy: int) -> tuple[float, float]:
    """Intercept and slope by least squares; 0 and 1 without two different numbers to fit to."""
    spread = n * xx - x * x
    if not spread:
        return 0.0, 1.0
    slope = (n * xy - x * y) / spread
    return (y - slope * x) / n, slope


def split_counts(rows: pd.DataFrame, split: Split) -> list[Float32s]:
    """The counts of the classes in each form, (rows, 21).

    Parameters
    ----------
    rows : DataFrame
        `features.yaku_rows.YAKU`.
    split : callable
        The split of a hand into four sets and a pair; the other forms have one split only.
    """
    by_hand = [
        (
            split(hand),
            hand_decomposition.seven_pairs_counts(hand.counts, hand.yakuhai),
            hand_decomposition.kokushi_counts(hand.counts, hand.yakuhai),
        )
        for hand in hands(rows)
    ]
    no_hand = np.empty((0, 3, len(hand_decomposition.CLASSES)))
    counts = np.array(by_hand, np.float32) if by_hand else no_hand.astype(np.float32)
    return list(counts.transpose(1, 0, 2))


def mean_split(hand: HandSummary) -> Floats:
    """The mean of all splits of a hand into four sets and a pair, melds included, (21,)."""
    by_suit = hand_decomposition.hand_splits(hand.counts, hand.yakuhai)
    return np.asarray(sum(splits.mean(axis=0) for splits in by_suit) + np.array(hand.melds))
