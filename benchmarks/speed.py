"""Speed of reading logs, compared with jansou on the same files, and of extracting rows.

Each number is the best of several runs. The runs alternate, so that both readers have the same
conditions. "ratio" is the speed of houjuu divided by that of jansou.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from jansou.io.mjlog import parse_mjlog

from benchmarks import output
from features import paper_tenpai_rows
from houjuu.game.events import Game
from houjuu.game.table import Table
from houjuu.logs import mjlog
from houjuu.logs.sources import contents

ARCHIVES = ("phoenix-hanchan", "phoenix-tonpuu")
RUNS = 5


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=300, help="games per archive (%(default)s)")
    arguments = options.parse_args()
    lines = []
    for name in ARCHIVES:
        path = arguments.shared / "tenhou" / f"{name}.tar.xz"
        lines += measure(name, list(islice(contents(path), arguments.games)))
    output.show(lines, as_json=arguments.json)


def measure(name: str, files: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """Time the reading, following and extraction of files."""
    games = [mjlog.parse(data, file) for file, data in files]
    events = sum(len(game.events) for game in games)
    ours, theirs = best(
        lambda: [mjlog.parse(data, file) for file, data in files],
        lambda: [parse_mjlog(data) for _, data in files],
    )
    follow, extract = best(lambda: _follow(games), lambda: paper_tenpai_rows.rows(games))
    rows = len(paper_tenpai_rows.rows(games))

    def line(step: str, unit: str, number: int, seconds: float, ratio: float | None = None) -> Any:
        per_second = round(number / seconds)
        return {"files": name, "step": step, "unit": unit, "per second": per_second, "ratio": ratio}

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
    """Seconds of the fastest of `RUNS` runs of each function; the runs alternate."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(RUNS):
        for run_times, run in zip(times, work, strict=True):
            start = time.perf_counter()
            run()
            run_times.append(time.perf_counter() - start)
    return [min(run_times) for run_times in times]


if __name__ == "__main__":
    main()
