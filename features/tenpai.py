"""Rows for the tenpai regressions: a row per decision and opponent not in riichi.

The numbers are those that `houjuu.tenpai` asks `houjuu.reading` for when a bot queries it; the
labels are read from the full table here, and nowhere else. Left out are the decisions that are none
(of a seat in riichi, of a player who has dropped out) and opponents who were away in this round,
whose automatic discards say nothing of their hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd
from riichienv import calculate_shanten

from features import schema
from features.replay import decisions
from houjuu import reading, tenpai
from houjuu.events import Game
from houjuu.table import Seat, Table
from houjuu.tiles import HONOURS, SUIT

_NUMBERS = schema.names(schema.TENPAI)[1:]  # all but the game's id
Row = tuple[int, ...]

TYPE1 = {
    s: (f"run_{s}", f"run_last_{s}", f"honour_before_{s}", f"suit_before_{s}") for s in schema.SUITS
}
TYPE2 = {s: (f"honours_{s}", f"kinds_{s}") for s in schema.SUITS}
TYPE3 = ("tedashi", "tedashi_after_riichi", "yaochu_kinds", "simple_kinds")
"""The columns of each type of regression, by suit where there is one."""


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """The rows of some games, in the order in which they were played, as `schema.TENPAI`."""
    numbers: list[Row] = []
    of_game: list[int] = []
    ids: list[str] = []
    for game in games:
        numbers.extend(_game(game))
        of_game.extend([len(ids)] * (len(numbers) - len(of_game)))
        ids.append(game.id)
    table = np.array(numbers, dtype=np.int16).reshape(-1, len(_NUMBERS))
    frame = pd.DataFrame(table, columns=_NUMBERS)
    frame["game"] = pd.Categorical([ids[position] for position in of_game])
    return schema.check(frame, schema.TENPAI)


def _game(game: Game) -> Iterator[Row]:
    known: dict[int, tuple[Seat, Row]] = {}
    for table, index, discard in decisions(game):
        for row in _decision(table, discard.seat, known):
            yield (index, *row)


def _decision(table: Table, who: int, known: dict[int, tuple[Seat, Row]]) -> Iterator[Row]:
    """Yield a row per opponent; `known` keeps what a seat showed until it acts again."""
    decider = table.seats[who]
    for opponent in table.view(who).opponents:
        if opponent.in_riichi or opponent.was_away:
            continue
        kept = known.get(opponent.seat)
        if kept is None or kept[0] is not opponent:
            kept = opponent, state(opponent, table.ledger.hands[opponent.seat])
            known[opponent.seat] = kept
        yield (who, len(decider.river), opponent.seat, *kept[1])


def state(seat: Seat, hand: list[int]) -> Row:
    """What a seat has shown and the labels of its hidden hand, in the order of the schema."""
    allowed = reading.allowed_colours(seat)
    return (
        seat.open_melds,
        len(seat.melds),
        len(seat.river),
        *(suit in allowed for suit in range(3)),
        *(number for suit in range(3) for number in tenpai.type1(seat, suit)),
        *(number for suit in range(3) for number in tenpai.type2(seat, suit)),
        *tenpai.type3(seat),
        calculate_shanten(hand) == 0,
        *(_within(seat, hand, suit) for suit in range(3)),
    )


def _within(seat: Seat, hand: list[int], suit: int) -> bool:
    tiles = [*hand, *(meld.tiles[0] for meld in seat.melds)]
    return all(SUIT[tile >> 2] in (suit, HONOURS) for tile in tiles)


def shown(rows: pd.DataFrame) -> tenpai.Shown:
    """The rows as the runtime model reads them."""
    suits = schema.SUITS

    def numbers(columns: list[str], *shape: int) -> tenpai.Floats:
        return rows[columns].to_numpy(dtype=float).reshape(-1, *shape)

    return tenpai.Shown(
        type1=numbers([c for s in suits for c in TYPE1[s]], 3, 4),
        type2=numbers([c for s in suits for c in TYPE2[s]], 3, 2),
        type3=numbers(list(TYPE3), 4),
        allowed=rows[[f"allowed_{s}" for s in suits]].to_numpy(dtype=bool),
        melds=rows["melds"].to_numpy(dtype=np.int64),
        sets=rows["sets"].to_numpy(dtype=np.int64),
        discards=rows["discards"].to_numpy(dtype=np.int64),
    )
