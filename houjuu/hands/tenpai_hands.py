"""The possible tenpai hands of an opponent: their ways and scores, as sums of products.

The prior weight of a hand is the number of ways to draw it from the unseen tiles,
Π C(unseen, count) (Kurita & Hoki 2017, equation 14). It is a product over the parts of the hand
(`houjuu.hands.suit_parts`). Parts that are equivalent beside the melds and dora are summed before
they are multiplied, so that a query multiplies some ten thousand sums instead of the ways of
148,809 hands:

| | |
|---|---|
| row | the ways of a part, without or with the red five |
| group | sum of rows with equal waits and scores; 0 if the waits are furiten |
| item | sum of groups with equal scores on one kind, or with equal yaku, or that complete alike |
| rest | sum of the products of the items that complete a waiting part alike |

A hand with a five may contain the red five, which adds one han.
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
    """Products of two or more values, each with the place of the sum to which it belongs."""

    factors: tuple[Indices, ...]
    place: Indices

    def with_items_from(self, first: int) -> Products:
        """The same products, with the items of the first factor numbered from `first`."""
        items, *others = self.factors
        return Products((items + first, *others), self.place)

    def sums(self, size: int, *values: Floats) -> Floats:
        """The sums, (size,), with the values of each factor."""
        product = values[0].take(self.factors[0])
        for factor, index in zip(values[1:], self.factors[1:], strict=True):
            product *= factor.take(index)
        return np.bincount(self.place, product, size).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class TenpaiHands:
    """The hands of an opponent with certain melds, winds and dora; independent of the tiles seen.

    Attributes
    ----------
    row_low, row_high : (rows,) intp
        Place of the ways of the low and of the high ranks of each row in `_suit_ways`.
    first_row : (g,) intp
        Index of the first row of each group; the rows of a group are contiguous.
    waits : (g,) uint64
        Bit h if the group waits for kind h, with or without a yaku; 0 for parts that do not wait.
    good : (g,) bool
        Whether the group may be part of a hand with a good wait.
    items : Products
        Items as sums of groups. Item 0 is 1.
    n_items : int
    candidates : two arrays of intp
        Products of two items.
    rests : Products
        Rests as sums of candidates.
    n_rests : int
    wins : Products
        Cells of `HandWeights.by_score`, without the colours of `colours`, from an item and a rest.
    hands : Products
        Cells of `HandWeights.by_class` from an item and a rest: hands with one waiting part.
    shanpon : Products
        Cells of `HandWeights.by_class` from three items: hands with two waiting parts.
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
        groups = np.add.reduceat(rows, self.first_row)
        groups *= (self.waits & np.uint64(furiten)) == 0
        groups *= np.where(self.good, 1.0, other_forms)
        items = self.items.sums(self.n_items, groups)
        items[0] = 1.0
        left, right = self.candidates
        candidates = items.take(left) * items.take(right)
        rests = self.rests.sums(self.n_rests, candidates)
        return self._weights(items, rests)

    def _weights(self, items: Floats, rests: Floats) -> HandWeights:
        n_colours, n_classes = len(self.colours), len(self.colours) * HAND_CLASSES
        by_class = np.zeros((COLOURS, HAND_CLASSES))
        of_hands = self.hands.sums(n_classes, items, rests)
        of_hands += self.shanpon.sums(n_classes, items, items, items)
        by_class[self.colours] = of_hands.reshape(n_colours, HAND_CLASSES)
        by_score = self.wins.sums(n_colours * KINDS * CODES, items, rests)
        return HandWeights(by_class, self.colours, by_score.reshape(n_colours, KINDS, CODES))
