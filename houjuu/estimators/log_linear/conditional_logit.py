"""A conditional logit over alternatives, as a sum of look-ups.

P(a|u) = exp(s_a) / Σ exp(s_b) over the possible alternatives b, with the logit s_a = prior_a + Σ
over terms of the weight in the cell of a and of the features u (`houjuu.reading.wait_features`).
McFadden 1974.

One row through the steps, with two alternatives and a feature of three values. A term has one
weight for each class of alternative and value, here each alternative is a class: the weights 0 to 2
and 3 to 5.

>>> from houjuu.reading.shared_features import FeatureSpec
>>> layout = FeatureLayout(([FeatureSpec("turn", 3, "")], 1))
>>> term = LookupTerm("turn", np.array([0, 1]), [("turn", np.array([0, 0]))])
>>> terms = TermSet([term], layout)
>>> query = np.array([2, 0], np.int8)

At turn 2 the cells are the weights 0 + 2 and 3 + 2:

>>> terms.cells(query).tolist()
[[2], [5]]

The logits are the prior plus these weights; both alternatives are possible:

>>> logit = ConditionalLogit(terms, np.array([0, 0, 0.5, 0, 0, 1.5]))
>>> logit.predict(query, prior=np.zeros(2), mask=np.ones(2, bool)).round(3).tolist()
[0.269, 0.731]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import EAST
from houjuu.reading.wait_features import LAYOUT, PAD, FeatureLayout
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.attributions import Attributions, grouped, softmax, softmax_attributions
from houjuu.util.features import columns_of
from houjuu.util.parameters import other_features, require_weights

CERTAIN = 0.97
"""The largest probability of a win on a kind: no river makes a wait certain."""


@dataclass(frozen=True)
class LookupTerm:
    """A term: one weight for each class of alternative and value of its features.

    Attributes
    ----------
    name : str
        Its group in explanations; terms of the same name are explained as one.
    group : (a,) array
        Class of every alternative, from 0.
    features : sequence of (str, (a,) array)
        Names of features, and which value of the feature each alternative uses (a kind, a suit,
        or 0 for a global feature).
    detail : str, default=""
        What distinguishes it from other terms of the same name and features.
    """

    name: str
    group: Ints
    features: Sequence[tuple[str, Ints]] = ()
    detail: str = ""

    @property
    def key(self) -> str:
        """Its name in parameter files: "open tiles: open_copies × open_copies, held"."""
        features = " × ".join(feature for feature, _ in self.features)
        key = f"{self.name}: {features}" if features else self.name
        return f"{key}, {self.detail}" if self.detail else key


def global_terms(group: Ints, named: Sequence[tuple[str, str]]) -> list[LookupTerm]:
    """Terms of one global feature each, from pairs (name, feature)."""
    index = np.zeros(len(group), np.intp)
    return [LookupTerm(name, group, [(feature, index)]) for name, feature in named]


def neighbour_kinds(kinds: Ints, mirrored: Bools, steps: int) -> Ints:
    """Kinds that many ranks above others of their suit, below where mirrored; `PAD` for none."""
    neighbours = kinds + np.where(mirrored, -steps, steps)
    inside = (kinds < EAST) & (neighbours // 9 == kinds // 9)
    return np.where(inside, neighbours, PAD)


class TermSet:
    """The weights of several terms as one vector.

    Parameters
    ----------
    terms : sequence of LookupTerm
        With the same alternatives.
    layout : FeatureLayout

    Attributes
    ----------
    terms : list of LookupTerm
    names : list of str
        Name of every term, (f,).
    size : int
        Number of weights.
    first : (a, f) array
        Index of the weight of value 0, for each alternative and term.
    n_values : list of int
        Number of values of the features of every term, (f,).
    indices : (d, a, f) array
        Index in the features of each alternative for each term, of up to d features.
    strides : (d, f) array
        How far the weights of successive values of each feature lie apart; 0 for no feature.
    layout : FeatureLayout
    """

    def __init__(self, terms: Sequence[LookupTerm], layout: FeatureLayout = LAYOUT) -> None:
        self.layout = layout
        self.terms = [*terms]
        self.names = [term.name for term in terms]
        self.alternatives = len(terms[0].group)
        depth = max(len(term.features) for term in terms)
        shape = self.alternatives, len(terms)
        self.first = np.zeros(shape, np.intp)
        self.indices = np.zeros((depth, *shape), np.intp)
        self.strides = np.zeros((depth, len(terms)), np.intp)
        self.size = 0
        self.n_values: list[int] = []
        for column, term in enumerate(terms):
            stride = 1
            for level, (name, index) in enumerate(term.features):
                self.indices[level, :, column] = layout.start[name] + index
                self.strides[level, column] = stride
                stride *= layout.size[name]
            self.first[:, column] = self.size + stride * term.group
            self.n_values.append(stride)
            self.size += stride * (int(term.group.max()) + 1)

    def cells(self, features: Int8s) -> Ints:
        """Index of the weight of every term, (…, a, f), from features, (…, LENGTH)."""
        values = features.astype(np.intp)
        cells = self.first + values.take(self.indices[0], axis=-1) * self.strides[0]
        for columns, indices, strides in self._deeper_levels:
            cells[..., columns] += values.take(indices, axis=-1) * strides
        return np.asarray(cells)

    @cached_property
    def _deeper_levels(self) -> list[tuple[Ints, Ints, Ints]]:
        """Columns, indices and strides of the terms with a second, third, … feature."""
        columns = [np.flatnonzero(strides) for strides in self.strides[1:]]
        levels = zip(columns, self.indices[1:], self.strides[1:], strict=True)
        return [(level, indices[:, level], strides[level]) for level, indices, strides in levels]

    @property
    def keys(self) -> npt.NDArray[np.str_]:
        """The names of the terms in parameter files."""
        return np.array([term.key for term in self.terms])

    def chosen(self, keys: npt.NDArray[np.str_], what: str) -> TermSet:
        """The terms that a parameter file names, in its order.

        Parameters
        ----------
        keys : array of str
        what : str
            What has the terms, for the error.

        Raises
        ------
        ParameterError
            A term is unknown.
        """
        index = columns_of(keys.tolist(), self.keys.tolist(), what)
        return self if index is None else TermSet([self.terms[i] for i in index], self.layout)

    def subset(self, columns: Sequence[int]) -> TermSet:
        """Some of the terms; their cells keep their numbers."""
        subset = copy(self)
        vars(subset).pop("_deeper_levels", None)
        subset.terms = [self.terms[column] for column in columns]
        subset.names = [self.names[column] for column in columns]
        subset.n_values = [self.n_values[column] for column in columns]
        subset.first = self.first[:, columns]
        subset.indices, subset.strides = self.indices[:, :, columns], self.strides[:, columns]
        return subset


@dataclass(frozen=True)
class ConditionalLogit:
    """A fitted conditional logit.

    Attributes
    ----------
    terms : TermSet
    weights : (size,) array

    Raises
    ------
    ParameterError
        The number of weights is wrong, or a weight is not between -100 and 100.
    """

    terms: TermSet
    weights: Floats

    def __post_init__(self) -> None:
        if self.weights.shape != (self.terms.size,):
            shape = self.weights.shape
            raise other_features(
                f"the weights of a conditional logit have shape {shape}, not ({self.terms.size},)"
            )
        require_weights("the weights of a conditional logit", self.weights)

    def predict(self, features: Int8s, prior: Floats, mask: Bools) -> Floats:
        """P of every alternative, (…, a), 0–1; rows sum to 1.

        Parameters
        ----------
        features : (…, LENGTH) array
        prior : (…, a) array
            Prior logits.
        mask : (…, a) array
            The possible alternatives; at least one.
        """
        return softmax(prior + self.contributions(features).sum(axis=-1), mask)

    def contributions(self, features: Int8s) -> Floats:
        """Weight of every term, (…, a, f)."""
        return self.weights.take(self.terms.cells(features))

    def explain(
        self, features: Int8s, prior: Floats, mask: Bools, values: Floats
    ) -> Callable[[int], tuple[float, Attributions]]:
        """Attribute Σ values · P: the part of the prior alone, and the parts by term name.

        Parameters
        ----------
        features, prior, mask
            As in `predict`, of one opponent.
        values : (k, a) array
            The returned function takes the index of a row.
        """
        bases, parts = softmax_attributions(prior, mask, self.contributions(features), values)
        return lambda row: (float(bases[row]), grouped(self.terms.names, parts[row]))


def with_no_win_class(prior: Floats, mask: Bools, logit: float) -> tuple[Floats, Bools]:
    """Prior logits and mask, (…, a), with one more alternative, "no win", always possible."""
    shape = (*prior.shape[:-1], 1)
    logits = np.concatenate([prior, np.full(shape, logit)], axis=-1)
    return logits, np.concatenate([mask, np.ones(shape, dtype=bool)], axis=-1)
