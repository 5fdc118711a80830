"""A bot of twenty lines on riichienv: builds its hand, and folds where somebody is likely tenpai.

    python -m examples.bot_riichienv        # four of it play a hanchan

Copy it and put your own judgement in place of `cost`. Needs houjuu and riichienv.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from riichienv import Action, ActionType, GameRule, Observation, RiichiEnv, calculate_shanten

import houjuu

WARY_AT = 0.3  # P(tenpai) of an opponent, from which on nothing but safety counts
OUTSIDE = ("start_game", "hora", "ryukyoku", "end_kyoku", "end_game")  # of a round's play


class Bot:
    """Hears what its seat hears, as mjai, and picks one of the legal actions."""

    def __init__(self) -> None:
        self.estimator, self.kept = houjuu.load(), houjuu.Kept()

    def hear(self, message: Mapping[str, Any]) -> None:
        """Follow the round; how it ends does not matter here."""
        if message["type"] == "start_kyoku":
            self.reader, self.table = houjuu.logs.mjai.Reader(), houjuu.Table()
        if message["type"] not in OUTSIDE:
            event = self.reader.event(message)
            if event is not None:
                self.table.apply(event)

    def act(self, seen: Observation) -> Action:
        """Win, declare riichi or pass where it may; else discard what costs least."""
        legal = {action.action_type: action for action in seen.legal_actions()}
        for wanted in (ActionType.TSUMO, ActionType.RON, ActionType.RIICHI, ActionType.PASS):
            if wanted in legal:
                return legal[wanted]
        risk = self.estimator.deal_in(self.table.view(seen.player_id), self.kept)
        wary = risk.tenpai.max() >= WARY_AT

        def cost(discard: Action) -> tuple[float, ...]:
            points = risk.points_of(discard.tile)
            rest = [tile for tile in seen.hand if tile != discard.tile]
            return (points,) if wary else (calculate_shanten(rest), points)

        discards = (a for a in seen.legal_actions() if a.action_type == ActionType.DISCARD)
        return min(discards, key=cost)


def play(seed: int) -> list[int]:
    """Play a hanchan; the four scores at its end."""
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    bots, seats = [Bot() for _ in range(4)], env.reset()
    while not env.done():
        for seat, seen in seats.items():
            for message in seen.new_events():
                bots[seat].hear(json.loads(message))
        seats = env.step({seat: bots[seat].act(seen) for seat, seen in seats.items()})
    return list(env.scores())


if __name__ == "__main__":
    print(*play(seed=1))
