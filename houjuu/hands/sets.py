"""The 55 sets (面子), and the combinations of them that a concealed hand can hold.

A *set* is a number 0–54: 0–20 the runs (順子), manzu 123 to souzu 789, and 21–54 the triplets
(刻子) of the 34 kinds. A *combination* is the concealed sets of a complete hand: none, one or two
of them, in ascending order. Melds are sets too, a kan the same set as its triplet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from houjuu.events import Meld, MeldKind
from houjuu.tiles import COPIES, HATSU, IS_HONOUR, IS_YAOCHU, KINDS, SUIT, parse_tiles

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.intp]
Masks = npt.NDArray[np.uint64]

RUNS = 21
SETS = RUNS + KINDS
RUN_LOWS = tuple(9 * suit + rank for suit in range(3) for rank in range(7))
"""The lowest kind of every run."""

SIMPLE, OUTSIDE, TERMINAL, YAOCHU, GREEN = (1 << bit for bit in range(5))
"""Traits of a set or pair, as bits: no terminal or honour in it; one in it; a terminal in it; only
terminals and honours; only tiles of ryuuiisou. A hand has a trait when each of its parts has it."""

_GREEN_KINDS = {tile // COPIES for tile in parse_tiles("23468s")} | {HATSU}


def bools(values: npt.ArrayLike) -> Bools:
    """The values as an array of bools."""
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
    """The set that a meld shows."""
    low = min(meld.tiles) // COPIES
    return RUN_LOWS.index(low) if meld.kind is MeldKind.CHI else RUNS + low


def traits_of(kinds: tuple[int, ...]) -> int:
    """Traits of a set or pair, as bits."""
    yaochu = [IS_YAOCHU[kind] for kind in kinds]
    holds = {
        SIMPLE: not any(yaochu),
        OUTSIDE: any(yaochu),
        TERMINAL: any(yaochu) and not IS_HONOUR[kinds[0]],
        YAOCHU: all(yaochu),
        GREEN: _GREEN_KINDS.issuperset(kinds),
    }
    return sum(bit for bit, held in holds.items() if held)


SET_COUNTS: Indices = np.array(
    [np.bincount(set_kinds(s), minlength=KINDS) for s in range(SETS)], np.intp
)
SET_TRAITS: Bytes = np.array([traits_of(set_kinds(s)) for s in range(SETS)], np.uint8)
SET_SUIT: Bytes = np.array([1 << SUIT[set_kinds(s)[0]] for s in range(SETS)], np.uint8)
SET_BIT: Masks = np.uint64(1) << np.arange(SETS, dtype=np.uint64)
PAIR_TRAITS: Bytes = np.array([traits_of((kind,)) for kind in range(KINDS)], np.uint8)
PAIR_SUIT: Bytes = np.array([1 << suit for suit in SUIT], np.uint8)
TRIPLET_FU: Bytes = np.array([4 if yaochu else 2 for yaochu in IS_YAOCHU], np.uint8)
"""Fu of an open triplet, by kind: twice that when concealed, four times that for a kan."""


@dataclass(frozen=True, slots=True)
class Combinations:
    """All combinations of some concealed sets, n of them.

    Attributes
    ----------
    sets : (n, number of sets), the sets of each
    mask : (n,) uint64, bit s for set s
    counts : (n, 34), tiles of every kind
    traits, suits : (n,) uint8, bits of the traits shared by its sets, and of its suits 0–3
    triplets : (n,) uint8, how many of its sets are triplets
    fu : (n,) uint8, of its sets when all are concealed
    twins : (n,) bool, two of its runs are the same (一盃口)
    """

    sets: Indices
    mask: Masks
    counts: Indices
    traits: Bytes
    suits: Bytes
    triplets: Bytes
    fu: Bytes
    twins: Bools


@cache
def combinations(number: int) -> Combinations:
    """All combinations of 0, 1 or 2 sets: 1, 55 or 1,540 of them, impossible ones included."""
    chosen = list(combinations_with_replacement(range(SETS), number))
    sets = np.array(chosen, np.intp).reshape(len(chosen), number)
    set_fu = np.concatenate([np.zeros(RUNS, np.uint8), 2 * TRIPLET_FU])
    twins = (sets[:, :1] == sets[:, 1:]).any(1) & (sets < RUNS).all(1)
    return Combinations(
        sets=sets,
        mask=np.bitwise_or.reduce(SET_BIT[sets], axis=1),
        counts=SET_COUNTS[sets].sum(1),
        traits=np.bitwise_and.reduce(SET_TRAITS[sets], axis=1),
        suits=np.bitwise_or.reduce(SET_SUIT[sets], axis=1),
        triplets=(sets >= RUNS).sum(1, dtype=np.uint8),
        fu=set_fu[sets].sum(1, dtype=np.uint8),
        twins=twins,
    )
