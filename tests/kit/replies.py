"""Legality of the replies of the bot on recorded games.

One seat of a game receives the game as mjai, other hands hidden. The replies are not played. A
`RoundState` that knows the whole table checks them, and a win must complete the hand. Lines that
the bot logs count, too: a player that fails passes or discards instead, which is legal.

`after_passes` lets each ron of a game pass, and the round goes on: every seat before the winner's
next draw discards a tile that it waits for, then it draws and discards, and the same tile comes
from the next seat. A bot that always wins answers: it is in furiten until its draw, or in riichi to
the end.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import NamedTuple

from benchmarks.output import message_to_seat
from houjuu.game.actions import WINS, Action, ActionKind
from houjuu.game.events import Game
from houjuu.game.tiles import KIND, KINDS, TILES, mjai_name, parse_mjai
from houjuu.game.view import View
from houjuu.hands.claims import kind_counts, waits
from houjuu.hands.shanten import shanten
from houjuu.logs import mjai
from houjuu.logs.mjai_messages import Message
from houjuu.player.bot import Bot
from houjuu.util.errors import Error

_WIN = "hora"
_CLAIMS = ("chi", "pon", "daiminkan")


class Replayed(NamedTuple):
    """Replies of a bot: their types, the refused ones, and what the bot logged."""

    types: Counter[str]
    refused: list[str]
    logged: list[str]


def replay(game: Game, seat: int, name: str) -> Replayed:
    """The replies of a bot in one seat of a game."""
    with _logged() as problems:
        types, refused = _replies(game, seat, name)
    at = f"{game.id} seat {seat}"
    refused = [f"refused: {at}: {line}" for line in refused]
    return Replayed(types, refused, [f"logged: {at}: {line}" for line in problems])


@contextmanager
def _logged() -> Iterator[list[str]]:
    """The warnings of the package, and worse."""
    lines: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: lines.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("houjuu")
    logger.addHandler(handler)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)


def _replies(game: Game, seat: int, name: str) -> tuple[Counter[str], list[str]]:
    bot = Bot(seat, name)
    reader = mjai.Reader(game.id)
    types = Counter[str]()
    refused = []
    for message in mjai.messages(game):
        list(reader.events(message))
        reply = json.loads(bot.react(json.dumps(message_to_seat(dict(message), seat))))
        if reply["type"] == "none":
            continue
        types[str(reply["type"])] += 1
        error = _error(reply, message, reader)
        refused += [f"{reply}: {error}"] if error else []
    return types, refused


def _error(reply: Message, last: Message, reader: mjai.Reader) -> str:
    """The reason why a reply to a message is illegal; empty if it is legal."""
    seat = reply["actor"]
    if reply["type"] == _WIN:
        kinds = [KIND[tile] for tile in reader.round_state.hands[seat]]
        kinds += [parse_mjai(last["pai"])[0]] if reply["target"] != seat else []
        return "" if shanten(kinds) < 0 else "the hand is not complete"
    if reply["type"] in _CLAIMS:  # a riichi whose discard is called is accepted first
        accepted = deepcopy(reader)
        with suppress(Error):
            list(accepted.events({"type": "reach_accepted", "actor": reply["target"]}))
            reader = accepted
    try:
        list(deepcopy(reader).events(reply))
    except Error as error:
        return error.reason
    return ""


class Winner:
    """A player that wins whenever it may, and otherwise passes or discards the drawn tile."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        wins = [action for action in actions if action.kind in WINS]
        passes = [action for action in actions if action.kind is ActionKind.PASS]
        return (*wins, *passes, *actions)[0]


def after_passes(game: Game) -> list[str]:
    """The answers of the bot after each ron on a discard that it lets pass."""
    answers: list[str] = []
    messages: list[Message] = []
    for message in mjai.messages(game):
        if message["type"] == "start_kyoku":
            messages = []
        if message["type"] == _WIN and messages[-1]["type"] == "dahai":
            answers += after_pass(messages, int(message["actor"]))
        messages.append(message)
    return answers


def after_pass(messages: Sequence[Message], seat: int) -> Iterator[str]:
    """Answers of a seat that let the last discard of a round pass: "case: type of answer"."""
    bot = Bot(seat, Winner())
    bot.react(json.dumps([message_to_seat(dict(message), seat) for message in messages]))
    state = bot.live.table.round_state
    won = state.last_discard
    assert won is not None
    wanted = waits(kind_counts(bot.live.view.hand))
    declared = bot.live.table.seats[won.seat].declared and not state.in_riichi[won.seat]
    news: list[Message] = [{"type": "reach_accepted", "actor": won.seat}] if declared else []
    case = "furiten"
    for offset in range(1, 5):
        actor = (won.seat + offset) % 4
        if actor == seat:
            kinds = {*range(KINDS)} - wanted
        else:
            kinds = wanted if case == "furiten" else {KIND[won.tile]}
        tile = _unseen(bot.live.view, kinds)
        if tile is None or not state.tiles_left:
            return
        name = mjai_name(tile)
        news.append({"type": "tsumo", "actor": actor, "pai": name if actor == seat else "?"})
        news.append({"type": "dahai", "actor": actor, "pai": name, "tsumogiri": True})
        answer = json.loads(bot.react(json.dumps(news)))
        news = []
        if actor != seat:
            yield f"{case}: {answer['type']}"
        elif not state.in_riichi[seat]:
            case = "after its own turn"
        if (actor - 1) % 4 == seat:
            return


def _unseen(view: View, kinds: Collection[int]) -> int | None:
    """A tile of some kinds that the seat does not see."""
    seen = view.visible()
    return next((tile for tile in range(TILES) if KIND[tile] in kinds and tile not in seen), None)
