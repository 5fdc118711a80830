"""Rows for how much hands win: the evidence before the discard, the tile, han and fu.

A row is a ron; a red five counts as any five. Left out are those of players who were away.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from features import schema
from features.decisions import read_as
from features.situations import scores_of_shapes
from houjuu import evidence, han
from houjuu.cases import cases
from houjuu.estimator import Estimator
from houjuu.events import Deal, Discard, Game, Win
from houjuu.hands.points import YAKUMAN_HAN
from houjuu.melded import Kept
from houjuu.table import Seat, Table, View
from houjuu.tiles import COPIES, RED_FIVES

_COLUMNS = schema.names(schema.WINS)
_NO_HAN = np.zeros(YAKUMAN_HAN, np.float32)


def rows(
    games: Iterable[Game], estimator: Estimator, classes: Container[str] = schema.READ_AS
) -> pd.DataFrame:
    """The rows of some games, as `schema.WINS`; arguments as of `features.situations.rows`."""
    found = [(game.id, *row) for game in games for row in _game(game, estimator, classes)]
    return schema.check(pd.DataFrame(found, columns=_COLUMNS), schema.WINS)


def _game(game: Game, estimator: Estimator, classes: Container[str]) -> Iterator[tuple[Any, ...]]:
    table, index = Table(game.rules), -1
    before: View | None = None
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Discard):
            before = table.view(event.seat)
        elif isinstance(event, Win) and event.source != event.seat and before is not None:
            winner = before.seats[event.seat]
            wanted = read_as(winner) in classes and not winner.was_away
            if before.seat == event.source and wanted:
                yield (index, *_row(before, event, estimator))
        table.apply(event)


def _row(view: View, win: Win, estimator: Estimator) -> tuple[Any, ...]:
    winner, tile = view.seats[win.seat], win.tile // COPIES
    told = YAKUMAN_HAN if win.yakuman else min(sum(han for _, han in win.yaku), YAKUMAN_HAN)
    if view.rules.red_fives and win.tile in RED_FIVES and not win.yakuman:
        told -= 1
    return (
        *(view.seat, len(view.seats[view.seat].river), win.seat),
        read_as(winner),
        *evidence.read(*cases(view, [winner])),
        *_han_of_shapes(view, winner, tile, estimator),
        *(tile, told, 0 if win.yakuman else win.fu),
    )


def _han_of_shapes(view: View, winner: Seat, tile: int, estimator: Estimator) -> Any:
    """P(han | wins on the tile) by the hands that the unseen tiles allow, (13,); 0 closed."""
    if not winner.open_melds:
        return _NO_HAN
    chances = han.of_codes(scores_of_shapes(view, winner, estimator, Kept()))[tile]
    return chances / chances.sum() if chances.any() else _NO_HAN
