"""Inputs of the network of preferences, beside the terms of `preference_terms`.

The logit adds up its terms. A network combines them with facts that all actions of a decision
share, which cancel out of a logit, and with the tiles around a discard, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from houjuu.game.actions import ENDS
from houjuu.game.tiles import EAST, KINDS
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.preference.decision import Option, Situation, nearest_shanten
from houjuu.player.preference.discard_terms import discarded, mean_parts_of_hand
from houjuu.util.arrays import Floats

_RANKS, _MIDDLE = 9, 4
_TILES = 70
_FARTHEST = 4  # shanten
_MOST_DORA = 4
_SETS = 3  # tiles of a meld
_SUIT_TILES = 10
_OFFSETS = range(-3, 4)
"""Ranks around a discarded tile; those above 0 are towards the middle, of a 5 towards the 9."""


def _context(at: Situation, options: Sequence[Option]) -> Iterator[float]:
    nearest = nearest_shanten(options)
    yield from (float(at.facing_riichi), at.tenpai, at.tiles_left / _TILES)
    yield from (float(min(nearest, _FARTHEST) == shanten) for shanten in range(_FARTHEST + 1))
    yield from (float(at.closed), float(at.was_tenpai), float(at.dealer))
    yield float(min(at.own_dora, _MOST_DORA))
    yield from (float(at.pairs), float(at.yaochu), float(at.flush))
    yield log(max((one.win for one in options if one.kind not in ENDS), default=0.0) + 0.01)
    yield sum(at.melded) / _SETS
    yield from mean_parts_of_hand(at.hand, at.yakuhai).tolist()


CONTEXT = (
    *("facing a riichi", "P(tenpai)", "tiles left"),
    *(f"shanten {shanten}" for shanten in ("0", "1", "2", "3", "4 or more")),
    *("closed", "tenpai before", "dealer"),
    "dora",
    *("pairs", "terminals and honours", "flush"),
    "log of the largest P(win)",
    "melds",
    *(f"parts of the hand: {name}" for name in CLASSES),
)
"""Names of the inputs that all actions of a decision share."""


def _from_edge(kind: int) -> list[float]:
    """1 for the rank from the edge of a tile of a suit, else 0."""
    rank = min(kind % _RANKS, _RANKS - 1 - kind % _RANKS) if kind < EAST else -1
    return [float(rank == place) for place in range(_MIDDLE + 1)]


def _around(kind: int) -> list[int]:
    """The kinds at `_OFFSETS` from a kind, `_NO_KIND` beyond the edge of its suit."""
    if kind >= EAST:
        return [_NO_KIND if offset else kind for offset in _OFFSETS]
    first, rank = kind - kind % _RANKS, kind % _RANKS
    ranks = [rank + offset * (1 if rank <= _MIDDLE else -1) for offset in _OFFSETS]
    return [first + other if 0 <= other < _RANKS else _NO_KIND for other in ranks]


_NO_KIND = KINDS
_FROM_EDGE, _AROUND = (
    np.array([of_kind(kind) for kind in range(KINDS + 1)]) for of_kind in (_from_edge, _around)
)


def _surroundings(at: Situation, options: Sequence[Option]) -> Floats:
    """The inputs of the discards, (n, `SURROUNDINGS`); those of other actions are 0."""
    kinds = [_NO_KIND if (kind := discarded(one)) is None else kind for one in options]
    hand, unseen, dora, yakuhai, seen, of_suit = of_kind = np.zeros((6, KINDS + 1))
    hand[:KINDS], unseen[:KINDS], seen[EAST:KINDS] = at.hand, at.unseen, at.elsewhere[EAST:]
    dora[:KINDS] = np.bincount(at.dora, minlength=KINDS)
    yakuhai[list(at.yakuhai)] = 1
    of_suit[:EAST] = np.repeat(hand[:EAST].reshape(-1, _RANKS).sum(axis=1) / _SUIT_TILES, _RANKS)
    around = of_kind[:3, _AROUND[kinds]]
    return np.column_stack((_FROM_EDGE[kinds], *around, of_kind[3:, kinds].T))


SURROUNDINGS = (
    *(f"rank {place + 1} from the edge" for place in range(_MIDDLE + 1)),
    *(f"copies at {offset:+d}" for offset in _OFFSETS),
    *(f"unseen copies at {offset:+d}" for offset in _OFFSETS),
    *(f"dora at {offset:+d}" for offset in _OFFSETS),
    "yakuhai",
    "copies of an honour seen",
    "tiles of the suit",
)
"""Names of the inputs of a discard; of any other action they are 0."""

INPUTS = (*CONTEXT, *SURROUNDINGS)


def inputs(situation: Situation, options: Sequence[Option]) -> Floats:
    """The inputs of the actions of one decision, (n, inputs)."""
    table = np.empty((len(options), len(INPUTS)))
    table[:, : len(CONTEXT)] = [*_context(situation, options)]
    table[:, len(CONTEXT) :] = _surroundings(situation, options)
    return table
