"""Fitting the tenpai GAM (`houjuu.estimators.log_linear.tenpai_gam`).

There are two regressions: one for the rows without an open meld, and one for those with 1–3, where
every feature has shared weights and, with a stronger penalty, weights for each number of melds. The
bins are quantiles of the rows. The pairs of features with terms of their own are chosen in rounds:
those with the largest gain in log loss on one half of the games, estimated from the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator

from features.tenpai_rows import feature_matrix
from houjuu.arrays import Bools, Floats, Ints
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, NO_EDGE, Bins, TenpaiGAMModel
from houjuu.reading.tenpai_features import FEATURES
from models import logistic

Pair = tuple[int, int]
NAMES = [feature.name for feature in FEATURES]
_CHUNK = 20_000  # unit: rows
_PAIRS_PER_FEATURE = 2
"""Limit in a round: the pairs of one feature are much alike."""


@dataclass
class MeldGroupFit:
    """One of the two regressions, for some numbers of open melds.

    Attributes
    ----------
    groups : sequence of int
        The numbers of melds.
    C : float
        Inverse strength of the penalty.
    pairs : list of pairs of int
        Indices of the features with terms of their own.
    coefficients : (w,) array, or None where the rows have one label only
    intercept : float
    fitted_pairs : int
        Number of the pairs that have coefficients.
    """

    groups: Sequence[int]
    C: float
    pairs: list[Pair] = field(default_factory=list)
    coefficients: Floats | None = None
    intercept: float = 0.0
    fitted_pairs: int = 0


class _Half(NamedTuple):
    """Half of the rows: coarse bins, and slope and curvature of the log loss by logit."""

    bins: npt.NDArray[np.int32]
    slope: Floats
    curvature: Floats


class TenpaiGAM(BaseEstimator):  # type: ignore[misc]
    """The regressions of closed and of open hands.

    Parameters
    ----------
    fine, coarse : int, default=24 and 9
        Maximum number of bins of a feature alone and in a pair.
    C : sequence of 2 floats
        Inverse strength of the penalty, for closed and for open hands.
    l2_per_meld, l2_pairs : float
        Factors on the penalty of the weights for one number of melds, and of the pairs.
    pair_rounds, pairs : int
        Number of rounds of choosing pairs, and maximum number of pairs a round.
    subsample_stride : int, default=1
        One of so many rows without a meld and not tenpai is used, with that weight.

    Attributes
    ----------
    fine_, coarse_ : (n, e) and (n, c) arrays
        See `houjuu.estimators.log_linear.tenpai_gam.Bins`.
    parts_ : list of 2 MeldGroupFit
    """

    def __init__(
        self,
        *,
        fine: int = 24,
        coarse: int = 9,
        C: Sequence[float] = (0.1, 0.03),  # noqa: N803
        l2_per_meld: float = 60.0,
        l2_pairs: float = 10.0,
        pair_rounds: int = 2,
        pairs: int = 25,
        subsample_stride: int = 1,
    ) -> None:
        self.fine = fine
        self.coarse = coarse
        self.C = C
        self.l2_per_meld = l2_per_meld
        self.l2_pairs = l2_pairs
        self.pair_rounds = pair_rounds
        self.pairs = pairs
        self.subsample_stride = subsample_stride

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.TENPAI`."""
        counts = [np.unique(rows[name], return_counts=True) for name in NAMES]
        self.fine_, self.coarse_ = _edges(counts, self.fine), _edges(counts, self.coarse)
        closed, melded = self.C
        used = rows[subsample_mask(rows, self.subsample_stride)]
        parts = MeldGroupFit((0,), closed), MeldGroupFit(range(1, MELD_GROUPS), melded)
        self.parts_ = Parallel()(
            delayed(self._fit)(part, used[np.isin(used["n_open_melds"], part.groups)])
            for part in parts
        )
        return self

    def _fit(self, part: MeldGroupFit, rows: pd.DataFrame) -> MeldGroupFit:
        tenpai = rows["tenpai"].to_numpy(dtype=np.float64)
        weight = sample_weights(rows, self.subsample_stride)
        if rows["tenpai"].nunique() < 2:
            rate = np.clip(tenpai.mean() if len(rows) else 0.5, 0.01, 0.99)
            part.intercept = float(np.log(rate / (1 - rate)))
            return part
        for pair_round in range(self.pair_rounds + 1):
            design, penalty = self._design(part, rows), self._penalty(part)
            start = self._start(part)
            part.coefficients, part.intercept = logistic.fit(
                design, tenpai, weight, penalty, start=start
            )
            part.fitted_pairs = len(part.pairs)
            if pair_round < self.pair_rounds:
                predicted = expit(design @ part.coefficients + part.intercept)
                slope = weight * (tenpai - predicted)
                curvature = weight * predicted * (1 - predicted)
                part.pairs += self._best_pairs(part, rows, slope, curvature)
        return part

    def _start(self, part: MeldGroupFit) -> tuple[Floats, float] | None:
        """The coefficients of the round before, and zeros for the new pairs."""
        if part.coefficients is None:
            return None
        before = self._bins(part.pairs[: part.fitted_pairs]).offsets[-1]
        now = self._bins(part.pairs).offsets[-1]
        shared, per_meld = np.split(part.coefficients, [before])
        return np.concatenate([shared, np.zeros(now - before), per_meld]), part.intercept

    def _best_pairs(
        self, part: MeldGroupFit, rows: pd.DataFrame, slope: Floats, curvature: Floats
    ) -> list[Pair]:
        bins = self._bins([])
        coarse, sizes = bins.coarse_bins(feature_matrix(rows)).astype(np.int32).T, bins.coarse_sizes
        halves = [
            _Half(np.ascontiguousarray(coarse[:, half]), slope[half], curvature[half])
            for half in _halves(rows)
        ]
        penalty = self.l2_pairs / part.C
        gains = {
            pair: _gain(halves, pair, sizes.tolist(), penalty)
            for pair in combinations(range(len(NAMES)), 2)
            if pair not in part.pairs
        }
        return self._chosen(gains)

    def _chosen(self, gains: dict[Pair, float]) -> list[Pair]:
        n_pairs = [0] * len(NAMES)
        chosen: list[Pair] = []
        for pair in sorted(gains, key=lambda pair: -gains[pair]):
            if len(chosen) == self.pairs or gains[pair] <= 0:
                break
            if max(n_pairs[feature] for feature in pair) < _PAIRS_PER_FEATURE:
                chosen.append(pair)
                for feature in pair:
                    n_pairs[feature] += 1
        return chosen

    def _bins(self, pairs: Sequence[Pair]) -> Bins:
        return Bins(self.fine_, self.coarse_, np.array(pairs, dtype=np.int64).reshape(-1, 2))

    def _design(self, part: MeldGroupFit, rows: pd.DataFrame) -> sparse.csr_matrix:
        """One-hot rows, with one 1 for every term.

        The terms of all features and pairs come first. With several numbers of melds those of the
        number itself follow, and those of all features for that number.
        """
        n_terms = len(NAMES) + len(part.pairs) + (1 + len(NAMES)) * (len(part.groups) > 1)
        cells = np.empty((len(rows), n_terms), dtype=np.int32)
        for start in range(0, len(rows), _CHUNK):
            chunk = slice(start, start + _CHUNK)
            cells[chunk] = self._cells(part, rows.iloc[chunk])
        ends = np.arange(0, cells.size + 1, n_terms)
        shape = (len(rows), self._width(part))
        return sparse.csr_matrix((np.ones(cells.size), cells.ravel(), ends), shape)

    def _cells(self, part: MeldGroupFit, rows: pd.DataFrame) -> Ints:
        bins = self._bins(part.pairs)
        cells = bins.cells(feature_matrix(rows))
        if len(part.groups) == 1:
            return cells
        group = rows["n_open_melds"].to_numpy(dtype=np.int64) - part.groups[0]
        start = bins.offsets[-1] + (1 + bins.offsets[len(NAMES)]) * group[:, None]
        return np.hstack([cells, start, start + 1 + cells[:, : len(NAMES)]])

    def _width(self, part: MeldGroupFit) -> int:
        offsets = self._bins(part.pairs).offsets
        per_meld = len(part.groups) * (1 + offsets[len(NAMES)]) if len(part.groups) > 1 else 0
        return int(offsets[-1] + per_meld)

    def _penalty(self, part: MeldGroupFit) -> Floats:
        offsets = self._bins(part.pairs).offsets
        penalty = np.full(self._width(part), self.l2_per_meld)
        penalty[: offsets[-1]] = self.l2_pairs
        penalty[: offsets[len(NAMES)]] = 1.0
        return penalty / part.C

    def predict(self, rows: pd.DataFrame) -> Floats:
        """P(tenpai) of the fitted regressions, (m,), 0–1."""
        predicted = np.empty(len(rows))
        for part in self.parts_:
            in_group = np.isin(rows["n_open_melds"], part.groups)
            logit = np.full(in_group.sum(), part.intercept)
            if part.coefficients is not None:
                logit += self._design(part, rows[in_group]) @ part.coefficients
            predicted[in_group] = expit(logit)
        return predicted

    def to_runtime(self) -> TenpaiGAMModel:
        """The weights as the runtime loads them: shared weights and those per meld added up."""
        pairs = sorted({pair for part in self.parts_ for pair in part.pairs})
        bins = self._bins(pairs)
        weights, bias = np.zeros((MELD_GROUPS, bins.offsets[-1])), np.zeros(MELD_GROUPS)
        for part in self.parts_:
            for index, group in enumerate(part.groups):
                bias[group] = part.intercept
                if part.coefficients is not None:
                    bias[group] += self._write_weights(part, index, pairs, weights[group])
        return TenpaiGAMModel(np.array(NAMES), bins.fine, bins.coarse, bins.pairs, bias, weights)

    def _write_weights(
        self, part: MeldGroupFit, index: int, pairs: list[Pair], target: Floats
    ) -> float:
        """Write the weights of the index-th group into a row; returns its own bias."""
        assert part.coefficients is not None
        own, all_ = self._bins(part.pairs).offsets, self._bins(pairs).offsets
        n_single = own[len(NAMES)]
        target[:n_single] = part.coefficients[:n_single]
        for term, pair in enumerate(part.pairs, start=len(NAMES)):
            start = all_[len(NAMES) + pairs.index(pair)]
            of_pair = part.coefficients[own[term] : own[term + 1]]
            target[start : start + len(of_pair)] = of_pair
        if len(part.groups) == 1:
            return 0.0
        per_meld = part.coefficients[own[-1] + index * (1 + n_single) :][: 1 + n_single]
        target[:n_single] += per_meld[1:]
        return float(per_meld[0])


