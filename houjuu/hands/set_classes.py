"""Classes of sets and pairs that score alike beside the melds of an opponent.

Two sets of one suit score alike if they have the same traits and fu, unless one of them can be in a
sanshoku or an ittsuu with the melds. The classes make the table of all scores small: some twenty
classes of sets stand for 55 sets.

In the hand 1123m 456p of `houjuu.hands.tenpai_hands`, beside a pon of haku, 456p is in the class of
all pinzu runs of simples, 123m in that of manzu runs with a terminal. Beside a chi of 456s the run
456p may be part of a sanshoku and is a class of its own.

>>> from houjuu.game.events import MeldKind, Meld
>>> from houjuu.game.tiles import parse_tiles
>>> haku, run = parse_tiles("555z"), parse_tiles("456s")
>>> for meld in Meld(MeldKind.PON, haku, haku[0], 1), Meld(MeldKind.CHI, run, run[0], 3):
...     classes = SetClasses.from_context(ScoringContext((meld,)), 2)
...     np.flatnonzero(classes.set_class == classes.set_class[10]).tolist()  # 8: 234p, 12: 678p
[8, 9, 10, 11, 12]
[10]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houjuu.game.tiles import IS_HONOUR, KIND, KINDS, RANKS
from houjuu.hands.completions import COMPLETION_TYPES
from houjuu.hands.hand_grid import HandGrid, ScoringContext
from houjuu.hands.score import base_codes
from houjuu.hands.sets import (
    PAIR_SUIT,
    PAIR_TRAITS,
    RUNS,
    SET_SUIT,
    SET_TRAITS,
    SETS,
    Combinations,
    Indices,
    set_of,
)
from houjuu.util.arrays import Bools, UInt8s

_RUNS_OF_SUIT = 7
_ITTSUU_RUNS = (0, 3, 6)
_HONOUR_BIT = np.array(IS_HONOUR) * np.arange(1, KINDS + 1)
# Traits, suit, run or triplet, which honour: sets of equal types score alike, unless special.
_SET_TYPES: Indices = (
    SET_TRAITS.astype(np.intp)
    + (SET_SUIT.astype(np.intp) << 5)
    + ((np.arange(SETS) >= RUNS).astype(np.intp) << 9)
    + (np.append(np.zeros(RUNS, np.intp), _HONOUR_BIT) << 10)
)
_PAIR_TYPES: Indices = (
    PAIR_TRAITS.astype(np.intp) + (PAIR_SUIT.astype(np.intp) << 5) + (_HONOUR_BIT << 10)
)
_TYPE_BITS = 16  # a type has fewer; the bits above distinguish special sets
_NO_SETS: Indices = np.zeros((1, 0), np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class SetClasses:
    """The scores of all complete hands, by class of each set and of the pair.

    The code of a hand is ``codes[offset]``, where `offset` is the sum of the offsets of the type of
    completion, the first set, the second set and the pair. The sets of a hand may have any order. A
    missing set or pair has an offset too (`NO_SET`, `NO_PAIR`).

    Attributes
    ----------
    context : ScoringContext
    codes : (n,) uint8
        Score codes without dora.
    type_offset : int
        Offset of completion type 1; the others are its multiples.
    set_offsets : (2, 56) intp
        Offsets of each set as the first and as the second set.
    pair_offsets : (35,) intp
    set_class : (56,) intp
        Class of each set; `NO_SET` has the last one.
    set_of_class : (s,) intp
        A set of each class but the last.
    pair_class : (34,) intp
        Class of each pair. Pairs of a class also have equal triplets, which they become in a
        shanpon.
    kind_of_class : (p,) intp
        A pair of each class.
    """

    context: ScoringContext
    codes: UInt8s
    type_offset: int
    set_offsets: Indices
    pair_offsets: Indices
    set_class: Indices
    set_of_class: Indices
    pair_class: Indices
    kind_of_class: Indices

    @classmethod
    def from_context(cls, context: ScoringContext, n_sets: int) -> SetClasses:
        """The classes and scores beside the melds, with a number of concealed sets, 0–2."""
        _, set_of_class, set_class = np.unique(
            _SET_TYPES + (_is_special(context) * np.arange(1, SETS + 1) << _TYPE_BITS),
            return_index=True,
            return_inverse=True,
        )
        _, kind_of_class, pair_class = np.unique(
            _PAIR_TYPES + (set_class[RUNS:] << _TYPE_BITS),
            return_index=True,
            return_inverse=True,
        )
        codes = _codes(context, n_sets, set_of_class, kind_of_class)
        _, n_classes, _, n_pairs = codes.shape
        set_class = np.append(set_class, n_classes - 1)
        return cls(
            context=context,
            codes=codes.ravel(),
            type_offset=n_classes * n_classes * n_pairs,
            set_offsets=np.array([[n_classes * n_pairs], [n_pairs]]) * set_class,
            pair_offsets=np.append(pair_class, 0),
            set_class=set_class,
            set_of_class=set_of_class,
            pair_class=pair_class,
            kind_of_class=kind_of_class,
        )


def melded_copies(context: ScoringContext) -> Indices:
    """Number of tiles of each kind in the melds, (36,)."""
    return np.bincount([KIND[tile] for tile in context.meld_tiles], minlength=4 * RANKS)


def _codes(
    context: ScoringContext, n_sets: int, set_of_class: Indices, kind_of_class: Indices
) -> UInt8s:
    """Score codes by type of completion, classes of both sets, and class of the pair."""
    n_classes = len(set_of_class) + 1
    n_pairs = len(kind_of_class)
    first, second = np.triu_indices(n_classes - 1) if n_sets == 2 else _up_to_one(n_sets, n_classes)
    sets = set_of_class[np.stack([first, second][:n_sets], axis=1)] if n_sets else _NO_SETS
    scored = base_codes(HandGrid.from_sets(context, Combinations.from_rows(sets), kind_of_class))
    # Filled in symmetrically, so that the sets of a hand may have any order.
    codes = np.zeros((COMPLETION_TYPES, n_classes, n_classes, n_pairs), np.uint8)
    codes[:, first, second] = codes[:, second, first] = scored
    return codes


def _up_to_one(n_sets: int, n_classes: int) -> tuple[Indices, Indices]:
    """The classes of the first and the missing second set, with at most one set."""
    first = np.arange(n_classes - 1) if n_sets else np.array([n_classes - 1])
    return first, np.full(len(first), n_classes - 1)


def _is_special(context: ScoringContext) -> Bools:
    """Which sets may be part of a sanshoku, an ittsuu or, in a closed hand, an iipeikou."""
    is_special = np.zeros(SETS, np.bool_)
    is_special[:RUNS] = context.closed
    runs = is_special[:RUNS].reshape(3, _RUNS_OF_SUIT)
    triplets = is_special[RUNS:]
    for meld in map(set_of, context.melds):
        if meld >= RUNS:
            kind = meld - RUNS
            if not IS_HONOUR[kind]:
                triplets[kind % RANKS : 3 * RANKS : RANKS] = True
            continue
        suit, rank = divmod(meld, _RUNS_OF_SUIT)
        runs[:, rank] = True
        if rank in _ITTSUU_RUNS:
            runs[suit, list(_ITTSUU_RUNS)] = True
    return is_special
