"""Rows for the model of final ranks: the scores at the start of a round, and how the game ended.

A row is a round dealt. Games without final scores are left out, and rounds in which a player is
away count: the scores are those of the table, whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from features import schema
from features.columns import ints
from features.schema import Column
from houjuu.game import game_end
from houjuu.game.events import SEATS, Deal, Game
from houjuu.player.values.final_ranks import RoundStarts
from houjuu.util.arrays import Ints

FINAL_RANKS = (
    schema.KEY[0],
    Column("hanchan", "bool", "False for an East-only game", "the log"),
    Column("round", "int8", "0 for East 1, 4 for South 1", "the log"),
    Column("honba", "int16", "honba", "the log"),
    Column("riichi_sticks", "int8", "riichi sticks on the table", "the log"),
    *(
        Column(f"score_{seat}", "int32", f"points of seat {seat}, 0 the first dealer", "the log")
        for seat in range(SEATS)
    ),
    *(
        Column(f"rank_{seat}", "int8", f"0–3, final rank of seat {seat}", "label: the log")
        for seat in range(SEATS)
    ),
)
"""A row per round dealt."""

_COLUMNS = schema.names(FINAL_RANKS)
_SCORES = schema.names(FINAL_RANKS, "score_")
_RANKS = schema.names(FINAL_RANKS, "rank_")


def rows(games: Iterable[Game]) -> pd.DataFrame:
    """Rows of some games, as `FINAL_RANKS`."""
    table = [(game.id, *row) for game in games for row in _game_rows(game)]
    return schema.check(pd.DataFrame(table, columns=_COLUMNS), FINAL_RANKS)


def _game_rows(game: Game) -> Iterator[tuple[int, ...]]:
    if game.final is None:
        return
    ranks = game_end.ranks([score for score, _ in game.final]).tolist()
    for event in game:
        if isinstance(event, Deal) and event.scores is not None:
            start = (event.round, event.honba, event.riichi_sticks)
            yield (game.rules.hanchan, *start, *event.scores, *ranks)


def round_starts(rows: pd.DataFrame) -> RoundStarts:
    """Rows as the model takes them."""
    names = ("hanchan", "round", "honba", "riichi_sticks")
    hanchan, round, honba, sticks = (ints(rows, name) for name in names)
    scores = ints(rows, _SCORES)
    return RoundStarts(
        hanchan=hanchan, round=round, honba=honba, riichi_sticks=sticks, scores=scores
    )


def ranks(rows: pd.DataFrame) -> Ints:
    """The final ranks of rows by seat, (n, 4)."""
    return ints(rows, _RANKS)
