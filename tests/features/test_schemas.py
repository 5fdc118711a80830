"""Every table of rows keeps to its schema, and has a row once."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

pytest.importorskip("riichienv", reason="some rows need it")

import houjuu
from docs.hooks import TABLES
from features import (
    action_rows,
    final_rank_rows,
    paper_tenpai_rows,
    prediction_rows,
    ron_score_rows,
    round_end_rows,
    schema,
    tenpai_rows,
    unseen_rows,
    wait_rows,
    yaku_rows,
)
from houjuu.estimators.loading import load_once
from houjuu.game.events import Game
from houjuu.player.players import value_player

ROWS: dict[str, Callable[[list[Game]], pd.DataFrame]] = {
    "PAPER_TENPAI": paper_tenpai_rows.rows,
    "PAPER_MELDED": lambda games: wait_rows.rows(games)[1],
    "TENPAI": tenpai_rows.rows,
    "WAITS": lambda games: wait_rows.rows(games)[0],
    "RON_SCORES": ron_score_rows.rows,
    "UNSEEN": unseen_rows.rows,
    "PREDICTIONS": lambda games: prediction_rows.rows(games, [houjuu.load()])[0].predictions,
    "RONS": lambda games: prediction_rows.rows(games, [houjuu.load()])[0].rons,
    "YAKU": lambda games: yaku_rows.rows(games, 3),
    "FINAL_RANKS": final_rank_rows.rows,
    "ROUND_ENDS": lambda games: round_end_rows.rows(games, load_once(), 9),
    "ACTIONS": lambda games: action_rows.rows(games, value_player(load_once()), 50, 20),
}
KEY = [*schema.names(schema.KEY), "honba", "opponent", "kind", "winner", "tiles_left"]


@pytest.mark.parametrize("name", ROWS)
def test_rows_keep_to_their_schema(name: str, own_games: list[Game]) -> None:
    (columns,) = (table.columns for table in TABLES if table.name == name)
    rows = ROWS[name](own_games[:1])
    assert [*rows.columns] == schema.names(columns)
    assert [str(dtype) for dtype in rows.dtypes] == [column.dtype for column in columns]
    assert name == "ACTIONS" or not rows.duplicated([key for key in KEY if key in rows]).any()
    assert len(rows) > 1
    assert ROWS[name]([]).empty
