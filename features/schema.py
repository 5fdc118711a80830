"""Every column of every table of rows: its type, its unit or range, and its source.

Rows are keyed by `KEY`. "K&H" is Kurita & Hoki 2017; "type 1", "type 2" and "type 3" are those of
its table 1. A label is computed from all four hands, and is never a feature.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import KINDS
from houjuu.reading import tenpai_features, wait_features
from houjuu.reading.opponent import OpponentType
from houjuu.reading.table1 import TYPE1, TYPE2, TYPE3

SUITS = tuple(TYPE1)
"""Letters of the suits of manzu, pinzu and souzu."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    dtype: str
    unit: str
    source: str


KEY = (
    Column("game", "category", "id of the game", "the log's file name"),
    Column("round", "int16", "index of the deal in the game, from 0", "the log"),
    Column("seat", "int8", "0–3, the seat that decides on a discard", "the log"),
    Column("turn", "int8", "discards that the seat has made in this round", "the log"),
)

_OPPONENT = Column("opponent", "int8", "0–3, absolute seat of the opponent", "the log")
_N_OPEN_MELDS = Column("n_open_melds", "int8", "0–4 open melds, f", "K&H 4: フーロ数")
_N_MELDS = Column("n_melds", "int8", "0–4 melds, closed kans included", "the table")
_TILES_LEFT = Column("tiles_left", "int8", "0–69 tiles in the wall", "the table")
_DISCARDS = Column("discards", "int8", "discards of the opponent, d", "K&H 4: 打牌数")
_TENPAI = Column("tenpai", "bool", "the hand is tenpai (shanten 0)", "label: the full table")

_ALLOWED = tuple(
    Column(f"allowed_{s}", "bool", "the melds allow a hand of this suit and honours", "K&H 4, c")
    for s in SUITS
)
_TYPE1_UNITS = (
    "discards in the longest run off suit and honours",
    "the same, 0 unless the last tedashi was on",
    "0/1, an honour before that run",
    "0/1, the suit before that run",
)
_TYPE2_UNITS = ("0–7 kinds of honours discarded", "0–9 kinds of the suit discarded")
_TYPE3_UNITS = (
    "discards from the hand",
    "tedashi while another was in riichi",
    "0–13 kinds of terminals and honours discarded",
    "0–21 kinds of simples discarded",
)
_TABLE1 = tuple(
    Column(name, "int8", unit, source)
    for names, units, source in (
        *((TYPE1[s], _TYPE1_UNITS, "type 1") for s in SUITS),
        *((TYPE2[s], _TYPE2_UNITS, "type 2") for s in SUITS),
        (TYPE3, _TYPE3_UNITS, "type 3"),
    )
    for name, unit in zip(names, units, strict=True)
)

PAPER_TENPAI = (
    *KEY,
    *(_OPPONENT, _TILES_LEFT, _N_OPEN_MELDS, _N_MELDS, _DISCARDS),
    *_ALLOWED,
    *_TABLE1,
    _TENPAI,
    *(
        Column(f"within_{s}", "bool", "the hand is this suit and honours", "label: the full table")
        for s in SUITS
    ),
)
"""A row per decision and opponent not in riichi: the features of table 1."""

SHARES = tuple(
    Column(f"share_{form}_{yaku}", "float64", "0–1, sum 1; NaN: not counted", "K&H 14, f1")
    for form in ("good", "other")
    for yaku in ("yaku", "no_yaku")
)
"""Shares of the ways to draw a tenpai hand of the true colour that is not furiten: with or without
a ryanmen or shanpon wait, and with or without a yaku on some wait. Not counted with one meld, where
the paper pretends (section 5.2.4), and with four, where there is nothing to weigh."""

PAPER_MELDED = (
    *KEY,
    *(_OPPONENT, _N_MELDS),
    *SHARES,
    Column("other_form", "bool", "no ryanmen or shanpon wait", "label: the full table"),
    Column("no_yaku", "bool", "no yaku on any wait", "label: the full table"),
    Column("uncovered_kinds", "int8", "kinds that no hand wins on, genbutsu excluded", "K&H 18"),
    Column("uncovered_wins", "int8", "uncovered kinds that win", "label: the full table"),
)
"""A row per tenpai opponent with open melds and state of its seat, for the next seat to decide."""

TENPAI_FEATURES = (
    *KEY,
    *(_OPPONENT, _N_OPEN_MELDS),
    *(
        Column(feature.name, "int16", feature.unit, "houjuu/reading/tenpai_features")
        for feature in tenpai_features.FEATURES
    ),
    _TENPAI,
)
"""The columns of `TENPAI` that the tenpai GAM is fitted to."""

TENPAI = (
    *TENPAI_FEATURES,
    Column("shanten", "int8", "0–6, the shanten of the hand", "label: the full table"),
    Column("discard_codes", "object", "bytes of (d, f) codes", "houjuu/reading/discard_sequence"),
)
"""A row per decision, for one opponent not in riichi: the features of the tenpai GAM, and all its
discards in order."""

