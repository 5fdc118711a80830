"""Fitting what hands promise (`houjuu.player.prospects`): logistic regressions, one a yaku.

A hand has many splits and won with none of them in particular: which one is a row to learn from?
First the mean of all, weighted equally; then, some times over, the one that is best by the weights
so far, which is the one that the evaluation will look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

from features.prospects import hands
from houjuu.player import splits
from houjuu.player.aims import AIMS, FOUR_SETS, GROUPS, NUMBERS, SEVEN_PAIRS, SURE, WIN, Aim, Hand
from houjuu.player.prospects import COLUMNS, Prospects, bits, terms

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_CHUNK = 10_000  # unit: rows
_STILL = 1e-6
_NUMBERS = [name for name, _ in NUMBERS]


class YakuRegression(BaseEstimator):  # type: ignore[misc]
    """Weights of every yaku on the classes of a hand's best split.

    Parameters
    ----------
    penalty : float, default=3.0
        Half of it times the square of each weight is added to the log loss of all rows; a weight
        is of so much as the standard deviation of what it is of.
    rounds : int, default=2
        How often the best splits are chosen anew.

    Attributes
    ----------
    weights_ : (2, aims, columns) array
    yakuhai_ : (2,) array
    dora_ : (3, 2) array
        As `Prospects` takes them.
    """

    def __init__(self, penalty: float = 3.0, rounds: int = 2) -> None:
        self.penalty = penalty
        self.rounds = rounds

    def fit(self, rows: pd.DataFrame) -> YakuRegression:
        """Fit to rows of `features.prospects`."""
        self._fit_han(rows)
        self._fit_weights(rows, _means)
        for _ in range(self.rounds):
            self._fit_weights(rows, self.model().split)
        return self

    def model(self) -> Prospects:
        """The evaluation with these weights."""
        return Prospects(self.weights_, self.yakuhai_, self.dora_)

    def _fit_weights(self, rows: pd.DataFrame, split: Callable[[Hand], Any]) -> None:
        counts = chosen(rows, split)
        known = terms(rows[_NUMBERS].to_numpy()).astype(np.float32)
        won = bits(rows["won"])
        asked = list(_asked(rows, won))
        found = Parallel(return_as="generator")(
            delayed(_weights)(
                np.hstack([counts[AIMS[place].form][these], known[these]]),
                won[these, place],
                self.penalty,
            )
            for _, place, these in asked
        )
        self.weights_ = np.zeros((2, len(AIMS), len(COLUMNS)))
        for (is_open, place, _), of in zip(asked, found, strict=True):
            self.weights_[is_open, place] = of

    def _fit_han(self, rows: pd.DataFrame) -> None:
        """How many 飜牌 and dora a win has."""
        of_sets = rows[rows["form"] == FOUR_SETS]
        cells = [of_sets[of_sets["closed"] == closed] for closed in (True, False)]
        self.yakuhai_ = np.array([_mean(of["yakuhai_han"][of["yakuhai_han"] > 0]) for of in cells])
        cells.append(rows[rows["form"] == SEVEN_PAIRS])
        self.dora_ = np.array([_line(of["dora"], of["dora_han"]) for of in cells])


def _asked(rows: pd.DataFrame, won: Bools) -> Iterator[tuple[int, int, Bools]]:
    """Yield what is fitted: of closed or open hands, which aim, and to which rows.

    To win to all that may still do so in the form, a yaku to those that did.
    """
    closed, possible = rows["closed"].to_numpy(), bits(rows["possible"])
    for is_open in (0, 1):
        for place, (form, yaku) in enumerate(AIMS):
            these = possible[:, place] & (closed != is_open)
            if yaku == WIN:
                yield is_open, place, these
            elif yaku not in SURE:
                yield is_open, place, these & won[:, AIMS.index(Aim(form, WIN))]


def _mean(han: pd.Series[Any]) -> float:
    return float(han.mean()) if len(han) else 1.0


def _line(held: pd.Series[Any], won: pd.Series[Any]) -> tuple[float, float]:
    """The line of least squares; that of one for each held where there is nothing to fit to."""
    if held.nunique() < 2:
        return 0.0, 1.0
    each, none = np.polyfit(held, won, 1)
    return float(none), float(each)


def chosen(rows: pd.DataFrame, split: Callable[[Hand], Any]) -> list[npt.NDArray[np.float32]]:
    """By form the counts that hands are read by, (rows, 21); `split` says which with four sets."""
    parts = (rows.iloc[first : first + _CHUNK] for first in range(0, len(rows), _CHUNK))
    found = Parallel(return_as="generator")(delayed(_chosen)(part, split) for part in parts)
    return [np.concatenate(of) for of in zip(*found, strict=True)]


def _chosen(rows: pd.DataFrame, split: Callable[[Hand], Any]) -> list[npt.NDArray[np.float32]]:
    found: list[list[Any]] = [[] for _ in GROUPS]
    for hand in hands(rows):
        told = hand.counts, hand.yakuhai
        found[0].append(split(hand))
        found[1].append(splits.for_seven_pairs(*told))
        found[2].append(splits.for_kokushi(*told))
    return [np.array(of, np.float32) for of in found]


def _means(hand: Hand) -> Floats:
    """The mean of all splits."""
    of_suits = splits.of_hand(hand.counts, hand.yakuhai)
    return np.asarray(sum(of.mean(axis=0) for of in of_suits) + np.array(hand.melds))


def _weights(known: npt.NDArray[np.float32], won: Bools, penalty: float) -> Floats:
    """The constant and the weights of one yaku; of one that never or always was, the constant."""
    found = np.zeros(len(COLUMNS))
    if won.all() or not won.any():
        rate = (won.sum() + 0.5) / (len(won) + 1)
        found[0] = np.log(rate / (1 - rate))
        return found
    middle, spread = known.mean(axis=0, dtype=np.float64), known.std(axis=0, dtype=np.float64)
    spread[spread < _STILL] = np.inf  # what is always the same says nothing
    fitted = LogisticRegression(C=1 / penalty, tol=1e-5, max_iter=500)
    fitted.fit((known - middle) / spread, won)
    slopes = fitted.coef_[0] / spread
    return np.array([fitted.intercept_[0] - slopes @ middle, *slopes])
