"""Names of hands: a hand without the order of its tiles.

A name contains what the value of a hand depends on: the keys of its four suits and its red fives.
Hands with one name are valued once.

>>> from houjuu.game.tiles import format_tiles, parse_tiles
>>> (name, same) = hand_names([parse_tiles("0p12m"), parse_tiles("21m0p")])
>>> name == same
True
>>> format_tiles(tiles_of(name))
'12m0p'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, count, repeat

import numpy as np

from houjuu.game.tiles import COPIES, KIND_OF_TILE, RED_FIVES
from houjuu.hands.shanten import KIND_KEYS, ranks_of

_REDS = sorted(RED_FIVES)
_RED_BITS = 1 << np.arange(len(_REDS))

HandName = tuple[int, ...]
"""A hand without the order of its tiles: the keys of its four suits, and red fives as bits."""


def hand_names(hands: Sequence[Sequence[int]], *, red_fives: bool = True) -> list[HandName]:
    """The names of hands of 3n + 1 concealed tiles (ids), of one n."""
    tiles = np.array(hands, dtype=np.intp)
    keys = KIND_KEYS[KIND_OF_TILE[tiles]].sum(axis=1)
    reds = (tiles[:, :, None] == _REDS).any(axis=1) @ (_RED_BITS * red_fives)
    return list(map(tuple, np.column_stack((keys, reds)).tolist()))


def plain_tile(kind: int) -> int:
    """The id of a copy of the kind that is not a red five."""
    return COPIES * kind + 1


@lru_cache(maxsize=64)
def tiles_of(hand: HandName) -> tuple[int, ...]:
    """Ids of a hand's tiles; the waits of a hand follow one another."""
    *suits, reds = hand
    return tuple(chain.from_iterable(map(_tiles, count(), suits, repeat(reds))))


@lru_cache(maxsize=10_000)
def _tiles(suit: int, key: int, reds: int) -> tuple[int, ...]:
    """Ids of a suit's tiles: for a red five its id, for any other the second copy of its kind."""
    red = _REDS[suit] if suit < len(_REDS) and reds >> suit & 1 else None
    tiles = [plain_tile(9 * suit + rank) for rank in ranks_of(key)]
    if red is not None:
        tiles[tiles.index(red + 1)] = red
    return tuple(tiles)
