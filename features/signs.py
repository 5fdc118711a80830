"""Rows for the tenpai regression of the model "houjuu": the signs of opponents, and the truth.

A row is an opponent not in riichi in the eyes of a seat that decides: of each decision one
opponent, the three in turn, which meets every turn of an opponent about once, and it as often just
after it acted as just before it acts again. Left out are opponents who were away or have four sets
on the table, and decisions that are none, as in `features.tenpai`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from riichienv import calculate_shanten

from features import schema
from features.replay import decisions
from houjuu import signs
from houjuu.cases import cases
from houjuu.events import Game

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
    for made, (table, index, discard) in enumerate(decisions(game)):
        view = table.view(discard.seat)
        opponent = view.opponents[made % len(view.opponents)]
        if not (opponent.in_riichi or opponent.was_away or len(opponent.melds) >= FOUR_SETS):
            tenpai = calculate_shanten(table.ledger.hands[opponent.seat]) == 0
            key = index, discard.seat, len(table.seats[discard.seat].river)
            case = opponent.seat, opponent.open_melds
            yield (*key, *case, *signs.read(*cases(view, [opponent])), tenpai)


def numbers(rows: pd.DataFrame) -> signs.Ints:
    """The signs of rows as the runtime model reads them, (m, n)."""
    return rows[[sign.name for sign in signs.SIGNS]].to_numpy(dtype=np.int64)
