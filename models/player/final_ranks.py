"""Fitting the model of final ranks (`houjuu.player.values.final_ranks`).

A penalized logit over the 24 orders of the seats, with weights of their own for every phase of the
game. The penalties tie neighbouring phases and segments to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from features.final_rank_rows import ranks, round_starts
from houjuu.player.round_end.logit import Block
from houjuu.player.values.final_ranks import (
    COUNTS,
    FEATURES,
    LINES,
    PHASE_KEYS,
    PHASES,
    RANKS,
    FinalRankModel,
    features,
    phases,
)
from houjuu.util.arrays import Floats, Ints
from models.fitting import penalized_logit
from models.fitting.penalized_logit import LogitRows, chunks
from models.fitting.shards import Arrays, Shards

_DIGITS = RANKS.shape[1] ** np.arange(RANKS.shape[1])
"""The ranks of four seats are the digits of a number."""


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

    Attributes
    ----------
    weights_ : (phases, terms) array
    """

    penalty: float = 1.0
    phase_penalty: float = 300.0
    slope_penalty: float = 100.0

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.final_rank_rows.FINAL_RANKS`."""
        start = np.zeros((len(PHASES), len(FEATURES)))
        prepared = shards.prepare(_compact)
        self.weights_ = penalized_logit.fit(prepared, _design, start, self._penalties())
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


def _neighbours(keys: Sequence[object]) -> list[tuple[int, int]]:
    """The indices of equal keys that follow one another."""
    return [(i, i + 1) for i, (first, second) in enumerate(pairwise(keys)) if first == second]


def _differences(neighbours: Sequence[tuple[int, int]], factors: Floats, n: int) -> Floats:
    """The matrix of the sum of factors × squares of the differences of neighbours, (n, n)."""
    unit = np.eye(n)
    differences = unit[[a for a, _ in neighbours]] - unit[[b for _, b in neighbours]]
    return np.asarray((differences.T * factors) @ differences)


def order_of(rank_of_seat: Ints) -> Ints:
    """The index in `ORDERS` of the final ranks of the seats, (n,), from (n, 4)."""
    codes = RANKS @ _DIGITS
    by_code = np.argsort(codes)
    return np.asarray(by_code[np.searchsorted(codes[by_code], rank_of_seat @ _DIGITS)])


def _compact(rows: pd.DataFrame) -> Arrays:
    at_start = round_starts(rows)
    return {
        "phase": phases(at_start.hanchan, at_start.round),
        "terms": features(at_start),
        "order": order_of(ranks(rows)),
    }


def _design(arrays: Arrays) -> Iterator[LogitRows]:
    """Yield the rows of each phase: one block, which occurs for each pair and place."""
    for phase in np.unique(arrays["phase"]).tolist():
        in_phase = arrays["phase"] == phase
        for rows in chunks({name: array[in_phase] for name, array in arrays.items()}):
            block = Block(slice(0, len(FEATURES)), COUNTS, rows["terms"])
            yield LogitRows([block], rows["order"], group=phase)
