"""The bot of `examples.bot_riichienv` behind mjai: a message a line in, a reply a line out.

    python -m examples.bot_mjai

riichienv follows the messages too and lists the legal actions. It does not hear of a pass,
so that a win must also be legal at houjuu's table. `houjuu bot` is the complete bot: it
plays better, calls, and continues after a damaged message.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from riichienv import ActionType, GameRule, RiichiEnv

from examples.bot_riichienv import Bot
from houjuu.game.actions import ActionKind
from houjuu.game.tiles import mjai_name
from houjuu.player.legal_actions import legal_actions

Message = Mapping[str, Any]


class Seat:
    """One seat of a game."""

    def __init__(self, seat: int) -> None:
        self.seat, self.bot = seat, Bot(seat)
        self.referee = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())
        self.last_actor = seat

    def reply(self, message: Message) -> Message:
        """The reply to a message: an action, or ``none`` if there is nothing to do."""
        self.bot.follow(message)
        without_id = {"type": "start_game"} if message["type"] == "start_game" else dict(message)
        observation = self.referee.observe_event(without_id, self.seat)
        self.last_actor = message.get("actor", self.last_actor)
        if observation is None or not observation.legal_actions():
            return {"type": "none"}
        action = self.bot.act(observation)
        if action.action_type == ActionType.RON and not self._may_win():
            return {"type": "none"}
        reply: dict[str, Any] = json.loads(action.to_mjai())
        if action.action_type == ActionType.DISCARD:
            drawn = self.bot.live.view.drawn
            reply["tsumogiri"] = drawn is not None and reply["pai"] == mjai_name(drawn)
        elif reply["type"] == "hora":
            reply["target"] = self.last_actor
        return reply

    def _may_win(self) -> bool:
        legal = legal_actions(self.bot.live.table, self.seat)
        return any(action.kind is ActionKind.RON for action in legal)


def main() -> None:
    """Reply until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start_game":
            seat = Seat(message["id"])
        print(json.dumps(seat.reply(message)), flush=True)


if __name__ == "__main__":
    main()
