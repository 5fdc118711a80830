"""The number of ways to draw the tiles of one suit from the unseen tiles.

The ways of a group are Π C(unseen, count) over its ranks (Kurita & Hoki 2017, equation 14): the
product of the ways of its low ranks, 1 to 5, and of its high ranks, 6 to 9.

>>> low, high = suit_ways(np.full(KINDS, 3, np.int8), (False, True, False))
>>> counts = np.array([[2, 1, 1, 0, 0, 0, 0, 0, 0], *[[0, 0, 0, 1, 1, 1, 0, 0, 0]] * 2], np.uint8)
>>> index_low, index_high = index_of_ways(np.array([0, 1, 1]), counts, np.array([0, 0, 1], bool))
>>> (low[index_low] * high[index_high]).tolist()  # 1123m; 456p without and with the red five
[27.0, 18.0, 9.0]
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import comb

import numpy as np

from houjuu.game.events import Rules
from houjuu.game.tiles import COPIES, KINDS, RED_FIVES
from houjuu.hands.sets import Indices
from houjuu.util.arrays import Bools, Floats, Int8s, Ints, UInt8s, read_only

Reds = tuple[bool, bool, bool]

_RANKS = 9
_FIVE = 4
_LOW_RANKS = _FIVE + 1
_BASE = COPIES + 1  # the counts of the ranks, 0-4, are the digits of an index
_DIGIT: Ints = _BASE ** np.arange(_LOW_RANKS)
_LOW_SIZE = _BASE**_LOW_RANKS
_HIGH_SIZE = _BASE ** (_RANKS - _LOW_RANKS)
_WAYS: Floats = np.array(
    [[comb(unseen, count) for count in range(_BASE)] for unseen in range(_BASE)], np.float64
)


def reds_unseen(visible: Iterable[int], rules: Rules) -> Reds:
    """Whether the red fives of manzu, pinzu and souzu are not among the visible tile ids.

    All False if the rules have no red fives.
    """
    seen = set(visible)
    manzu, pinzu, souzu = (rules.red_fives and red not in seen for red in RED_FIVES)
    return manzu, pinzu, souzu


def suit_ways(unseen: Int8s, reds_unseen: Reds) -> tuple[Floats, Floats]:
    """Ways of all counts of the low and of the high ranks of each suit, see `index_of_ways`.

    The low ranks have ways without and with the red five. The last result is cached, because the
    opponents of a view share it; it is read-only.
    """
    return _suit_ways(unseen.astype(np.int8, copy=False).tobytes(), reds_unseen)


@lru_cache(maxsize=1)
def _suit_ways(unseen: bytes, reds_unseen: Reds) -> tuple[Floats, Floats]:
    by_suit = np.zeros((4, _RANKS), np.intp)
    by_suit.ravel()[:KINDS] = np.frombuffer(unseen, np.int8)
    ways = _WAYS[by_suit]  # (4, 9, 5)
    fives = np.zeros((4, 2, _BASE))
    fives[:, 0] = ways[:, _FIVE]
    for suit in range(3):
        if reds_unseen[suit]:
            # One unseen five is the red one: the ways to draw the others, without it and with it.
            plain = _WAYS[by_suit[suit, _FIVE] - 1]
            fives[suit, 0] = plain
            fives[suit, 1, 1:] = plain[:-1]
    low = fives[:, :, :, None] * _products(ways[:, :_FIVE])[:, None, None]
    high = _products(ways[:, _LOW_RANKS:])
    return read_only(low.ravel()), read_only(high.ravel())


def index_of_ways(suit: Indices, counts: UInt8s, red: Bools) -> tuple[Indices, Indices]:
    """Indices of the low and of the high ranks in `suit_ways`.

    Parameters
    ----------
    suit : (n,) intp
    counts : (n, 9) uint8
    red : (n,) bool
        Whether the red five is one of the tiles.
    """
    low = counts[:, :_LOW_RANKS]
    high = counts[:, _LOW_RANKS:]
    low_index = (2 * suit + red) * _LOW_SIZE + low @ _DIGIT
    return low_index, suit * _HIGH_SIZE + high @ _DIGIT[: high.shape[1]]


def _products(ways: Floats) -> Floats:
    """Products of the ways of n ranks, (4, n, 5), for all counts as digits: (4, 5^n)."""
    products = ways[:, 0]
    for rank in range(1, ways.shape[1]):
        products = (ways[:, rank, :, None] * products[:, None]).reshape(4, -1)
    return products
