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
from functools import cached_property, partial
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
from houjuu.reading.tenpai_features import NAMES
from houjuu.util.arrays import Floats, Ints
from models.fitting import logistic
from models.fitting.binary_classifier import CLASSES, BinaryClassifier
from models.fitting.counts import merged
from models.fitting.lookups import CodeBlock, Lookups
from models.fitting.shards import Arrays, ArrayShards, Shards, as_shards, sums
from models.houjuu import tenpai_compact, tenpai_pairs
from models.houjuu.tenpai_compact import RowReader
from models.houjuu.tenpai_pairs import Pair

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
        In the order of `Layout`.
    intercept : float
    """

    groups: range
    C: float
    pairs: list[Pair] = field(default_factory=list)
    coefficients: Floats | None = None
    intercept: float = 0.0


@dataclass(frozen=True)
class Layout:
    """The places of the coefficients: those of all features, then of all pairs.

    With several numbers of melds a constant and the coefficients of all features follow for each.

    Attributes
    ----------
    bins : Bins
        With the pairs that have terms of their own.
    groups : range
        The numbers of melds.
    """

    bins: Bins
    groups: range

    @cached_property
    def single(self) -> int:
        """Number of the coefficients of all features."""
        return int(self.bins.offsets[len(NAMES)])

    @cached_property
    def shared(self) -> int:
        """Number of those of all features and pairs."""
        return int(self.bins.offsets[-1])

    @cached_property
    def own(self) -> Ints:
        """Index of the constant of each number of melds, (groups, 1); none for a single number."""
        groups = len(self.groups) * (len(self.groups) > 1)
        return np.asarray(self.shared + (1 + self.single) * np.arange(groups)[:, None])

    @cached_property
    def width(self) -> int:
        """Number of all coefficients."""
        return self.shared + (1 + self.single) * len(self.own)

    def lookups(self) -> Lookups:
        """The blocks of `RowReader`; a class for each number of melds, and the intercept last."""
        offsets = self.bins.offsets
        sizes = np.diff(offsets).tolist()
        shared = np.tile(offsets[:-1], (len(self.groups), 1))
        constants = [np.full((len(self.groups), 1), self.width)]
        constants += [self.own] * (len(self.own) > 0)
        blocks = []
        for terms in tenpai_compact.blocks(self.bins):
            axes = [*range(terms.stop - terms.start)]
            first = [shared[:, terms]]
            if len(self.own) and terms.stop <= len(NAMES):
                first.append(self.own + 1 + shared[:, terms])
            axes = axes * len(first)
            values = sizes[terms]
            if terms.start == 0:  # the constants are terms with one value
                axes += [len(values)] * len(constants)
                first = first + constants
                values = [*values, 1]
            blocks.append(CodeBlock.side_by_side(np.hstack(first), values, axes))
        return Lookups(blocks, self.width + 1)

    def cells(self, rows: pd.DataFrame) -> Ints:
        """Index of every coefficient that a row adds, (m, terms)."""
        cells = self.bins.cells(feature_matrix(rows))
        if not len(self.own):
            return cells
        own = self.own[ints(rows, "n_open_melds") - self.groups[0]]
        return np.hstack([cells, own, own + 1 + cells[:, : len(NAMES)]])


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
        layout = self._layout(regression)
        weights = np.append(np.zeros(layout.width), regression.intercept)
        for pair_round in range(self.pair_rounds + 1):
            read, lookups = self._reader(regression), layout.lookups()
            weights = logistic.fit(rows, read, lookups, self._penalty(regression), weights)
            regression.coefficients = weights[:-1]
            regression.intercept = float(weights[-1])
            if pair_round < self.pair_rounds:
                tables = lookups.tables(weights)
                regression.pairs += self._best_pairs(regression, rows, tables)
                n_before, layout = layout.shared, self._layout(regression)
                weights = np.insert(weights, n_before, np.zeros(layout.shared - n_before))
        return regression

    def _changes(
        self, regression: MeldGroupFit, prior: TenpaiGAMModel, rows: ArrayShards
    ) -> MeldGroupFit:
        """Fit the changes of the prior's weights: of those of its pairs that the groups have."""
        starts = prior.bins.offsets[len(NAMES) :]
        weights = prior.weights[list(regression.groups)]
        has_terms = [weights[:, start:stop].any() for start, stop in pairwise(starts)]
        regression.pairs = [tuple(pair) for pair in prior.pairs[has_terms].tolist()]
        layout = self._layout(regression)
        penalty = self._penalty(regression)
        penalty[-1] = 1.0 / regression.C
        start = np.zeros(layout.width + 1)
        weights = logistic.fit(rows, self._reader(regression), layout.lookups(), penalty, start)
        regression.coefficients, regression.intercept = weights[:-1], float(weights[-1])
        return regression

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

    def _layout(self, regression: MeldGroupFit) -> Layout:
        return Layout(self._bins(regression.pairs), regression.groups)

    def _reader(self, regression: MeldGroupFit) -> RowReader:
        return RowReader(self._bins(regression.pairs), regression.groups, self.subsample_stride)

    def _penalty(self, regression: MeldGroupFit) -> Floats:
        """1/C of every coefficient, and 0 for the intercept."""
        layout = self._layout(regression)
        counts = np.diff([0, layout.single, layout.shared, layout.width])
        penalty = np.repeat([1.0, self.l2_pairs, self.l2_per_meld], counts)
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
                cells = self._layout(regression).cells(rows[in_group])
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
            groups, coefficients = regression.groups, regression.coefficients
            bias[groups] = regression.intercept
            if coefficients is None:
                continue
            layout = self._layout(regression)
            terms = [*range(len(NAMES)), *(len(NAMES) + pairs.index(p) for p in regression.pairs)]
            weights[np.ix_(np.array(groups), _places(bins, terms))] = coefficients[: layout.shared]
            for group, (own,) in zip(groups, layout.own.tolist(), strict=False):
                bias[group] += coefficients[own]
                weights[group, : layout.single] += coefficients[own + 1 :][: layout.single]
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


def losses(
    model: TenpaiGAMModel, rows: pd.DataFrame, network: DiscardNetwork | None = None
) -> Floats:
    """The log loss of every row, nats, (m,)."""
    logit = tenpai_compact.logits(model, network, rows)
    return np.asarray(np.logaddexp(0.0, logit) - rows["tenpai"].to_numpy() * logit)


def _with_all_features(model: TenpaiGAMModel) -> TenpaiGAMModel:
    """The model with all features of the code; those that it does not have get one empty bin."""
    if tuple(model.names.tolist()) == NAMES:
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
    weights[:, _places(bins, terms)] = model.weights
    return TenpaiGAMModel(np.array(NAMES), fine, coarse, bins.pairs, model.bias, weights)


def _places(bins: Bins, terms: Sequence[int]) -> Ints:
    """Index of the weights of some terms."""
    offsets = bins.offsets
    return np.concatenate([np.arange(offsets[term], offsets[term + 1]) for term in terms])


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
