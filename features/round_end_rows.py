"""Rows for the models of the round's end: a state after a discard, and how the round ended.

Every discard that leaves a tenpai hand makes a row, and of the others one of several; which one
depends on the round, the seat and the turn. A discard that deals in makes none, because the states
are those after it has passed. Aborted rounds and 流し満貫 make none either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from features import schema
from features.columns import floats
from features.schema import Column
from houjuu.estimators.protocol import Estimator
from houjuu.game.decisions import Follower
from houjuu.game.events import SEATS, Deal, DrawnRound, DrawReason, Game, Win
from houjuu.game.payments import BASE_FACTOR
from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten
from houjuu.player.round_end.endings import DRAW, ending, size
from houjuu.player.states import FIELDS, WIDTHS, States
from houjuu.player.view_states import DecisionContext, HandsLeft

_SOURCE = "houjuu/player/states.py"
_FIELDS = {
    field: [f"{field}_{i}" for i in range(WIDTHS[field])] if field in WIDTHS else [field]
    for field in FIELDS
}
"""The columns of each field: one, or one for each opponent or score."""

ROUND_ENDS = (
    *schema.KEY,
    *(
        Column(name, "float32", "as its source explains", _SOURCE)
        for names in _FIELDS.values()
        for name in names
    ),
    Column("ending", "int8", "0–16, an index of `endings`", "label: the log"),
    Column("size", "int8", "0–7, of a win, an index of `SIZES`; else -1", "label: the log"),
    Column("base_points", "int16", "base points of a win (基本点); else -1", "label: the log"),
    Column("tenpai_at_draw", "int8", "bit i: relative seat i is tenpai; else -1", "label: the log"),
)
"""A row per state that is used."""

_COLUMNS = schema.names(ROUND_ENDS)


class Label(NamedTuple):
    """How a round ended, by absolute seats; `winner` is None at an exhausted draw."""

    winner: int | None
    payer: int
    base: float
    tenpai: tuple[bool, ...]


def rows(games: Iterable[Game], estimator: Estimator, stride: int) -> pd.DataFrame:
    """Rows of some games, as `ROUND_ENDS`.

    Parameters
    ----------
    games : iterable of Game
    estimator : Estimator
        For P(tenpai) of the opponents, and the copies in the wall.
    stride : int
        Every n-th discard that does not leave tenpai is used.
    """
    table = [(game.id, *row) for game in games for row in _game_rows(game, estimator, stride)]
    return schema.check(pd.DataFrame(table, columns=_COLUMNS), ROUND_ENDS)


def state_arrays(rows: pd.DataFrame) -> States:
    """The states of rows as the models take them."""
    return States.from_fields(
        {
            field: floats(rows, columns if field in WIDTHS else field)
            for field, columns in _FIELDS.items()
        }
    )


def _game_rows(game: Game, estimator: Estimator, stride: int) -> Iterator[tuple[float, ...]]:
    labels = _labels(game)
    for decision in Follower(game).discards():
        label = labels.get(decision.round)
        if label is None or decision.rons:
            continue
        view = decision.view
        tiles = [tile for tile in view.hand if tile != decision.discard]
        if sum(decision.key) % stride and shanten([KIND[tile] for tile in tiles]) > 0:
            continue
        hands = HandsLeft([tiles], [decision.discard])
        weights = estimator.unseen(view).wall_weights
        state = DecisionContext(view, estimator.tenpai(view), weights).states(hands)
        numbers = np.concatenate([*map(np.ravel, state.fields().values())]).tolist()
        yield (*decision.key, *numbers, *_relative(label, decision.seat))


def _relative(label: Label, seat: int) -> tuple[int, int, int, int]:
    """The last four columns."""
    if label.winner is None:
        tenpai = [label.tenpai[(seat + i) % SEATS] for i in range(SEATS)]
        return DRAW, -1, -1, sum(ready << i for i, ready in enumerate(tenpai))
    winner = (label.winner - seat) % SEATS
    payer = (label.payer - seat) % SEATS
    return ending(winner, payer), size(label.base), round(label.base), -1


def _labels(game: Game) -> dict[int, Label]:
    """How each round ended, where that is known, by index of the deal."""
    labels: dict[int, Label] = {}
    ended: set[int] = set()
    index = -1
    dealer = 0
    for event in game:
        if isinstance(event, Deal):
            index = index + 1
            dealer = event.dealer
        elif isinstance(event, Win) and index not in ended:
            ended.add(index)  # by its first winner
            if event.points is not None:
                base = event.points / BASE_FACTOR[event.seat == dealer]
                labels[index] = Label(event.seat, event.source, base, ())
        elif (
            isinstance(event, DrawnRound)
            and event.reason is DrawReason.EXHAUSTED
            and None not in event.tenpai
        ):
            labels[index] = Label(None, -1, 0.0, tuple(map(bool, event.tenpai)))
    return labels
