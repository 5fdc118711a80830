"""The 55 sets (面子), and the combinations of sets in a concealed hand.

A *set* is a number 0–54: 0–20 are the runs (順子), manzu 123 to souzu 789, and 21–54 the triplets
(刻子) of the 34 kinds. A *combination* is the concealed sets of a complete hand: zero, one or two
sets in ascending order. Melds are sets too; a kan is the same set as its triplet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import HATSU, IS_HONOUR, IS_YAOCHU, KIND, KINDS, SUIT, parse_tiles
from houjuu.util.arrays import Bools, UInt8s

Indices = npt.NDArray[np.intp]
Masks = npt.NDArray[np.uint64]

RUNS = 21
SETS = RUNS + KINDS
RUN_LOWS = tuple(9 * suit + rank for suit in range(3) for rank in range(7))
"""The lowest kind of every run."""

SIMPLE, OUTSIDE, TERMINAL, YAOCHU, GREEN = (1 << bit for bit in range(5))
"""Traits of a set or pair, as bits: no terminals or honours; a terminal or honour; a terminal; only
terminals and honours; only tiles of ryuuiisou. A hand has a trait if
all its sets and its pair do."""

_GREEN_KINDS = {KIND[tile] for tile in parse_tiles("23468s")} | {HATSU}


def bools(values: npt.ArrayLike) -> Bools:
    """Convert values to an array of bool."""
    return np.asarray(values, np.bool_)


def set_kinds(set_: int) -> tuple[int, int, int]:
    """The three kinds of a set.

    >>> set_kinds(0), set_kinds(54)
    ((0, 1, 2), (33, 33, 33))
    """
    if set_ >= RUNS:
        return (set_ - RUNS,) * 3
    low = RUN_LOWS[set_]
    return low, low + 1, low + 2


def set_of(meld: Meld) -> int:
    """The set of a meld."""
    low = KIND[min(meld.tiles)]
    return RUN_LOWS.index(low) if meld.kind is MeldKind.CHI else RUNS + low


def traits_of(kinds: tuple[int, ...]) -> int:
    """Traits of a set or pair, as bits."""
    yaochu = [IS_YAOCHU[kind] for kind in kinds]
    has_trait = {
        SIMPLE: not any(yaochu),
        OUTSIDE: any(yaochu),
        TERMINAL: any(yaochu) and not IS_HONOUR[kinds[0]],
        YAOCHU: all(yaochu),
        GREEN: _GREEN_KINDS.issuperset(kinds),
    }
    return sum(bit for bit, has in has_trait.items() if has)


SET_COUNTS: Indices = np.array(
    [np.bincount(set_kinds(s), minlength=KINDS) for s in range(SETS)], np.intp
)
SET_TRAITS: UInt8s = np.array([traits_of(set_kinds(s)) for s in range(SETS)], np.uint8)
SET_SUIT: UInt8s = np.array([1 << SUIT[set_kinds(s)[0]] for s in range(SETS)], np.uint8)
SET_BIT: Masks = np.uint64(1) << np.arange(SETS, dtype=np.uint64)
PAIR_TRAITS: UInt8s = np.array([traits_of((kind,)) for kind in range(KINDS)], np.uint8)
PAIR_SUIT: UInt8s = np.array([1 << suit for suit in SUIT], np.uint8)
TRIPLET_FU: UInt8s = np.array([4 if yaochu else 2 for yaochu in IS_YAOCHU], np.uint8)
"""Fu of an open triplet by kind; doubled if concealed, and four times as much for a kan."""


@dataclass(frozen=True, slots=True)
class Combinations:
    """The n combinations of a number of concealed sets.

    Attributes
    ----------
    sets : (n, number of sets) intp
        The same sets stand side by side.
    mask : (n,) uint64
        Bit s for set s.
    counts : (n, 34) intp
        Tiles of each kind.
    traits, suits : (n,) uint8
        Bits of the traits that all its sets have, and of its suits 0–3.
    n_triplets : (n,) uint8
    fu : (n,) uint8
        Fu of the sets if all are concealed.
    has_iipeikou : (n,) bool
        Whether two of its runs are the same (一盃口).
    """

    sets: Indices
    mask: Masks
    counts: Indices
    traits: UInt8s
    suits: UInt8s
    n_triplets: UInt8s
    fu: UInt8s
    has_iipeikou: Bools

    @classmethod
    def from_rows(cls, sets: Indices) -> Combinations:
        """The combinations of the sets in each row, (n, number of sets)."""
        set_fu = np.concatenate([np.zeros(RUNS, np.uint8), 2 * TRIPLET_FU])
        return cls(
            sets=sets,
            mask=np.bitwise_or.reduce(SET_BIT[sets], axis=1),
            counts=SET_COUNTS[sets].sum(1),
            traits=np.bitwise_and.reduce(SET_TRAITS[sets], axis=1),
            suits=np.bitwise_or.reduce(SET_SUIT[sets], axis=1),
            n_triplets=(sets >= RUNS).sum(1, dtype=np.uint8),
            fu=set_fu[sets].sum(1, dtype=np.uint8),
            has_iipeikou=((sets[:, 1:] == sets[:, :-1]) & (sets[:, 1:] < RUNS)).any(1),
        )
