"""Rows for how much closed hands win: the evidence before the discard, the tile, han and fu.

A row is a ron by a player without open melds; a red five counts as any five.
Left out are those of players who were away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from features import schema
from features.decisions import read_as
from houjuu import evidence, signs
from houjuu.events import Deal, Discard, Game, Win
from houjuu.hands.points import YAKUMAN_HAN
from houjuu.table import Table, View
from houjuu.tiles import COPIES, RED_FIVES

_COLUMNS = schema.names(schema.WINS)


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """The rows of some games, as `schema.WINS`."""
    found = [(game.id, *row) for game in games for row in _game(game)]
    return schema.check(pd.DataFrame(found, columns=_COLUMNS), schema.WINS)


def _game(game: Game) -> Iterator[tuple[Any, ...]]:
    table, index = Table(game.rules), -1
    before: View | None = None
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Discard):
            before = table.view(event.seat)
        elif isinstance(event, Win) and event.source != event.seat and before is not None:
            winner = before.seats[event.seat]
            if before.seat == event.source and not (winner.open_melds or winner.was_away):
                yield (index, *_row(before, event))
        table.apply(event)


def _row(view: View, win: Win) -> tuple[Any, ...]:
    winner = view.seats[win.seat]
    han = YAKUMAN_HAN if win.yakuman else min(sum(han for _, han in win.yaku), YAKUMAN_HAN)
    if view.rules.red_fives and win.tile in RED_FIVES and not win.yakuman:
        han -= 1
    key = view.seat, len(view.seats[view.seat].river), win.seat
    read = evidence.read(*signs.cases(view, [winner]))
    return (*key, read_as(winner), *read, win.tile // COPIES, han, 0 if win.yakuman else win.fu)
