"""Fitting the tenpai GAM (`houjuu.estimators.log_linear.tenpai_gam`).

There are two regressions: one for the rows without an open meld, and one for those with 1–3, where
every feature has shared weights and, with a stronger penalty, weights for each number of melds. The
bins are quantiles of the rows. The pairs of features with terms of their own are chosen in rounds:
those with the largest gain in log loss on one half of the games, estimated from the other half.

A fit with a prior changes the weights of another model of the same form: bins and pairs are that
model's, its logit is an offset, and the penalty is on the changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit
from sklearn.base import clone

from features.columns import ints, row_chunks
from features.schema import IS_TENPAI
from features.tenpai_rows import feature_matrix
from houjuu.estimators.log_linear.discard_network import DiscardNetwork
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, NO_EDGE, Bins, TenpaiGAMModel
from houjuu.reading.tenpai_features import FEATURES
from houjuu.util.arrays import Floats, Ints
from models.fitting import logistic
from models.fitting.binary_classifier import CLASSES, BinaryClassifier
from models.fitting.counts import merged
from models.fitting.lookups import CodeBlock, Lookups
from models.fitting.shards import Arrays, ArrayShards, Shards, as_shards, sums
from models.houjuu import tenpai_compact, tenpai_pairs
from models.houjuu.tenpai_compact import RowReader
from models.houjuu.tenpai_pairs import Pair

NAMES = [feature.name for feature in FEATURES]
_CHUNK = 20_000  # unit: rows


@dataclass
class MeldGroupFit:
    """One of the two regressions, for some numbers of open melds.

    Attributes
    ----------
    groups : range
        The numbers of melds.
    C : float
        Inverse strength of the penalty.
    pairs : list of pairs of int
        Indices of the features with terms of their own.
    coefficients : (w,) array, or None where the rows have one label only
        Those of all features and then of all pairs. With several numbers of melds a constant and
        the coefficients of all features follow for each number.
    intercept : float
    fitted_pairs : int
        Number of the pairs that have coefficients.
    """

    groups: range
    C: float
    pairs: list[Pair] = field(default_factory=list)
    coefficients: Floats | None = None
    intercept: float = 0.0
    fitted_pairs: int = 0


@dataclass(kw_only=True, eq=False, repr=False)
class TenpaiGAM(BinaryClassifier):
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
        Number of rounds of choosing pairs, and maximum number of pairs a round; none with a prior.
    subsample_stride : int, default=1
        Every n-th row without a meld and not tenpai is used, with the weight n.

    Attributes
    ----------
    fine_, coarse_ : (n, e) and (n, c) arrays
        See `houjuu.estimators.log_linear.tenpai_gam.Bins`.
    regressions_ : list of 2 MeldGroupFit
    prior_ : TenpaiGAMModel or None
        What the coefficients change.
    """

    fine: int = 24
    coarse: int = 9
    C: Sequence[float] = (0.1, 0.03)
    l2_per_meld: float = 60.0
    l2_pairs: float = 10.0
    pair_rounds: int = 2
    pairs: int = 25
    subsample_stride: int = 1

    def fit(
        self,
        rows: Shards | pd.DataFrame,
        y: npt.ArrayLike | None = None,
        prior: TenpaiGAMModel | None = None,
        network: DiscardNetwork | None = None,
    ) -> Self:
        """Fit to rows of `features.schema.tenpai.TENPAI_FEATURES`; see `as_shards`.

        To those of `TENPAI` where the prior has a network, whose term the logit keeps.
        """
        shards = as_shards(rows, IS_TENPAI.name, y)
        self.prior_ = None if prior is None else _with_all_features(prior)
        if self.prior_ is not None:
            self.fine_, self.coarse_ = self.prior_.fine, self.prior_.coarse
        else:
            counts = merged(shards.map(tenpai_compact.value_counts))
            self.fine_ = tenpai_compact.edges(counts, self.fine)
            self.coarse_ = tenpai_compact.edges(counts, self.coarse)
        compact = partial(
            tenpai_compact.compact, self._bins([]), self.subsample_stride, self.prior_, network
        )
        prepared = shards.prepare(compact)
        c_closed, c_melded = self.C
        closed = MeldGroupFit(range(1), c_closed)
        melded = MeldGroupFit(range(1, MELD_GROUPS), c_melded)
        self.regressions_ = [
            self._fit(closed, prepared),
            self._fit(melded, prepared),
        ]
        self.classes_ = CLASSES.copy()
        return self

    def pulled(self, strength: float) -> Self:
        """The estimator with penalties that are so many times as strong."""
        pulled: Self = clone(self).set_params(C=[C / strength for C in self.C])
        return pulled

    def _fit(self, regression: MeldGroupFit, rows: ArrayShards) -> MeldGroupFit:
        label_sums = partial(_label_sums, self._reader(regression))
        n_rows, n_tenpai = sums(rows.map(label_sums))
        if self.prior_ is not None:
            return self._changes(regression, self.prior_, rows) if n_rows else regression
        if n_tenpai in (0, n_rows):
            rate = np.clip(n_tenpai / n_rows if n_rows else 0.5, 0.01, 0.99)
            regression.intercept = float(np.log(rate / (1 - rate)))
            return regression
        regression.intercept = float(np.log(n_tenpai / (n_rows - n_tenpai)))
        for pair_round in range(self.pair_rounds + 1):
            read = self._reader(regression)
            lookups = self._lookups(regression)
            penalty = self._penalty(regression)
            start = self._start(regression)
            weights = logistic.fit(rows, read, lookups, penalty, start)
            regression.coefficients = weights[:-1]
            regression.intercept = float(weights[-1])
            regression.fitted_pairs = len(regression.pairs)
            if pair_round < self.pair_rounds:
                tables = lookups.tables(weights)
                regression.pairs += self._best_pairs(regression, rows, tables)
        return regression

    def _changes(
        self, regression: MeldGroupFit, prior: TenpaiGAMModel, rows: ArrayShards
    ) -> MeldGroupFit:
        """Fit the changes of the prior's weights: of those of its pairs that the groups have."""
        starts = prior.bins.offsets[len(NAMES) :]
        weights = prior.weights[list(regression.groups)]
        has_terms = [weights[:, start:stop].any() for start, stop in pairwise(starts)]
        regression.pairs = [tuple(pair) for pair in prior.pairs[has_terms].tolist()]
        start = np.zeros(self._width(regression) + 1)
        penalty = self._penalty(regression)
        penalty[-1] = 1.0 / regression.C
        reader, lookups = self._reader(regression), self._lookups(regression)
        weights = logistic.fit(rows, reader, lookups, penalty, start)
        regression.coefficients, regression.intercept = weights[:-1], float(weights[-1])
        return regression

    def _start(self, regression: MeldGroupFit) -> Floats:
        """The coefficients of the round before, zeros for the new pairs, and the intercept."""
        if regression.coefficients is None:
            zeros = np.zeros(self._width(regression))
            return np.append(zeros, regression.intercept)
        n_before = self._bins(regression.pairs[: regression.fitted_pairs]).offsets[-1]
        n_shared = self._bins(regression.pairs).offsets[-1]
        shared, per_meld = np.split(regression.coefficients, [n_before])
        new_pairs = np.zeros(n_shared - n_before)
        return np.concatenate([shared, new_pairs, per_meld, [regression.intercept]])

    def _best_pairs(
        self, regression: MeldGroupFit, rows: ArrayShards, tables: list[Floats]
    ) -> list[Pair]:
        read = self._reader(regression)
        sizes = self._bins([]).coarse_sizes.tolist()
        pair_sums = partial(_pair_sums, read, tables, sizes)
        halves = sums(rows.map(pair_sums))
        penalty = self.l2_pairs / regression.C
        gains = tenpai_pairs.gains(halves, sizes, penalty)
        return tenpai_pairs.best(gains, self.pairs, without=regression.pairs)

    def _bins(self, pairs: Sequence[Pair]) -> Bins:
        pair_array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return Bins(self.fine_, self.coarse_, pair_array)

    def _reader(self, regression: MeldGroupFit) -> RowReader:
        bins = self._bins(regression.pairs)
        return RowReader(bins, regression.groups, self.subsample_stride)

    def _lookups(self, regression: MeldGroupFit) -> Lookups:
        """The blocks of `RowReader`; a class for each number of melds, and the intercept last."""
        bins = self._bins(regression.pairs)
        groups = regression.groups
        sizes = np.diff(bins.offsets).tolist()
        shared = np.tile(bins.offsets[:-1], (len(groups), 1))
        own = self._own_starts(regression)
        width = self._width(regression)
        constants = [np.full_like(own, width)]
        if len(groups) > 1:
            constants.append(own)
        blocks = []
        for terms in tenpai_compact.blocks(bins):
            axes = [*range(terms.stop - terms.start)]
            first = [shared[:, terms]]
            if len(groups) > 1 and terms.stop <= len(NAMES):
                first.append(own + 1 + shared[:, terms])
            axes = axes * len(first)
            values = sizes[terms]
            if terms.start == 0:  # the constants are terms with one value
                axes += [len(values)] * len(constants)
                first = first + constants
                values = [*values, 1]
            cells = np.hstack(first)
            blocks.append(CodeBlock.side_by_side(cells, values, axes))
        return Lookups(blocks, width + 1)

    def _own_starts(self, regression: MeldGroupFit) -> Ints:
        """Index of the first coefficient of each number of melds, (groups, 1)."""
        offsets = self._bins(regression.pairs).offsets
        index = np.arange(len(regression.groups))[:, None]
        n_own = 1 + offsets[len(NAMES)]
        return np.asarray(offsets[-1] + n_own * index)

    def _cells(self, regression: MeldGroupFit, rows: pd.DataFrame) -> Ints:
        """Index of every coefficient that a row adds, (m, terms)."""
        bins = self._bins(regression.pairs)
        cells = bins.cells(feature_matrix(rows))
        if len(regression.groups) == 1:
            return cells
        group = ints(rows, "n_open_melds") - regression.groups[0]
        own = self._own_starts(regression)[group]
        own_features = own + 1 + cells[:, : len(NAMES)]
        return np.hstack([cells, own, own_features])

    def _width(self, regression: MeldGroupFit) -> int:
        offsets = self._bins(regression.pairs).offsets
        n_groups = len(regression.groups)
        if n_groups == 1:
            return int(offsets[-1])
        n_own = 1 + offsets[len(NAMES)]
        return int(offsets[-1] + n_groups * n_own)

    def _penalty(self, regression: MeldGroupFit) -> Floats:
        """1/C of every coefficient, and 0 for the intercept."""
        offsets = self._bins(regression.pairs).offsets
        penalty = np.full(self._width(regression), self.l2_per_meld)
        penalty[: offsets[-1]] = self.l2_pairs
        penalty[: offsets[len(NAMES)]] = 1.0
        return np.append(penalty / regression.C, 0.0)

    def _probability(self, rows: pd.DataFrame) -> Floats:
        chunks = row_chunks(rows, _CHUNK)
        predicted = map(self._predict, chunks)
        return np.concatenate([np.zeros(0), *predicted])

    def _predict(self, rows: pd.DataFrame) -> Floats:
        logit = np.zeros(len(rows))
        if self.prior_ is not None:
            logit = self.prior_.logits(ints(rows, "n_open_melds"), feature_matrix(rows))
        for regression in self.regressions_:
            in_group = np.isin(rows["n_open_melds"], regression.groups)
            logit[in_group] += regression.intercept
            if regression.coefficients is not None:
                cells = self._cells(regression, rows[in_group])
                logit[in_group] += regression.coefficients[cells].sum(axis=1)
        return np.asarray(expit(logit))

    def to_runtime(self) -> TenpaiGAMModel:
        """The weights as the runtime loads them: shared weights and those per meld added up."""
        pairs = sorted({pair for regression in self.regressions_ for pair in regression.pairs})
        if self.prior_ is not None:
            pairs = [(first, second) for first, second in self.prior_.pairs.tolist()]
        bins = self._bins(pairs)
        weights = np.zeros((MELD_GROUPS, bins.offsets[-1]))
        bias = np.zeros(MELD_GROUPS)
        for regression in self.regressions_:
            for index, group in enumerate(regression.groups):
                bias[group] = regression.intercept
                if regression.coefficients is not None:
                    bias[group] += self._write_weights(regression, index, pairs, weights[group])
        if self.prior_ is not None:
            weights += self.prior_.weights
            bias += self.prior_.bias
        return TenpaiGAMModel(
            names=np.array(NAMES),
            fine=bins.fine,
            coarse=bins.coarse,
            pairs=bins.pairs,
            bias=bias,
            weights=weights,
        )

    def _write_weights(
        self, regression: MeldGroupFit, index: int, pairs: list[Pair], target: Floats
    ) -> float:
        """Write the weights of the index-th group into a row; returns its own bias."""
        assert regression.coefficients is not None
        own = self._bins(regression.pairs).offsets
        all_ = self._bins(pairs).offsets
        n_single = own[len(NAMES)]
        target[:n_single] = regression.coefficients[:n_single]
        for term, pair in enumerate(regression.pairs, start=len(NAMES)):
            start = all_[len(NAMES) + pairs.index(pair)]
            pair_weights = regression.coefficients[own[term] : own[term + 1]]
            target[start : start + len(pair_weights)] = pair_weights
        if len(regression.groups) == 1:
            return 0.0
        n_own = 1 + n_single
        first = own[-1] + index * n_own
        per_meld = regression.coefficients[first : first + n_own]
        target[:n_single] += per_meld[1:]
        return float(per_meld[0])


