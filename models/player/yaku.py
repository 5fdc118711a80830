"""Fitting the yaku model (`houjuu.player.hand_value.yaku_model`): a logistic regression per target.

A hand has many splits, and the rows do not show which one it won with. The first fit therefore uses
the mean of all splits. Each further iteration uses the split that is best by the weights so far, as
the model itself does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator

from features.columns import ints
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
from models.fitting.penalized_logit import regression
from models.fitting.shards import Arrays, Shards, concatenated, sums

Float32s = npt.NDArray[np.float32]
Split = Callable[[HandSummary], npt.NDArray[Any]]
"""Maps a hand to counts of the classes, (21,)."""

_MIN_SPREAD = 1e-6
_NUMBERS = [name for name, _ in HAND_NUMBERS]


@dataclass(eq=False, repr=False)
class YakuRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of every target on the classes of the best split of a hand.

    Parameters
    ----------
    penalty : float, default=3.0
        L2 penalty on the weights of standardized features.
    iterations : int, default=2
        How often the best splits are chosen again.

    Attributes
    ----------
    weights_ : (2, targets, columns) array
    yakuhai_ : (2,) array
    dora_ : (3, 2) array
        As `YakuModel` takes them.
    """

    penalty: float = 3.0
    iterations: int = 2

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
        """Constants and weights, (2, targets, columns); 0 for a yaku that needs no regression."""
        rows = concatenated(shards.map(partial(_compact, split)))
        weights = np.zeros((2, len(TARGETS), len(COLUMNS)))
        for is_open, target in np.ndindex(weights.shape[:2]):
            yaku = TARGETS[target].yaku
            if yaku == WIN or yaku not in SURE:
                inputs, won = _samples(rows, is_open, target)
                weights[is_open, target] = self._fit_target(inputs, won)
        return weights

    def _fit_target(self, inputs: Floats, won: Bools) -> Floats:
        """Constant and weights of one regression, (columns,).

        Where the label is always the same, there is the constant alone.
        """
        weights = np.zeros(len(COLUMNS))
        n_won = int(won.sum())
        n_lost = len(won) - n_won
        if not n_won or not n_lost:
            weights[0] = np.log((n_won + 0.5) / (n_lost + 0.5))  # 0 without any row
            return weights
        spread = inputs.std(axis=0)
        varies = spread > _MIN_SPREAD  # not the constant, the first column: it has no penalty
        standardized = inputs[:, varies] / spread[varies]
        (fitted,) = regression(standardized, won, 2, self.penalty, intercept=True)
        weights[0] = fitted[0]
        weights[varies] = fitted[1:] / spread[varies]
        return weights


def _compact(split: Split, rows: pd.DataFrame) -> Arrays:
    """Inputs of every form, flags of the targets, and whether the hand is open."""
    values = terms(rows[_NUMBERS].to_numpy()).astype(np.float32)
    ones = np.ones((len(rows), 1), np.float32)
    form_counts = split_counts(rows, split)
    by_form = [np.hstack([ones, counts, values]) for counts in form_counts]
    return {
        "inputs": np.stack(by_form, axis=1),
        "won": target_flags(rows["won_targets"].to_numpy()),
        "possible": target_flags(rows["possible_targets"].to_numpy()),
        "is_open": ~rows["closed"].to_numpy(),
    }


def _samples(arrays: Arrays, is_open: int, target: int) -> tuple[Floats, Bools]:
    """Inputs, (m, columns), and labels, (m,), of the rows of a regression.

    A win is fitted to all hands that may still win in the form, a yaku to those that did so.
    """
    form, yaku = TARGETS[target]
    mask = arrays["possible"][:, target] & (arrays["is_open"] == is_open)
    if yaku != WIN:
        mask &= arrays["won"][:, TARGETS.index(YakuTarget(form, WIN))]
    inputs = arrays["inputs"][mask, form].astype(np.float64)
    return inputs, arrays["won"][mask, target]


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
    wins = [four_sets[four_sets["closed"] == closed] for closed in (True, False)]
    yakuhai = []
    for won in wins:
        han = ints(won, "won_yakuhai_han")
        yakuhai.append(((han > 0).sum(), han.sum()))
    wins.append(rows[rows["won_form"] == SEVEN_PAIRS])
    dora = []
    for won in wins:
        x = ints(won, "dora")
        y = ints(won, "won_dora_han")
        dora.append((len(x), x.sum(), y.sum(), (x * x).sum(), (x * y).sum()))
    return np.array(yakuhai), np.array(dora)


def _han(yakuhai: Ints, dora: Ints) -> tuple[Floats, Floats]:
    """Mean han of yakuhai, (2,), and lines of dora, (3, 2)."""
    means = [han / count if count else 1.0 for count, han in yakuhai.tolist()]
    lines = [_line(*numbers) for numbers in dora.tolist()]
    return np.array(means), np.array(lines)


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
    by_hand = []
    for hand in hands(rows):
        four_sets = split(hand)
        seven_pairs = hand_decomposition.seven_pairs_counts(hand.counts, hand.yakuhai)
        kokushi = hand_decomposition.kokushi_counts(hand.counts, hand.yakuhai)
        by_hand.append((four_sets, seven_pairs, kokushi))
    shape = len(by_hand), 3, len(hand_decomposition.CLASSES)
    counts = np.array(by_hand, np.float32).reshape(shape)
    return list(counts.transpose(1, 0, 2))


def mean_split(hand: HandSummary) -> Floats:
    """The mean of all splits of a hand into four sets and a pair, melds included, (21,)."""
    by_suit = hand_decomposition.hand_splits(hand.counts, hand.yakuhai)
    concealed = sum(splits.mean(axis=0) for splits in by_suit)
    return np.asarray(concealed + np.array(hand.melds))
