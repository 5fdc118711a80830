"""A small bot on riichienv: it builds its hand, and folds if an opponent is likely tenpai.

    python -m examples.bot_riichienv        # four copies play a hanchan

To write your own bot, copy this file and change `cost`. It needs houjuu and riichienv.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from riichienv import Action, ActionType, GameRule, Observation, RiichiEnv, calculate_shanten

import houjuu

FOLD_THRESHOLD = 0.3  # P(tenpai) of any opponent from which the bot folds


class Bot:
    """Follows the mjai messages to its seat and selects one of the legal actions."""

    def __init__(self, seat: int) -> None:
        self.live = houjuu.Live(seat)

    def follow(self, message: Mapping[str, Any]) -> None:
        """Follow the game."""
        self.live.hear(message)

    def act(self, observation: Observation) -> Action:
        """Win, declare riichi or pass if possible; otherwise make the discard of lowest cost."""
        legal = {action.action_type: action for action in observation.legal_actions()}
        for preferred in (ActionType.TSUMO, ActionType.RON, ActionType.RIICHI, ActionType.PASS):
            if preferred in legal:
                return legal[preferred]
        risk = self.live.risk()
        fold = risk.tenpai.max() >= FOLD_THRESHOLD

        def cost(discard: Action) -> tuple[float, ...]:
            points = risk.points_of(discard.tile)
            rest = [tile for tile in observation.hand if tile != discard.tile]
            return (points,) if fold else (calculate_shanten(rest), points)

        actions = observation.legal_actions()
        return min((a for a in actions if a.action_type == ActionType.DISCARD), key=cost)


def play(seed: int) -> list[int]:
    """Play a hanchan and return the four final scores."""
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    bots, observations = [Bot(seat) for seat in range(4)], env.reset()
    while not env.done():
        for seat, observation in observations.items():
            for message in observation.new_events():
                bots[seat].follow(json.loads(message))
        observations = env.step({seat: bots[seat].act(o) for seat, o in observations.items()})
    return list(env.scores())


if __name__ == "__main__":
    print(*play(seed=1))
