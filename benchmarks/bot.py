"""Legality and speed of the bot on recorded games.

One seat of each mjlog game with red fives receives the game as mjai, other hands hidden. The
replies are not played. A `RoundState` that knows the whole table checks them, and a win must
complete the hand. Lines that the bot logs count, too: a player that fails passes or discards
instead, which is legal. The times, in milliseconds, are of messages to which the bot replies with
an action; they include its referee and its table.
"""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

from benchmarks import output
from houjuu.game.events import Game
from houjuu.game.tiles import KIND, parse_mjai
from houjuu.logs import mjai, mjlog
from houjuu.logs.mjai_messages import Message
from houjuu.player.bot import Bot
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.players import player
from houjuu.util.errors import Error

_WIN = "hora"
_CLAIMS = ("chi", "pon", "daiminkan")


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", type=Path, help="file, folder, archive or database of mjlog")
    options.add_argument("--player", default="estimator", help="player of the arena")
    options.add_argument("--games", type=int, default=1000, help="games, one seat of each")
    options.add_argument("--jobs", type=int, default=2)
    arguments = options.parse_args()
    with_reds = (game for game in mjlog.read(arguments.logs) if game.rules.red_fives)
    games = tqdm(islice(with_reds, arguments.games), total=arguments.games)
    work = (delayed(replay)(game, n % 4, arguments.player) for n, game in enumerate(games))
    types = Counter[str]()
    refused = []
    logged = []
    times = []
    results = Parallel(arguments.jobs, return_as="generator")(work)
    for of_game in results:
        types += of_game.types
        refused += of_game.refused
        logged += of_game.logged
        times += of_game.times
    for line in (*refused, *logged):
        print(line)
    median, p99, most = np.percentile(times, [50, 99, 100]).tolist()
    line = {"replies": sum(types.values()), "refused": len(refused), "logged": len(logged)}
    line |= dict(types.most_common())
    line |= {"median": median, "99%": p99, "most": most}
    output.show([line], as_json=arguments.json)


class Replayed(NamedTuple):
    """Replies of a bot: their types, the refused ones, what the bot logged, and the times in ms."""

    types: Counter[str]
    refused: list[str]
    logged: list[str]
    times: list[float]


def replay(game: Game, seat: int, name: str) -> Replayed:
    """The replies of a bot in one seat of a game."""
    with _logged() as problems:
        types, refused, times = _replies(game, seat, name)
    at = f"{game.id} seat {seat}"
    refused = [f"refused: {at}: {line}" for line in refused]
    return Replayed(types, refused, [f"logged: {at}: {line}" for line in problems], times)


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


def _replies(game: Game, seat: int, name: str) -> tuple[Counter[str], list[str], list[float]]:
    bot = Bot(seat, player(name))
    reader = mjai.Reader(game.id)
    types = Counter[str]()
    refused = []
    times = []
    for message in mjai.messages(game):
        list(reader.events(message))
        start = time.perf_counter()
        reply = json.loads(bot.react(json.dumps(message_to_seat(dict(message), seat))))
        if reply["type"] == "none":
            continue
        times.append(1000 * (time.perf_counter() - start))
        types[str(reply["type"])] += 1
        error = _error(reply, message, reader)
        refused += [f"{reply}: {error}"] if error else []
    return types, refused, times


def message_to_seat(message: dict[str, Any], seat: int) -> dict[str, Any]:
    """A message as one seat receives it, other hands hidden."""
    if message["type"] == "start_game":
        return {**message, "id": seat}
    if message["type"] == "start_kyoku":
        hands = [hand if n == seat else ["?"] * 13 for n, hand in enumerate(message["tehais"])]
        return {**message, "tehais": hands}
    hidden = message["type"] == "tsumo" and message["actor"] != seat
    return {**message, "pai": "?"} if hidden else message


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


if __name__ == "__main__":
    main()
