"""Rows that the models of waits and of scores are fitted to."""

from __future__ import annotations

import re

from features.schema import KEY, OPPONENT, Column
from features.schema.opponents import TYPE
from features.schema.paper import COLOUR_FEATURES
from houjuu.reading import wait_features

_UNITS = {
    one.name: one.unit if one.by else f"{one.unit}; at most {one.size - 1}"
    for one in wait_features.FEATURES
}

_WAIT_FEATURES = (
    *KEY,
    *(OPPONENT, TYPE),
    *(
        Column(name, "int8", _UNITS[re.sub(r"_\d+$", "", name)], "houjuu/reading/wait_features.py")
        for name in wait_features.columns()
    ),
)

WAIT_BITS = (0, 40, 80)
"""First wait of each of the three bit masks of a hand's waits."""

WAITS = (
    *_WAIT_FEATURES,
    *COLOUR_FEATURES,
    Column("hand_sums", "object", "ways to draw the hands; none for a closed hand", "K&H 14, f1"),
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
    *COLOUR_FEATURES,
    Column("hand_sums", "object", "ways to draw the winning hands; none if closed", "K&H 14, f1"),
    Column("kind", "int8", "0–33, the kind won on", "the log"),
    Column("han", "int8", "1–13 han, without that of a red five won on", "label: the log"),
    Column("fu", "int16", "fu of the hand; 0 for a yakuman", "label: the log"),
)
"""A row per ron, for the seat that discarded."""
