"""P(tenpai) of the model "houjuu": a logistic regression on signs in bins and on pairs of them.

One set of weights for each number of open melds 0–3. The score is a sum of numbers looked up in
tables: one for the bin of every sign (`houjuu.signs`) and one for the pair of coarser bins of some
pairs of signs, so that each term can be named and the terms add up to the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu.errors import ParameterError
from houjuu.signs import SECTIONS, SIGNS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

GROUPS = 4
"""Open melds 0–3; with four the hand is tenpai for certain."""

NO_EDGE = np.iinfo(np.int32).max
"""What fills the rows of edges up to the same length."""

_SPAN = 1 << 20
"""More than any sign can differ by."""

_FLAT = 1e-9
"""Terms whose sum is nearer to 0 move P(tenpai) as the slope there says."""


@dataclass(frozen=True, slots=True)
class _Search:
    """The edges of all signs in one ascending row, a sign's moved by its index times `_SPAN`."""

    edges: Ints
    first: Ints

    @classmethod
    def of(cls, edges: Ints) -> _Search:
        real = edges != NO_EDGE
        moved = edges + _SPAN * np.arange(len(edges))[:, None]
        return cls(moved[real], np.concatenate([[0], real.sum(axis=1).cumsum()[:-1]]))

    def bins(self, numbers: Ints) -> Ints:
        """The bin of every sign, (m, n), each from 0."""
        held = np.clip(numbers, -_SPAN // 2, _SPAN // 2 - 1)
        moved = held + _SPAN * np.arange(held.shape[1])
        return np.searchsorted(self.edges, moved, side="right") - self.first


@dataclass(frozen=True)
class Bins:
    """Where the bins of every sign begin, and which pairs of signs have a table of their own.

    Parameters
    ----------
    fine, coarse : (n, e) and (n, c) arrays
        For each sign the lowest number of every bin but the first, ascending, then `NO_EDGE`.
    pairs : (p, 2) array
        Indices of signs.
    """

    fine: Ints
    coarse: Ints
    pairs: Ints

    @cached_property
    def offsets(self) -> Ints:
        """Where the table of every sign and then of every pair begins, and where all end."""
        fine = (self.fine != NO_EDGE).sum(axis=1) + 1
        sizes = self.coarse_sizes[self.pairs[:, 0]] * self.coarse_sizes[self.pairs[:, 1]]
        return np.concatenate([[0], np.cumsum([*fine, *sizes])])

    @cached_property
    def coarse_sizes(self) -> Ints:
        """How many coarse bins every sign has, (n,)."""
        return np.asarray((self.coarse != NO_EDGE).sum(axis=1) + 1)

    @cached_property
    def _searches(self) -> tuple[_Search, _Search]:
        return _Search.of(self.fine), _Search.of(self.coarse)

    def coarse_bins(self, numbers: Ints) -> Ints:
        """The coarse bin of every sign of rows of signs, (m, n), each from 0."""
        return self._searches[1].bins(numbers)

    def cells(self, numbers: Ints) -> Ints:
        """The cell of every table that rows of signs, (m, n), fall into, (m, n + p)."""
        single, coarse = (search.bins(numbers) for search in self._searches)
        first, second = self.pairs.T
        paired = coarse[:, first] * self.coarse_sizes[second] + coarse[:, second]
        return np.hstack([single, paired]) + self.offsets[:-1]


@dataclass(frozen=True)
class AdditiveModel:
    """The fitted tables.

    Parameters
    ----------
    names : (n,) array of str
        Of the signs that it was fitted to, in order: those of `houjuu.signs.SIGNS`.
    fine, coarse, pairs : arrays
        See `Bins`.
    bias : (4,) array
        By number of open melds.
    weights : (4, w) array
        The cells of all tables.

    Raises
    ------
    ParameterError
        The signs are others, the shapes do not fit together, or a weight is not finite.
    """

    names: npt.NDArray[np.str_]
    fine: Ints
    coarse: Ints
    pairs: Ints
    bias: Floats
    weights: Floats

    def __post_init__(self) -> None:
        known = [sign.name for sign in SIGNS]
        if self.names.tolist() != known:
            raise ParameterError("the signs of the tenpai regression are not those of this houjuu")
        count = len(known)
        if len(self.fine) != count or len(self.coarse) != count or self.pairs.shape[1:] != (2,):
            raise ParameterError("the bins of the tenpai regression do not fit its signs")
        if not ((self.pairs >= 0) & (self.pairs < count)).all():
            raise ParameterError("a pair of the tenpai regression names no sign")
        cells = int(self.bins.offsets[-1])
        if self.weights.shape != (GROUPS, cells) or self.bias.shape != (GROUPS,):
            raise ParameterError("the weights of the tenpai regression do not fit its bins")
        if not (np.isfinite(self.weights).all() and np.isfinite(self.bias).all()):
            raise ParameterError("a weight of the tenpai regression is not finite")

    @cached_property
    def bins(self) -> Bins:
        """The bins."""
        return Bins(self.fine, self.coarse, self.pairs)

    def read(self, melds: Ints, numbers: Ints) -> Floats:
        """P(tenpai), (m,), of opponents that are not in riichi.

        Parameters
        ----------
        melds : (m,) array
            Open melds.
        numbers : (m, n) array
            Their signs.
        """
        group = np.minimum(melds, GROUPS - 1)
        terms = self.weights[group[:, None], self.bins.cells(numbers)]
        return np.asarray(0.5 + 0.5 * np.tanh(0.5 * (self.bias[group] + terms.sum(axis=1))))

    def why(self, melds: int, numbers: Sequence[int]) -> dict[str, float]:
        """The parts of one opponent's P(tenpai) by what the signs tell of; they add up to it.

        The terms grow from 0 to what they are, all alike, and what each moves on the way is its
        own (Aumann & Shapley 1974). A pair of signs belongs to each by half.
        """
        group = min(melds, GROUPS - 1)
        (cells,) = self.bins.cells(np.array([numbers]))
        bias, terms = self.bias[group], self.weights[group, cells]
        base, whole = 0.5 + 0.5 * np.tanh(0.5 * np.array([bias, bias + terms.sum()]))
        steep = (whole - base) / terms.sum() if abs(terms.sum()) > _FLAT else base * (1 - base)
        found = {f"{melds} open meld{'s' * (melds != 1)}": float(base)}
        for sign, term in zip(self._told, terms.tolist(), strict=True):
            for name in sign:
                found[name] = found.get(name, 0.0) + float(steep * term) / len(sign)
        return found

    @cached_property
    def _told(self) -> list[tuple[str, ...]]:
        """What each table tells of, one section of `SECTIONS` for each of its signs."""
        sections = [name for name, of in SECTIONS.items() for _ in of]
        pairs = [tuple(sections[sign] for sign in pair) for pair in self.pairs.tolist()]
        return [*((name,) for name in sections), *pairs]
