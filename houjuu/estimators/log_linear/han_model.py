"""The score of a win: P(han | wins on a kind), conditional logits over 1–13 han.

For a closed hand it replaces the one distribution of Kurita & Hoki 2017, equation 23, which shifts
by the dora and yakuhai of the wait. For an open hand it corrects the distribution of the enumerated
hands (equation 18), which ignore what players prefer to keep and the tiles that they leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.conditional_logit import ConditionalLogit, LookupTerm, TermSet
from houjuu.estimators.log_linear.logit_tables import LogitTables, one_block
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import HONOURS, IS_HONOUR, KINDS, SUIT
from houjuu.hands.points import CODES, FU_CLASSES
from houjuu.hands.wait_types import FU, HAN
from houjuu.reading.shared_features import FeatureSpec
from houjuu.reading.wait_features import GLOBAL, FeatureLayout, per_kind, per_suit
from houjuu.risk.opponent_risk import FactoredScores
from houjuu.util.arrays import Bools, Floats, Int8s
from houjuu.util.attributions import softmax
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import require_range

_TILE_FEATURES = (
    FeatureSpec("tile_class", 8, "0–4 from 1 and 9 to 5, 5 + han of a triplet for honours"),
    FeatureSpec("tile_dora", 3, "number of times that it is dora, 2 for more"),
    FeatureSpec("dora_nearby", 3, "dora within two ranks of it, 2 for more"),
    FeatureSpec("tile_in_suit", 9, "discards of its suit, 8 for more"),
    FeatureSpec("tile_melds", 5, "0–4 own melds of its suit"),
)
LAYOUT = FeatureLayout((_TILE_FEATURES, 1), (GLOBAL, 1))
TILE_CLASSES = _TILE_FEATURES[0].size
KANS = 3
"""Own closed kans by which the fu differ: 0, 1, 2 or more."""

_CODES_PER_HAN = CODES // (YAKUMAN_HAN + 1)
_HAN = np.arange(HAN)
_GLOBAL_INDEX = np.zeros(HAN, np.intp)
_RANK = np.array([min(kind % 9, 8 - kind % 9) for kind in range(KINDS)])
_HONOUR = np.array(IS_HONOUR)
_SUIT = np.array(SUIT)
_NEARBY = np.array(
    [
        [SUIT[a] == SUIT[b] < HONOURS and 0 < abs(a - b) <= 2 for b in range(KINDS)]
        for a in range(KINDS)
    ],
    dtype=np.float64,
)

_SHARED_TERMS = (
    ("the tile", "tile_class"),
    ("dora", "tile_dora dora_unseen"),
    ("dora", "dora_nearby"),
    ("dora", "extra_indicators"),
    ("discards of the suit", "tile_in_suit"),
    ("the turn", "discards"),
    ("the turn", "wall_sixths"),
    ("the turn", "last_tile"),
    ("the length of the game", "hanchan"),
    ("its honours", "honour_discards"),
    ("its terminals and honours", "yaochu_kinds tile_class"),
    ("its pace", "tedashi"),
    ("the dealer", "dealer"),
    ("other riichi", "others_in_riichi"),
)
_CLOSED_ONLY = (
    ("the turn", "discards_since_riichi"),
    ("the riichi tile", "riichi_tile"),
    ("ippatsu", "ippatsu"),
    ("its closed kans", "n_melds"),
)
_MELDED_ONLY = (
    ("its melds", "n_melds open_yaku"),
    ("its melds", "n_melds chis"),
    ("its melds", "tile_melds tile_in_suit"),
    ("its melds", "call_age"),
    ("dora", "n_melds dora_in_melds"),
    ("dora", "n_melds dora_unseen"),
)
_SLOTS_BY_TILE = (
    ("tile_class", "yaochu_kinds"),
    ("tile_dora", "dora_unseen", "dora_nearby"),
    ("tile_in_suit", "tile_melds"),
)
_SHARED_SLOTS = (
    ("n_melds", "open_yaku", "chis"),
    ("extra_indicators", "dealer", "others_in_riichi"),
    ("hanchan", "last_tile", "ippatsu"),
    *((feature,) for feature in ("discards", "wall_sixths", "honour_discards", "tedashi")),
    *((feature,) for feature in ("discards_since_riichi", "riichi_tile", "call_age")),
)


class _HanTerms(NamedTuple):
    """All terms over han; those that depend on the tile; those that are the same for every tile."""

    all: TermSet
    by_tile: TermSet
    shared: TermSet

    @classmethod
    def from_terms(cls, terms: TermSet) -> Self:
        """The terms, in two parts."""
        tile_features = {feature.name for feature in _TILE_FEATURES}
        features = [[feature for feature, _ in term.features] for term in terms.terms]
        by_tile = [i for i, names in enumerate(features) if not tile_features.isdisjoint(names)]
        shared = [i for i, names in enumerate(features) if tile_features.isdisjoint(names)]
        return cls(terms, terms.subset(by_tile), terms.subset(shared))

    def tables(self, weights: Floats) -> _HanTables:
        """The tables of a model."""
        by_tile, shared = (
            LogitTables(terms, weights, one_block(LAYOUT, HAN, slots))
            for terms, slots in ((self.by_tile, _SLOTS_BY_TILE), (self.shared, _SHARED_SLOTS))
        )
        return _HanTables(by_tile, shared)


class _HanTables(NamedTuple):
    """The tables of one model."""

    by_tile: LogitTables
    shared: LogitTables

    def logits(self, features: Int8s) -> Floats:
        """Sum of all terms, (…, 34, 13), from `han_features`, (…, 34, length)."""
        shared = self.shared.logits(features[..., :1, :])
        return np.asarray(self.by_tile.logits(features) + shared)


def _terms(named: Sequence[tuple[str, str]]) -> TermSet:
    """From names and the space-separated features of a term of that name."""
    terms = [
        LookupTerm(name, _HAN, [(feature, _GLOBAL_INDEX) for feature in features.split()])
        for name, features in named
    ]
    return TermSet(terms, LAYOUT)


CLOSED_TERMS = _terms((*_SHARED_TERMS, *_CLOSED_ONLY))
MELDED_TERMS = _terms((*_SHARED_TERMS, *_MELDED_ONLY))
"""The terms over 1–13 han, of closed and of open hands."""


def han_features(features: Int8s) -> Int8s:
    """Features of the terms for every kind, (…, 34, length), from wait features, (…, LENGTH)."""
    dora = per_kind(features, "dora")
    tile_features = np.empty((*dora.shape, LAYOUT.length), np.int8)
    tile_features[..., 0] = np.where(_HONOUR, 5 + per_kind(features, "yakuhai"), _RANK)
    tile_features[..., 1] = dora
    tile_features[..., 2] = np.minimum(dora @ _NEARBY, 2.0)
    tile_features[..., 3] = per_suit(features, "in_suit").take(_SUIT, axis=-1)
    tile_features[..., 4] = per_suit(features, "melds_in_suit").take(_SUIT, axis=-1)
    tile_features[..., len(_TILE_FEATURES) :] = features[..., None, -len(GLOBAL) :]
    return tile_features


def n_kans(tile_features: Int8s) -> Int8s:
    """Own closed kans of a closed hand, 2 for more, (…), from `han_features`, (…, length)."""
    return np.minimum(tile_features[..., LAYOUT.start["n_melds"]], KANS - 1)


class _HanModel:
    """The terms of a model, and their tables."""

    weights: Floats
    terms: npt.NDArray[np.str_]
    _hands: ClassVar[str]
    _code_terms: ClassVar[TermSet]

    def __post_init__(self) -> None:
        _ = self.logit
        _ = self._tables

    @cached_property
    def logit(self) -> ConditionalLogit:
        """The conditional logit."""
        return ConditionalLogit(self._terms.all, self.weights)

    @cached_property
    def _terms(self) -> _HanTerms:
        what = f"the model of the han of {self._hands} hands"
        return _HanTerms.from_terms(self._code_terms.chosen(self.terms, what))

    @cached_property
    def _tables(self) -> _HanTables:
        return self._terms.tables(self.weights)


@dataclass(frozen=True)
class ClosedHanModel(_HanModel):
    """Han and fu of a closed hand.

    Parameters
    ----------
    weights : (size of the terms,) array
    fu : (3, 8, 3, 10) or (8, 10) array
        P(fu) in the order of `houjuu.hands.wait_types.FU`, by own closed kans, 2 for more, class of
        tile, and 1, 2 or more han; or by the class alone.
    terms : array of str, default=all of the code
        The keys of the terms, in the order of the weights.

    Raises
    ------
    ParameterError
        A term is unknown, a shape is wrong, or the fu of a class do not sum to 1.
    """

    weights: Floats
    fu: Floats
    terms: npt.NDArray[np.str_] = field(default_factory=lambda: CLOSED_TERMS.keys)
    _hands = "closed"
    _code_terms = CLOSED_TERMS

    def __post_init__(self) -> None:
        shapes = (KANS, TILE_CLASSES, FU_CLASSES, len(FU)), (TILE_CLASSES, len(FU))
        if self.fu.shape not in shapes:
            raise ParameterError(f"the fu of the han model have shape {self.fu.shape}")
        require_range("the fu of the han model", self.fu, 0, 1)
        if not np.allclose(self.fu.sum(axis=-1), 1):
            raise ParameterError("the fu of the han model do not sum to 1")
        super().__post_init__()

    @cached_property
    def _fu_by_code(self) -> Floats:
        """P(fu) as `fu`, by the tens of fu in a score code, (3, 8, 3, 16)."""
        by_code = np.zeros((KANS, TILE_CLASSES, FU_CLASSES, _CODES_PER_HAN))
        by_code[..., np.array(FU) // 10] = self.fu if self.fu.ndim > 2 else self.fu[:, None]
        return by_code

    def scores(self, features: Int8s, p_win: Floats) -> FactoredScores:
        """P(wins on the kind with the score code), with any number of first axes.

        Parameters
        ----------
        features : (…, LENGTH) array
            Wait features.
        p_win : (…, 34) array
            P(wins on the kind).
        """
        tile_features = han_features(features)
        han = softmax(self._tables.logits(tile_features))
        by_han = np.zeros((*p_win.shape, 1 + HAN))
        np.multiply(han, p_win[..., None], out=by_han[..., 1:])
        fu = self._fu_by_code[n_kans(tile_features), tile_features[..., 0]]
        return FactoredScores(p_win, by_han, fu)


@dataclass(frozen=True)
class MeldedHanModel(_HanModel):
    """Han of an open hand, relative to the enumerated hands.

    Parameters
    ----------
    weights : (size of the terms,) array
    terms : array of str, default=all of the code
        The keys of the terms, in the order of the weights.

    Raises
    ------
    ParameterError
        A term is unknown, or the shape is wrong.
    """

    weights: Floats
    terms: npt.NDArray[np.str_] = field(default_factory=lambda: MELDED_TERMS.keys)
    _hands = "melded"
    _code_terms = MELDED_TERMS

    def factors(self, features: Int8s, by_han: Floats) -> Floats:
        """Factor of every han 1–13, (…, 34, 13); the sum over the han of a kind stays the same.

        Parameters
        ----------
        features : (…, LENGTH) array
            Wait features.
        by_han : (…, 34, 13) array
            Proportional to P(wins on the kind with the han), from the enumerated hands.
        """
        total = by_han.sum(axis=-1, keepdims=True)
        prior_han = by_han / np.maximum(total, np.finfo(np.float64).tiny)
        prior, mask = prior_logits(prior_han)
        han = softmax(prior + self._tables.logits(han_features(features)), mask)
        factors = np.divide(han, prior_han, out=np.ones_like(prior_han), where=prior_han > 0)
        return np.asarray(factors)


def sum_by_han(scores: Floats) -> Floats:
    """Sums by han 1–13, (…, 13), of values by score code (`houjuu.hands.points`), (…, 224)."""
    by_han = scores.reshape(*scores.shape[:-1], -1, _CODES_PER_HAN).sum(axis=-1)
    return np.asarray(by_han[..., 1:])


def times_by_han(scores: Floats, factors: Floats) -> Floats:
    """Values by score code, (…, 224), times factors by han 1–13, (…, 13)."""
    from_no_win = np.zeros((*scores.shape[:-1], 1 + HAN, 1))
    from_no_win[..., 1:, 0] = factors
    by_han = scores.reshape(*scores.shape[:-1], 1 + HAN, _CODES_PER_HAN)
    return np.asarray((by_han * from_no_win).reshape(scores.shape))


def prior_logits(prior_han: Floats) -> tuple[Floats, Bools]:
    """Prior logits and mask, (…, 13), from P(han | wins) of the enumerated hands.

    Where no hand wins, every han is possible.
    """
    mask = (prior_han > 0) | ~prior_han.any(axis=-1, keepdims=True)
    return np.log(np.maximum(prior_han, np.finfo(np.float32).tiny)), mask
