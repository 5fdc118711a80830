"""Predictions of a model at real decisions, and the truth."""

from __future__ import annotations

from features.schema import KEY, OPPONENT, TILES_LEFT, Column
from features.schema.opponents import TYPE

GENBUTSU, SUJI, HALF_SUJI, NO_SUJI = "genbutsu", "suji", "half suji", "no suji"
HONOURS = ("honour, 1 seen", "honour, 2 seen", "honour, 3 seen", "honour, 4 seen")
SAFETY_CLASSES = (GENBUTSU, SUJI, HALF_SUJI, NO_SUJI, *HONOURS)
"""Values of `safety_class`; the copies of an honour are those that the discarder sees, its own
included."""

SAFETY_CLASS = Column("safety_class", "category", "one of `SAFETY_CLASSES`", "the table")

SCORES = (3900, 8000, 12000)
"""Points whose probability the evaluation measures; a dealer's points count as they are."""

PREDICTIONS = (
    *KEY,
    *(OPPONENT, TILES_LEFT, TYPE),
    Column("kind", "int8", "0–33, a kind in the hand of the seat", "the table"),
    SAFETY_CLASS,
    Column("was_discarded", "bool", "the seat discarded it", "the log"),
    Column("predicted", "float32", "0–1, P(deals in to the opponent)", "the estimator"),
    Column("label", "bool", "the opponent would win on it", "label: the full table"),
)
"""A row per decision, opponent and kind in the hand."""

RONS = (
    *KEY,
    Column("winner", "int8", "0–3, absolute seat", "the log"),
    *(TYPE, SAFETY_CLASS),
    Column("likely_han", "int8", "1–13, the most probable", "the estimator, K&H 24"),
    Column(
        "likely_han_without_dora",
        "int8",
        "1–13, the most probable without dora; 0: the model does not predict it",
        "the estimator, `features.dora_free`",
    ),
    Column("han", "int8", "1–13, that of the hand", "label: the log"),
    Column("han_without_dora", "int8", "1–13, without dora and ura dora", "label: the log"),
    Column("fu", "int16", "fu; 0 for a yakuman", "label: the log"),
    Column("expected_points", "float32", "points, honba not counted", "the estimator, K&H 24"),
    *(
        Column(
            f"at_least_{points}", "float32", "0–1, P(points ≥ it | ron)", "the estimator, K&H 24"
        )
        for points in SCORES
    ),
    Column("points", "int32", "points, honba not counted", "label: the log"),
)
"""A row per ron on a discard that was a decision."""
