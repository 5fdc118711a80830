"""Rows for the tenpai GAM: features of opponents, and whether they are tenpai.

Each decision samples one opponent not in riichi, cycling through the three: each turn of an
opponent appears about once, equally often early and late before its next discard. Opponents who
were away or have four melds are left out, and forced discards (`houjuu.game.decisions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import pandas as pd

from features import schema
from features.columns import ints, whole_numbers
from features.schema.tenpai import TENPAI
from houjuu.game.decisions import Follower
from houjuu.game.events import Game
from houjuu.game.table import View
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.reading import discard_sequence, tenpai_features
from houjuu.reading.discard_sequence import Codes
from houjuu.reading.opponent import opponent_contexts
from houjuu.util.arrays import Ints

_NUMBERS = schema.names(TENPAI)[1:-1]  # all but the game's id and the codes
_OPPONENT = _NUMBERS.index("opponent")
FOUR_MELDS = 4
OPPONENTS = 3
Row = tuple[int, ...]


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, in the order of play, as `TENPAI`."""
    codes: list[bytes] = []

    def numbers(game: Game) -> Iterator[Row]:
        for row, of_discards in _game_rows(game):
            codes.append(of_discards.tobytes())
            yield row

    frame = whole_numbers(games, numbers, _NUMBERS)
    return schema.check(frame.assign(discard_codes=codes), TENPAI)


def _game_rows(game: Game) -> Iterator[tuple[Row, Codes]]:
    """Yield the rows; the codes of a round are computed once, since later events change none."""
    for _, of_round in groupby(_opponent_rows(game), lambda row: row[1][0]):
        rows = list(of_round)
        view = rows[-1][0]
        all_codes = discard_sequence.discard_codes(view)
        for view, row in rows:
            opponent = row[_OPPONENT]
            yield row, all_codes[opponent][: len(view.seats[opponent].river)]


def _opponent_rows(game: Game) -> Iterator[tuple[View, Row]]:
    follower = Follower(game)
    table = follower.table
    for number, (round, seat, turn, _) in enumerate(follower.turns()):
        opponent = table.opponents(seat)[number % OPPONENTS]
        if opponent.in_riichi or opponent.was_away or len(opponent.melds) >= FOUR_MELDS:
            continue
        true_shanten = shanten_of_tiles(tuple(table.round_state.hands[opponent.seat]))
        view = table.view(seat)
        (context,) = opponent_contexts(view, [opponent])
        yield (
            view,
            (
                *(round, seat, turn, opponent.seat, opponent.n_open_melds),
                *tenpai_features.extract(context),
                *(true_shanten == 0, true_shanten),
            ),
        )


def feature_matrix(rows: pd.DataFrame) -> Ints:
    """The features of rows as the runtime model takes them, (m, n)."""
    return ints(rows, [*tenpai_features.NAMES])


def codes_of_rows(rows: pd.DataFrame) -> list[Codes]:
    """The codes of the discards of the opponent of every row, in order, (d, f) each."""
    return [discard_sequence.from_bytes(codes) for codes in rows["discard_codes"]]
