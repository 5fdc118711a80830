"""Where the unseen tiles are: a log-linear model of the hands, made to agree with all sizes.

The weight of a copy of a kind in the hand of an opponent is exp(Σ look-ups) in the features of
`houjuu.reading.unseen_features`; in the wall it is 1. `houjuu.risk.unseen.balanced` turns weights
into chances. The numbers of copies have tilts besides: pairs and triplets are more frequent in a
hand than tiles that lie independently of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Self

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.conditional_logit import LookupTerm, TermSet, neighbour_kinds
from houjuu.game.tiles import COPIES, EAST, KINDS, RANKS, SUIT
from houjuu.reading import unseen_features
from houjuu.reading.opponent import RANK_CLASS, OpponentContext, OpponentType
from houjuu.reading.unseen_features import LAYOUT
from houjuu.reading.wait_features import BY_KIND, BY_SUIT, NO_SUIT
from houjuu.risk.unseen import (
    COUNTING,
    LOCATIONS,
    OPPONENTS,
    OTHER_TILES,
    WALL,
    UnseenTiles,
    unseen_tiles,
)
from houjuu.util.arrays import Floats, Int8s, Ints
from houjuu.util.attributions import Attributions, grouped, softmax_attributions
from houjuu.util.parameters import Parameters, other_features, require_weights

PART = "unseen_tiles"
"""Name of the part in a parameter file; older files lack it."""

_HONOUR = 0
_FIVE = 5
CLASSES = 6
KIND_CLASS: Ints = np.array(RANK_CLASS)
KIND_CLASS[4:EAST:RANKS] = _FIVE
"""`RANK_CLASS` with a class 5 for the fives, which have no neighbour nearer to the middle."""

_KINDS = np.arange(KINDS)
_MIRRORED = (_KINDS < EAST) & (_KINDS % RANKS > RANKS // 2)
_IS_SUIT = (KIND_CLASS != _HONOUR).astype(np.intp)
_SUITS = np.where(_KINDS < EAST, np.array(SUIT), NO_SUIT)
_NONE = np.zeros(KINDS, np.intp)

_BY_KIND: Sequence[tuple[str, Sequence[str]]] = (
    ("the kind of tile", ("yakuhai", "type_code")),
    ("the turn", ("turn_code", "type_code")),
    ("copies unseen", ("unseen", "type_code")),
    ("copies unseen", ("unseen", "turn_code")),
    ("open copies", ("open_copies", "unseen")),
    ("its discards of the kind", ("discard_code", "type_code")),
    ("its discards of the kind", ("discard_code", "unseen")),
    ("passed tiles", ("passed", "unseen")),
    ("its melds", ("in_melds", "n_melds")),
    ("its melds", ("open_yaku",)),
    ("genbutsu", ("genbutsu", "type_code")),
    ("dora", ("dora", "type_code")),
    ("its pace", ("tedashi",)),
    ("its pace", ("tsumogiri_streak", "type_code")),
    ("its honours", ("honour_discards",)),
    ("its terminals and honours", ("yaochu_kinds",)),
    ("the riichi tile", ("riichi_tile",)),
    ("the dealer", ("dealer",)),
    ("live suji", ("live_suji",)),
    ("away", ("was_away",)),
)
"""Terms with weights for each class of kinds: name and features, of the kind or global."""

_NEARBY = (
    *(("its discards nearby", ("discard_code",), steps) for steps in (-3, -2, -1, 1, 2, 3)),
    *(("copies unseen nearby", ("unseen",), steps) for steps in (-2, -1, 1, 2)),
    *(("its melds nearby", ("in_melds",), steps) for steps in (-2, -1, 1, 2)),
    *(("dora", ("dora",), steps) for steps in (-2, -1, 1, 2)),
)
"""Terms about a kind some ranks nearer to the middle of the suit, or farther from it."""

_SUITED = (
    ("discards of the suit", ("in_suit", "turn_code")),
    ("discards of the suit", ("early_in_suit", "type_code")),
    ("melds of the suit", ("melds_in_suit", "n_melds")),
)

_OF_KIND = {feature.name for feature in BY_KIND}
_OF_SUIT = {feature.name for feature in BY_SUIT}


def _lookup(
    name: str, features: Sequence[str], kinds: Ints, group: Ints, detail: str = ""
) -> LookupTerm:
    """A term whose features by kind are those of some kinds."""

    def index(feature: str) -> Ints:
        if feature in _OF_KIND:
            return kinds
        return _SUITS if feature in _OF_SUIT else _NONE

    return LookupTerm(name, group, [(feature, index(feature)) for feature in features], detail)


def _lookups() -> list[LookupTerm]:
    terms = [_lookup(name, features, _KINDS, KIND_CLASS) for name, features in _BY_KIND]
    for name, features, steps in _NEARBY:
        neighbours = neighbour_kinds(_KINDS, _MIRRORED, steps)
        terms.append(_lookup(name, features, neighbours, KIND_CLASS, f"{steps:+d}"))
    return terms + [_lookup(name, features, _KINDS, _IS_SUIT) for name, features in _SUITED]


LOOKUPS = _lookups()
"""The terms of the weight of each kind in a hand; their alternatives are the kinds."""

TERMS = TermSet(LOOKUPS, LAYOUT)

_TYPES = len(OpponentType)
TILT_SHAPE = (_TYPES + 1, CLASSES, COPIES + 1, COPIES + 1)
"""Types of hands and the wall, classes of kinds, unseen copies, copies in the location."""


@dataclass(frozen=True)
class UnseenTileModel:
    """The fitted model.

    Parameters
    ----------
    weights : (size of the terms,) array
    tilts : (7, 6, 5, 5) array
        Logits of the number of copies in a location; axes as in `TILT_SHAPE`.
    terms : array of str, default=all of the code
        The keys of the terms, in the order of the weights.

    Raises
    ------
    ParameterError
        A term is unknown, a shape is wrong, or a number is not between -100 and 100.
    """

    weights: Floats
    tilts: Floats
    terms: npt.NDArray[np.str_] = field(default_factory=lambda: TERMS.keys)

    def __post_init__(self) -> None:
        for name, array, shape in (
            ("weights", self.weights, (self.term_set.size,)),
            ("tilts", self.tilts, TILT_SHAPE),
        ):
            if array.shape != shape:
                raise other_features(
                    f"the {name} of the unseen tiles have shape {array.shape}, not {shape}"
                )
            require_weights(f"the {name} of the unseen tiles", array)

    @classmethod
    def from_parameters(cls, parameters: Parameters) -> Self | None:
        """The part of a parameter file; None of a file without it."""
        return cls(**parameters.part(PART)) if parameters.has(PART) else None

    @cached_property
    def term_set(self) -> TermSet:
        """The terms of the weights."""
        return TERMS.chosen(self.terms, "the model of unseen tiles")

    def predict(self, contexts: Sequence[OpponentContext]) -> list[UnseenTiles]:
        """The answers for v views, from the contexts of their 3 v opponents."""
        features = unseen_features.extract(contexts)
        by_view = features.reshape(-1, OPPONENTS, features.shape[-1])
        copies = np.array([context.tiles.unseen for context in contexts[::OPPONENTS]])
        return unseen_tiles(
            contexts,
            self.hand_weights(by_view),
            self.count_tilts(by_view, copies),
            [partial(self.explain, of_view) for of_view in by_view],
        )

    def hand_weights(self, features: Int8s) -> Floats:
        """Weight of a copy of each kind in each hand, (…, 34), from features, (…, LENGTH)."""
        return np.asarray(np.exp(self.weights.take(self.term_set.cells(features)).sum(axis=-1)))

    def count_tilts(self, features: Int8s, copies: Ints) -> Floats:
        """Logits of 0–4 copies, (v, 4, 34, 5).

        Parameters
        ----------
        features : (v, 3, LENGTH) array
        copies : (v, 34) array
            Unseen copies.
        """
        groups = hand_groups(features)[:, :, None]
        return np.asarray(self.tilts[groups, KIND_CLASS, copies[:, None]])

    def explain(
        self, features: Int8s, sizes: Ints, chances: Floats, location: int, kind: int
    ) -> Attributions:
        """The parts of the chance of a location for a kind, see `UnseenTiles.explain`.

        Parameters
        ----------
        features : (3, LENGTH) array
        sizes : (4,) array
        chances : (4, 34) array
        location, kind : int
        """
        n_terms = len(self.term_set.names)
        logits = np.log(sizes)
        terms = np.zeros((LOCATIONS, n_terms + 1))
        terms[:WALL, :n_terms] = self.weights.take(self.term_set.cells(features)[:, kind])
        terms[:, n_terms] = np.log(chances[:, kind]) - terms.sum(axis=1) - logits
        every = np.ones(LOCATIONS, bool)
        row = np.eye(LOCATIONS)[[location]]
        (base,), (parts,) = softmax_attributions(logits, every, terms, row)
        return {COUNTING: float(base), **grouped([*self.term_set.names, OTHER_TILES], parts)}


def hand_groups(features: Int8s) -> Ints:
    """The first index of the tilts for each location, (v, 4), from features, (v, 3, LENGTH)."""
    groups = np.full((len(features), LOCATIONS), _TYPES)
    groups[:, :WALL] = features[..., LAYOUT.start["type_code"]]
    return groups
