"""Fitting the wait and score models of `houjuu.estimators.log_linear` to rows of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone

from features.columns import floats, ints, row_chunks
from features.schema.waits import WAIT_BITS
from houjuu.estimators.log_linear import closed_waits, han_model, melded_waits
from houjuu.estimators.log_linear.closed_waits import ClosedWaitModel
from houjuu.estimators.log_linear.conditional_logit import TermSet
from houjuu.estimators.log_linear.han_model import ClosedHanModel, MeldedHanModel
from houjuu.estimators.log_linear.melded_waits import MeldedWaitModel
from houjuu.estimators.protocol import MAX_MELDS
from houjuu.game.tiles import KINDS
from houjuu.hands.points import FU_CLASSES
from houjuu.hands.wait_types import FU, HAN, WAITS, WIN_KIND, WIN_WAIT, WINS
from houjuu.reading import wait_features
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from models.fitting.conditional_logit import (
    IndependentFit,
    LogitSamples,
    compact,
    fit,
    fit_independent,
)
from models.fitting.shards import Arrays, Shards, sums
from models.paper.hand_prior import PRIOR_HAN, PRIOR_WIN
from models.paper.waits import floor_rates

_CHUNK = 2000  # unit: rows
_NEVER = 1e-9
_KINDS = np.arange(KINDS)
_FEATURES = wait_features.columns()
_SINGLE_WAIT = np.arange(wait_features.LAYOUT.size["n_melds"]) == MAX_MELDS + 1
"""By the number of melds: whether the hand has one tile, so that it waits for one kind."""


def wait_feature_matrix(rows: pd.DataFrame) -> Int8s:
    """The features as the runtime takes them, (n, LENGTH)."""
    return rows[_FEATURES].to_numpy(dtype=np.int8)


def prior_win(rows: pd.DataFrame) -> Floats:
    """P(wins on the kind | tenpai) of the enumerated hands, (n, 34)."""
    return floats(rows, PRIOR_WIN)


def win_flags(rows: pd.DataFrame) -> Bools:
    """Which kinds the hands win on, (n, 34)."""
    return _kind_flags(rows, "win_mask")


def _kind_flags(rows: pd.DataFrame, column: str) -> Bools:
    """A column of bits by kind as flags, (n, 34)."""
    bits = rows[column].to_numpy()[:, None]
    return (bits >> _KINDS & 1).astype(bool)


def evaluated_mask(rows: pd.DataFrame) -> Bools:
    """Kinds in the hand of the deciding seat that are not genbutsu, (n, 34)."""
    in_hand = _kind_flags(rows, "hand_kinds_mask")
    genbutsu = wait_features.per_kind(wait_feature_matrix(rows), "genbutsu")
    return np.asarray(in_hand & (genbutsu == 0))


def predict_kinds(model: ClosedWaitModel | MeldedWaitModel, rows: pd.DataFrame) -> Floats:
    """P(wins on the kind | tenpai) of the model, (n, 34), 0–1."""
    chunks = row_chunks(rows, _CHUNK)
    return np.concatenate([_predict_kinds(model, chunk) for chunk in chunks])


def _predict_kinds(model: ClosedWaitModel | MeldedWaitModel, rows: pd.DataFrame) -> Floats:
    features = wait_feature_matrix(rows)
    if isinstance(model, ClosedWaitModel):
        return model.predict(features)
    n_melds = ints(rows, "n_melds")
    return model.predict(features, prior_win(rows), n_melds)


def _repeat_weight(rows: pd.DataFrame, exponent: float) -> Floats:
    return np.asarray(floats(rows, "n_decisions") ** exponent)


class _Penalized(BaseEstimator):  # type: ignore[misc]
    """An estimator whose `penalty`, and `smoothing` if it has some, pull towards a prior."""

    def pulled(self, strength: float) -> Self:
        """The estimator with penalties that are so many times as strong."""
        params = self.get_params()
        stronger = {n: strength * params[n] for n in ("penalty", "smoothing") if n in params}
        pulled: Self = clone(self).set_params(**stronger)
        return pulled


@dataclass(eq=False, repr=False)
class WaitLogit(_Penalized):
    """The conditional logit over waits of closed hands.

    Parameters
    ----------
    penalty : float, default=25.0
        L2 penalty on the weights.
    repeat_weight_exponent : float, default=0.5
        A row drawn from n decisions has the weight n to this power: with 1 every decision has the
        same weight, with 0 every hand.
    tail : float, default=1.0
        That of the model (docs/choices.md); with a prior, it has the prior's.

    Attributes
    ----------
    model_ : ClosedWaitModel
    """

    penalty: float = 25.0
    repeat_weight_exponent: float = 0.5
    tail: float = 1.0

    def fit(self, shards: Shards, prior: ClosedWaitModel | None = None) -> Self:
        """Fit to rows of closed hands, all in riichi or all without.

        Scale and floor of a prior count as much as `penalty` wins and hands.
        """
        terms = closed_waits.TERMS if prior is None else prior.logit.terms
        read = partial(wait_samples, repeat_weight_exponent=self.repeat_weight_exponent)
        prepared = shards.prepare(partial(_compact, terms, read))
        weights = fit(terms, prepared, self.penalty, None if prior is None else prior.weights)
        expected, won, uncovered, n_rows = sums(shards.map(partial(_win_sums, read)))
        floor = floor_rates(uncovered, float(n_rows))
        if prior is None:
            scale = won / np.maximum(expected, 1e-9)
            self.model_ = ClosedWaitModel(weights, scale, floor, tail=np.array(self.tail))
            return self
        scale = prior.scale + (won - expected * prior.scale) / (expected + self.penalty)
        floor = prior.floor + (floor - prior.floor) * n_rows / (n_rows + self.penalty)
        self.model_ = ClosedWaitModel(weights, scale, floor, prior.terms, prior.tail)
        return self

    def to_runtime(self) -> ClosedWaitModel:
        """The fitted model as the runtime loads it."""
        return self.model_


def wait_samples(rows: pd.DataFrame, repeat_weight_exponent: float) -> LogitSamples:
    """Samples of a logit over waits: the winning waits of the hand in equal parts, or "no win"."""
    features = wait_feature_matrix(rows)
    prior, mask = closed_waits.prior_logits(features)
    can_win = win_flags(rows)[:, WINS].any(axis=2)
    wins = _has_wait(rows) & can_win & mask[:, :-1]
    no_win = ~wins.any(axis=1)
    label = np.column_stack([wins, no_win]).astype(float)
    label /= label.sum(axis=1, keepdims=True)
    return LogitSamples(
        features=features,
        prior=prior,
        mask=mask,
        label=label,
        weight=_repeat_weight(rows, repeat_weight_exponent),
    )


def _has_wait(rows: pd.DataFrame) -> Bools:
    """The waits of the hands, (n, 113)."""
    waits_of_column = np.arange(WAIT_BITS[1])
    flags = []
    for first in WAIT_BITS:
        bits = rows[f"wait_bits_{first}"].to_numpy()[:, None]
        flags.append(bits >> waits_of_column & 1)
    all_flags = np.concatenate(flags, axis=1)
    return np.asarray(all_flags[:, :WAITS].astype(bool))


def _compact(
    terms: TermSet, read: Callable[[pd.DataFrame], LogitSamples], rows: pd.DataFrame
) -> Arrays:
    return compact(terms, read(rows))


def _win_sums(
    read: Callable[[pd.DataFrame], LogitSamples], rows: pd.DataFrame
) -> tuple[Floats, Floats, Ints, int]:
    """`win_scale_sums`, the number of wins on each kind by no wait, and the number of rows."""
    samples = read(rows)
    kind_wins = win_flags(rows)
    wait_wins = samples.label[:, :WAITS] > 0
    covered = np.zeros(kind_wins.shape, dtype=bool)
    np.logical_or.at(covered.T, WIN_KIND, wait_wins[:, WIN_WAIT].T)
    uncovered = (kind_wins & ~covered).sum(axis=0)
    expected, won = win_scale_sums(wait_wins, kind_wins, samples.weight)
    return expected, won, uncovered, len(rows)


def win_scale_sums(wait_wins: Bools, kind_wins: Bools, weight: Floats) -> tuple[Floats, Floats]:
    """Weight of the waits, and of the wins on the kind by the wait, by pair of `WIN_WAIT`, (131,).

    A win on a kind by several waits counts in equal parts for each. The second over the first are
    the wins for each unit of probability of the wait.
    """
    pair_wins = wait_wins[:, WIN_WAIT]
    n_waits = np.zeros(kind_wins.shape)
    np.add.at(n_waits.T, WIN_KIND, pair_wins.T)
    waits_of_row = wait_wins.sum(axis=1, keepdims=True)
    share = wait_wins / np.maximum(waits_of_row, 1)
    credit_of_kind = kind_wins / np.maximum(n_waits, 1)
    credit = pair_wins * credit_of_kind[:, WIN_KIND]
    expected = (weight[:, None] * share[:, WIN_WAIT]).sum(axis=0)
    won = (weight[:, None] * credit).sum(axis=0)
    return _sum_by_class(expected), _sum_by_class(won)


def _sum_by_class(by_pair: Floats) -> Floats:
    """For each pair the sum over the pairs of its class of wait and end."""
    wait_class = closed_waits.WAIT_CLASS[WIN_WAIT]
    is_upper = closed_waits.WIN_HIGH[WIN_WAIT] == WIN_KIND
    has_one_end = closed_waits.WIN_LOW == closed_waits.WIN_HIGH
    cell = 2 * wait_class + (is_upper & ~has_one_end[WIN_WAIT])
    return np.asarray(np.bincount(cell, by_pair)[cell])


@dataclass(eq=False, repr=False)
class MeldedWaitLogit(_Penalized):
    """The conditional logit over kinds of open hands.

    Parameters
    ----------
    penalty, repeat_weight_exponent
        As in `WaitLogit`.

    Attributes
    ----------
    model_ : MeldedWaitModel
    """

    penalty: float = 60.0
    repeat_weight_exponent: float = 0.5

    def fit(self, shards: Shards, prior: MeldedWaitModel | None = None) -> Self:
        """Fit to rows of open hands, with the columns `models.paper.hand_prior.PRIOR_WIN`."""
        terms, centre = melded_waits.TERMS, None
        if prior is not None:
            terms = prior.logit.terms
            centre = IndependentFit(prior.weights, prior.scale, prior.prior_exponent)
        read = partial(melded_wait_samples, repeat_weight_exponent=self.repeat_weight_exponent)
        prepared = shards.prepare(partial(_compact, terms, read))
        result = fit_independent(terms, prepared, _SINGLE_WAIT, self.penalty, centre)
        self.model_ = MeldedWaitModel(
            result.weights, result.scale, result.prior_exponent, terms.keys
        )
        return self

    def to_runtime(self) -> MeldedWaitModel:
        """The fitted model as the runtime loads it."""
        return self.model_


def melded_wait_samples(rows: pd.DataFrame, repeat_weight_exponent: float) -> LogitSamples:
    """Samples of a logit over kinds: all kinds that the hand wins on."""
    features = wait_feature_matrix(rows)
    prior, mask = melded_waits.prior_logits(features, prior_win(rows))
    wins = np.pad(win_flags(rows), [(0, 0), (0, 1)])  # the last alternative is no win
    return LogitSamples(
        features=features,
        prior=prior,
        mask=mask,
        label=(wins & mask).astype(np.float64),
        weight=_repeat_weight(rows, repeat_weight_exponent),
        group=ints(rows, "n_melds"),
    )


@dataclass(eq=False, repr=False)
class HanLogit(_Penalized):
    """The conditional logit over han of closed hands, and the frequencies of fu.

    Parameters
    ----------
    penalty : float, default=5.0
        As in `WaitLogit`.
    smoothing : float, default=20.0
        Wins with the fu of all tiles, of hands with as many closed kans and han, that are added to
        the counts of every class of tile; with a prior, wins with its fu of the class.

    Attributes
    ----------
    model_ : ClosedHanModel
    """

    penalty: float = 5.0
    smoothing: float = 20.0

    def fit(self, shards: Shards, prior: ClosedHanModel | None = None) -> Self:
        """Fit to rows of `features.schema.waits.RON_SCORES`, all in riichi or all without."""
        terms = han_model.CLOSED_TERMS if prior is None else prior.logit.terms
        prepared = shards.prepare(partial(_compact, terms, closed_han_samples))
        weights = fit(terms, prepared, self.penalty, None if prior is None else prior.weights)
        (counts,) = sums(shards.map(_fu_counts))
        self.model_ = ClosedHanModel(weights, self._fu(counts, prior), terms.keys)
        return self

    def to_runtime(self) -> ClosedHanModel:
        """The fitted model as the runtime loads it."""
        return self.model_

    def _fu(self, counts: Ints, prior: ClosedHanModel | None) -> Floats:
        """P(fu) of `ClosedHanModel`, smoothed towards the prior's or that of all tiles."""
        if prior is not None:
            if prior.fu.ndim < counts.ndim:  # it distinguishes neither kans nor han
                counts = counts.sum(axis=(0, 2))
            n_wins = counts.sum(axis=-1, keepdims=True)
            return np.asarray(prior.fu + (counts - n_wins * prior.fu) / (n_wins + self.smoothing))
        by_fu = counts.sum(axis=1, keepdims=True) + 1.0
        overall = by_fu / by_fu.sum(axis=-1, keepdims=True)
        smoothed = counts + self.smoothing * overall
        total = smoothed.sum(axis=-1, keepdims=True)
        return np.asarray(smoothed / total)


