"""Features of the model of unseen tiles: those of the wait models, and a few more.

The numbers of `houjuu.reading.wait_features` come first, so that a query that has them already
appends the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from houjuu.game.tiles import KINDS
from houjuu.reading import wait_features
from houjuu.reading.opponent import OpponentContext, OpponentType
from houjuu.reading.wait_features import (
    BY_KIND,
    BY_SUIT,
    GLOBAL,
    NO_SUIT,
    FeatureLayout,
    GlobalFeature,
)
from houjuu.util.arrays import Int8s

_TYPE_CODES = {opponent_type: code for code, opponent_type in enumerate(OpponentType)}
_TURNS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 10, 11)
"""Code of the turn by the number of discards; more count as the last."""


def type_code(context: OpponentContext) -> int:
    """0–5, the type of the opponent in the order of `OpponentType`."""
    return _TYPE_CODES[context.opponent_type]


def turn_code(context: OpponentContext) -> int:
    """0–11, the number of discards: each up to 7, then two or three together."""
    return _TURNS[min(len(context.seat.river), len(_TURNS) - 1)]


def was_away(context: OpponentContext) -> int:
    """0/1, the player was disconnected in this round."""
    return int(context.seat.was_away)


def _global(extract: Callable[[OpponentContext], int], size: int) -> GlobalFeature:
    unit = (extract.__doc__ or "").splitlines()[0].rstrip(".")
    return GlobalFeature(extract.__name__, size, unit, extract)


MORE = (_global(type_code, 6), _global(turn_code, 12), _global(was_away, 2))
"""The global features that the wait models lack."""

LAYOUT = FeatureLayout((BY_KIND, KINDS + 1), (BY_SUIT, NO_SUIT + 1), ((*GLOBAL, *MORE), 1))
LENGTH = LAYOUT.length


def extract(contexts: Sequence[OpponentContext]) -> Int8s:
    """All features of n opponents, (n, LENGTH), each from 0 up to its size."""
    of_waits = np.array([wait_features.extract(context) for context in contexts])
    more = np.array([[one.extract(context) for one in MORE] for context in contexts], np.int8)
    return np.concatenate([of_waits, more], axis=1)
