"""Every column of every table of rows: its type, its unit or range, and where it comes from.

A row is keyed by `KEY`. "K&H" is Kurita & Hoki 2017; "type 1" and so on are those of its table 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa

from houjuu import evidence, signs
from houjuu.hands.points import YAKUMAN_HAN
from houjuu.tiles import KINDS

SUITS = "mps"


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
    Column("seat", "int8", "0–3, who decides on a discard", "the log"),
    Column("discard", "int8", "discards that seat has made in this round", "the log"),
)

_CASE = (
    Column("opponent", "int8", "0–3, absolute seat of whom the row tells", "the log"),
    Column("melds", "int8", "0–4 open melds, f", "K&H 4: フーロ数"),
    Column("sets", "int8", "0–4 sets on the table, closed kans included", "the table"),
    Column("discards", "int8", "discards of the opponent, d", "K&H 4: 打牌数"),
)

_ALLOWED = tuple(
    Column(f"allowed_{s}", "bool", "the melds allow a hand of this suit and honours", "K&H 4, c")
    for s in SUITS
)
_TYPE1 = tuple(
    column
    for s in SUITS
    for column in (
        Column(f"run_{s}", "int8", "discards in the longest run off suit and honours", "type 1"),
        Column(f"run_last_{s}", "int8", "the same, 0 unless the last tedashi was on", "type 1"),
        Column(f"honour_before_{s}", "int8", "0/1, an honour before that run", "type 1"),
        Column(f"suit_before_{s}", "int8", "0/1, the suit before that run", "type 1"),
    )
)
_TYPE2 = tuple(
    column
    for s in SUITS
    for column in (
        Column(f"honours_{s}", "int8", "0–7 kinds of honours discarded", "type 2"),
        Column(f"kinds_{s}", "int8", "0–9 kinds of the suit discarded", "type 2"),
    )
)
_TYPE3 = (
    Column("tedashi", "int8", "discards from the hand", "type 3"),
    Column("tedashi_after_riichi", "int8", "those while another was in riichi", "type 3"),
    Column("yaochu_kinds", "int8", "0–13 kinds of terminals and honours discarded", "type 3"),
    Column("simple_kinds", "int8", "0–21 kinds of simples discarded", "type 3"),
)
_LABELS = (
    Column("tenpai", "bool", "the hand is tenpai (shanten 0)", "label: the full table"),
    *(
        Column(f"within_{s}", "bool", "the hand is this suit and honours", "label: the full table")
        for s in SUITS
    ),
)

TENPAI = (*KEY, *_CASE, *_ALLOWED, *_TYPE1, *_TYPE2, *_TYPE3, *_LABELS)
"""A row per decision and opponent not in riichi."""

SHARES = tuple(
    Column(f"share_{form}_{yaku}", "float64", "0–1, sum 1; NaN: not counted", "K&H 14, f1")
    for form in ("good", "other")
    for yaku in ("yaku", "no_yaku")
)
"""What part of the ways to draw a tenpai hand of the true colour, furiten ones aside, makes hands
with a two-sided or pair wait, or without, and with a yaku on some wait, or without. With one set
the paper pretends (section 5.2.4) and with four nothing is left to weigh: not counted."""

HANDS = (
    *KEY,
    *(column for column in _CASE if column.name in ("opponent", "sets")),
    *SHARES,
    Column("other_form", "bool", "no two-sided or pair wait", "label: the full table"),
    Column("no_yaku", "bool", "no yaku on any wait", "label: the full table"),
    Column("unexplained", "int8", "kinds that no hand counted wins on, genbutsu aside", "K&H 18"),
    Column("missed", "int8", "those of them that the true hand wins on", "label: the full table"),
)
"""A row per melded, tenpai hand and what its seat has shown, in the eyes of who decides next."""

SIGNS = (
    *KEY,
    *(column for column in _CASE if column.name in ("opponent", "melds")),
    *(Column(sign.name, "int16", sign.unit, "houjuu/signs") for sign in signs.SIGNS),
    *(column for column in _LABELS if column.name == "tenpai"),
)
"""A row per opponent and what it has shown, in the eyes of who decides next."""

READ_AS = ("riichi", "closed", "1 meld", "2 melds", "3 melds", "4 melds")
"""How an opponent is read: in riichi, by its open melds, or as a closed hand without riichi."""

GENBUTSU, SUJI, HALF_SUJI, NO_SUJI = "genbutsu", "suji", "half suji", "no suji"
HONOURS = ("honour, 1 seen", "honour, 2 seen", "honour, 3 seen", "honour, 4 seen")
TILES = (GENBUTSU, SUJI, HALF_SUJI, NO_SUJI, *HONOURS)
"""What a tile is to an opponent; copies of honours are those that the discarder sees, its own
included."""

_READ = Column("read_as", "category", "one of `READ_AS`", "the table")

_UNITS = {
    entry.name: entry.unit for entry in (*evidence.BY_KIND, *evidence.BY_SUIT, *evidence.WHOLE)
}

_EVIDENCE = (
    *KEY,
    *(column for column in _CASE if column.name == "opponent"),
    _READ,
    *(
        Column(name, "int8", _UNITS[re.sub(r"_\d+$", "", name)], "houjuu/evidence.py")
        for name in evidence.columns()
    ),
)

SITUATIONS = (
    *_EVIDENCE,
    *(
        Column(f"shapes_{kind}", "float32", "P(wins on the kind | tenpai); 0 closed", "K&H 18")
        for kind in range(KINDS)
    ),
    Column("hand", "int64", "bit h for the kinds that the deciding seat holds", "the table"),
    Column("wins", "int64", "bit h for the kinds it wins on", "label: the full table"),
    *(
        Column(f"waits_{place}", "int64", "bits for the waits held, from here", "label: the same")
        for place in (0, 40, 80)
    ),
    Column("times", "int16", "decisions that faced the hand, of which this was drawn", "the log"),
)
"""A row per tenpai hand of an opponent and what its seat has shown, in the eyes of who decides."""

WINS = (
    *_EVIDENCE,
    *(
        Column(f"shapes_han_{han}", "float32", "P(han | wins on the tile); 0 closed", "K&H 18")
        for han in range(1, YAKUMAN_HAN + 1)
    ),
    Column("tile", "int8", "0–33, the kind won on", "the log"),
    Column("han", "int8", "1–13 han, but for that of a red five won on", "label: the log"),
    Column("fu", "int16", "fu of the hand; 0 for 役満", "label: the log"),
)
"""A row per ron, in the eyes of who discarded."""

DANGERS = (
    *KEY,
    *(column for column in _CASE if column.name == "opponent"),
    _READ,
    Column("kind", "int8", "0–33, a kind in the hand of the seat", "the table"),
    Column("tile", "category", "one of `TILES`", "the table"),
    Column("discarded", "bool", "it is what the seat discarded", "the log"),
    Column("predicted", "float32", "0–1, P(deals in to the opponent)", "the estimator"),
    Column("measured", "bool", "the opponent would win on it", "label: the full table"),
)
"""A row per decision, opponent and kind in the hand."""

RONS = (
    *KEY,
    Column("winner", "int8", "0–3, absolute seat", "the log"),
    _READ,
    Column("likely_han", "int8", "1–13, the most probable", "the estimator, K&H 24"),
    Column("han", "int8", "1–13, that of the hand", "label: the log"),
    Column("expected_points", "float32", "points, honba not counted", "the estimator, K&H 24"),
    Column("points", "int32", "points, honba not counted", "label: the log"),
)
"""A row per ron on a discard that was a decision."""


def names(columns: tuple[Column, ...], prefix: str = "") -> list[str]:
    """Names of the columns that begin with a prefix, in order."""
    return [column.name for column in columns if column.name.startswith(prefix)]


def arrow(columns: tuple[Column, ...]) -> pa.Schema:
    """The columns as a Parquet file holds them; categories are texts, told once a row group."""
    text = pa.dictionary(pa.int32(), pa.string())
    numbers = {name: pa.type_for_alias(name) for name in ("int8", "int16", "int32", "int64")}
    numbers |= {"float32": pa.float32(), "float64": pa.float64()}
    kinds = {"category": text, "bool": pa.bool_(), **numbers}
    return pa.schema([(column.name, kinds[column.dtype]) for column in columns])


def check(rows: pd.DataFrame, columns: tuple[Column, ...]) -> pd.DataFrame:
    """Return the rows with just these columns and types; the boundary that every table crosses.

    Raises
    ------
    KeyError
        A column is missing.
    """
    return rows[names(columns)].astype({column.name: column.dtype for column in columns})