def _fu_counts(rows: pd.DataFrame) -> tuple[Ints]:
    """Wins by closed kans, class of tile, class of han and fu, (3, classes, 3, fu)."""
    shape = han_model.KANS, han_model.TILE_CLASSES, FU_CLASSES, len(FU)
    counts = np.zeros(shape, np.int64)
    fu_class = np.minimum(rows["han"].to_numpy(), FU_CLASSES) - 1
    features = _han_features(rows)
    has_fu = rows["fu"].to_numpy()[:, None] == np.array(FU)
    np.add.at(counts, (han_model.n_kans(features), features[:, 0], fu_class), has_fu)
    return (counts,)


@dataclass(eq=False, repr=False)
class MeldedHanLogit(_Penalized):
    """The conditional logit over han of open hands, on top of the enumerated hands.

    Parameters
    ----------
    penalty : float, default=5.0
        As in `WaitLogit`.

    Attributes
    ----------
    model_ : MeldedHanModel
    """

    penalty: float = 5.0

    def fit(self, shards: Shards, prior: MeldedHanModel | None = None) -> Self:
        """Fit to rows of `features.schema.waits.RON_SCORES` of open hands, with `PRIOR_HAN`.

        A han that no enumerated hand has counts as the nearest han of one.
        """
        terms = han_model.MELDED_TERMS if prior is None else prior.logit.terms
        prepared = shards.prepare(partial(_compact, terms, melded_han_samples))
        weights = fit(terms, prepared, self.penalty, None if prior is None else prior.weights)
        self.model_ = MeldedHanModel(weights, terms.keys)
        return self

    def to_runtime(self) -> MeldedHanModel:
        """The fitted model as the runtime loads it."""
        return self.model_


