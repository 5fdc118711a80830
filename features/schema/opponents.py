"""The type of an opponent, a column of several tables."""

from __future__ import annotations

from features.schema import Column
from houjuu.reading.opponent import OpponentType

OPPONENT_TYPES = tuple(str(opponent_type) for opponent_type in OpponentType)
"""Values of `opponent_type`."""

TYPE = Column("opponent_type", "category", "one of `OPPONENT_TYPES`", "the table")
