"""Fitting the models of the round's end (`houjuu.player.round_end.round_ends`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.columns import floats, ints
from features.round_end_rows import state_arrays
from houjuu.game.events import SEATS
from houjuu.player.hand_value.scores import BASE, raised
from houjuu.player.round_end import features
from houjuu.player.round_end.endings import IS_TSUMO, SELF, SIZES, WINNER, size
from houjuu.player.round_end.features import FeatureRange
from houjuu.player.round_end.round_ends import HAN, SHAPES, RoundEndModel
from houjuu.player.states import States
from houjuu.util.arrays import Floats, Ints
from houjuu.util.attributions import softmax
from models.fitting import penalized_logit
from models.fitting.penalized_logit import LogitRows, chunks
from models.fitting.shards import Arrays, Shards, sums

_ENDING = "ending"
_SIZE = "size"
_BASE = "base_points"
_TENPAI = "tenpai_at_draw"
_CLASSES = {
    "own_sizes": len(SIZES),
    "opponent_sizes": len(SIZES),
    "own_tenpai": 2,
    "opponent_tenpai": 2,
}
"""The plain regressions, and the number of their classes."""


@dataclass(eq=False, repr=False)
class RoundEndRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of all models of the round's end.

    Parameters
    ----------
    penalty : float, default=1.0
        L2 penalty on the weights.

    Attributes
    ----------
    weights_ : dict of str to array
        As the parameters of `RoundEndModel`.
    ranges_ : dict of str to FeatureRange
        The range of the features of each array.
    """

    penalty: float = 1.0

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.round_end_rows.ROUND_ENDS`."""
        self.weights_: dict[str, Any] = {"base_points": _mean_base_points(shards)}
        start = np.zeros((1, *SHAPES["endings"]))
        prepared = shards.prepare(_ending_arrays)
        (self.weights_["endings"],) = penalized_logit.fit(
            prepared, _ending_design, start, self.penalty
        )
        self.ranges_ = {"endings": _range([*prepared.map(_ending_edges)])}
        by_shard = list(shards.map(_samples))
        for name, n_classes in _CLASSES.items():
            samples = zip(*(samples[name] for samples in by_shard), strict=True)
            features, label = map(np.concatenate, samples)
            weights = penalized_logit.regression(features, label, n_classes, self.penalty)
            self.weights_[name] = weights.reshape(SHAPES[name])
            self.ranges_[name] = _range([features])
        self._fit_han(shards)
        return self

    def _fit_han(self, shards: Shards) -> None:
        """Fit the han of counted wins: each is a mixture over the han that explain its size."""
        by_shard = [*shards.map(partial(_han_samples, self.weights_["own_sizes"]))]
        terms, likelihood = map(np.concatenate, zip(*by_shard, strict=True))
        self.weights_["own_han"] = penalized_logit.mixture(terms, likelihood, self.penalty)
        self.ranges_["own_han"] = _range([terms])

    def to_runtime(self) -> RoundEndModel:
        """The weights as the runtime loads them."""
        return RoundEndModel(**self.weights_, ranges=self.ranges_)


def _mean_base_points(shards: Shards) -> Floats:
    """The mean base points of the wins of each size, (sizes,)."""
    total, count = sums(shards.map(_base_sums))
    return np.asarray((total + _PRIOR) / (count + 1.0))


_PRIOR = np.array([256.0, 480.0, 720.0, 1000.0, 1400.0, 2000.0, 3000.0, 5000.0])
"""Base points that each size has if no win shows them: one win counts as much."""


def _base_sums(rows: pd.DataFrame) -> tuple[Floats, Floats]:
    wins = rows[rows[_SIZE] >= 0]
    sizes = wins[_SIZE].to_numpy()
    base = floats(wins, _BASE)
    total = np.bincount(sizes, base, len(SIZES))
    count = np.bincount(sizes, minlength=len(SIZES))
    return total.astype(np.float64), count.astype(np.float64)


def _ending_arrays(rows: pd.DataFrame) -> Arrays:
    return state_arrays(rows).fields() | {_ENDING: ints(rows, _ENDING)}


def _ending_design(arrays: Arrays) -> Iterator[LogitRows]:
    for rows in chunks(arrays):
        states = States.from_fields(rows)
        yield LogitRows(features.ending_blocks(states), rows[_ENDING])


def _range(values: Sequence[Floats]) -> FeatureRange:
    """The range of the columns of some (n, features) arrays; 0 of those without a row."""
    rows = np.concatenate([np.zeros((int(not any(map(len, values))), values[0].shape[1])), *values])
    return FeatureRange(rows.min(axis=0), rows.max(axis=0))


def _ending_edges(arrays: Arrays) -> Floats:
    """The least and the greatest value of each feature of the endings in a shard, (2, features)."""
    edges = [
        np.concatenate([reduce_(block.terms, axis=(0, 1)) for block in rows.blocks])
        for rows in _ending_design(arrays)
        for reduce_ in (np.min, np.max)
    ]
    return np.array([np.min(edges, axis=0), np.max(edges, axis=0)])


def _samples(rows: pd.DataFrame) -> dict[str, tuple[Floats, Ints]]:
    """Terms and labels of the regressions of `_CLASSES`, by name."""
    return _size_samples(rows[rows[_SIZE] >= 0]) | _tenpai_samples(rows[rows[_TENPAI] >= 0])


def _size_samples(won: pd.DataFrame) -> dict[str, tuple[Floats, Ints]]:
    """Those of the sizes, from the rows of rounds that were won."""
    ending = ints(won, _ENDING)
    size = ints(won, _SIZE)
    states, tsumo = state_arrays(won), IS_TSUMO[ending]
    own, opponents = (features.win_features(name, states, tsumo) for name in features.OF_WINS[1:])
    winner = WINNER[ending]
    uncounted = (winner == SELF) & (states.riichi == 0) & (states.shanten > 0)
    opponent_won = np.flatnonzero(winner != SELF)
    opponent = winner[opponent_won] - 1
    return {
        "own_sizes": (own[uncounted], size[uncounted]),
        "opponent_sizes": (opponents[opponent_won, opponent], size[opponent_won]),
    }


OF_SIZE = np.eye(len(SIZES))[[size(base) for base in BASE.tolist()]]
"""1 for the size of each score, (scores, sizes)."""


def _han_samples(own_sizes: Floats, rows: pd.DataFrame) -> tuple[Floats, Floats]:
    """The terms of the han of counted own wins, and the likelihood of the size by each of `HAN`."""
    own = rows[(rows[_SIZE] >= 0) & (WINNER[rows[_ENDING].clip(upper=len(WINNER) - 1)] == SELF)]
    states, tsumo = state_arrays(own), IS_TSUMO[ints(own, _ENDING)]
    counted = np.where(tsumo[:, None], states.by_tsumo, states.by_ron)
    sizes = ints(own, _SIZE)
    index = np.arange(len(own))
    uncounted = softmax(features.win_features("own_sizes", states, tsumo) @ own_sizes.T)
    likelihood = np.column_stack(
        [
            (uncounted if han is None else raised(counted, han) @ OF_SIZE)[index, sizes]
            for han in HAN
        ]
    )
    used = counted.any(axis=1)
    return features.win_features("own_han", states, tsumo)[used], likelihood[used]


def _tenpai_samples(drawn: pd.DataFrame) -> dict[str, tuple[Floats, Ints]]:
    """Those of tenpai, from the rows of exhausted draws; each opponent is a sample."""
    own, opponents = features.tenpai_features(state_arrays(drawn))
    bits = ints(drawn, _TENPAI)[:, None]
    is_tenpai = bits >> np.arange(SEATS) & 1
    opponent_terms = opponents.reshape(-1, opponents.shape[2])
    return {
        "own_tenpai": (own, is_tenpai[:, SELF]),
        "opponent_tenpai": (opponent_terms, is_tenpai[:, 1:].ravel()),
    }
