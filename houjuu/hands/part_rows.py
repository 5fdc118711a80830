"""Rows: the ways of the parts of tenpai hands, without and with a red five.

A part has one row for each of its roles and each choice of its red five.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from houjuu.game.tiles import HONOURS
from houjuu.hands.sets import Indices
from houjuu.hands.suit_parts import suit_parts
from houjuu.hands.suit_ways import place_of_ways
from houjuu.util.arrays import Bools, UInt8s

_FIVE = 4


@dataclass(frozen=True, slots=True, eq=False)
class PartRows:
    """Arrays of n roles and their rows.

    The roles are, in this order: the w waiting parts; the c complete parts; the complete parts that
    wait too, as one half of a wait in two suits.

    Attributes
    ----------
    complete : (n - w,) intp
        Index of the complete part of all roles but the waiting ones.
    suit : (n,) intp
    counts : (9, n) uint8
    role : (rows,) intp
        Role of each row.
    red : (rows,) bool
        Whether the row contains the red five.
    low, high : (rows,) intp
        Places in the two arrays of `houjuu.hands.suit_ways`.
    """

    complete: Indices
    suit: Indices
    counts: UInt8s
    role: Indices
    red: Bools
    low: Indices
    high: Indices


@cache
def part_rows(n_sets: int) -> PartRows:
    """The rows of the hands with a number of concealed sets, 0-2; the result is cached."""
    waiting, complete = suit_parts(n_sets)
    roles = np.concatenate([np.arange(len(complete.suit)), np.flatnonzero(complete.waiting >= 0)])
    suit = np.concatenate([waiting.suit, complete.suit[roles]])
    counts = np.concatenate([waiting.counts, complete.counts[roles]])
    with_red = np.flatnonzero((counts[:, _FIVE] > 0) & (suit < HONOURS))
    role = np.concatenate([np.arange(len(suit)), with_red])
    red = np.arange(len(role)) >= len(suit)
    low, high = place_of_ways(suit[role], counts[role], red)
    return PartRows(roles, suit, counts.T.copy(), role, red, low, high)
