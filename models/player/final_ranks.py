"""Fitting the model of final ranks (`houjuu.player.values.final_ranks`).

Penalized logits of the first, second and third place, with weights of their own for every phase of
the game. The penalties tie neighbouring phases and segments to each other; no slope is negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Self

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.linalg import block_diag
from sklearn.base import BaseEstimator

from features.final_rank_rows import ranks, round_starts
from houjuu.game.events import SEATS
from houjuu.player.round_end.logit import Block
from houjuu.player.values.final_ranks import (
    COLUMNS,
    FEATURES,
    KNOTS,
    LINES,
    MOST_POT,
    PHASE_KEYS,
    PHASES,
    PLACES,
    SCORE_KNOTS,
    TARGET_KNOTS,
    FinalRankModel,
    ScorePairs,
    features,
    pair_features,
    phases,
)
from houjuu.util.arrays import Floats
from models.fitting import penalized_logit
from models.fitting.penalized_logit import LogitRows, chunks
from models.fitting.shards import Arrays, Shards

_FIRST_SLOPE = 0.03  # where the fit starts


@dataclass(eq=False, repr=False)
class FinalRankRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of every phase.

    Few games are uneven while many rounds are left, so that the weights of those phases borrow from
    the next, and the slopes of neighbouring segments of a line from each other.

    Parameters
    ----------
    penalty : float, default=1.0
        L2 penalty on the weights.
    phase_penalty : float, default=300.0
        The same for the difference of a weight between phases one round apart.
    slope_penalty : float, default=100.0
        The same for the difference of the slopes of neighbouring segments.
    least_slope : float, default=0.1
        The weight of the logarithms of all `slopes` in the loss, which keep them above 0.

    Attributes
    ----------
    weights_ : (phases, terms) array
    """

    penalty: float = 1.0
    phase_penalty: float = 300.0
    slope_penalty: float = 100.0
    least_slope: float = 0.1

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.final_rank_rows.FINAL_RANKS`."""
        rising = slopes()
        level = np.linalg.lstsq(rising, np.full(len(rising), _FIRST_SLOPE), rcond=None)[0]
        of_all = sparse.kron(sparse.eye(len(PHASES) * len(PLACES)), rising, format="csr")
        self.weights_ = penalized_logit.fit(
            shards.prepare(_compact),
            _design,
            np.tile(level, (len(PHASES), len(PLACES))),
            self._penalties(),
            positive=(of_all, self.least_slope),
        )
        return self

    def _penalties(self) -> Floats:
        """The matrix of the penalties, (phases · terms, phases · terms).

        Those of the differences grow with the square of the rounds left, this one included, as the
        rows that show uneven games become fewer.
        """
        rounds = np.array([1.0 + phase.rounds_left for phase in PHASE_KEYS])
        next_phases = _neighbours([phase.hanchan for phase in PHASE_KEYS])
        scheduled = [(a, b) for a, b in next_phases if PHASE_KEYS[a].rounds_left >= 0]
        growth = rounds[[later for _, later in scheduled]] ** 2
        phase_differences = _differences(scheduled, growth, len(PHASES))
        next_segments = _neighbours(LINES)
        bends = _differences(next_segments, np.ones(len(next_segments)), len(FEATURES))
        by_phase = np.kron(phase_differences, np.eye(len(FEATURES)))
        by_slope = np.kron(np.diag(np.maximum(rounds**2, 1.0)), bends)
        alone = self.penalty * np.eye(len(by_phase))
        return np.asarray(alone + self.phase_penalty * by_phase + self.slope_penalty * by_slope)

    def to_runtime(self) -> FinalRankModel:
        """The weights as the runtime loads them."""
        return FinalRankModel(self.weights_)


def slopes() -> Floats:
    """The slopes that a fit keeps above 0, of the weights of a place, (slopes, columns).

    How fast the block of a pair rises with the difference, in each segment on both sides, with and
    without a dealer and the largest pot; and how fast each line of a seat rises.
    """
    step = np.diff(KNOTS).min()
    dealers = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    states = [*product((0.0, -step), KNOTS[:-1], dealers, (0.0, MOST_POT))]
    lows = [knot + side if side == 0 else side - knot for side, knot, *_ in states]
    deals, other_deals = np.array([dealers for *_, dealers, _ in states]).T
    pairs = ScorePairs(np.array(lows), deals, other_deals, np.array([pot for *_, pot in states]))
    higher = pairs._replace(difference=pairs.difference + step)
    of_pair = np.unique(pair_features(higher) - pair_features(pairs), axis=0)
    n_lines = len(SCORE_KNOTS) + len(TARGET_KNOTS) - 2
    of_seat = np.eye(n_lines, len(COLUMNS) - of_pair.shape[1])
    return np.asarray(block_diag(of_pair, of_seat))


def _neighbours(keys: Sequence[object]) -> list[tuple[int, int]]:
    """The indices of equal keys that follow one another."""
    return [(i, i + 1) for i, (first, second) in enumerate(pairwise(keys)) if first == second]


def _differences(neighbours: Sequence[tuple[int, int]], factors: Floats, n: int) -> Floats:
    """The matrix of the sum of factors × squares of the differences of neighbours, (n, n)."""
    unit = np.eye(n)
    differences = unit[[a for a, _ in neighbours]] - unit[[b for _, b in neighbours]]
    return np.asarray((differences.T * factors) @ differences)


def _compact(rows: pd.DataFrame) -> Arrays:
    at_start = round_starts(rows)
    of_pairs, of_seats = features(at_start)
    return {
        "phase": phases(at_start.hanchan, at_start.round),
        "pairs": of_pairs,
        "seats": of_seats,
        "ranks": ranks(rows),
    }


def _design(arrays: Arrays) -> Iterator[LogitRows]:
    """Yield the rows of each phase and place: a choice among the seats that are left."""
    for phase in np.unique(arrays["phase"]).tolist():
        in_phase = arrays["phase"] == phase
        for rows in chunks({name: array[in_phase] for name, array in arrays.items()}):
            for place in range(len(PLACES)):
                left = rows["ranks"] >= place
                others = np.einsum("nijk,nj->nik", rows["pairs"], left)
                terms = np.concatenate([others, rows["seats"]], axis=2)
                of_place = slice(place * len(COLUMNS), (place + 1) * len(COLUMNS))
                block = Block(of_place, np.eye(SEATS), terms)
                label = (rows["ranks"] == place).argmax(axis=1)
                yield LogitRows([block], label, left, group=phase)
