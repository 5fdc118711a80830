"""The rests of hands: what complete parts of other suits add to a waiting part.

*Items* are sums of the ways of complete parts that are alike beside the melds and dora. A rest is
one item or a pair of items of two suits. Rests that have equal scores with all waiting parts of a
suit are summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houjuu.hands.junctions import Junction
from houjuu.hands.merging import merge, ragged, random_keys
from houjuu.hands.set_classes import SetClasses
from houjuu.hands.sets import Indices
from houjuu.hands.suit_parts import SUITS
from houjuu.util.arrays import Bools

BLOCKS = 64
_BONUS_KEY, _COLOUR_KEY = random_keys(2)


@dataclass(frozen=True, slots=True, eq=False)
class CompleteItems:
    """Arrays of n items. Item 0 is no tiles, in one way.

    Attributes
    ----------
    part : (n,) intp
        A complete part of the item; -1 for item 0.
    tiles : (n,) intp
    suits : (n,) intp
        Bit of the suit, 0–3.
    sets : (n, 2) intp
        Classes of its sets (`SetClasses.set_class`), ascending; the last class if there is none.
    pair : (n,) intp
        Class of its pair; the number of classes if there is none.
    bonus : (n,) intp
        Dora, red fives included.
    waits : (n,) bool
        Whether the item contains only parts whose own waits are not furiten.
    """

    part: Indices
    tiles: Indices
    suits: Indices
    sets: Indices
    pair: Indices
    bonus: Indices
    waits: Bools

    def select(self, tiles: int, *, waits: bool = False) -> Indices:
        """The items with a number of tiles."""
        return np.flatnonzero((self.tiles == tiles) & (self.waits == waits))


class Candidates(NamedTuple):
    """Products of two items that can be the rest of a hand.

    Attributes
    ----------
    left, right : (n,) intp
        Items; `right` is 0 for a rest in one suit.
    column : (n,) intp
        Index of the column (`houjuu.hands.junctions`).
    """

    left: Indices
    right: Indices
    column: Indices


def candidates(
    items: CompleteItems, classes: SetClasses, rest_tiles: int, *, waits: bool
) -> Candidates:
    """All rests with a number of tiles; if `waits`, their pair or part with a pair waits too."""
    left = items.select(rest_tiles, waits=waits)
    right = np.zeros(len(left), np.intp)
    if rest_tiles in (5, 6):
        sets = items.select(3)
        others = items.select(2, waits=waits) if rest_tiles == 5 else sets
        suits, other_suits = items.suits[sets][:, None], items.suits[others]
        own, other = np.nonzero(suits < other_suits if rest_tiles == 6 else suits != other_suits)
        left, right = np.append(left, sets[own]), np.append(right, others[other])
    set_, second = items.sets[left, 0], items.sets[left, 1]
    pair = np.where(right > 0, items.pair[right], items.pair[left])
    n_sets, n_pairs = len(classes.set_of_class), len(classes.kind_of_class)
    if rest_tiles == 0:
        column = left
    elif rest_tiles == 2:
        column = pair
    elif rest_tiles == 3:
        column = set_
    elif rest_tiles == 5:
        column = set_ * n_pairs + pair
    else:
        column = set_ * n_sets + np.where(right > 0, items.sets[right, 0], second)
    return Candidates(left, right, column)


@dataclass(frozen=True, slots=True, eq=False)
class Rests:
    """Arrays of n rests, sorted by block.

    A *block* is a junction, whether the rest waits too, and the suit of the waiting part.

    Attributes
    ----------
    left, right : (c,) intp
        The candidates, products of two items.
    candidate, place : (m,) intp
        The candidates of each rest and the rest to which they belong.
    start, length : (BLOCKS,) intp
        Where the rests of each block are.
    column, suits, bonus : (n,) intp
    """

    left: Indices
    right: Indices
    candidate: Indices
    place: Indices
    start: Indices
    length: Indices
    column: Indices
    suits: Indices
    bonus: Indices

    @classmethod
    def of(
        cls,
        items: CompleteItems,
        classes: SetClasses,
        junctions: list[Junction],
        colour_of_suits: Indices,
    ) -> Rests:
        """The rests of all junctions; `colour_of_suits` is by the bits of the suits, (16,)."""
        lists, keys, blocks, indices = [], [], [], []
        n_candidates = 0
        for number, junction in enumerate(junctions):
            for waits in (False, True) if junction.tiles in (2, 5) else (False,):
                some = candidates(items, classes, junction.rest_tiles, waits=waits)
                suits = items.suits[some.left] | items.suits[some.right]
                suit, index = np.nonzero((suits >> np.arange(SUITS)[:, None]) & 1 == 0)
                bonus = (items.bonus[some.left] + items.bonus[some.right])[index]
                colour = colour_of_suits[1 << suit | suits[index]]
                key = junction.column_key[suit, some.column[index]]
                key += colour.astype(np.uint64) * _COLOUR_KEY
                keys.append(key + bonus.astype(np.uint64) * _BONUS_KEY)
                blocks.append(block_of(number, waits, suit))
                indices.append(index + n_candidates)
                lists.append(some)
                n_candidates += len(some.left)
        left, right, column = (np.concatenate(arrays) for arrays in zip(*lists, strict=True))
        candidate, block = np.concatenate(indices), np.concatenate(blocks)
        merged = merge(np.concatenate(keys), block)
        first = merged.representatives
        start = np.searchsorted(block[first], np.arange(BLOCKS + 1))
        candidate_of_rest = candidate[first]
        return cls(
            left=left,
            right=right,
            candidate=candidate[merged.order],
            place=np.repeat(np.arange(len(first)), merged.lengths),
            start=start[:-1],
            length=np.diff(start),
            column=column[candidate_of_rest],
            suits=items.suits[left[candidate_of_rest]] | items.suits[right[candidate_of_rest]],
            bonus=items.bonus[left[candidate_of_rest]] + items.bonus[right[candidate_of_rest]],
        )

    def pairs(self, block: Indices) -> tuple[Indices, Indices]:
        """All pairs of an element and a rest of its block: index of the element and of the rest."""
        return ragged(self.start[block], self.length[block])


def block_of(junction: int | Indices, waits: Bools | bool, suit: Indices) -> Indices:
    """Number of a block, 0-63."""
    return (2 * junction + waits) * SUITS + suit
