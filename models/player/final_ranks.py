"""Fitting the model of final ranks (`houjuu.player.values.final_ranks`).

Maximum likelihood with quadratic penalties, a convex problem of some hundred weights, which
Newton's method solves to the last digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Self

import numpy as np
import pandas as pd
from scipy.linalg import block_diag
from sklearn.base import BaseEstimator

from features.final_rank_rows import ranks, round_starts
from houjuu.player.values.final_ranks import (
    BLOCKS,
    FEATURES,
    PHASES,
    RANKS,
    FinalRankModel,
    features,
    phases,
)
from houjuu.util.arrays import Floats, Ints
from models.fitting import convex
from models.fitting.parts import Arrays, Parts, sums

_PLACES = RANKS.shape[1] ** np.arange(RANKS.shape[1])


class FinalRankRegression(BaseEstimator):  # type: ignore[misc]
    """The weights of every phase.

    Few games are uneven while many rounds are left, so that the weights of those phases borrow from
    the next, and the slopes of neighbouring segments of a line from each other.

    Parameters
    ----------
    penalty : float, default=1.0
        Half of it times the square of each weight is added to the log loss of all rows.
    phase_penalty : float, default=300.0
        The same for the difference of a weight between phases one round apart.
    slope_penalty : float, default=100.0
        The same for the difference of the slopes of neighbouring segments.

    Attributes
    ----------
    weights_ : (phases, terms) array
    """

    def __init__(
        self, penalty: float = 1.0, phase_penalty: float = 300.0, slope_penalty: float = 100.0
    ) -> None:
        self.penalty = penalty
        self.phase_penalty = phase_penalty
        self.slope_penalty = slope_penalty

    def fit(self, parts: Parts) -> Self:
        """Fit to rows of `features.final_rank_rows.FINAL_RANKS`."""
        prepared = parts.prepare(_compact)
        bend, shape = self._penalties(), (len(PHASES), len(FEATURES))

        def derivatives(weights: Floats) -> tuple[Floats, Floats, Floats]:
            here = weights[0]
            value, gradient, hessian = sums(
                prepared.map(partial(_derivatives, here.reshape(shape)))
            )
            total = value.sum() + here @ bend @ here / 2
            return (
                np.array([total]),
                (gradient.ravel() + bend @ here)[None],
                (block_diag(*hessian) + bend)[None],
            )

        weights = convex.newton(derivatives, np.zeros((1, len(bend))))
        self.weights_ = weights.reshape(shape)
        return self

    def _penalties(self) -> Floats:
        """The matrix of the penalties, (phases · terms, phases · terms).

        Those of the differences grow with the square of the rounds left, this one included, as the
        rows that show uneven games become fewer.
        """
        of_phases = np.array([(1.0 + _rounds_left(phase)) ** 2 for phase in PHASES])
        scheduled = [(a, b) for a, b in _NEXT_PHASES if _rounds_left(PHASES[a]) >= 0]
        phases = np.kron(
            _differences(scheduled, of_phases[[b for _, b in scheduled]], len(PHASES)),
            np.eye(len(FEATURES)),
        )
        bends = _differences(_NEXT_SEGMENTS, np.ones(len(_NEXT_SEGMENTS)), len(FEATURES))
        slopes = np.kron(np.diag(np.maximum(of_phases, 1.0)), bends)
        same = np.eye(len(phases))
        penalties = self.penalty * same + self.phase_penalty * phases + self.slope_penalty * slopes
        return np.asarray(penalties)

    def to_runtime(self) -> FinalRankModel:
        """The weights as the runtime loads them."""
        return FinalRankModel(self.weights_)


def _neighbours(names: Sequence[str], key: Callable[[str], str]) -> list[tuple[int, int]]:
    """The indices of names that follow one another and have the same key."""
    return [(i, i + 1) for i, pair in enumerate(pairwise(names)) if key(pair[0]) == key(pair[1])]


def _line(term: str) -> str:
    """The line that a term is a segment of; another text for each of the other terms."""
    return re.sub(r"(from )[\d,]+", r"\1", term)


_NEXT_PHASES = _neighbours(PHASES, lambda phase: phase.split(":")[0])
_NEXT_SEGMENTS = _neighbours(FEATURES, _line)


def _rounds_left(phase: str) -> int:
    """The rounds left after this one; -1 in extra rounds."""
    found = re.search(r"\d+", phase)
    return int(found.group()) if found else -1


def _differences(neighbours: Sequence[tuple[int, int]], factors: Floats, n: int) -> Floats:
    """The matrix of the sum of factors × squares of the differences of neighbours, (n, n)."""
    rows = np.eye(n)[[a for a, _ in neighbours]] - np.eye(n)[[b for _, b in neighbours]]
    return np.asarray((rows.T * factors) @ rows)


def order_of(of_seats: Ints) -> Ints:
    """The index in `ORDERS` of the final ranks of the seats, (n,), from (n, 4)."""
    codes = RANKS @ _PLACES
    by_code = np.argsort(codes)
    return np.asarray(by_code[np.searchsorted(codes[by_code], of_seats @ _PLACES)])


def _compact(rows: pd.DataFrame) -> Arrays:
    at_start = round_starts(rows)
    return {
        "phase": phases(at_start.hanchan, at_start.round),
        "terms": features(at_start),
        "order": order_of(ranks(rows)),
    }


def _derivatives(weights: Floats, arrays: Arrays) -> tuple[Floats, Floats, Floats]:
    """Log loss of the rows of each phase, (phases,), its gradient and its second derivative."""
    n_phases, n_terms = weights.shape
    value, gradient = np.zeros(n_phases), np.zeros((n_phases, n_terms))
    hessian = np.zeros((n_phases, n_terms, n_terms))
    for phase in np.unique(arrays["phase"]):
        here = arrays["phase"] == phase
        of_parts, order = arrays["terms"][here], arrays["order"][here]
        logits = of_parts @ weights[phase] @ BLOCKS.T
        logits -= logits.max(axis=1, keepdims=True)
        odds = np.exp(logits)
        total = odds.sum(axis=1)
        expected = (odds / total[:, None]) @ BLOCKS
        rows = np.arange(len(order))
        value[phase] = float((np.log(total) - logits[rows, order]).sum())
        gradient[phase] = np.einsum("np,npf->f", expected - BLOCKS[order], of_parts)
        spread = np.einsum("no,op,oq->npq", odds / total[:, None], BLOCKS, BLOCKS)
        spread -= expected[:, :, None] * expected[:, None, :]
        weighted = np.einsum("npq,nqf->npf", spread, of_parts)
        flat = of_parts.reshape(-1, n_terms)
        hessian[phase] = flat.T @ weighted.reshape(-1, n_terms)
    return value, gradient, hessian
