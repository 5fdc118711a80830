"""Fitting the model of unseen tiles, `houjuu.estimators.log_linear.unseen_tiles`.

A sample of the logit is a kind in a view: its unseen copies lie in four locations, the
alternatives. The factors that balance the locations (`houjuu.risk.unseen.balanced`) are priors.
They depend on the weights, so that a fit can be repeated with those of the fit before. In the
limit the derivative of the likelihood by the factors is 0, because predicted and true sizes agree:
the weights are a maximum of the likelihood of the balanced model.

The tilts are fitted after the weights, by iterative scaling: the logit of a number of copies is
changed until it is predicted as often as it occurs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, clone

from features.columns import row_chunks
from features.unseen_rows import copy_array, feature_array
from houjuu.estimators.log_linear.conditional_logit import LookupTerm, TermSet
from houjuu.estimators.log_linear.unseen_tiles import (
    KIND_CLASS,
    TERMS,
    TILT_SHAPE,
    UnseenTileModel,
    hand_groups,
)
from houjuu.game.tiles import COPIES, KINDS
from houjuu.reading.unseen_features import LENGTH
from houjuu.risk.unseen import LOCATIONS, WALL, balanced, count_probabilities
from houjuu.util.arrays import Bools, Floats
from models.fitting.conditional_logit import codes_of_cells, fit
from models.fitting.shards import Arrays, Shards, sums

_CHUNK = 1000  # unit: rows
_SCALING_ROUNDS = 6
_NEVER = 1e-9
_COUNTS = np.arange(COPIES + 1)
_POSSIBLE = _COUNTS[:, None] >= _COUNTS
"""By unseen copies: whether so many copies can be in a location."""


def _with_wall(term: LookupTerm) -> LookupTerm:
    """The term with one more alternative, the wall, which has a class of its own."""
    group = np.append(term.group, term.group.max() + 1)
    features = [(name, np.append(index, index[0])) for name, index in term.features]
    return LookupTerm(term.name, group, features)


def fit_terms(terms: TermSet) -> TermSet:
    """The terms with the wall as one more alternative, whose features are all 0."""
    return TermSet([_with_wall(term) for term in terms.terms], terms.layout)


@dataclass(eq=False, repr=False)
class UnseenTileLogit(BaseEstimator):  # type: ignore[misc]
    """The model of unseen tiles.

    Parameters
    ----------
    penalty : float, default=10.0
        L2 penalty on the weights, nats.
    rounds : int, default=1
        Number of fits, each with the factors of the last one.
    smoothing : float, default=10.0
        Places that are added to those with each number of copies, true and predicted.

    Attributes
    ----------
    model_ : UnseenTileModel
    """

    penalty: float = 10.0
    rounds: int = 1
    smoothing: float = 10.0

    def fit(self, shards: Shards, prior: UnseenTileModel | None = None) -> Self:
        """Fit to rows of `features.unseen_rows.UNSEEN`; the first factors are those of a prior."""
        model = prior or UnseenTileModel(np.zeros(TERMS.size), np.zeros(TILT_SHAPE))
        terms = fit_terms(model.term_set)
        centre = None if prior is None else _with_wall_weights(prior)
        for _ in range(self.rounds):
            prepared = shards.prepare(partial(_samples, model))
            weights = fit(terms, prepared, self.penalty, centre)
            model = replace(model, weights=_without_wall(model.term_set, weights))
        for _ in range(_SCALING_ROUNDS):
            happened, expected = sums(shards.map(partial(_counts, model)))
            model = replace(model, tilts=self._tilts(model.tilts, happened, expected))
        self.model_ = model
        return self

    def pulled(self, strength: float) -> Self:
        """The estimator with penalties that are so many times as strong."""
        pulled: Self = clone(self).set_params(
            penalty=strength * self.penalty, smoothing=strength * self.smoothing
        )
        return pulled

    def to_runtime(self) -> UnseenTileModel:
        """The fitted model as the runtime loads it."""
        return self.model_

    def _tilts(self, tilts: Floats, happened: Floats, expected: Floats) -> Floats:
        """The tilts after a step."""
        changed = tilts + np.log((happened + self.smoothing) / (expected + self.smoothing))
        return np.where(_POSSIBLE, changed, 0.0)


def losses(model: UnseenTileModel | None, rows: pd.DataFrame) -> Floats:
    """The log loss of the location of every unseen copy, nats, summed by row, (m,)."""
    chances = np.maximum(chances_of_rows(model, rows), _NEVER)
    return np.asarray(-(copy_array(rows) * np.log(chances)).sum(axis=(1, 2)))


def chances_of_rows(model: UnseenTileModel | None, rows: pd.DataFrame) -> Floats:
    """P(a copy of the kind is in the location), (n, 4, 34); by counting without a model."""
    chunks = row_chunks(rows, _CHUNK)
    return np.concatenate([_chances(model, chunk) for chunk in chunks])


def count_probabilities_of_rows(model: UnseenTileModel | None, rows: pd.DataFrame) -> Floats:
    """P(a location has 0–4 copies of a kind), (n, 4, 34, 5)."""
    chunks = row_chunks(rows, _CHUNK)
    return np.concatenate([_count_probabilities(model, chunk) for chunk in chunks])


def _chances(model: UnseenTileModel | None, rows: pd.DataFrame) -> Floats:
    in_location = copy_array(rows).astype(np.int64)
    weights = np.ones(in_location.shape)
    if model is not None:
        weights[:, :WALL] = model.hand_weights(feature_array(rows))
    return balanced(weights, in_location.sum(axis=1), in_location.sum(axis=2))


def _count_probabilities(model: UnseenTileModel | None, rows: pd.DataFrame) -> Floats:
    in_location = copy_array(rows).astype(np.int64)
    copies = in_location.sum(axis=1)
    tilts = None if model is None else model.count_tilts(feature_array(rows), copies)
    return count_probabilities(_chances(model, rows), copies, in_location.sum(axis=2), tilts)


def _samples(model: UnseenTileModel, rows: pd.DataFrame) -> Arrays:
    """The samples of a shard, as `models.fitting.conditional_logit.compact` returns them."""
    in_location = copy_array(rows).astype(np.int64)
    copies = in_location.sum(axis=1)
    is_sample = copies > 0
    prior = np.repeat(_log_factors(model, rows)[:, None], KINDS, axis=1)[is_sample]
    in_location = np.moveaxis(in_location, 1, -1)[is_sample]
    weight = copies[is_sample].astype(np.float64)
    starts = range(0, max(len(rows), 1), _CHUNK)
    terms = fit_terms(model.term_set)
    chunks = [_codes(terms, rows[i : i + _CHUNK], is_sample[i : i + _CHUNK]) for i in starts]
    return {
        "codes": np.hstack(chunks),
        "prior": prior.ravel(),
        "label": (in_location / weight[:, None]).ravel(),
        "is_win": np.zeros(prior.size, bool),
        "n_alternatives": np.full(len(weight), LOCATIONS),
        "weight": weight,
        "group": np.zeros(len(weight), np.int64),
    }


def _log_factors(model: UnseenTileModel, rows: pd.DataFrame) -> Floats:
    """Logarithms of the factors of the locations, (n, 4); a number common to a row is free."""
    logs = np.log(chances_of_rows(model, rows)[:, :, 0])
    first_kind = np.concatenate(
        [
            np.log(model.hand_weights(feature_array(chunk))[..., 0])
            for chunk in row_chunks(rows, _CHUNK)
        ]
    )
    logs[:, :WALL] -= first_kind
    return np.asarray(logs)


def _codes(terms: TermSet, rows: pd.DataFrame, is_sample: Bools) -> npt.NDArray[Any]:
    """The codes of the locations of each sample, (blocks, m)."""
    cells_of_hands = terms.cells(feature_array(rows))[:, :, :KINDS]
    cells = np.empty((*is_sample.shape, LOCATIONS, cells_of_hands.shape[-1]), np.int64)
    cells[:, :, :WALL] = np.moveaxis(cells_of_hands, 1, 2)
    cells[:, :, WALL] = terms.cells(np.zeros(LENGTH, np.int8))[KINDS]
    alternative = np.full((*is_sample.shape, LOCATIONS), KINDS)
    alternative[..., :WALL] = np.arange(KINDS)[:, None]
    flat = cells[is_sample].reshape(-1, cells.shape[-1])
    return codes_of_cells(terms, alternative[is_sample].ravel(), flat)


def _sizes(terms: TermSet) -> list[tuple[int, int]]:
    """By term the number of weights of the hands, and of the wall."""
    groups = [int(term.group.max()) + 1 for term in terms.terms]
    return [(n_values * n, n_values) for n_values, n in zip(terms.n_values, groups, strict=True)]


def _without_wall(terms: TermSet, weights: Floats) -> Floats:
    """The weights of terms of those of `fit_terms`, relative to the wall."""
    of_wall = weights[fit_terms(terms).cells(np.zeros(LENGTH, np.int8))[KINDS]].sum()
    kept = []
    start = 0
    for size, wall in _sizes(terms):
        kept.append(weights[start : start + size])
        start += size + wall
    kept[0] = kept[0] - of_wall
    return np.concatenate(kept)


def _with_wall_weights(model: UnseenTileModel) -> Floats:
    """The weights of the model's `fit_terms`: those of the wall are 0."""
    sizes = _sizes(model.term_set)
    by_term = np.split(model.weights, np.cumsum([size for size, _ in sizes])[:-1])
    padded = [np.pad(part, (0, wall)) for part, (_, wall) in zip(by_term, sizes, strict=True)]
    return np.concatenate(padded)


def _counts(model: UnseenTileModel, rows: pd.DataFrame) -> tuple[Floats, Floats]:
    """How often locations have each number of copies, truly and as predicted, `TILT_SHAPE` each."""
    in_location = copy_array(rows).astype(np.int64)
    copies = in_location.sum(axis=1)
    groups = hand_groups(feature_array(rows))[:, :, None]
    group = np.ravel_multi_index(
        np.broadcast_arrays(groups, KIND_CLASS, copies[:, None]), TILT_SHAPE[:-1]
    )
    expected = np.zeros((prod(TILT_SHAPE[:-1]), TILT_SHAPE[-1]))
    np.add.at(expected, group, count_probabilities_of_rows(model, rows))
    happened = np.zeros_like(expected)
    np.add.at(happened, (group, in_location), 1.0)
    return happened.reshape(TILT_SHAPE), expected.reshape(TILT_SHAPE)
