"""The 113 waits: the tiles of a tenpai hand that the winning tile completes.

Kurita & Hoki 2017, section 4, distinguishes four forms:

| waits | form | wins on | holds |
|---|---|---|---|
| 0–17 | `RYANMEN` (両面): 56, and the tanki of a 4567 (両面単騎) | 2 kinds | 2 tiles |
| 18–23 | `KANCHAN_PENCHAN`, penchan (辺張) | 1 | 2 |
| 24–44 | `KANCHAN_PENCHAN`, kanchan (嵌張) | 1 | 2 |
| 45–78 | `SHANPON` (双碰): one of the two pairs | 1 | 2 of a kind |
| 79–112 | `TANKI` (単騎), that of chiitoitsu included | 1 | 1 |
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

import numpy as np

from houjuu.game.tiles import KINDS, SUIT, SUIT_LETTERS, SUJI
from houjuu.util.arrays import Floats, Ints

FORMS = 4
RYANMEN, KANCHAN_PENCHAN, SHANPON, TANKI = range(FORMS)
FIRST_PENCHAN, FIRST_KANCHAN, FIRST_SHANPON, FIRST_TANKI, WAITS = 18, 24, 45, 79, 113
"""Where each sort of wait begins, and how many waits there are."""


def ryanmen(suit: int, low: int) -> int:
    """The wait on the ranks low and low + 3, counted from 0, in the order of `SUJI`."""
    return 6 * suit + low


def penchan(suit: int, high: int) -> int:
    """The wait of 12 on 3 (high = 0) or of 89 on 7 (high = 1)."""
    return FIRST_PENCHAN + 2 * suit + high


def kanchan(suit: int, low: int) -> int:
    """The wait of the ranks low and low + 2, counted from 0, on the one between."""
    return FIRST_KANCHAN + 7 * suit + low


def _of_suits(*ranks: tuple[int, int]) -> list[tuple[int, int]]:
    """The kinds of two ranks, from 0, in each suit."""
    return [(9 * suit + low, 9 * suit + high) for suit in range(3) for low, high in ranks]


_ALONE = [(kind, kind) for kind in range(KINDS)]


def _holds() -> list[tuple[int, int]]:
    """The kinds that each wait holds; one that it holds alone stands twice."""
    return [
        *((low + 1, low + 2) for low, _ in SUJI),
        *_of_suits((0, 1), (7, 8)),
        *_of_suits(*((low, low + 2) for low in range(7))),
        *_ALONE,
        *_ALONE,
    ]


def _wins() -> list[tuple[int, int]]:
    """The kinds that each wait wins on; one that it wins on alone stands twice."""
    return [
        *SUJI,
        *_of_suits((2, 2), (6, 6)),
        *_of_suits(*((low + 1, low + 1) for low in range(7))),
        *_ALONE,
        *_ALONE,
    ]


FORM: Ints = np.repeat(np.arange(FORMS), (18, 27, 34, 34))
"""Form of every wait, (113,)."""

HOLDS: Ints = np.array(_holds())
"""Kinds held, (113, 2); a pair, and a single tile, is written twice."""

HELD: Ints = np.where(FORM == TANKI, 1, 2)
"""How many tiles the wait holds, (113,)."""

WINS: Ints = np.array(_wins())
"""Kinds won on, (113, 2); written twice where there is one alone."""

WAIT_SUIT: Ints = np.array(SUIT)[HOLDS[:, 0]]
"""Suit of every wait, (113,); 3 for honours."""

WIN_WAIT: Ints = np.concatenate([np.arange(WAITS), np.arange(FIRST_PENCHAN)])
WIN_KIND: Ints = np.concatenate([WINS[:, 0], WINS[:FIRST_PENCHAN, 1]])
"""The 131 pairs of a wait and a kind that it wins on."""

WINNING: Floats = np.zeros((WAITS, KINDS))
"""1 where a wait wins on a kind, (113, 34)."""
WINNING[WIN_WAIT, WIN_KIND] = 1.0

_NAMES = ("ryanmen", "penchan", "kanchan", "shanpon", "tanki")
_STARTS = (0, FIRST_PENCHAN, FIRST_KANCHAN, FIRST_SHANPON, FIRST_TANKI)


@cache
def wait_name(wait: int) -> str:
    """The wait by its type and the tiles that it holds.

    >>> wait_name(ryanmen(0, 1)), wait_name(penchan(1, 0)), wait_name(FIRST_SHANPON + 33)
    ('ryanmen 34m', 'penchan 12p', 'shanpon 77z')
    """
    ranks = "".join(str(kind % 9 + 1) for kind in HOLDS[wait, : HELD[wait]])
    name = _NAMES[bisect_right(_STARTS, wait) - 1]
    return f"{name} {ranks}{SUIT_LETTERS[WAIT_SUIT[wait]]}"


HAN = 13
FU = (25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
"""The han 1–13 (a yakuman counts as 13) and the fu of a ron (Kurita & Hoki 2017, section 4)."""
