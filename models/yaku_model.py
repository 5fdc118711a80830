"""Fitting the yaku model (`houjuu.player.hand_value.yaku_model`): a logistic regression per target.

A hand has many splits, and the rows do not show which one it won with. The first fit therefore uses
the mean of all splits. Each further iteration uses the split that is best by the weights so far, as
the model itself does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from features.yaku_rows import hands
from houjuu.arrays import Bools, Floats
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

Float32s = npt.NDArray[np.float32]
Split = Callable[[HandSummary], npt.NDArray[Any]]
"""Maps a hand to counts of the classes, (21,)."""

_CHUNK = 10_000  # unit: rows
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

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.yaku_rows`."""
        self._fit_han(rows)
        self._fit_weights(rows, mean_split)
        for _ in range(self.iterations):
            self._fit_weights(rows, self.to_runtime().split)
        return self

    def to_runtime(self) -> YakuModel:
        """The fitted model as the runtime loads it."""
        return YakuModel(self.weights_, self.yakuhai_, self.dora_)

    def _fit_weights(self, rows: pd.DataFrame, split: Split) -> None:
        counts = split_counts(rows, split)
        values = terms(rows[_NUMBERS].to_numpy()).astype(np.float32)
        won = target_flags(rows["won_targets"])
        regressions = list(_regressions(rows, won))
        fitted = Parallel(return_as="generator")(
            delayed(_weights)(
                np.hstack([counts[TARGETS[target].form][mask], values[mask]]),
                won[mask, target],
                self.penalty,
            )
            for _, target, mask in regressions
        )
        self.weights_ = np.zeros((2, len(TARGETS), len(COLUMNS)))
        for (is_open, target, _), weights in zip(regressions, fitted, strict=True):
            self.weights_[is_open, target] = weights

    def _fit_han(self, rows: pd.DataFrame) -> None:
        """The han of yakuhai and dora in a win."""
        four_sets = rows[rows["won_form"] == FOUR_SETS]
        cells = [four_sets[four_sets["closed"] == closed] for closed in (True, False)]
        han = [cell["won_yakuhai_han"] for cell in cells]
        self.yakuhai_ = np.array([_mean(of_cell[of_cell > 0]) for of_cell in han])
        cells.append(rows[rows["won_form"] == SEVEN_PAIRS])
        self.dora_ = np.array([_line(cell["dora"], cell["won_dora_han"]) for cell in cells])


def _regressions(rows: pd.DataFrame, won: Bools) -> Iterator[tuple[int, int, Bools]]:
    """Yield each regression: 0 for closed or 1 for open hands, the target, and the mask of rows.

    A win is fitted to all hands that may still win in the form, a yaku to those that did so.
    """
    closed, possible = rows["closed"].to_numpy(), target_flags(rows["possible_targets"])
    for is_open in (0, 1):
        for index, target in enumerate(TARGETS):
            mask = possible[:, index] & (closed != is_open)
            if target.yaku == WIN:
                yield is_open, index, mask
            elif target.yaku not in SURE:
                yield is_open, index, mask & won[:, TARGETS.index(YakuTarget(target.form, WIN))]


def _mean(han: pd.Series[Any]) -> float:
    return float(han.mean()) if len(han) else 1.0


def _line(in_hand: pd.Series[Any], in_win: pd.Series[Any]) -> tuple[float, float]:
    """Intercept and slope by least squares; 0 and 1 without two different numbers to fit to."""
    if in_hand.nunique() < 2:
        return 0.0, 1.0
    slope, intercept = np.polyfit(in_hand, in_win, 1)
    return float(intercept), float(slope)


def split_counts(rows: pd.DataFrame, split: Split) -> list[Float32s]:
    """The counts of the classes in each form, (rows, 21).

    Parameters
    ----------
    rows : DataFrame
        `features.yaku_rows.YAKU`.
    split : callable
        The split of a hand into four sets and a pair; the other forms have one split only.
    """
    chunks = (rows.iloc[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK))
    parts = Parallel(return_as="generator")(
        delayed(_split_counts)(chunk, split) for chunk in chunks
    )
    return [np.concatenate(by_form) for by_form in zip(*parts, strict=True)]


def _split_counts(rows: pd.DataFrame, split: Split) -> list[Float32s]:
    by_hand = [
        (
            split(hand),
            hand_decomposition.seven_pairs_counts(hand.counts, hand.yakuhai),
            hand_decomposition.kokushi_counts(hand.counts, hand.yakuhai),
        )
        for hand in hands(rows)
    ]
    return [np.array(of_form, np.float32) for of_form in zip(*by_hand, strict=True)]


def mean_split(hand: HandSummary) -> Floats:
    """The mean of all splits of a hand into four sets and a pair, melds included, (21,)."""
    by_suit = hand_decomposition.hand_splits(hand.counts, hand.yakuhai)
    return np.asarray(sum(splits.mean(axis=0) for splits in by_suit) + np.array(hand.melds))


def _weights(features: Float32s, won: Bools, penalty: float) -> Floats:
    """Constant and weights of one target, (columns,).

    Where the label is always the same, the weights are 0. The Newton search converges to the last
    digits: the result does not depend on the processor.
    """
    weights = np.zeros(len(COLUMNS))
    if won.all() or not won.any():
        rate = (won.sum() + 0.5) / (len(won) + 1)
        weights[0] = np.log(rate / (1 - rate))
        return weights
    mean, spread = features.mean(axis=0, dtype=np.float64), features.std(axis=0, dtype=np.float64)
    spread[spread < _MIN_SPREAD] = np.inf  # a constant feature has the weight 0
    regression = LogisticRegression(C=1 / penalty, solver="newton-cholesky", tol=1e-10)
    regression.fit((features - mean) / spread, won)
    slopes = regression.coef_[0] / spread
    return np.array([regression.intercept_[0] - slopes @ mean, *slopes])
