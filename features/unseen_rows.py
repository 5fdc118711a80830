"""Rows for the model of unseen tiles: views just before a draw, and where the tiles are.

Each seat has at most one row in each round: the view before its n-th draw. The number n is chosen
at random by the id of the game before the round begins, and a seat with fewer draws has no row. So
nothing that happens later selects the view, and the next draw is a sample of the wall. A random one
of the draws that a seat has made would not be: a winning draw ends the round, and would be chosen
too often. Rounds in which the log hides a hand make no row.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features import schema
from features.schema import KEY, TILES_LEFT, Column
from houjuu.game.events import SEATS, Deal, Draw, Game
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, KINDS, kind_counts
from houjuu.hands.shanten import shanten, useful
from houjuu.reading import unseen_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.risk.unseen import LOCATIONS, OPPONENTS, WALL
from houjuu.util.arrays import Int8s

_MOST_DRAWS = 18
_SOURCE = "houjuu/reading/unseen_features.py"

UNSEEN = (
    *KEY,
    TILES_LEFT,
    Column("features", "object", "bytes of (3, LENGTH) features, right to left", _SOURCE),
    Column("own_shanten", "int8", "0–6, the shanten of the seat's own hand", "the table"),
    Column("useful_mask", "int64", "bit h: a draw of kind h lowers it, or wins", "the table"),
    Column("copies", "object", "bytes of (4, 34) copies: three hands, wall", "label: full table"),
    Column("drawn", "int8", "0–33, the kind that the seat draws next", "label: the log"),
)
"""A row per seat and round at most: a view just before a draw."""

_COLUMNS = schema.names(UNSEEN)


class _SampledDraw(NamedTuple):
    """A view, all hands by absolute seat, and the tile that the seat draws next."""

    deal: int
    view: View
    hands: list[list[int]]
    tile: int


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, as `UNSEEN`."""
    table = [(game.id, *row) for game in games for row in _game_rows(game)]
    return schema.check(pd.DataFrame(table, columns=_COLUMNS), UNSEEN)


def feature_array(rows: pd.DataFrame) -> Int8s:
    """The features of rows, (n, 3, LENGTH)."""
    flat = np.frombuffer(b"".join(rows["features"]), np.int8)
    return flat.reshape(-1, OPPONENTS, unseen_features.LENGTH)


def copy_array(rows: pd.DataFrame) -> Int8s:
    """Copies of each kind in each location, (n, 4, 34)."""
    return np.frombuffer(b"".join(rows["copies"]), np.int8).reshape(-1, LOCATIONS, KINDS)


def _game_rows(game: Game) -> Iterator[tuple[Any, ...]]:
    for drawn in _draw(game):
        view = drawn.view
        kinds = [KIND[tile] for tile in view.hand]
        contexts = opponent_contexts(view, view.opponents)
        yield (
            *(drawn.deal, view.seat, len(view.seats[view.seat].river), view.tiles_left),
            unseen_features.extract(contexts).tobytes(),
            shanten(kinds),
            sum(1 << kind for kind in useful(kinds)),
            _copies(drawn).tobytes(),
            KIND[drawn.tile],
        )


def _copies(drawn: _SampledDraw) -> Int8s:
    """True copies of each kind in each location, (4, 34)."""
    copies = np.zeros((LOCATIONS, KINDS), np.int8)
    copies[WALL] = drawn.view.unseen()
    for location, opponent in enumerate(drawn.view.opponents):
        copies[location] = kind_counts(drawn.hands[opponent.seat])
        copies[WALL] -= copies[location]
    return copies


def _draw(game: Game) -> Iterator[_SampledDraw]:
    """Yield the view before one draw of each seat in each round."""
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    table = Table(game.rules)
    deal = -1
    draws_before = [0] * SEATS
    for event in game:
        if isinstance(event, Deal):
            deal += 1
            draws_before = rng.integers(_MOST_DRAWS, size=SEATS).tolist()
        elif isinstance(event, Draw):
            seat, tile = event.seat, event.tile
            if draws_before[seat] == 0 and tile is not None and all(table.round_state.hands):
                hands = [list(hand) for hand in table.round_state.hands]
                yield _SampledDraw(deal, table.view(seat), hands, tile)
            draws_before[seat] -= 1
        table.apply(event)
