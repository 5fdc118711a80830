"""The possible tenpai hands of an opponent: their ways and scores, as sums of products.

The prior weight of a hand is the number of ways to draw it from the unseen tiles,
Π C(unseen, count) (Kurita & Hoki 2017, equation 14). It is a product over the groups of the hand,
the tiles of one suit (`houjuu.hands.suit_groups`). Groups that are equivalent beside the melds and
dora are summed before they are multiplied, so that a query multiplies some ten thousand sums
instead of the ways of 148,809 hands:

| | |
|---|---|
| row | the ways of a group, without or with the red five |
| bundle | sum of rows with equal waits and scores; 0 if the waits are furiten |
| item | sum of bundles with equal scores on one kind, or with equal yaku, or that complete alike |
| rest | sum of the products of the items that complete a waiting group alike |

A hand with a five may contain the red five, which adds one han.

An example: the hand 1123m 456p beside a pon of haku, without dora. It waits for 1m and 4m.

    group     1123m, waiting                            456p, complete
                │                                         │
    row       C(2)·C(1)·C(1)                            C(1)·C(1)·C(1), without a red five
                │                                         │
    bundle    + 2399m, with the same waits and scores   + 234p, 345p, 567p, 678p: also simples
                ├─────────────────┐                       │
    item      wins on 1m        wins on 4m, by any      runs of simples, pinzu
                │               manzu that score alike    │
    rest        │                 │                     + runs of simples, souzu
                │                 │                       │
    product   item × rest       item × rest  ─────────────┘
                │                 │
    cell      (several suits, 1m, 1 han 30 fu)   (several suits, 4m, 1 han 30 fu)

C(n) are the ways to draw n copies of a kind. The rest has the same sum for both items, and for all
other items of waiting groups with four manzu: it is computed once. If the tiles of the hand are the
only unseen ones, both wins have the weight of the only hand:

>>> from houjuu.game.events import Meld, MeldKind
>>> from houjuu.game.tiles import KIND, parse_tiles
>>> from houjuu.hands.enumeration import tenpai_hands
>>> from houjuu.hands.hand_grid import ScoringContext
>>> haku = parse_tiles("555z")
>>> hands = tenpai_hands(ScoringContext((Meld(MeldKind.PON, haku, haku[0], 1),)), n_sets=2)
>>> len(hands.row_low), len(hands.first_row), hands.n_items, hands.n_rests
(15441, 3518, 1567, 619)
>>> kinds = [KIND[tile] for tile in parse_tiles("1123m456p")]
>>> unseen = np.bincount(kinds, minlength=KINDS).astype(np.int8)
>>> weights = hands.weights(unseen, (False, False, False))
>>> weights.by_class[SEVERAL_SUITS].tolist()  # the hand has a good wait and a yaku
[1.0, 0.0, 0.0, 0.0]
>>> [(weights.colours[c], kind, code) for c, kind, code in np.argwhere(weights.by_score).tolist()]
[(3, 0, 19), (3, 3, 19)]

The code 19 is 1 han and 30 fu (`houjuu.hands.points`). The other modules of `houjuu.hands` draw
their steps of the same example.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import KINDS
from houjuu.hands.points import CODES
from houjuu.hands.sets import Indices, Masks
from houjuu.hands.suit_ways import Reds, suit_ways
from houjuu.util.arrays import Bools, Floats, Int8s

HAND_CLASSES = 4
"""By wait and yaku: 2 * (whether no wait is good) + (whether the hand has no yaku)."""

SEVERAL_SUITS, NO_SUIT, COLOURS = 3, 4, 5
"""Colours of a whole hand: one suit and perhaps honours, 0-2; several suits; honours alone."""


class HandWeights(NamedTuple):
    """Sums of the weights of hands.

    Attributes
    ----------
    by_class : (5, 4) array
        By colour (`COLOURS`) and class (`HAND_CLASSES`) of the hand.
    colours : list of int
        The c colours that the hands can have.
    by_score : (c, 34, 224) array
        By colour, winning kind and score code (`houjuu.hands.points`); without a yaku there is no
        win.
    """

    by_class: Floats
    colours: list[int]
    by_score: Floats

    def scores(self, factors: Floats) -> Floats:
        """Weights by winning kind and score code, (34, 224), with a factor by colour, (5,)."""
        by_colour = self.by_score.reshape(len(self.colours), -1)
        return (factors[self.colours] @ by_colour).reshape(KINDS, CODES)


class Products(NamedTuple):
    """Products of two or more values, each with the index of the sum to which it belongs."""

    factors: tuple[Indices, ...]
    target: Indices

    def with_items_from(self, first: int) -> Products:
        """The same products, with the items of the first factor numbered from `first`."""
        items, *further = self.factors
        return Products((items + first, *further), self.target)

    def sums(self, size: int, *values: Floats) -> Floats:
        """The sums, (size,), with the values of each factor."""
        product = values[0].take(self.factors[0])
        for factor, index in zip(values[1:], self.factors[1:], strict=True):
            product *= factor.take(index)
        return np.bincount(self.target, product, size).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class TenpaiHands:
    """The hands of an opponent with certain melds, winds and dora; independent of the tiles seen.

    Attributes
    ----------
    row_low, row_high : (rows,) intp
        Index of the ways of the low and of the high ranks of each row in `suit_ways`.
    first_row : (b,) intp
        Index of the first row of each bundle; the rows of a bundle are contiguous.
    waits : (b,) uint64
        Bit h if the bundle waits for kind h, with or without a yaku; 0 for groups that do not wait.
    good : (b,) bool
        Whether the bundle may belong to a hand with a good wait.
    items : Products
        Items as sums of bundles. Item 0 is 1.
    n_items : int
    candidates : two arrays of intp
        Products of two items.
    rests : Products
        Rests as sums of candidates.
    n_rests : int
    wins : Products
        Cells of `HandWeights.by_score`, without the colours of `colours`, from an item and a rest.
    hands : Products
        Cells of `HandWeights.by_class` from an item and a rest: hands with one waiting group.
    shanpon_firsts : Products
        Sums of items: the first groups of hands with two waiting groups.
    shanpon : Products
        Cells of `HandWeights.by_class` from two items and such a sum: those hands.
    colours : list of int
        The colours that the hands can have.
    """

    row_low: Indices
    row_high: Indices
    first_row: Indices
    waits: Masks
    good: Bools
    items: Products
    n_items: int
    candidates: tuple[Indices, Indices]
    rests: Products
    n_rests: int
    wins: Products
    hands: Products
    shanpon_firsts: Products
    shanpon: Products
    colours: list[int]

    def weights(
        self, unseen: Int8s, reds_unseen: Reds, furiten: int = 0, other_forms: float = 1.0
    ) -> HandWeights:
        """Sums of the weights of all hands, by class and by score.

        Parameters
        ----------
        unseen : (34,) int8
            Unseen tiles of each kind, 0–4.
        reds_unseen : three bools
            Whether the red fives of manzu, pinzu and souzu are unseen.
        furiten : int, default=0
            Bits of kinds; hands that wait for one of them have no weight.
        other_forms : float, default=1.0
            Weight of the hands without a good wait.
        """
        low, high = suit_ways(unseen, reds_unseen)
        rows = low.take(self.row_low)
        rows *= high.take(self.row_high)
        bundles = np.add.reduceat(rows, self.first_row)
        bundles *= (self.waits & np.uint64(furiten)) == 0
        bundles *= np.where(self.good, 1.0, other_forms)
        items = self.items.sums(self.n_items, bundles)
        items[0] = 1.0  # no tiles: the factor of a rest in one suit, or of no rest
        left, right = self.candidates
        candidates = items.take(left) * items.take(right)
        rests = self.rests.sums(self.n_rests, candidates)
        return self._weights(items, rests)

    def _weights(self, items: Floats, rests: Floats) -> HandWeights:
        n_colours = len(self.colours)
        n_classes = len(self.colours) * HAND_CLASSES
        by_class = np.zeros((COLOURS, HAND_CLASSES))
        class_sums = self.hands.sums(n_classes, items, rests)
        firsts = self.shanpon_firsts.sums(len(self.shanpon.target), items)
        class_sums += self.shanpon.sums(n_classes, items, items, firsts)
        by_class[self.colours] = class_sums.reshape(n_colours, HAND_CLASSES)
        by_score = self.wins.sums(n_colours * KINDS * CODES, items, rests)
        return HandWeights(by_class, self.colours, by_score.reshape(n_colours, KINDS, CODES))
