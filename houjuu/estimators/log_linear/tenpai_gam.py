"""P(tenpai): a generalized additive model with pairwise terms (GA²M).

Lou, Caruana, Gehrke & Hooker 2013. The logit is a sum of look-ups: one for the bin of every feature
(`houjuu.reading.tenpai_features`) and one for the coarse bins of some pairs of features, with
separate weights for 0, 1, 2 and 3 open melds. Each look-up is a named term of the explanation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np
import numpy.typing as npt

from houjuu.reading import tenpai_features
from houjuu.util.arrays import Floats, Ints, sigmoid
from houjuu.util.attributions import Attributions, sigmoid_attributions
from houjuu.util.errors import ParameterError
from houjuu.util.features import columns_of, take
from houjuu.util.parameters import require_weights

MELD_GROUPS = 4
"""Open melds 0–3; with four the hand is certainly tenpai."""
_ROWS_AT_ONCE = 4096  # the terms of a row take 5 kB

NO_EDGE = np.iinfo(np.int32).max
"""Pads the rows of edges to the same length."""

_SPAN = 1 << 20
"""Larger than the range of any feature."""


@dataclass(frozen=True, slots=True)
class _BinSearch:
    """The fine and coarse bins of all features by one `searchsorted`.

    Attributes
    ----------
    edges : (e,) array
        The fine and the coarse edges of all features, ascending: those of feature i are shifted by
        i · span.
    fine, coarse : (e + n,) arrays
        Bins of the values below, between and above the edges of each feature.
    """

    edges: Ints
    fine: Ints
    coarse: Ints

    @classmethod
    def from_edges(cls, fine: Ints, coarse: Ints) -> _BinSearch:
        """From the edges of `Bins`."""
        edges_by_feature = [
            sorted({*row} - {NO_EDGE}) for row in np.hstack([fine, coarse]).tolist()
        ]
        shifted = [edge + _SPAN * i for i, row in enumerate(edges_by_feature) for edge in row]
        lowest = [np.array([-_SPAN, *row]) for row in edges_by_feature]
        both = (
            np.concatenate([*map(partial(np.searchsorted, side="right"), edges, lowest)])
            for edges in (fine, coarse)
        )
        return cls(np.array(shifted, np.intp), *both)

    def bins(self, features: Ints) -> tuple[Ints, Ints]:
        """Fine and coarse bin of every feature, both (m, n), each from 0."""
        index = np.arange(features.shape[1])
        clipped = np.minimum(np.maximum(features, -_SPAN // 2), _SPAN // 2 - 1)
        interval = np.searchsorted(self.edges, clipped + _SPAN * index, side="right") + index
        return self.fine.take(interval), self.coarse.take(interval)


def _are_edges(edges: Ints) -> bool:
    """Whether each row has integers in ascending order within the span, then `NO_EDGE`."""
    if edges.dtype.kind != "i" or edges.ndim != 2:
        return False
    is_edge = edges != NO_EDGE
    ascending = (edges[:, 1:] >= edges[:, :-1]).all()
    return bool(ascending and (np.abs(edges[is_edge]) < _SPAN // 2).all())


@dataclass(frozen=True)
class Bins:
    """The bins of every feature, and the pairs of features with terms of their own.

    Parameters
    ----------
    fine, coarse : (n, e) and (n, c) arrays
        For each feature the lowest value of every bin but the first, ascending, then `NO_EDGE`.
    pairs : (p, 2) array
        Indices of features.
    """

    fine: Ints
    coarse: Ints
    pairs: Ints

    @cached_property
    def offsets(self) -> Ints:
        """Index of the first weight of every feature and then of every pair, and the total."""
        fine = (self.fine != NO_EDGE).sum(axis=1) + 1
        sizes = self.coarse_sizes[self.pairs[:, 0]] * self.coarse_sizes[self.pairs[:, 1]]
        return np.concatenate([[0], np.cumsum([*fine, *sizes])])

    @cached_property
    def coarse_sizes(self) -> Ints:
        """Number of coarse bins of every feature, (n,)."""
        return np.asarray((self.coarse != NO_EDGE).sum(axis=1) + 1)

    @cached_property
    def _search(self) -> _BinSearch:
        return _BinSearch.from_edges(self.fine, self.coarse)

    @cached_property
    def _second_sizes(self) -> Ints:
        """Number of coarse bins of the second feature of every pair, (p,)."""
        return self.coarse_sizes[self.pairs[:, 1]]

    def cells(self, features: Ints) -> Ints:
        """Index of the weight of every term for m rows of features, (m, n) → (m, n + p)."""
        fine, coarse = self._search.bins(features)
        first, second = (coarse.take(column, axis=1) for column in self.pairs.T)
        pairs = first * self._second_sizes + second
        return np.asarray(np.concatenate([fine, pairs], axis=1) + self.offsets[:-1])


@dataclass(frozen=True)
class TenpaiGAMModel:
    """The fitted weights.

    Parameters
    ----------
    names : (n,) array of str
        Names of the features, some of `houjuu.reading.tenpai_features.FEATURES`.
    fine, coarse, pairs : arrays
        See `Bins`.
    bias : (4,) array
        By number of open melds.
    weights : (4, w) array
        By number of open melds and cell.

    Raises
    ------
    ParameterError
        A feature is unknown, the shapes do not fit together, or a weight is not -100 to 100.
    """

    names: npt.NDArray[np.str_]
    fine: Ints
    coarse: Ints
    pairs: Ints
    bias: Floats
    weights: Floats

    def __post_init__(self) -> None:
        _ = self._columns
        count = len(self.names)
        if len(self.fine) != count or len(self.coarse) != count or self.pairs.shape[1:] != (2,):
            raise ParameterError("the bins of the tenpai GAM do not fit its features")
        if not (_are_edges(self.fine) and _are_edges(self.coarse)):
            raise ParameterError("the bins of the tenpai GAM are not in ascending order")
        if (
            self.pairs.dtype.kind not in "iu"
            or not ((self.pairs >= 0) & (self.pairs < count)).all()
        ):
            raise ParameterError("a pair of the tenpai GAM has an unknown feature")
        cells = int(self.bins.offsets[-1])
        if self.weights.shape != (MELD_GROUPS, cells) or self.bias.shape != (MELD_GROUPS,):
            raise ParameterError("the weights of the tenpai GAM do not fit its bins")
        require_weights("the weights of the tenpai GAM", self.weights)
        require_weights("the bias of the tenpai GAM", self.bias)

    @cached_property
    def _columns(self) -> Ints | None:
        return columns_of(self.names.tolist(), tenpai_features.NAMES, "the tenpai GAM")

    def chosen(self, features: Ints) -> Ints:
        """The features of the model, (m, n), from all of the code."""
        return take(features, self._columns)

    @cached_property
    def bins(self) -> Bins:
        """The bins."""
        return Bins(self.fine, self.coarse, self.pairs)

    def predict(self, n_open_melds: Ints, features: Ints) -> Floats:
        """P(tenpai), (m,), 0–1, of opponents that are not in riichi; see `logits`."""
        return sigmoid(self.logits(n_open_melds, features))

    def logits(self, n_open_melds: Ints, features: Ints) -> Floats:
        """The logits of P(tenpai), (m,).

        Parameters
        ----------
        n_open_melds : (m,) array
        features : (m, n) array
        """
        if len(features) <= _ROWS_AT_ONCE:
            return self._logits(n_open_melds, features)
        starts = range(0, len(features), _ROWS_AT_ONCE)
        chunks = [slice(start, start + _ROWS_AT_ONCE) for start in starts]
        return np.concatenate([self._logits(n_open_melds[rows], features[rows]) for rows in chunks])

    def _logits(self, n_open_melds: Ints, features: Ints) -> Floats:
        group = np.minimum(n_open_melds, MELD_GROUPS - 1)
        cells = self.bins.cells(features) + self.weights.shape[1] * group[:, None]
        terms = self.weights.take(cells)
        return np.asarray(self.bias[group] + terms.sum(axis=1))

    def scaled(self, factors: Floats) -> Self:
        """The model whose logits are multiplied by factors, (4,), by number of open melds."""
        return replace(self, bias=factors * self.bias, weights=factors[:, None] * self.weights)

    def explain(
        self, n_open_melds: int, features: Sequence[int], further: Mapping[str, float]
    ) -> Attributions:
        """Parts of one opponent's P(tenpai) by feature group; they add up to it.

        The first part is the bias. Half of the part of a pair belongs to each of its features.

        Parameters
        ----------
        n_open_melds : int
        features : sequence of n ints
        further : mapping
            Terms of the logit that other models add, by the name of their group.
        """
        group = min(n_open_melds, MELD_GROUPS - 1)
        (cells,) = self.bins.cells(np.array([features]))
        terms = np.append(self.weights[group, cells], list(further.values()))
        base, parts = sigmoid_attributions(float(self.bias[group]), terms)
        names, shares = self._shares
        own = parts[: len(shares)] @ shares
        bias_name = f"{n_open_melds} open meld{'s' * (n_open_melds != 1)}"
        numbers = [base, *own.tolist(), *parts[len(shares) :].tolist()]
        return dict(zip([bias_name, *names, *further], numbers, strict=True))

    @cached_property
    def _shares(self) -> tuple[list[str], Floats]:
        """The names of the feature groups, (g,), and the share of each in every term, (t, g)."""
        names = [*dict.fromkeys(name for groups in self._term_groups for name in groups)]
        counts = [
            [groups.count(name) / len(groups) for name in names] for groups in self._term_groups
        ]
        return names, np.array(counts)

    @cached_property
    def _term_groups(self) -> list[tuple[str, ...]]:
        """Feature groups of each term, one for each of its features."""
        every = [name for name, features in tenpai_features.GROUPS.items() for _ in features]
        groups = every if self._columns is None else [every[i] for i in self._columns]
        pairs = [tuple(groups[feature] for feature in pair) for pair in self.pairs.tolist()]
        return [*((name,) for name in groups), *pairs]
