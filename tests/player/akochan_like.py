"""A bot in the dialect of akochan: it answers a message that can act with all moves of the turn."""

from __future__ import annotations

import json
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

from houjuu.player.bot import Bot


def main() -> None:
    """Play as "relative"; the current folder must have ``here``, as the parameters of akochan."""
    assert Path("here").exists()
    seat = int(sys.argv[1])
    bot = Bot(seat, "relative")
    for line in sys.stdin:
        message = json.loads(line)
        can_act = message.pop("can_act")
        answer = moves(bot, seat, message)
        if can_act:
            print(json.dumps(answer), flush=True)
        else:
            assert type(can_act) is bool


def moves(bot: Bot, seat: int, message: dict[str, Any]) -> list[Any]:
    """The answer to a message, and the discard after a riichi or a call."""
    first = json.loads(bot.react(json.dumps(message)))
    first.pop("meta", None)
    if first["type"] not in ("reach", "chi", "pon"):
        return [first]
    after = deepcopy(bot)
    second = json.loads(after.react(json.dumps(first)))
    second.pop("meta", None)
    return [first, second]


if __name__ == "__main__":
    main()
