"""Inputs of the network of preferences, beside the terms of `preference_terms`.

The logit adds up its terms. A network combines them with what all actions of a decision have in
common, which cancels out of a logit, and with the tiles around a discard, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from houjuu.arrays import Floats
from houjuu.player.action_value.decision import ENDS, Option, Situation
from houjuu.player.action_value.discard_terms import DISCARDS, Discards, mean_parts_of_hand
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.tiles import IS_HONOUR, KIND

_RANKS, _MIDDLE = 9, 4
_TILES = 70
_FARTHEST = 4  # shanten
_MOST_DORA = 4
_SETS = 3  # tiles of a meld
_SUIT_TILES = 10
_OFFSETS = range(-3, 4)
"""Ranks around a discarded tile; those above 0 are towards the middle, of a 5 towards the 9."""


def _context(at: Situation, options: Sequence[Option]) -> Iterator[float]:
    hands = [one for one in options if one.type not in ENDS]
    nearest = min((one.shanten for one in hands), default=0.0)
    of_hand, own = Discards(at), at.own
    yield from (float(at.facing_riichi), at.tenpai, at.tiles_left / _TILES)
    yield from (float(min(nearest, _FARTHEST) == shanten) for shanten in range(_FARTHEST + 1))
    yield from (float(at.closed), float(at.was_tenpai), float(at.dealer))
    yield float(min(at.red_fives + sum(own[kind] for kind in at.dora), _MOST_DORA))
    yield from (float(of_hand.pairs), float(of_hand.outer), float(of_hand.flush))
    yield log(max((one.win for one in hands), default=0.0) + 0.01)
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


def _surroundings(at: Situation, unseen: Sequence[int], option: Option) -> Iterator[float]:
    if option.discard is None or option.type not in DISCARDS:
        yield from (0.0,) * len(SURROUNDINGS)
        return
    kind = KIND[option.discard]
    honour = IS_HONOUR[kind]
    first, rank = kind - kind % _RANKS, kind % _RANKS
    from_edge = -1 if honour else min(rank, _RANKS - 1 - rank)
    yield from (float(from_edge == place) for place in range(_MIDDLE + 1))
    ranks = [rank + offset * (1 if rank <= _MIDDLE else -1) for offset in _OFFSETS]
    kinds = [first + other if 0 <= other < _RANKS else None for other in ranks]
    if honour:
        kinds = [None if offset else kind for offset in _OFFSETS]
    yield from (0.0 if other is None else float(at.hand[other]) for other in kinds)
    yield from (0.0 if other is None else float(unseen[other]) for other in kinds)
    yield from (0.0 if other is None else float(at.dora.count(other)) for other in kinds)
    yield float(kind in at.yakuhai)
    yield float(at.elsewhere[kind] if honour else 0)
    yield 0.0 if honour else sum(at.hand[first : first + _RANKS]) / _SUIT_TILES


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
    unseen, table = situation.unseen, np.empty((len(options), len(INPUTS)))
    table[:, : len(CONTEXT)] = [*_context(situation, options)]
    table[:, len(CONTEXT) :] = [[*_surroundings(situation, unseen, one)] for one in options]
    return table
