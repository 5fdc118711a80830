"""The rests of hands: what complete groups of other suits add to a waiting group.

*Items* are sums of the ways of complete groups that are alike beside the melds and dora. A rest is
one item or a pair of items of two suits. Rests that have equal scores with all waiting groups of a
suit are summed.

In the hand 1123m 456p of `houjuu.hands.tenpai_hands`, beside a pon of haku and without dora, 456p
is in the item of the pinzu runs of simples without a red five; the item of those with it has a
bonus of one han. All waiting groups of manzu score alike with the runs of simples in pinzu and in
souzu, where the green run 234s is an item of its own. Therefore all three items are one rest:

    item "234p, 345p, 456p, 567p, 678p, no bonus"   ─┐
    item "345s, 456s, 567s, 678s, no bonus"         ─┼─ rest "a run of simples, no bonus"
    item "234s, no bonus"                           ─┘
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houjuu.hands.junctions import Junction
from houjuu.hands.merging import merge, ragged, random_keys
from houjuu.hands.set_classes import SetClasses
from houjuu.hands.sets import Indices
from houjuu.hands.suit_groups import SUITS
from houjuu.util.arrays import Bools

REST_TYPES = 64
_BONUS_KEY, _COLOUR_KEY = random_keys(2)


@dataclass(frozen=True, slots=True, eq=False)
class CompleteItems:
    """Arrays of n items. Item 0 is no tiles, in one way.

    Attributes
    ----------
    group : (n,) intp
        A complete group of the item; -1 for item 0.
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
        Whether the item contains only groups whose own waits are not furiten.
    """

    group: Indices
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
    """All rests with a number of tiles; if `waits`, their pair or group with a pair waits too."""
    left = items.select(rest_tiles, waits=waits)
    right = np.zeros(len(left), np.intp)
    if rest_tiles in (5, 6):  # perhaps in two suits: a set and a pair, or two sets
        sets = items.select(3)
        partners = items.select(2, waits=waits) if rest_tiles == 5 else sets
        suits = items.suits[sets][:, None]
        partner_suits = items.suits[partners]
        # Two sets are counted once, the one of the lower suit first.
        fits = suits < partner_suits if rest_tiles == 6 else suits != partner_suits
        set_index, partner_index = np.nonzero(fits)
        left = np.append(left, sets[set_index])
        right = np.append(right, partners[partner_index])
    set_ = items.sets[left, 0]
    second = items.sets[left, 1]
    pair = np.where(right > 0, items.pair[right], items.pair[left])
    n_sets = len(classes.set_of_class)
    n_pairs = len(classes.kind_of_class)
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
    """Arrays of n rests, sorted by type.

    The *type* of a rest is a junction, whether the rest waits too, and the suit of the waiting
    group. A waiting group can have any rest of its type.

    Attributes
    ----------
    left, right : (c,) intp
        The candidates, products of two items.
    candidate, rest : (m,) intp
        The candidates of each rest, and the rest to which they belong.
    start, length : (REST_TYPES,) intp
        Where the rests of each type are.
    column, suits, bonus : (n,) intp
    """

    left: Indices
    right: Indices
    candidate: Indices
    rest: Indices
    start: Indices
    length: Indices
    column: Indices
    suits: Indices
    bonus: Indices

    @classmethod
    def from_items(
        cls,
        items: CompleteItems,
        classes: SetClasses,
        junctions: list[Junction],
        colour_of_suits: Indices,
    ) -> Rests:
        """The rests of all junctions; `colour_of_suits` is by the bits of the suits, (16,)."""
        lists = []
        keys = []
        types = []
        indices = []
        n_candidates = 0
        for number, junction in enumerate(junctions):
            # Groups of 2 and 5 tiles may be complete too. Then the rest must wait, as the other
            # half of a shanpon, so that its own waits count for furiten.
            for waits in (False, True) if junction.tiles in (2, 5) else (False,):
                listed = candidates(items, classes, junction.rest_tiles, waits=waits)
                suits = items.suits[listed.left] | items.suits[listed.right]
                # Each candidate occurs once for each suit that the waiting group may have.
                suit, index = np.nonzero((suits >> np.arange(SUITS)[:, None]) & 1 == 0)
                bonus = (items.bonus[listed.left] + items.bonus[listed.right])[index]
                colour = colour_of_suits[1 << suit | suits[index]]
                key = junction.column_key[suit, listed.column[index]]
                key += colour.astype(np.uint64) * _COLOUR_KEY
                keys.append(key + bonus.astype(np.uint64) * _BONUS_KEY)
                types.append(rest_types(number, waits, suit))
                indices.append(index + n_candidates)
                lists.append(listed)
                n_candidates += len(listed.left)
        left, right, column = (np.concatenate(arrays) for arrays in zip(*lists, strict=True))
        candidate = np.concatenate(indices)
        rest_type = np.concatenate(types)
        merged = merge(np.concatenate(keys), rest_type)
        first = merged.representatives
        start = np.searchsorted(rest_type[first], np.arange(REST_TYPES + 1))
        candidate_of_rest = candidate[first]
        left_of_rest = left[candidate_of_rest]
        right_of_rest = right[candidate_of_rest]
        return cls(
            left=left,
            right=right,
            candidate=candidate[merged.order],
            rest=np.repeat(np.arange(len(first)), merged.sizes),
            start=start[:-1],
            length=np.diff(start),
            column=column[candidate_of_rest],
            suits=items.suits[left_of_rest] | items.suits[right_of_rest],
            bonus=items.bonus[left_of_rest] + items.bonus[right_of_rest],
        )

    def pairs(self, rest_type: Indices) -> tuple[Indices, Indices]:
        """All pairs of an element and a rest of its type: index of the element and of the rest."""
        return ragged(self.start[rest_type], self.length[rest_type])


def rest_types(junction: int | Indices, waits: Bools | bool, suit: Indices) -> Indices:
    """Numbers of types of rests, 0-63."""
    return (2 * junction + waits) * SUITS + suit
