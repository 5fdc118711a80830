from houjuu.risk.answers import OpponentAnswer, PositionAnswer, RiskAnswer, TileAnswer, UnseenAnswer
from houjuu.risk.deal_in import DealIn, TileRisk
from houjuu.risk.hidden_hands import HiddenHands
from houjuu.risk.opponent_risk import Explanation, OpponentRisk, Term
from houjuu.risk.reasons import tenpai_reasons, wait_reasons
from houjuu.risk.unseen import WALL, UnseenTiles, balanced, count_probabilities

__all__ = [
    "WALL",
    "DealIn",
    "Explanation",
    "HiddenHands",
    "OpponentAnswer",
    "OpponentRisk",
    "PositionAnswer",
    "RiskAnswer",
    "Term",
    "TileAnswer",
    "TileRisk",
    "UnseenAnswer",
    "UnseenTiles",
    "balanced",
    "count_probabilities",
    "tenpai_reasons",
    "wait_reasons",
]
