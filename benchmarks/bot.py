"""Whether the bot is legal on recorded games, seat by seat, and how long it takes.

A game of mjlog with red fives is told as mjai to one seat, as that seat would hear it. What the
bot answers is not played: it is shown to a ledger that sees the whole table, which refuses what
cannot be, and a win must complete the hand. Milliseconds are of messages that the bot acts on, its
referee's and its table's work included.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

from benchmarks import output
from houjuu.arena.matches import player
from houjuu.errors import Error
from houjuu.events import Game
from houjuu.logs import mjai, mjlog
from houjuu.player.bot import NONE, Bot, Message
from houjuu.player.shanten import shanten
from houjuu.tiles import COPIES, parse_mjai

_WIN, _CLAIMS = "hora", ("chi", "pon", "daiminkan")


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", type=Path, help="a file, folder, archive or database of mjlog")
    options.add_argument("--player", default="estimator", help="one of houjuu arena")
    options.add_argument("--games", type=int, default=1000, help="one seat of each, in turn")
    options.add_argument("--jobs", type=int, default=2)
    arguments = options.parse_args()
    usual = (game for game in mjlog.read(arguments.logs) if game.rules.red_fives)
    games = tqdm(islice(usual, arguments.games), total=arguments.games)
    work = (delayed(played)(game, n % 4, arguments.player) for n, game in enumerate(games))
    told, refused, times = Counter[str](), [], []
    for of in Parallel(arguments.jobs, return_as="generator")(work):
        told += of[0]
        refused += of[1]
        times += of[2]
    for line in refused:
        print("refused:", line)
    median, p99, most = np.percentile(times, [50, 99, 100]).tolist()
    line = {"answers": sum(told.values()), "refused": len(refused), **dict(told.most_common())}
    line |= {"median": median, "99%": p99, "most": most}
    output.show([line], as_json=arguments.json)


def played(game: Game, seat: int, name: str) -> tuple[Counter[str], list[str], list[float]]:
    """What a bot answers in a seat of a game: by type, what was refused and why, and the times."""
    bot, reader = Bot(player(name), seat), mjai.Reader(game.id)
    told, refused, times = Counter[str](), [], []
    for message in mjai.messages(game):
        reader.event(message)
        start = time.perf_counter()
        answer = bot.answer(heard(dict(message), seat))
        if answer == NONE:
            continue
        times.append(1000 * (time.perf_counter() - start))
        told[str(answer["type"])] += 1
        wrong = _wrong(answer, message, reader)
        refused += [f"{game.id} seat {seat}: {answer}: {wrong}"] if wrong else []
    return told, refused, times


def heard(message: dict[str, Any], seat: int) -> dict[str, Any]:
    """A message as one seat gets it."""
    if message["type"] == "start_game":
        return {**message, "id": seat}
    if message["type"] == "start_kyoku":
        hands = [hand if n == seat else ["?"] * 13 for n, hand in enumerate(message["tehais"])]
        return {**message, "tehais": hands}
    hidden = message["type"] == "tsumo" and message["actor"] != seat
    return {**message, "pai": "?"} if hidden else message


def _wrong(answer: Message, last: Message, reader: mjai.Reader) -> str:
    """Why an answer to a message is not legal; nothing if it is."""
    seat = answer["actor"]
    if answer["type"] == _WIN:
        kinds = [tile // COPIES for tile in reader.ledger.hands[seat]]
        kinds += [parse_mjai(last["pai"])[0]] if answer["target"] != seat else []
        return "" if shanten(kinds) < 0 else "is no win"
    if answer["type"] in _CLAIMS:  # a riichi whose discard is called is accepted first
        accepted = deepcopy(reader)
        with suppress(Error):
            accepted.event({"type": "reach_accepted", "actor": answer["target"]})
            reader = accepted
    try:
        deepcopy(reader).event(answer)
    except Error as problem:
        return problem.reason
    return ""


if __name__ == "__main__":
    main()
