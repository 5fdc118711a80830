"""Features of the model of unseen tiles: those of the wait models, and a few more.

The numbers of `houjuu.reading.wait_features` come first, so that a query that has them already
appends the others.
"""

from __future__ import annotations

from collections.abc import Sequence

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
)
from houjuu.util.arrays import Int8s
from houjuu.util.features import Feature, feature

_TYPE_CODES = {opponent_type: code for code, opponent_type in enumerate(OpponentType)}
_TURNS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 10, 11)
"""Code of the turn by the number of discards; more count as the last."""


@feature(size=12)
def turn_code(context: OpponentContext) -> int:
    """0–11, the number of discards: each up to 7, then two or three together."""
    return _TURNS[min(len(context.seat.river), len(_TURNS) - 1)]


_row = Feature[OpponentContext].row
MORE = (
    _row(
        "type_code",
        "0–5, the type of the opponent in the order of `OpponentType`",
        lambda context: _TYPE_CODES[context.opponent_type],
        size=6,
    ),
    turn_code,
    _row(
        "was_away",
        "0/1, the player was disconnected in this round",
        lambda context: int(context.seat.was_away),
        size=2,
    ),
)
"""The global features that the wait models lack."""

LAYOUT = FeatureLayout((BY_KIND, KINDS + 1), (BY_SUIT, NO_SUIT + 1), ((*GLOBAL, *MORE), 1))
LENGTH = LAYOUT.length


def extract(contexts: Sequence[OpponentContext]) -> Int8s:
    """All features of n opponents, (n, LENGTH), each from 0 up to its size."""
    of_waits = np.array([wait_features.extract(context) for context in contexts])
    more = np.array([[one.compute(context) for one in MORE] for context in contexts], np.int8)
    return np.concatenate([of_waits, more], axis=1)
