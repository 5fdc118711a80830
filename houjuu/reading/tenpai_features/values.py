"""Values of features that have none, such as the age of a discard that was not made."""

NOTHING_DISCARDED = 5
"""Stands for a class (`houjuu.reading.opponent.RANK_CLASS`) where there is no such discard."""

NOT_YET, NO_RIICHI = 5, 6
"""Stand for a safety class (`houjuu.reading.safety`): no discard since the riichi; no riichi."""
