"""The bot on damaged streams: no exception, and no illegal answer.

A stream is a round of self-play as one seat receives it, from ``start_game`` to a random place,
with one or two damages (`benchmarks.damage`). A second riichienv, which hears the messages that a
table accepts, judges every action. At its own draw the bot must act; out of step it must discard
the drawn tile.
"""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from joblib import Parallel, delayed
from tqdm import tqdm

from benchmarks import output
from benchmarks.bot import message_to_seat
from benchmarks.damage import Lines, Messages, damaged, rounds
from benchmarks.judge import Judge
from houjuu.player.bot import Bot
from houjuu.player.players import player
from houjuu.util.errors import Error

_CHUNK = 100  # unit: streams


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--streams", type=int, default=1000, help="streams (%(default)s)")
    options.add_argument("--player", default="estimator", help="player (default: %(default)s)")
    options.add_argument("--games", type=int, default=8, help="self-played games (%(default)s)")
    options.add_argument("--seed", type=int, default=1, help="seed of the damage (%(default)s)")
    options.add_argument("--jobs", type=int, default=2)
    arguments = options.parse_args()
    chunks = range(0, arguments.streams, _CHUNK)
    work = (
        delayed(run)(arguments.player, arguments.games, f"{arguments.seed} {first}", _CHUNK)
        for first in chunks
    )
    start = time.perf_counter()
    total = Counter[str]()
    problems = list[str]()
    results = Parallel(arguments.jobs, return_as="generator")(work)
    for counts, chunk_problems in tqdm(results, total=len(chunks), unit="chunk"):
        total += counts
        problems += chunk_problems
    for problem in problems:
        print(problem)
    seconds = time.perf_counter() - start
    line = {"player": arguments.player, "illegal": len(problems), **dict(total.most_common())}
    output.show([line | {"streams/s": total["streams"] / seconds}], as_json=arguments.json)


def run(name: str, n_games: int, seed: str, n_streams: int) -> tuple[Counter[str], list[str]]:
    """Answers by type, and illegal answers and exceptions as text, of some streams."""
    logging.disable()
    rng = Random(seed)
    plays = player(name)
    games = [rounds(game) for game in range(n_games)]
    counts = Counter[str]()
    problems = list[str]()
    for number in range(n_streams):
        seat = rng.randrange(4)
        with_id = rng.random() < 0.5
        stream = list(to_seat(rng.choice(rng.choice(games)), seat, with_id=with_id))
        lines = damaged(stream[: rng.randint(2, len(stream))], rng)
        bot = Bot(None if with_id else seat, plays)
        for answer, problem in judged(bot, lines):
            counts[answer] += 1
            if problem:
                problems.append(f"seed {seed} stream {number}: {problem}")
        counts["streams"] += 1
    return counts, problems


def to_seat(messages: Messages, seat: int, *, with_id: bool = True) -> Iterator[dict[str, Any]]:
    """The messages as a seat receives them, other hands hidden."""
    for message in messages:
        shown = message_to_seat(message, seat)
        if not with_id:
            shown.pop("id", None)
        yield shown


def judged(bot: Bot, lines: Lines) -> Iterator[tuple[str, str]]:
    """Yield the type of each answer and its fault, empty for a legal one."""
    judge = Judge(bot.live.seat)
    for line in lines:
        judge.hear(line)
        try:
            answer = json.loads(bot.react(line))
        except Error as error:  # the seat is unknown, which ends the command
            yield "no seat", "" if judge.seat is None else f"raises {error!r}"
            return
        except Exception as error:
            yield "exception", f"raises {error!r} at {line!r:.200}"
            return
        problem = judge.problem(answer)
        yield judge.kind(answer), f"{problem}: {answer!r:.120} at {line!r:.200}" if problem else ""


if __name__ == "__main__":
    main()
