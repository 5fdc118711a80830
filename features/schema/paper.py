"""Rows that the paper's model is fitted to: tenpai, and the weights of melded hands."""

from __future__ import annotations

from features.schema import IS_TENPAI, KEY, N_OPEN_MELDS, OPPONENT, TILES_LEFT, Column
from houjuu.reading.table1 import TYPE1, TYPE2, TYPE3

SUITS = tuple(TYPE1)
"""Letters of the suits of manzu, pinzu and souzu."""

_N_MELDS = Column("n_melds", "int8", "0–4 melds, closed kans included", "the table")
_DISCARDS = Column("discards", "int8", "discards of the opponent, d", "K&H 4: 打牌数")

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
COLOUR_FEATURES = (
    N_OPEN_MELDS,
    Column("river_length", "int8", "discards of the opponent, d", "K&H 4: 打牌数"),
    *_ALLOWED,
    *(
        Column(name, "int8", unit, "type 1")
        for s in SUITS
        for name, unit in zip(TYPE1[s], _TYPE1_UNITS, strict=True)
    ),
)
"""What the colour of a hand depends on, besides its number of melds."""

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
    *(OPPONENT, TILES_LEFT, N_OPEN_MELDS, _N_MELDS, _DISCARDS),
    *_ALLOWED,
    *_TABLE1,
    IS_TENPAI,
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
    *(OPPONENT, _N_MELDS),
    *SHARES,
    Column("other_form", "bool", "no ryanmen or shanpon wait", "label: the full table"),
    Column("no_yaku", "bool", "no yaku on any wait", "label: the full table"),
    Column("uncovered_kinds", "int8", "kinds that no hand wins on, genbutsu excluded", "K&H 18"),
    Column("uncovered_wins", "int8", "uncovered kinds that win", "label: the full table"),
)
"""A row per tenpai hand of an opponent with open melds, for one deciding seat: the same rows as in
`features.schema.waits.WAITS`."""
