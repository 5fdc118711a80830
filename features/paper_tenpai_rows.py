"""Rows for the tenpai model of the paper: one per decision and opponent not in riichi.

The features are those that the runtime computes for a query (`houjuu.reading.table1`); the labels
come from the full table here. Forced discards are left out (`houjuu.game.decisions`), and
so are opponents who were away in the round, whose automatic discards contain no information.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import pandas as pd

from features import schema
from features.columns import whole_numbers
from features.schema.paper import PAPER_TENPAI
from houjuu.game.decisions import Follower
from houjuu.game.events import Game
from houjuu.game.table import Seat, Table
from houjuu.game.tiles import HONOURS, KIND, SUIT
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.reading.table1 import allowed_colours, type1, type2, type3

_NUMBERS = schema.names(PAPER_TENPAI)[1:]  # all but the game's id
Row = tuple[int, ...]


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, in the order of play, as `PAPER_TENPAI`."""
    return schema.check(whole_numbers(games, _game_rows, _NUMBERS), PAPER_TENPAI)


def _game_rows(game: Game) -> Iterator[Row]:
    cache: dict[int, tuple[Seat, Row]] = {}
    follower = Follower(game)
    for round, seat, *_ in follower.turns():
        for row in _decision_rows(follower.table, seat, cache):
            yield (round, *row)


def _decision_rows(table: Table, decider: int, cache: dict[int, tuple[Seat, Row]]) -> Iterator[Row]:
    """Yield a row per opponent; the cache has the state of a seat until it acts again."""
    turn = len(table.seats[decider].river)
    tiles_left = table.round_state.tiles_left
    for opponent in table.opponents(decider):
        if opponent.in_riichi or opponent.was_away:
            continue
        cached = cache.get(opponent.seat)
        if cached is None or cached[0] is not opponent:
            cached = opponent, opponent_row(opponent, table.round_state.hands[opponent.seat])
            cache[opponent.seat] = cached
        yield (decider, turn, opponent.seat, tiles_left, *cached[1])


def opponent_row(seat: Seat, hand: list[int]) -> Row:
    """Features of a seat and labels of its hidden hand, in the order of the schema."""
    allowed = allowed_colours(seat)
    suits = {SUIT[KIND[tile]] for tile in [*hand, *[meld.tiles[0] for meld in seat.melds]]}
    return (
        seat.n_open_melds,
        len(seat.melds),
        len(seat.river),
        *[suit in allowed for suit in range(3)],
        *chain(*type1(seat)),
        *chain(*type2(seat)),
        *type3(seat),
        shanten_of_tiles(tuple(hand)) == 0,
        *[suits <= {suit, HONOURS} for suit in range(3)],
    )