def losses(
    model: TenpaiGAMModel, rows: pd.DataFrame, network: DiscardNetwork | None = None
) -> Floats:
    """The log loss of every row, nats, (m,)."""
    logit = tenpai_compact.logits(model, network, rows)
    return np.asarray(np.logaddexp(0.0, logit) - rows["tenpai"].to_numpy() * logit)


def _with_all_features(model: TenpaiGAMModel) -> TenpaiGAMModel:
    """The model with all features of the code; those that it does not have get one empty bin."""
    if model.names.tolist() == NAMES:
        return model
    index = np.array([NAMES.index(name) for name in model.names.tolist()])
    fine, coarse = (
        np.full((len(NAMES), edges.shape[1]), NO_EDGE, np.int64)
        for edges in (model.fine, model.coarse)
    )
    fine[index], coarse[index] = model.fine, model.coarse
    bins = Bins(fine, coarse, index[model.pairs])
    weights = np.zeros((MELD_GROUPS, bins.offsets[-1]))
    terms = [*index.tolist(), *range(len(NAMES), len(NAMES) + len(model.pairs))]
    for term, start, stop in zip(terms, model.bins.offsets, model.bins.offsets[1:], strict=False):
        first = bins.offsets[term]
        weights[:, first : first + stop - start] = model.weights[:, start:stop]
    return TenpaiGAMModel(np.array(NAMES), fine, coarse, bins.pairs, model.bias, weights)


def _label_sums(read: RowReader, arrays: Arrays) -> tuple[float, float]:
    """Weight of all rows of a shard, and of those that are tenpai."""
    total = 0.0
    tenpai = 0.0
    for chunk in read(arrays):
        total += float(chunk.weight.sum())
        tenpai += float(chunk.weight[chunk.label].sum())
    return total, tenpai


def _pair_sums(
    read: RowReader, tables: list[Floats], sizes: Sequence[int], arrays: Arrays
) -> list[Floats]:
    """Slope and curvature of the log loss by pair and cell, for each half of the games."""
    halves = []
    for half in range(2):
        slope = [np.zeros(0)]
        curvature = [np.zeros(0)]
        for rows in read.half(arrays, half):
            predicted = expit(logistic.logits(tables, rows))
            slope.append(rows.weight * (rows.label - predicted))
            curvature.append(rows.weight * predicted * (1 - predicted))
        numbers = np.concatenate(slope), np.concatenate(curvature)
        coarse = read.coarse(arrays, half)
        halves.append(tenpai_pairs.sums_by_cell(coarse, sizes, numbers))
    return halves
