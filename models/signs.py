"""Fitting the tenpai regression of the model "houjuu" (`houjuu.additive`).

The bins are those of the rows: one a number where a sign has few, else with about as many rows in
each. Two regressions: one of the rows without an open meld, one of those with 1–3, where every sign
has a table for all and one for each number of melds, which is held closer to zero. Which pairs of
signs get a table is found from the rows: in rounds, those that would lower the log loss most, as
half of the games tells of the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator

from features.signs import numbers
from houjuu.additive import GROUPS, NO_EDGE, AdditiveModel, Bins
from houjuu.signs import SIGNS
from models import logistic

Array = npt.NDArray[Any]
Pair = tuple[int, int]
NAMES = [sign.name for sign in SIGNS]
_STEPS, _LAST_STEPS = 60, 200
_AT_ONCE = 20_000
_A_ROUND = 2
"""Of a sign, at most so many pairs are taken in a round: pairs of a kin say the same."""


@dataclass
class Part:
    """One of the two regressions, of some numbers of open melds.

    Attributes
    ----------
    groups : sequence of int
        The numbers of melds.
    C : float
        Inverse strength of regularisation.
    pairs : list of pairs of int
        Indices of the signs with a table together.
    coefficients : (w,) array, or None where the rows had one outcome alone
    intercept : float
    fitted : int
        How many of the pairs have coefficients.
    """

    groups: Sequence[int]
    C: float
    pairs: list[Pair] = field(default_factory=list)
    coefficients: Array | None = None
    intercept: float = 0.0
    fitted: int = 0


class SignsRegression(BaseEstimator):  # type: ignore[misc]
    """The regressions of closed and of melded hands.

    Parameters
    ----------
    fine, coarse : int, default=24 and 9
        Most bins of a sign alone and in a pair.
    C : sequence of 2 floats
        Inverse strength of regularisation, closed and melded.
    hold_own, hold_pairs : float
        How many times stronger it is for a number of melds alone, and for pairs.
    rounds, pairs : int
        In how many rounds pairs are chosen, and most of them a round.
    every : int, default=1
        Of so many rows without a meld and not tenpai one is taken, and stands for all of them.

    Attributes
    ----------
    fine_, coarse_ : (n, e) and (n, c) arrays
        See `houjuu.additive.Bins`.
    parts_ : list of 2 Parts
    """

    def __init__(
        self,
        *,
        fine: int = 24,
        coarse: int = 9,
        C: Sequence[float] = (0.1, 0.03),  # noqa: N803
        hold_own: float = 60.0,
        hold_pairs: float = 10.0,
        rounds: int = 2,
        pairs: int = 25,
        every: int = 1,
    ) -> None:
        self.fine = fine
        self.coarse = coarse
        self.C = C
        self.hold_own = hold_own
        self.hold_pairs = hold_pairs
        self.rounds = rounds
        self.pairs = pairs
        self.every = every

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.SIGNS`."""
        counted = [np.unique(rows[name], return_counts=True) for name in NAMES]
        self.fine_, self.coarse_ = (_edges(counted, most) for most in (self.fine, self.coarse))
        closed, melded = self.C
        some = rows[taken(rows, self.every)]
        parts = Part((0,), closed), Part(range(1, GROUPS), melded)
        self.parts_ = Parallel()(
            delayed(self._fit)(part, some[np.isin(some["melds"], part.groups)]) for part in parts
        )
        return self

    def _fit(self, part: Part, rows: pd.DataFrame) -> Part:
        tenpai = rows["tenpai"].to_numpy(dtype=np.float64)
        weight = stands_for(rows, self.every)
        if rows["tenpai"].nunique() < 2:
            rate = np.clip(tenpai.mean() if len(rows) else 0.5, 0.01, 0.99)
            part.intercept = float(np.log(rate / (1 - rate)))
            return part
        halves = _halves(rows)
        for done in range(self.rounds + 1):
            design, penalty, start = (
                self._design(part, rows),
                self._penalty(part),
                self._start(part),
            )
            steps = _LAST_STEPS if done == self.rounds else _STEPS
            found = logistic.fit(design, tenpai, weight, penalty, start=start, steps=steps)
            part.coefficients, part.intercept = found
            part.fitted = len(part.pairs)
            if done < self.rounds:
                said = expit(design @ part.coefficients + part.intercept)
                slope, bend = weight * (tenpai - said), weight * said * (1 - said)
                part.pairs += self._best(part, rows, halves, slope, bend)
        return part

    def _start(self, part: Part) -> tuple[Array, float] | None:
        """The coefficients of the round before, and zeros for the pairs that are new."""
        if part.coefficients is None:
            return None
        before, now = (self._bins(part.pairs[:n]).offsets[-1] for n in (part.fitted, None))
        shared, own = np.split(part.coefficients, [before])
        return np.concatenate([shared, np.zeros(now - before), own]), part.intercept

    def _best(
        self, part: Part, rows: pd.DataFrame, halves: Sequence[Array], slope: Array, bend: Array
    ) -> list[Pair]:
        bins = self._bins([])
        cells, sizes = bins.coarse_bins(numbers(rows)).astype(np.int32).T, bins.coarse_sizes
        split = [(np.ascontiguousarray(cells[:, of]), slope[of], bend[of]) for of in halves]
        held = self.hold_pairs / part.C
        gains: dict[Pair, float] = {}
        for one, other in combinations(range(len(NAMES)), 2):
            if (one, other) not in part.pairs:
                size = int(sizes[one] * sizes[other])
                both = [(of[one] * sizes[other] + of[other], *steps) for of, *steps in split]
                gains[one, other] = _gain(both, size, held)
        return self._chosen(gains)

    def _chosen(self, gains: dict[Pair, float]) -> list[Pair]:
        used = [0] * len(NAMES)
        chosen: list[Pair] = []
        for pair in sorted(gains, key=lambda pair: -gains[pair]):
            if len(chosen) == self.pairs or gains[pair] <= 0:
                break
            if max(used[sign] for sign in pair) < _A_ROUND:
                chosen.append(pair)
                for sign in pair:
                    used[sign] += 1
        return chosen

    def _bins(self, pairs: Sequence[Pair]) -> Bins:
        of = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return Bins(self.fine_, self.coarse_, of)

    def _design(self, part: Part, rows: pd.DataFrame) -> sparse.csr_matrix:
        """The rows as one 1 for every table of a part, in the column of the cell.

        The tables of all signs and pairs come first, then, with more numbers of melds than one,
        for each of them that of the number itself and those of all signs.
        """
        count = len(NAMES) + len(part.pairs) + (1 + len(NAMES)) * (len(part.groups) > 1)
        cells = np.empty((len(rows), count), dtype=np.int32)
        for start in range(0, len(rows), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            cells[some] = self._cells(part, rows.iloc[some])
        ones = np.ones(cells.size, dtype=np.float32)
        ends = np.arange(0, cells.size + 1, count)
        return sparse.csr_matrix((ones, cells.ravel(), ends), (len(rows), self._width(part)))

    def _cells(self, part: Part, rows: pd.DataFrame) -> Array:
        bins = self._bins(part.pairs)
        cells = bins.cells(numbers(rows))
        if len(part.groups) == 1:
            return cells
        group = rows["melds"].to_numpy(dtype=np.int64) - part.groups[0]
        start = bins.offsets[-1] + (1 + bins.offsets[len(NAMES)]) * group[:, None]
        return np.hstack([cells, start, start + 1 + cells[:, : len(NAMES)]])

    def _width(self, part: Part) -> int:
        offsets = self._bins(part.pairs).offsets
        own = len(part.groups) * (1 + offsets[len(NAMES)]) if len(part.groups) > 1 else 0
        return int(offsets[-1] + own)

    def _penalty(self, part: Part) -> Array:
        offsets = self._bins(part.pairs).offsets
        penalty = np.full(self._width(part), self.hold_own)
        penalty[: offsets[-1]] = self.hold_pairs
        penalty[: offsets[len(NAMES)]] = 1.0
        return penalty / part.C

    def predict(self, rows: pd.DataFrame) -> Array:
        """P(tenpai) as the fit has it, (m,)."""
        said = np.empty(len(rows))
        for part in self.parts_:
            of = np.isin(rows["melds"], part.groups)
            score = np.full(of.sum(), part.intercept)
            if part.coefficients is not None:
                score += self._design(part, rows[of]) @ part.coefficients
            said[of] = expit(score)
        return said

    def model(self) -> AdditiveModel:
        """The tables as the runtime reads them: those for all and its own added up."""
        pairs = sorted({pair for part in self.parts_ for pair in part.pairs})
        bins = self._bins(pairs)
        weights, bias = np.zeros((GROUPS, bins.offsets[-1])), np.zeros(GROUPS)
        for part in self.parts_:
            for place, group in enumerate(part.groups):
                bias[group] = part.intercept
                if part.coefficients is not None:
                    bias[group] += self._spread(part, place, pairs, weights[group])
        return AdditiveModel(np.array(NAMES), bins.fine, bins.coarse, bins.pairs, bias, weights)

    def _spread(self, part: Part, place: int, pairs: list[Pair], into: Array) -> float:
        assert part.coefficients is not None
        of, whole = self._bins(part.pairs).offsets, self._bins(pairs).offsets
        alone = of[len(NAMES)]
        into[:alone] = part.coefficients[:alone]
        for index, pair in enumerate(part.pairs, start=len(NAMES)):
            start = whole[len(NAMES) + pairs.index(pair)]
            table = part.coefficients[of[index] : of[index + 1]]
            into[start : start + len(table)] = table
        if len(part.groups) == 1:
            return 0.0
        own = part.coefficients[of[-1] + place * (1 + alone) :][: 1 + alone]
        into[:alone] += own[1:]
        return float(own[0])


def taken(rows: pd.DataFrame, every: int) -> npt.NDArray[np.bool_]:
    """Which rows are fitted to: one of so many without a meld and not tenpai, all others, (m,)."""
    others = _many(rows)
    return np.asarray(~others | (np.cumsum(others) % every == 0))


def stands_for(rows: pd.DataFrame, every: int) -> Array:
    """How many rows each of those that are taken stands for, (m,)."""
    return np.where(_many(rows), float(every), 1.0)


def _many(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Rows without a meld and not tenpai, of which there are more than enough."""
    return np.asarray((rows["melds"] == 0) & ~rows["tenpai"])


def _halves(rows: pd.DataFrame) -> tuple[Array, Array]:
    """The rows of every other game, and those of the others."""
    odd = rows["game"].cat.codes.to_numpy() % 2 == 1
    return np.flatnonzero(odd), np.flatnonzero(~odd)


def _gain(halves: Sequence[tuple[Array, Array, Array]], size: int, held: float) -> float:
    """By how much a table would lower the log loss of each half of the rows, fitted to the other.

    One step of Newton's from where there is no such table, a sum over rows. A half is the cell of
    every row and its log loss's slope, downhill, and curvature.
    """
    (up, down), (of_up, of_down) = (
        [np.bincount(cells, step, size) for step in steps] for cells, *steps in halves
    )
    there, back = up / (down + held), of_up / (of_down + held)
    gains = of_up * there - 0.5 * of_down * there**2 + up * back - 0.5 * down * back**2
    return float(gains.sum())


def _edges(counted: Sequence[tuple[Array, Array]], most: int) -> Array:
    """The lowest number of every bin but the first, a row a sign, filled up with `NO_EDGE`.

    `counted` are the numbers of every sign, ascending, and how many rows have each.
    """
    of_sign = []
    for values, counts in counted:
        if len(values) > most:
            up_to = counts.cumsum()
            shares = np.linspace(0, 1, most + 1)[:-1] * up_to[-1]
            values = np.unique(values[np.searchsorted(up_to, shares, side="right")])  # noqa: PLW2901
        of_sign.append(values[1:])
    edges = np.full((len(NAMES), max(map(len, of_sign))), NO_EDGE, dtype=np.int64)
    for row, values in zip(edges, of_sign, strict=True):
        row[: len(values)] = values
    return edges
