"""Fitting the models of the round's end (`houjuu.player.round_end.round_ends`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.round_end_rows import state_arrays
from houjuu.player.round_end import features
from houjuu.player.round_end.endings import DRAW, IS_TSUMO, SELF, SIZES, WINNER
from houjuu.player.round_end.logit import Part, by_alternative, either
from houjuu.player.round_end.round_ends import SHAPES, RoundEndModel
from houjuu.player.states import OPPONENTS, States
from houjuu.util.arrays import Floats, Ints
from models.fitting import choice
from models.fitting.choice import CHOICE, Design
from models.fitting.parts import Arrays, Parts, sums

_ENDING, _SIZE, _BASE, _TENPAI = "ending", "size", "base_points", "tenpai_at_draw"


class RoundEndRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of all models of the round's end.

    Parameters
    ----------
    penalty : float, default=1.0
        Half of it times the square of each weight is added to the log loss of all rows.

    Attributes
    ----------
    weights_ : dict of str to array
        As the parameters of `RoundEndModel`.
    """

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def fit(self, parts: Parts) -> Self:
        """Fit to rows of `features.round_end_rows.ROUND_ENDS`."""
        designs: dict[str, tuple[Callable[[pd.DataFrame], Arrays], Design]] = {
            "endings": (_ending_arrays, _ending_design),
            "own_sizes": (_own_wins, _own_size_design),
            "opponent_sizes": (_opponent_wins, _opponent_size_design),
            "own_tenpai": (partial(_tenpai_arrays, [SELF]), _own_tenpai_design),
            "opponent_tenpai": (
                partial(_tenpai_arrays, [*range(1, OPPONENTS + 1)]),
                _opponent_tenpai_design,
            ),
        }
        self.weights_ = {"base_points": _mean_base_points(parts)}
        for name, (arrays, design) in designs.items():
            n_terms = int(np.prod(SHAPES[name]))
            weights = choice.fit(parts.prepare(arrays), design, n_terms, self.penalty)
            self.weights_[name] = weights.reshape(SHAPES[name])
        return self

    def to_runtime(self) -> RoundEndModel:
        """The weights as the runtime loads them."""
        return RoundEndModel(**self.weights_)


def _mean_base_points(parts: Parts) -> Floats:
    """The mean base points of the wins of each size, (sizes,)."""
    total, count = sums(parts.map(_base_sums))
    return np.asarray((total + _PRIOR) / (count + 1.0))


_PRIOR = np.array([256.0, 480.0, 720.0, 1000.0, 1400.0, 2000.0, 3000.0, 5000.0])
"""Base points that each size has if no win shows them: one win counts as much."""


def _base_sums(rows: pd.DataFrame) -> tuple[Floats, Floats]:
    wins = rows[rows[_SIZE] >= 0]
    sizes, base = wins[_SIZE].to_numpy(), wins[_BASE].to_numpy(np.float64)
    count = np.bincount(sizes, minlength=len(SIZES)).astype(np.float64)
    return np.bincount(sizes, base, len(SIZES)).astype(np.float64), count


def _arrays(rows: pd.DataFrame) -> Arrays:
    return state_arrays(rows).fields()


def _states(arrays: Arrays) -> States:
    return States.from_fields(arrays)


def _ending_arrays(rows: pd.DataFrame) -> Arrays:
    return _arrays(rows) | {CHOICE: rows[_ENDING].to_numpy(np.int64)}


def _ending_design(arrays: Arrays) -> Sequence[Part]:
    return features.ending_blocks(_states(arrays))


def _won(rows: pd.DataFrame) -> tuple[pd.DataFrame, Arrays]:
    """The rows of rounds that were won, with the arrays of their wins."""
    won = rows[rows[_ENDING] != DRAW]
    ending = won[_ENDING].to_numpy(np.int64)
    of_wins = {
        "winner": WINNER[ending],
        "tsumo": IS_TSUMO[ending],
        CHOICE: won[_SIZE].to_numpy(np.int64),
    }
    return won, _arrays(won) | of_wins


def _own_wins(rows: pd.DataFrame) -> Arrays:
    _, arrays = _won(rows)
    return {name: array[arrays["winner"] == SELF] for name, array in arrays.items()}


def _opponent_wins(rows: pd.DataFrame) -> Arrays:
    """The wins of opponents, each as if it were the one to the right."""
    _, arrays = _won(rows)
    theirs = {name: array[arrays["winner"] != SELF] for name, array in arrays.items()}
    return _rolled(theirs, theirs["winner"] - 1)


def _rolled(arrays: Arrays, first: Ints) -> Arrays:
    """The fields of opponents with a given opponent of each row in the first place."""
    order = (first[:, None] + np.arange(OPPONENTS)) % OPPONENTS
    return {
        name: np.take_along_axis(array, order, axis=1) if array.ndim == 2 else array
        for name, array in arrays.items()
    }


def _own_size_design(arrays: Arrays) -> Sequence[Part]:
    own, _ = features.size_features(_states(arrays), tsumo=arrays["tsumo"])
    return by_alternative(own, len(SIZES))


def _opponent_size_design(arrays: Arrays) -> Sequence[Part]:
    _, opponents = features.size_features(_states(arrays), tsumo=arrays["tsumo"])
    return by_alternative(opponents[:, 0], len(SIZES))


def _tenpai_arrays(seats: list[int], rows: pd.DataFrame) -> Arrays:
    """The draws, once for each of some relative seats; of opponents each comes first once."""
    drawn = rows[rows[_TENPAI] >= 0]
    pattern = drawn[_TENPAI].to_numpy(np.int64)
    of_seats = []
    for seat in seats:
        arrays = _arrays(drawn) | {CHOICE: pattern >> seat & 1}
        if seat != SELF:
            arrays = _rolled(arrays, np.full(len(drawn), seat - 1))
        of_seats.append(arrays)
    return {name: np.concatenate([one[name] for one in of_seats]) for name in of_seats[0]}


def _own_tenpai_design(arrays: Arrays) -> Sequence[Part]:
    return either(features.tenpai_features(_states(arrays))[0])


def _opponent_tenpai_design(arrays: Arrays) -> Sequence[Part]:
    return either(features.tenpai_features(_states(arrays))[1][:, 0])
