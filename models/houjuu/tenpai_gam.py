"""Fitting the tenpai GAM (`houjuu.estimators.log_linear.tenpai_gam`).

There are two regressions: one for the rows without an open meld, and one for those with 1–3, where
every feature has shared weights and, with a stronger penalty, weights for each number of melds. The
bins are quantiles of the rows. The pairs of features with terms of their own are chosen in rounds:
those with the largest gain in log loss on one half of the games, estimated from the other half.

The weights change those of a prior of the same form: its logit is an offset, and the penalty is on
the changes. Bins and pairs are then the prior's. Without one, the prior is a line: a logistic
regression of scikit-learn on the same features, as look-ups. Where rows are few, look-ups that are
pulled to 0 are worse than the line alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from features.columns import ints, row_chunks
from features.schema import IS_TENPAI
from features.tenpai_rows import feature_matrix
from houjuu.estimators.log_linear.discard_network import DiscardNetwork
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, NO_EDGE, Bins, TenpaiGAMModel
from houjuu.reading.tenpai_features import NAMES
from houjuu.util.arrays import Floats, Ints
from models.fitting import logistic, pull
from models.fitting.binary_classifier import CLASSES, BinaryClassifier
from models.fitting.counts import merged
from models.fitting.lookups import CodeBlock, Lookups
from models.fitting.shards import Arrays, ArrayShards, Shards, as_shards, game_hashes, sums
from models.houjuu import tenpai_compact, tenpai_pairs
from models.houjuu.tenpai_compact import RowReader
from models.houjuu.tenpai_pairs import Pair

_CHUNK = 20_000  # unit: rows
_LINE_ROWS = 100_000
"""About the most rows that the line is fitted to, of whole games."""
_LINE_C = 0.01
"""Of 30 games the line is better than with scikit-learn's 1.0 by .004 to .010, of 100 by .001."""
STRENGTHS = (30.0, 10.0, 3.0, 1.0)
"""Factors on the penalties of few games."""
_FREE = 1e-6
"""Factor on the penalty of an intercept that follows the rate of its rows."""


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
    prior_ : TenpaiGAMModel
        What the coefficients change: the line, without a prior.
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
        if prior is not None:
            self.prior_ = _with_all_features(prior)
            self.fine_, self.coarse_ = self.prior_.fine, self.prior_.coarse
        else:
            counts = merged(shards.map(tenpai_compact.value_counts))
            self.fine_ = tenpai_compact.edges(counts, self.fine)
            self.coarse_ = tenpai_compact.edges(counts, self.coarse)
            n_rows = int(counts[0][1].sum())
            step = max(n_rows // _LINE_ROWS, 1)
            rows = pd.concat([*shards.map(partial(_of_some_games, step))])
            self.prior_ = line(self._bins([]), rows)
        compact = partial(
            tenpai_compact.compact, self._bins([]), self.subsample_stride, self.prior_, network
        )
        prepared = shards.prepare(compact)
        c_closed, c_melded = self.C
        closed = MeldGroupFit(range(1), c_closed)
        melded = MeldGroupFit(range(1, MELD_GROUPS), c_melded)
        rounds, intercept = (self.pair_rounds, _FREE) if prior is None else (0, 1.0)
        self.regressions_ = [
            self._fit(regression, prepared, rounds, intercept) for regression in (closed, melded)
        ]
        self.classes_ = CLASSES.copy()
        return self

    def pulled(self, strength: float) -> Self:
        """The estimator with penalties that are so many times as strong."""
        pulled: Self = clone(self).set_params(C=[C / strength for C in self.C])
        return pulled

    def _fit(
        self, regression: MeldGroupFit, rows: ArrayShards, rounds: int, intercept: float
    ) -> MeldGroupFit:
        """Fit the changes of the prior's weights: of those of its pairs that the groups have."""
        prior = self.prior_
        starts = prior.bins.offsets[len(NAMES) :]
        of_groups = prior.weights[list(regression.groups)]
        has_terms = [of_groups[:, start:stop].any() for start, stop in pairwise(starts)]
        regression.pairs = [tuple(pair) for pair in prior.pairs[has_terms].tolist()]
        n_rows, n_tenpai = sums(rows.map(partial(logistic.count, self._reader(regression))))
        if n_tenpai in (0, n_rows):
            return regression
        layout = self._layout(regression)
        weights = np.zeros(layout.width + 1)
        for pair_round in range(rounds + 1):
            read, lookups = self._reader(regression), layout.lookups()
            penalty = self._penalty(regression, intercept)
            weights = logistic.fit(rows, read, lookups, penalty, weights)
            regression.coefficients = weights[:-1]
            regression.intercept = float(weights[-1])
            if pair_round < rounds:
                tables = lookups.tables(weights)
                regression.pairs += self._best_pairs(regression, rows, tables)
                n_before, layout = layout.shared, self._layout(regression)
                weights = np.insert(weights, n_before, np.zeros(layout.shared - n_before))
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

    def _penalty(self, regression: MeldGroupFit, intercept: float) -> Floats:
        """1/C of every coefficient, and of the intercept."""
        layout = self._layout(regression)
        counts = np.diff([0, layout.single, layout.shared, layout.width, layout.width + 1])
        factors = [1.0, self.l2_pairs, self.l2_per_meld, intercept]
        return np.repeat(factors, counts) / regression.C

    def _probability(self, rows: pd.DataFrame) -> Floats:
        chunks = row_chunks(rows, _CHUNK)
        predicted = map(self._predict, chunks)
        return np.concatenate([np.zeros(0), *predicted])

    def _predict(self, rows: pd.DataFrame) -> Floats:
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
        if len(self.prior_.pairs):
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
        weights[:, : self.prior_.weights.shape[1]] += self.prior_.weights
        bias += self.prior_.bias
        return TenpaiGAMModel(
            names=np.array(NAMES),
            fine=bins.fine,
            coarse=bins.coarse,
            pairs=bins.pairs,
            bias=bias,
            weights=weights,
        )


def from_nothing(params: dict[str, Any], rows: Shards, n_games: int) -> TenpaiGAM:
    """The fit with these settings; of few games it uses all rows, and `pull` sets the penalty.

    The fits of the choice have no pairs, which matter little to it.
    """
    if n_games < pull.MANY:
        params = params | {"subsample_stride": 1}
    return pull.from_nothing(TenpaiGAM(**params), rows, losses, n_games, STRENGTHS, pair_rounds=0)


def losses(
    model: TenpaiGAMModel, rows: pd.DataFrame, network: DiscardNetwork | None = None
) -> Floats:
    """The log loss of every row, nats, (m,)."""
    logit = tenpai_compact.logits(model, network, rows)
    return np.asarray(np.logaddexp(0.0, logit) - rows["tenpai"].to_numpy() * logit)


def baseline(c: float = 1.0) -> Pipeline:
    """The logistic regression of scikit-learn, unfitted."""
    logit = LogisticRegression(C=c, solver="newton-cholesky", tol=1e-8)
    return make_pipeline(StandardScaler(), logit)


def baseline_columns(rows: pd.DataFrame) -> Ints:
    """Its columns as they are, (m, n + 1): all features and the melds."""
    return ints(rows, [*NAMES, "n_open_melds"])


def line(bins: Bins, rows: pd.DataFrame) -> TenpaiGAMModel:
    """A logistic regression of scikit-learn on the bin of every feature, 0, 1, 2, …, and the melds.

    Of rows with one label it is their rate.

    Parameters
    ----------
    bins : Bins
        Without pairs.
    rows : DataFrame
    """
    tenpai = rows[IS_TENPAI.name].to_numpy()
    slopes = centre = np.zeros(len(NAMES) + 1)
    rate = np.clip(tenpai.mean() if len(rows) else 0.5, 0.01, 0.99)
    constant = np.log(rate / (1 - rate))
    if tenpai.any() and not tenpai.all():
        number = bins.cells(feature_matrix(rows)) - bins.offsets[:-1]
        scaler, logit = baseline(_LINE_C).fit(np.c_[number, rows["n_open_melds"]], tenpai)
        slopes, centre, constant = logit.coef_[0] / scaler.scale_, scaler.mean_, logit.intercept_[0]
    by_term = zip(slopes, centre, np.diff(bins.offsets), strict=False)
    weights = [slope * (np.arange(size) - middle) for slope, middle, size in by_term]
    return TenpaiGAMModel(
        names=np.array(NAMES),
        fine=bins.fine,
        coarse=bins.coarse,
        pairs=bins.pairs,
        bias=constant + slopes[-1] * (np.arange(MELD_GROUPS) - centre[-1]),
        weights=np.tile(np.concatenate(weights), (MELD_GROUPS, 1)),
    )


def _of_some_games(step: int, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of every n-th game, by its hash."""
    columns = [IS_TENPAI.name, "n_open_melds", *NAMES]
    # The lowest bits are those of halves and of subsamples, those above 32 of kept games.
    is_used = (game_hashes(rows["game"]) >> np.uint64(16)) % np.uint64(step) == 0
    return rows.iloc[np.flatnonzero(is_used)][columns]


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
