"""The `bot.py` of a bot folder of Akagi: arrays in, answers out, the risks as a card of its HUD.

`examples.pack_akagi` makes the folder. With ``beside.json``, a command, the answers are those of
another bot, and only the card is ours. The protocol is that of ``mjai_bot/README.md`` of Akagi:
each line of the input is an array of messages and gets one answer, and ``end_game`` is the end.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from houjuu import Bot
from houjuu.game import Rules
from houjuu.live import Advisor, Beside
from houjuu.util import translate

Message = dict[str, Any]


def main() -> None:
    """Answer every line until the game ends."""
    language = settings().get("language", "en")
    east_only = {"hanchan": False, "east": True}.get(settings().get("length", "assumed"))
    rules = Rules.from_site(settings().get("rules", "tenhou"), east_only=east_only)
    other = Path(__file__).with_name("beside.json")
    if other.exists():
        ride(
            Beside(
                json.loads(other.read_text(encoding="utf-8")), Advisor(card=language, rules=rules)
            )
        )
        return
    bot = Bot(card=language, rules=rules)  # its seat is the id of start_game
    repeats = Repeats()
    for line in filter(str.strip, sys.stdin):
        messages = list(repeats.left_out(json.loads(line)))
        answer = json.loads(bot.react(json.dumps(messages)))
        if answer["type"] == "reach":
            _name_the_tile(answer, bot.riichi_discard(), language)
        print(json.dumps(answer), flush=True)
        if any(message["type"] == "end_game" for message in messages):
            break


def ride(beside: Beside) -> None:
    """Answer every line with the answer of the other bot, and the card."""
    repeats = Repeats()
    for line in filter(bytes.strip, sys.stdin.buffer):
        messages = list(repeats.left_out(json.loads(line)))
        sys.stdout.buffer.write(beside.answer(line, json.dumps(messages).encode()))
        sys.stdout.buffer.flush()
        if any(message["type"] == "end_game" for message in messages):
            break


def settings() -> Message:
    """The settings of ``manifest.toml`` that the user chose; empty outside of Akagi."""
    path = os.environ.get("AKAGI_BOT_CONFIG")
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        values: Message = json.load(file)
    return values


def _name_the_tile(answer: Message, tile: str, language: str) -> None:
    """Add the tile of a riichi: in Mahjong Soul declaration and discard are one click.

    Akagi reads ``pai``; the card begins with the tile.
    """
    answer["pai"] = tile
    row = {"label": translate(language)("term.riichi"), "note": "", "pais": [tile]}
    answer["meta"]["show"]["items"].insert(0, row)


class Repeats:
    """Leaves out a riichi that is announced twice.

    Under autoplay, Akagi may answer a ``reach`` of the bot with a ``reach`` of its own, to get the
    discard. The server of the game announces the riichi again, together with the discard.
    """

    def __init__(self) -> None:
        self._declaring: object = None  # the seat between its riichi and its discard

    def left_out(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Yield the messages but for the second riichi."""
        for message in messages:
            if message["type"] != "reach":
                self._declaring = None
            elif message["actor"] == self._declaring:
                continue
            else:
                self._declaring = message["actor"]
            yield message


if __name__ == "__main__":
    main()