def subsample_mask(rows: pd.DataFrame, stride: int) -> Bools:
    """Rows that are used, (m,): one of so many without a meld and not tenpai, all others."""
    frequent = _frequent(rows)
    return np.asarray(~frequent | (np.cumsum(frequent) % stride == 0))


def sample_weights(rows: pd.DataFrame, stride: int) -> Floats:
    """Number of rows that each used row represents, (m,)."""
    return np.where(_frequent(rows), float(stride), 1.0)


def _frequent(rows: pd.DataFrame) -> Bools:
    """Rows without a meld and not tenpai."""
    return np.asarray((rows["n_open_melds"] == 0) & ~rows["tenpai"])


def _halves(rows: pd.DataFrame) -> tuple[Ints, Ints]:
    """The rows of every second game, and those of the others."""
    odd = rows["game"].cat.codes.to_numpy() % 2 == 1
    return np.flatnonzero(odd), np.flatnonzero(~odd)


def _gain(halves: Sequence[_Half], pair: Pair, sizes: Sequence[int], penalty: float) -> float:
    """Gain in log loss, nats, of a pair of features on each half, estimated from the other.

    One Newton step from weights of 0, summed over the rows.
    """
    first, second = pair
    size = sizes[first] * sizes[second]
    cells = [half.bins[first] * sizes[second] + half.bins[second] for half in halves]
    (slope, other_slope), (curvature, other_curvature) = (
        [np.bincount(cell, by_row, size) for cell, by_row in zip(cells, by_half, strict=True)]
        for by_half in ([h.slope for h in halves], [h.curvature for h in halves])
    )
    step, other_step = slope / (curvature + penalty), other_slope / (other_curvature + penalty)
    gains = other_slope * step - 0.5 * other_curvature * step**2
    gains += slope * other_step - 0.5 * curvature * other_step**2
    return float(gains.sum())


def _edges(counts: Sequence[tuple[Ints, Ints]], most: int) -> Ints:
    """The lowest value of every bin but the first, a row for each feature, padded with `NO_EDGE`.

    `counts` has the values of every feature, ascending, and their numbers of rows. A feature with
    few values has a bin for each; others have bins of about equal numbers of rows.
    """
    by_feature = []
    for values, n_rows in counts:
        lowest = values
        if len(values) > most:
            cumulative = n_rows.cumsum()
            quantiles = np.linspace(0, 1, most + 1)[:-1] * cumulative[-1]
            lowest = np.unique(values[np.searchsorted(cumulative, quantiles, side="right")])
        by_feature.append(lowest[1:])
    edges = np.full((len(counts), max(map(len, by_feature))), NO_EDGE, dtype=np.int64)
    for row, lowest in zip(edges, by_feature, strict=True):
        row[: len(lowest)] = lowest
    return edges