def closed_han_samples(rows: pd.DataFrame) -> LogitSamples:
    """Samples of a logit over han 1–13."""
    return _han_samples(rows, np.ones((len(rows), HAN)))


def melded_han_samples(rows: pd.DataFrame) -> LogitSamples:
    """The same on top of the enumerated hands, of the rows that have some."""
    covered = rows.loc[rows[PRIOR_HAN].any(axis=1)]
    return _han_samples(covered, floats(covered, PRIOR_HAN))


def _han_samples(rows: pd.DataFrame, prior_han: Floats) -> LogitSamples:
    prior, mask = han_model.prior_logits(prior_han)
    han = rows["han"].to_numpy()[:, None]
    distance = np.abs(np.arange(HAN) + 1 - han)
    nearest = np.where(mask, distance, HAN).argmin(axis=1)
    return LogitSamples(
        features=_han_features(rows),
        prior=prior,
        mask=mask,
        label=np.eye(HAN)[nearest],
        weight=np.ones(len(rows)),
    )


def _han_features(rows: pd.DataFrame) -> Int8s:
    """Features of the winning kinds, (n, LENGTH)."""
    by_kind = han_model.han_features(wait_feature_matrix(rows))
    kind = rows["kind"].to_numpy()
    return np.asarray(by_kind[np.arange(len(rows)), kind])


