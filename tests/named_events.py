"""Events with tile names instead of ids, to compare formats without ids."""

from __future__ import annotations

import dataclasses
from typing import Any

from houjuu.game.events import Away, Back, Event, Game, Meld
from houjuu.game.tiles import mjai_name

_ONE = ("tile", "indicator", "dora_indicator", "called", "added")
_MANY = ("tiles", "hand", "dora_indicators", "ura_indicators")


def named(game: Game) -> list[tuple[Any, ...]]:
    """The events of a game without Away and Back, which only mjlog has."""
    comparable = (event for event in game.events if not isinstance(event, (Away, Back)))
    return [_named(event, game.rules.red_fives) for event in comparable]


def _named(thing: Event | Meld, red_fives: bool) -> tuple[Any, ...]:
    def name(tile: int) -> str:
        return mjai_name(tile, red_fives=red_fives)

    values: list[Any] = [type(thing).__name__]
    for field in dataclasses.fields(thing):
        value = getattr(thing, field.name)
        if field.name in _ONE and value is not None:
            value = name(value)
        elif field.name in _MANY and value is not None:
            value = sorted(map(name, value))
        elif field.name == "hands":
            value = [None if hand is None else sorted(map(name, hand)) for hand in value]
        elif field.name == "meld":
            value = _named(value, red_fives)
        elif field.name == "melds":
            value = sorted(str(_named(meld, red_fives)) for meld in value)
        values.append(value)
    return tuple(values)
