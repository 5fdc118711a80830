"""Rows for the tenpai GAM: features of opponents, and whether they are tenpai.

Each decision samples one opponent not in riichi, cycling through the three: each turn of an
opponent appears about once, equally often early and late before its next discard. Opponents who
were away or have four melds are left out, and discards that are no decisions (`features.replay`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from riichienv import calculate_shanten

from features import schema
from features.replay import decisions
from houjuu.arrays import Ints
from houjuu.events import Game
from houjuu.reading import tenpai_features
from houjuu.reading.opponent import opponent_contexts

_NUMBERS = schema.names(schema.TENPAI)[1:]  # all but the game's id
FOUR_MELDS = 4
Row = tuple[int, ...]


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, in the order of play, as `schema.TENPAI`."""
    numbers: list[Row] = []
    ids: list[str] = []
    for game in games:
        numbers.extend(_game_rows(game))
        ids += [game.id] * (len(numbers) - len(ids))
    table = np.array(numbers, dtype=np.int16).reshape(-1, len(_NUMBERS))
    frame = pd.DataFrame(table, columns=_NUMBERS)
    frame["game"] = pd.Categorical(ids)
    return schema.check(frame, schema.TENPAI)


def _game_rows(game: Game) -> Iterator[Row]:
    for number, (table, index, discard) in enumerate(decisions(game)):
        view = table.view(discard.seat)
        opponent = view.opponents[number % len(view.opponents)]
        if opponent.in_riichi or opponent.was_away or len(opponent.melds) >= FOUR_MELDS:
            continue
        tenpai = calculate_shanten(table.round_state.hands[opponent.seat]) == 0
        (context,) = opponent_contexts(view, [opponent])
        yield (
            *(index, discard.seat, len(table.seats[discard.seat].river)),
            *(opponent.seat, opponent.n_open_melds),
            *tenpai_features.extract(context),
            tenpai,
        )


def feature_matrix(rows: pd.DataFrame) -> Ints:
    """The features of rows as the runtime model takes them, (m, n)."""
    names = [feature.name for feature in tenpai_features.FEATURES]
    return rows[names].to_numpy(dtype=np.int64)
