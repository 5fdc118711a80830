from houjuu.player.bot import Bot
from houjuu.player.hand_value.far_hands import AnyHandValuer
from houjuu.player.hand_value.value import FAR, Value
from houjuu.player.hand_value.yaku_model import load as load_yaku_model
from houjuu.player.hand_value.yaku_targets import summarize as summarize_hand
from houjuu.player.players import ESTIMATOR_PLAYERS, PLAYERS, player
from houjuu.player.protocol import DEFAULT_PLAYER, Player
from houjuu.player.rules.discard import nearest as nearest_discards
from houjuu.player.rules.players import HandValuePlayer
from houjuu.player.rules.policies import DiscardOption, DiscardOptions, ExpectedValue
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.final_ranks import FinalRankModel, RoundStarts
from houjuu.player.values.final_ranks import load as load_final_ranks
from houjuu.player.values.next_round import GAME_VALUES, GameValue
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.player.values.round_values import RankValues

__all__ = [
    "DEFAULT_PLAYER",
    "ESTIMATOR_PLAYERS",
    "FAR",
    "GAME_VALUES",
    "PLAYERS",
    "AnyHandValuer",
    "Bot",
    "DiscardOption",
    "DiscardOptions",
    "ExpectedValue",
    "FinalRankModel",
    "GameValue",
    "HandValuePlayer",
    "Outcome",
    "Player",
    "RankValues",
    "RoundStarts",
    "Value",
    "ValuePart",
    "ValuePlayer",
    "load_final_ranks",
    "load_yaku_model",
    "nearest_discards",
    "player",
    "summarize_hand",
]
