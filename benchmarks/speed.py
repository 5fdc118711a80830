"""Processor times of reading logs, of queries, and of a bot, as benchmarks of pyperf.

Reading is timed by event, beside jansou on the same files; a query by decision, with a cache for
each seat and the hands of opponents built before it, as `houjuu.Live` does it. Decisions are
grouped by the opponent with most open melds, or by riichi if there are none; "99%" is that of all.
A reply is one of the bot with an action. All options of pyperf hold.

    python -m benchmarks.speed --logs phoenix-2024.tar.xz --games 60 -o here.json
    python -m benchmarks.speed --benchmarks query --against ../baseline  # in turn, and the ratios
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyperf

import houjuu
from houjuu.game.events import Discard, Game
from houjuu.game.table import View
from houjuu.logs import mjai, mjlog
from houjuu.logs.sources import contents

ROOT = Path(__file__).parents[1]
OPTIONS = {"logs": str(ROOT / "docs/game.mjlog"), "games": 20, "model": "houjuu", "player": "rank"}
ROUNDS = 5
"""Processes of each of two checkouts, in turn."""
_FIRST = "import houjuu; houjuu.load().deal_in(houjuu.position('123m456p789s11223z', dora='1m'))"


def main() -> None:
    runner = pyperf.Runner(
        processes=ROUNDS, values=3, warmups=1, loops=1, add_cmdline_args=_forwarded
    )
    environment = {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    os.environ |= {name: os.environ.get(name, value) for name, value in environment.items()}
    runner.argparser.set_defaults(inherit_environ=[*environment])
    for name, value in OPTIONS.items():
        runner.argparser.add_argument(f"--{name}", type=type(value), default=value)
    runner.argparser.add_argument("--benchmarks", default="", help="those whose names begin so")
    runner.argparser.add_argument("--against", help="another checkout, to compare with")
    arguments = runner.parse_args()
    if arguments.against:
        compare([Path(arguments.against), ROOT], arguments)
        return
    for name, work in benchmarks(arguments).items():
        if name.startswith(arguments.benchmarks):
            runner.bench_time_func(name, lambda _, work=work: work())
    if "start".startswith(arguments.benchmarks):
        runner.bench_command("start", [sys.executable, "-c", _FIRST])


def _forwarded(command: list[str], arguments: Any) -> None:
    for name in (*OPTIONS, "benchmarks"):
        command += [f"--{name}", str(getattr(arguments, name))]


def compare(trees: Sequence[Path], arguments: Any) -> None:
    """Time checkouts in turn, a process of each benchmark a round, and print the ratios."""
    options: list[str] = []
    _forwarded(options, arguments)
    with TemporaryDirectory() as folder:
        files = [str(Path(folder, f"{number}.json")) for number in range(len(trees))]
        for turn in range(ROUNDS):
            for tree, file in [*zip(trees, files, strict=True)][:: -1 if turn % 2 else 1]:
                command = [sys.executable, __file__, *options, "--quiet", "--processes", "1"]
                environment = os.environ | {"PYTHONPATH": str(tree.resolve())}
                subprocess.run([*command, "--append", file], env=environment, check=True)
        compare_to = [sys.executable, "-m", "pyperf", "compare_to", "--table"]
        subprocess.run([*compare_to, *files], check=True)


def benchmarks(arguments: Any) -> dict[str, Callable[[], float]]:
    """Functions that run a pass over the games and return seconds, by name."""

    @cache
    def files() -> list[tuple[str, bytes]]:
        return [(n, b) for n, b in islice(contents(arguments.logs), arguments.games) if b]

    @cache
    def games() -> list[Game]:
        return [mjlog.parse(data, name) for name, data in files()]

    def read(parse: Callable[[bytes], object]) -> float:
        seconds = _seconds(lambda: [parse(data) for _, data in files()])
        return seconds / sum(len(game.events) for game in games())

    def jansou() -> float:
        from jansou.io.mjlog import parse_mjlog

        return read(parse_mjlog)

    def rows() -> float:
        from features import paper_tenpai_rows

        return _seconds(lambda: paper_tenpai_rows.rows(games())) / len(games())

    def queries(group: str | None = None) -> list[float]:
        return list(query_times(houjuu.load(arguments.model), games(), group))

    def many() -> float:
        views = [view for game in games() for _, view in decisions(game)][:1000]
        estimator = houjuu.load(arguments.model)
        return _seconds(lambda: [risk.any for risk in estimator.deal_in_many(views)]) / len(views)

    def mean(group: str) -> float:
        return float(np.mean(queries(group)))

    groups = sorted({group_of(view) for game in games() for _, view in decisions(game)})
    return {
        "read": partial(read, mjlog.parse),
        "read, jansou": jansou,
        "rows": rows,
        "deal_in_many": many,
        "query, 99%": lambda: float(np.percentile(queries(), 99)),
        **{f"query, {group}": partial(mean, group) for group in groups},
        "reply": lambda: float(np.mean([*reply_times(arguments.player, games())])),
    }


def _seconds(work: Callable[..., object], *arguments: object) -> float:
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def query_times(
    estimator: houjuu.Estimator, games: Sequence[Game], group: str | None
) -> Iterator[float]:
    """Yield the seconds of each query of a group, or of all."""
    for game in games:
        caches = [houjuu.HandCache() for _ in range(4)]
        for seat, view in decisions(game):
            if group in (None, group_of(view)):
                caches[seat].prepare(view)
                yield _seconds(_query, estimator, view, caches[seat])


def _query(estimator: houjuu.Estimator, view: View, cache: houjuu.HandCache) -> None:
    risk = estimator.deal_in(view, cache)
    _ = risk.any, risk.points


def decisions(game: Game) -> Iterator[tuple[int, View]]:
    """Yield the views in which a seat that is not in riichi chooses its discard."""
    table = houjuu.Table(game.rules)
    for event in game:
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            yield event.seat, table.view(event.seat)
        table.apply(event)


def group_of(view: View) -> str:
    """The opponent with most open melds; riichi or closed if there are none."""
    melds = max(seat.n_open_melds for seat in view.opponents)
    if melds:
        return f"{melds} meld{'s' * (melds > 1)}"
    return "riichi" if any(seat.in_riichi for seat in view.opponents) else "closed"


def reply_times(player: str, games: Sequence[Game]) -> Iterator[float]:
    """Yield the seconds of each reply with an action, in seat 0."""
    from benchmarks.output import message_to_seat

    for game in games:
        bot = houjuu.Bot(0, player)
        for message in mjai.messages(game):
            line = json.dumps(message_to_seat(dict(message), 0))
            start = time.process_time()
            reply = bot.react(line)
            seconds = time.process_time() - start
            if json.loads(reply)["type"] != "none":
                yield seconds


if __name__ == "__main__":
    main()
