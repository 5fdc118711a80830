"""Every column of every table of rows: its type, its unit or range, and its source.

This module has the columns that several tables have. A module here has the tables
of a family, so that a stage depends on its own tables alone. Rows are keyed by `KEY`. "K&H" is
Kurita & Hoki 2017; "type 1", "type 2" and "type 3" are those of its table 1. A label is computed
from all four hands, and is never a feature.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import pandas as pd

from houjuu.util.columns import Column, arrow

__all__ = [
    "IS_TENPAI",
    "KEY",
    "N_OPEN_MELDS",
    "OPPONENT",
    "TILES_LEFT",
    "Column",
    "arrays",
    "arrow",
    "check",
    "names",
]

KEY = (
    Column("game", "category", "id of the game", "the log's file name"),
    Column("round", "int16", "index of the deal in the game, from 0", "the log"),
    Column("seat", "int8", "0–3, the seat that decides on a discard", "the log"),
    Column("turn", "int8", "discards that the seat has made in this round", "the log"),
)

OPPONENT = Column("opponent", "int8", "0–3, absolute seat of the opponent", "the log")
N_OPEN_MELDS = Column("n_open_melds", "int8", "0–4 open melds, f", "K&H 4: フーロ数")
TILES_LEFT = Column("tiles_left", "int8", "0–69 tiles in the wall", "the table")
IS_TENPAI = Column("tenpai", "bool", "the hand is tenpai (shanten 0)", "label: the full table")


def names(columns: tuple[Column, ...], prefix: str = "") -> list[str]:
    """Names of the columns that begin with a prefix, in order."""
    return [column.name for column in columns if column.name.startswith(prefix)]


def arrays(rows: pd.DataFrame) -> dict[str, npt.NDArray[Any]]:
    """The columns of a table by name, as the runtime takes them."""
    return {str(name): column.to_numpy() for name, column in rows.items()}


def check(rows: pd.DataFrame, columns: tuple[Column, ...]) -> pd.DataFrame:
    """Select exactly these columns with these types; every table passes through here.

    Raises
    ------
    KeyError
        A column is missing.
    """
    return rows[names(columns)].astype({column.name: column.dtype for column in columns})
