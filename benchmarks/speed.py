"""How fast logs are read, beside jansou's reader on the same files, and how fast rows are made.

Each figure is the best of several runs, taken in turn so that both readers meet the same machine;
"ratio" is houjuu's speed over jansou's.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from jansou.io.mjlog import parse_mjlog

from benchmarks import output
from features import tenpai
from houjuu.events import Game
from houjuu.logs import mjlog
from houjuu.logs.sources import contents
from houjuu.table import Table

ARCHIVES = ("phoenix-hanchan", "phoenix-tonpuu")
RUNS = 5


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=300, help="of each archive (%(default)s)")
    arguments = options.parse_args()
    lines = []
    for name in ARCHIVES:
        path = arguments.shared / "tenhou" / f"{name}.tar.xz"
        lines += measure(name, list(islice(contents(path), arguments.games)))
    output.show(lines, as_json=arguments.json)


def measure(name: str, files: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """Time reading, following and extracting some files."""
    games = [mjlog.parse(data, file) for file, data in files]
    events = sum(len(game.events) for game in games)
    ours, theirs = best(
        lambda: [mjlog.parse(data, file) for file, data in files],
        lambda: [parse_mjlog(data) for _, data in files],
    )
    follow, extract = best(lambda: _follow(games), lambda: tenpai.rows(games))
    rows = len(tenpai.rows(games))

    def line(what: str, unit: str, number: int, seconds: float, ratio: float | None = None) -> Any:
        per_second = round(number / seconds)
        return {"files": name, "what": what, "unit": unit, "per second": per_second, "ratio": ratio}

    return [
        line("read: mjlog to events", "events", events, ours, theirs / ours),
        line("read: jansou", "events", events, theirs),
        line("follow: events on a table", "events", events, follow),
        line("extract: games to rows", "rows", rows, extract),
    ]


def _follow(games: list[Game]) -> int:
    events = 0
    for game in games:
        table = Table(game.rules)
        for event in game:
            table.apply(event)
            events += 1
    return events


def best(*work: Callable[[], object]) -> list[float]:
    """Seconds of the fastest of `RUNS` runs of each, run in turn."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(RUNS):
        for own, run in zip(times, work, strict=True):
            start = time.perf_counter()
            run()
            own.append(time.perf_counter() - start)
    return [min(own) for own in times]


if __name__ == "__main__":
    main()
