"""The same bot behind mjai: messages on standard input, answers on standard output, a line each.

    python -m examples.bot_mjai

riichienv follows the messages too, and says what is legal. `houjuu bot` is the full one: it plays
better, calls, and goes on when a message is damaged.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from riichienv import ActionType, GameRule, RiichiEnv

from examples.bot_riichienv import Bot
from houjuu.tiles import mjai_name

Message = Mapping[str, Any]


class Seat:
    """One seat of a game."""

    def __init__(self, seat: int) -> None:
        self.seat, self.bot = seat, Bot()
        self.referee = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())
        self.last_actor = seat

    def answer(self, message: Message) -> Message:
        """What to answer to a message; ``none`` where there is nothing to do."""
        self.bot.hear(message)
        known = {"type": "start_game"} if message["type"] == "start_game" else dict(message)
        seen = self.referee.observe_event(known, self.seat)
        self.last_actor = message.get("actor", self.last_actor)
        if seen is None or not seen.legal_actions():
            return {"type": "none"}
        action = self.bot.act(seen)
        told: dict[str, Any] = json.loads(action.to_mjai())
        if action.action_type == ActionType.DISCARD:
            drawn = self.bot.table.view(self.seat).drawn
            told["tsumogiri"] = drawn is not None and told["pai"] == mjai_name(drawn)
        elif told["type"] == "hora":
            told["target"] = self.last_actor
        return told


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start_game":
            seat = Seat(message["id"])
        print(json.dumps(seat.answer(message)), flush=True)


if __name__ == "__main__":
    main()