TENPAI_TABLES = {
    "paper_tenpai": PAPER_TENPAI,
    "tenpai": TENPAI,
}
"""The tables that `Estimator.tenpai_table` may name: data/NAME.parquet."""

OPPONENT_TYPES = tuple(str(opponent_type) for opponent_type in OpponentType)
"""Values of `opponent_type`."""

GENBUTSU, SUJI, HALF_SUJI, NO_SUJI = "genbutsu", "suji", "half suji", "no suji"
HONOURS = ("honour, 1 seen", "honour, 2 seen", "honour, 3 seen", "honour, 4 seen")
SAFETY_CLASSES = (GENBUTSU, SUJI, HALF_SUJI, NO_SUJI, *HONOURS)
"""Values of `safety_class`; the copies of an honour are those that the discarder sees, its own
included."""

_TYPE = Column("opponent_type", "category", "one of `OPPONENT_TYPES`", "the table")

_UNITS = {
    feature.name: feature.unit
    for feature in (*wait_features.BY_KIND, *wait_features.BY_SUIT, *wait_features.GLOBAL)
}

_WAIT_FEATURES = (
    *KEY,
    *(_OPPONENT, _TYPE),
    *(
        Column(name, "int8", _UNITS[re.sub(r"_\d+$", "", name)], "houjuu/reading/wait_features.py")
        for name in wait_features.columns()
    ),
)

WAIT_BITS = (0, 40, 80)
"""First wait of each of the three bit masks of a hand's waits."""

WAITS = (
    *_WAIT_FEATURES,
    *(
        Column(f"prior_win_{kind}", "float32", "P(wins on the kind | tenpai); 0 closed", "K&H 18")
        for kind in range(KINDS)
    ),
    Column("hand_kinds_mask", "int64", "bit h: the deciding seat holds kind h", "the table"),
    Column("win_mask", "int64", "bit h: the opponent wins on kind h", "label: the full table"),
    *(
        Column(f"wait_bits_{first}", "int64", f"bit i: has wait {first} + i", "label: the same")
        for first in WAIT_BITS
    ),
    Column("n_decisions", "int16", "decisions that faced the hand; one was drawn", "the log"),
)
"""A row per tenpai hand of an opponent and state of its seat, for one deciding seat."""

RON_SCORES = (
    *_WAIT_FEATURES,
    *(
        Column(f"prior_han_{han}", "float32", "P(han | wins on the kind); 0 closed", "K&H 18")
        for han in range(1, YAKUMAN_HAN + 1)
    ),
    Column("kind", "int8", "0–33, the kind won on", "the log"),
    Column("han", "int8", "1–13 han, without that of a red five won on", "label: the log"),
    Column("fu", "int16", "fu of the hand; 0 for a yakuman", "label: the log"),
)
"""A row per ron, for the seat that discarded."""

PREDICTIONS = (
    *KEY,
    *(_OPPONENT, _TILES_LEFT, _TYPE),
    Column("kind", "int8", "0–33, a kind in the hand of the seat", "the table"),
    Column("safety_class", "category", "one of `SAFETY_CLASSES`", "the table"),
    Column("was_discarded", "bool", "the seat discarded it", "the log"),
    Column("predicted", "float32", "0–1, P(deals in to the opponent)", "the estimator"),
    Column("label", "bool", "the opponent would win on it", "label: the full table"),
)
"""A row per decision, opponent and kind in the hand."""

RONS = (
    *KEY,
    Column("winner", "int8", "0–3, absolute seat", "the log"),
    _TYPE,
    Column("likely_han", "int8", "1–13, the most probable", "the estimator, K&H 24"),
    Column("han", "int8", "1–13, that of the hand", "label: the log"),
    Column("han_without_dora", "int8", "0–13, without dora and ura dora", "label: the log"),
    Column("fu", "int16", "fu; 0 for a yakuman", "label: the log"),
    Column("expected_points", "float32", "points, honba not counted", "the estimator, K&H 24"),
    Column("mangan", "float32", "0–1, P(at least a mangan | ron)", "the estimator, K&H 24"),
    Column("is_mangan", "bool", "at least a mangan", "label: the log"),
    Column("points", "int32", "points, honba not counted", "label: the log"),
)
"""A row per ron on a discard that was a decision."""


def names(columns: tuple[Column, ...], prefix: str = "") -> list[str]:
    """Names of the columns that begin with a prefix, in order."""
    return [column.name for column in columns if column.name.startswith(prefix)]


def arrow(columns: tuple[Column, ...]) -> pa.Schema:
    """The columns as a Parquet schema; categories are dictionary-encoded texts."""
    text = pa.dictionary(pa.int32(), pa.string())
    numbers = {name: pa.type_for_alias(name) for name in ("int8", "int16", "int32", "int64")}
    numbers |= {"float32": pa.float32(), "float64": pa.float64()}
    types = {"category": text, "bool": pa.bool_(), "object": pa.binary(), **numbers}
    return pa.schema([(column.name, types[column.dtype]) for column in columns])


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