WaitEstimator = WaitLogit | MeldedWaitLogit | HanLogit | MeldedHanLogit


def wait_estimators(params: dict[str, Any]) -> dict[str, WaitEstimator]:
    """An unfitted estimator for each part, with the parameters of that name."""
    parts: dict[str, type[WaitEstimator]] = {
        "riichi_waits": WaitLogit,
        "closed_waits": WaitLogit,
        "melded_waits": MeldedWaitLogit,
        "riichi_han": HanLogit,
        "closed_han": HanLogit,
        "melded_han": MeldedHanLogit,
    }
    return {name: part(**params[name]) for name, part in parts.items()}


WaitPart = ClosedWaitModel | MeldedWaitModel | ClosedHanModel | MeldedHanModel


def losses(model: WaitPart, rows: pd.DataFrame) -> Floats:
    """The log loss of every row, nats, (m,): over the kinds that can win, or of the han."""
    if isinstance(model, ClosedWaitModel | MeldedWaitModel):
        return _wait_losses(model, rows)
    read = closed_han_samples if isinstance(model, ClosedHanModel) else melded_han_samples
    covered = rows if isinstance(model, ClosedHanModel) else rows[rows[PRIOR_HAN].any(axis=1)]
    samples = read(covered)
    predicted = model.logit.predict(samples.features, samples.prior, samples.mask)
    by_row = np.zeros(len(rows))
    by_row[rows.index.isin(covered.index)] = -np.log((predicted * samples.label).sum(axis=1))
    return by_row


def _wait_losses(model: ClosedWaitModel | MeldedWaitModel, rows: pd.DataFrame) -> Floats:
    possible = wait_features.per_kind(wait_feature_matrix(rows), "genbutsu") == 0
    won = win_flags(rows)
    predicted = np.clip(predict_kinds(model, rows), _NEVER, 1.0 - _NEVER)
    by_kind = -np.where(won, np.log(predicted), np.log1p(-predicted))
    return np.asarray((by_kind * possible).sum(axis=1))
