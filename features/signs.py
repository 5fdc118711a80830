"""Rows for the tenpai regression of the model "houjuu": the signs of opponents, and the truth.

A row is an opponent not in riichi in the eyes of the first seat to decide after it acted: until it
acts again its hand is the same. Left out are opponents who were away or have four sets on the
table, and decisions that are none, as in `features.tenpai`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from riichienv import calculate_shanten

from features import schema
from features.replay import decisions
from houjuu import signs
from houjuu.events import Game
from houjuu.table import Seat, Table

_NUMBERS = schema.names(schema.SIGNS)[1:]  # all but the game's id
FOUR_SETS = 4
Row = tuple[int, ...]


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """The rows of some games, in the order in which they were played, as `schema.SIGNS`."""
    numbers: list[Row] = []
    ids: list[str] = []
    for game in games:
        numbers.extend(_game(game))
        ids += [game.id] * (len(numbers) - len(ids))
    table = np.array(numbers, dtype=np.int16).reshape(-1, len(_NUMBERS))
    frame = pd.DataFrame(table, columns=_NUMBERS)
    frame["game"] = pd.Categorical(ids)
    return schema.check(frame, schema.SIGNS)


def _game(game: Game) -> Iterator[Row]:
    met: dict[int, Seat] = {}
    for table, index, discard in decisions(game):
        for row in _decision(table, discard.seat, met):
            yield (index, *row)


def _decision(table: Table, who: int, met: dict[int, Seat]) -> Iterator[Row]:
    decider = table.seats[who]
    view = table.view(who)
    for opponent in view.opponents:
        of = opponent.seat
        if met.get(of) is opponent or opponent.in_riichi or opponent.was_away:
            continue
        met[of] = opponent
        if len(opponent.melds) < FOUR_SETS:
            tenpai = calculate_shanten(table.ledger.hands[of]) == 0
            key = who, len(decider.river), of, opponent.open_melds
            yield (*key, *signs.read(view, opponent), tenpai)


def numbers(rows: pd.DataFrame) -> signs.Ints:
    """The signs of rows as the runtime model reads them, (m, n)."""
    return rows[[sign.name for sign in signs.SIGNS]].to_numpy(dtype=np.int64)
