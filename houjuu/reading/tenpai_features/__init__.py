"""Features of the tenpai GAM: what an opponent shows beyond table 1 of Kurita & Hoki 2017.

A feature is a function of an `OpponentContext`, or of the `River` alone, named by a noun, in one of
the modules here (`houjuu.util.features`). The schema of the rows repeats its unit.
"Middles" are 3 to 7, and a class is one of `houjuu.reading.opponent.RANK_CLASS`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from houjuu.game.seat import SEATS_CACHED, Seat
from houjuu.game.view import View
from houjuu.reading.opponent import OpponentContext, opponent_contexts, river_of
from houjuu.reading.tenpai_features import melds_and_game, river
from houjuu.util.arrays import Ints
from houjuu.util.features import Feature

GROUPS: dict[str, tuple[Feature[Any], ...]] = {
    "its pace": river.PACE,
    "its river": river.RIVER,
    "its last discards": river.LAST_DISCARDS,
    "pushing and folding": melds_and_game.FACING_RIICHI,
    "its melds": melds_and_game.MELDS,
    "the game": melds_and_game.GAME,
}
"""Features by group; explanations and ablations name the groups."""

FEATURES = tuple(one for features in GROUPS.values() for one in features)
"""All features, in the order of the columns of a parameter file."""

NAMES = tuple(one.name for one in FEATURES)
"""Their names."""

_START = [one.without for one in FEATURES]
_OF_RIVER, _OF_CONTEXT, _OF_MELDS, _FACING_RIICHI = (
    [(index, one.compute) for index, one in enumerate(FEATURES) if one.of == of]
    for of in ("river", "", "melds", "riichi")
)


def of_view(view: View) -> Ints:
    """The features of the three opponents of a view, right to left: (3, features), as `NAMES`."""
    contexts = opponent_contexts(view, view.opponents)
    return np.array([extract(context) for context in contexts])


def extract(context: OpponentContext) -> list[int]:
    """Compute all features of an opponent, in the order of `FEATURES`."""
    values = [*_river_values(context.seat)]
    computed = _OF_CONTEXT
    if context.seat.melds:
        computed = computed + _OF_MELDS
    if context.faced is not None:
        computed = computed + _FACING_RIICHI
    for index, compute in computed:
        values[index] = compute(context)
    return values


@lru_cache(maxsize=SEATS_CACHED)
def _river_values(seat: Seat) -> list[int]:
    """The features of the river of a seat, computed once while several seats look at it.

    The others are those of a hand without melds while no other seat is in riichi, or 0.
    """
    of_seat = river_of(seat)
    values = [*_START]
    for index, compute in _OF_RIVER:
        values[index] = compute(of_seat)
    return values
