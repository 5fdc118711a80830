from houjuu.reading.opponent import OpponentContext, OpponentType, opponent_contexts

__all__ = ["OpponentContext", "OpponentType", "opponent_contexts"]
