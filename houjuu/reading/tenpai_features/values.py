"""Values that stand for what is not there."""

NOTHING_DISCARDED = 5
"""Stands for a class (`houjuu.reading.opponent.RANK_CLASS`) where there is no such discard."""

NOT_YET, NO_RIICHI = 5, 6
"""Stand for a safety class (`houjuu.reading.safety`): no discard since the riichi; no riichi."""
