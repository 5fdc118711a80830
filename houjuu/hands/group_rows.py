"""Rows: the ways of the groups of tenpai hands, without and with a red five.

A group has one row for each of its roles and each choice of its red five. In the hand 1123m 456p of
`houjuu.hands.tenpai_hands` 1123m has one role, to wait, and one row. 456p has one role, to be
complete, and two rows, because its five may be red.

>>> rows = group_rows(2)
>>> run = np.flatnonzero((rows.suit == 1) & (rows.counts.T == (0, 0, 0, 1, 1, 1, 0, 0, 0)).all(1))
>>> rows.red[np.isin(rows.role, run)].tolist()
[False, True]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from houjuu.game.tiles import HONOURS
from houjuu.hands.sets import Indices
from houjuu.hands.suit_groups import suit_groups
from houjuu.hands.suit_ways import index_of_ways
from houjuu.util.arrays import Bools, UInt8s

_FIVE = 4


@dataclass(frozen=True, slots=True, eq=False)
class GroupRows:
    """Arrays of n roles and their rows.

    The roles are, in this order: the w waiting groups; the c complete groups; the complete groups
    that wait too, as one half of a wait in two suits.

    Attributes
    ----------
    complete : (n - w,) intp
        Index of the complete group of all roles but the waiting ones.
    suit : (n,) intp
    counts : (9, n) uint8
    role : (rows,) intp
        Role of each row.
    red : (rows,) bool
        Whether the row contains the red five.
    low, high : (rows,) intp
        Indices in the two arrays of `houjuu.hands.suit_ways`.
    """

    complete: Indices
    suit: Indices
    counts: UInt8s
    role: Indices
    red: Bools
    low: Indices
    high: Indices


@cache
def group_rows(n_sets: int) -> GroupRows:
    """The rows of the hands with a number of concealed sets, 0-2; the result is cached."""
    waiting, complete = suit_groups(n_sets)
    complete_roles = np.concatenate(
        [np.arange(len(complete.suit)), np.flatnonzero(complete.waiting >= 0)]
    )
    suit = np.concatenate([waiting.suit, complete.suit[complete_roles]])
    counts = np.concatenate([waiting.counts, complete.counts[complete_roles]])
    with_red = np.flatnonzero((counts[:, _FIVE] > 0) & (suit < HONOURS))
    role = np.concatenate([np.arange(len(suit)), with_red])
    red = np.arange(len(role)) >= len(suit)
    low, high = index_of_ways(suit[role], counts[role], red)
    return GroupRows(
        complete=complete_roles,
        suit=suit,
        counts=counts.T.copy(),
        role=role,
        red=red,
        low=low,
        high=high,
    )
