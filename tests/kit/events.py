"""What of a game is equal in several formats: without ids of tiles, or without some details."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import Any

from houjuu.game.events import Deal, DrawnRound, DrawReason, Event, Game, Meld, Win
from houjuu.game.tiles import mjai_name

_ONE = ("tile", "indicator", "dora_indicator", "called", "added")
_MANY = ("tiles", "hand", "dora_indicators", "ura_indicators")


def ends(game: Game) -> list[Win | DrawnRound]:
    """The wins and draws of a game."""
    return [event for event in game if isinstance(event, (Win, DrawnRound))]


def outcomes(game: Game) -> list[Win | DrawnRound]:
    """The wins and draws of a game, with the details that follow in every dialect."""
    return [_outcome(end) for end in ends(game)]


def _outcome(end: Win | DrawnRound) -> Win | DrawnRound:
    if isinstance(end, DrawnRound):
        return replace(end, hands=(None,) * 4, scores=None)
    plain: Any = {"hand": (), "melds": (), "dora_indicators": (), "ura_indicators": ()}
    nobody = end.liable in (end.seat, end.source)
    return replace(
        end,
        **plain,
        tile=0,
        fu=0 if end.yakuman else end.fu,
        yaku=tuple(sorted(pair for pair in end.yaku if pair[1])),
        scores=None,
        liable=None if nobody else end.liable,
    )


def content(game: Game) -> list[tuple[Any, ...]]:
    """The named events of a game, with the details that tenhou.net/6 has."""
    return named(replace(game, events=tuple(map(_in_tenhou6, game))))


def _in_tenhou6(event: Event) -> Event:
    match event:
        case Deal():
            return replace(event, dice=None)
        case Win():
            ura = event.ura_indicators or ()
            return replace(event, yaku=tuple(sorted(event.yaku)), ura_indicators=ura)
        case DrawnRound(DrawReason.NAGASHI_MANGAN | DrawReason.THREE_RON):
            return replace(event, hands=(None,) * 4)  # tenpai hands without payments, winners
    return event


def named(game: Game) -> list[tuple[Any, ...]]:
    """The events of a game; what every format keeps of a tile is its name."""
    return [_named(event, game.rules.red_fives) for event in game.events]


def _named(thing: Event | Meld, red_fives: bool) -> tuple[Any, ...]:
    def name(tile: int) -> str:
        return mjai_name(tile, red_fives=red_fives)

    values: list[Any] = [type(thing).__name__]
    for field in dataclasses.fields(thing):
        value = getattr(thing, field.name)
        if field.name in _ONE and value is not None:
            value = name(value)
        elif field.name in _MANY and value is not None:
            value = [*map(name, value)]
        elif field.name == "hands":
            value = [None if hand is None else [*map(name, hand)] for hand in value]
        elif field.name == "meld":
            value = _named(value, red_fives)
        elif field.name == "melds":
            value = [_named(meld, red_fives) for meld in value]
        values.append(value)
    return tuple(values)
