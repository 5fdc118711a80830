"""Rows that the default model of P(tenpai) is fitted to."""

from __future__ import annotations

from features.schema import IS_TENPAI, KEY, N_OPEN_MELDS, OPPONENT, Column
from houjuu.reading import tenpai_features

TENPAI_FEATURES = (
    *KEY,
    *(OPPONENT, N_OPEN_MELDS),
    *(
        Column(feature.name, "int16", feature.unit, "houjuu/reading/tenpai_features")
        for feature in tenpai_features.FEATURES
    ),
    IS_TENPAI,
)
"""The columns of `TENPAI` that the tenpai GAM is fitted to."""

TENPAI = (
    *TENPAI_FEATURES,
    Column("shanten", "int8", "0–6, the shanten of the hand", "label: the full table"),
    Column("discard_codes", "object", "bytes of (d, f) codes", "houjuu/reading/discard_sequence"),
)
"""A row per decision, for one opponent not in riichi: the features of the tenpai GAM, and all its
discards in order."""
