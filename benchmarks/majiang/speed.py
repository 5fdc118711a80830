"""Speed of a table of four houjuu players, compared with four of majiang on the same deals.

The two alternate, deal by deal. "processor" counts processor time, node included; prefer it on a
shared machine. "ratio" compares the totals. Its 95% interval is that of the mean logarithm of the
ratio by deal, and its range is that of the ratio by deal.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tqdm import tqdm

from benchmarks import output
from benchmarks.majiang.host import host
from benchmarks.majiang.matches import Match
from houjuu.game.events import SEATS
from houjuu.player.players import player
from houjuu.util.intervals import clustered_mean

CLOCKS: dict[str, Callable[[], float]] = {
    "wall": time.perf_counter,
    "processor": lambda: time.process_time() + host().cpu_time,
}


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.majiang.speed")
    options.description = __doc__
    options.add_argument("--ours", default="estimator", help="player of the arena (%(default)s)")
    options.add_argument("--deals", type=int, default=5, help="hanchan of each (%(default)s)")
    options.add_argument("--seed", type=int, default=1, help="seed of the deals (%(default)s)")
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = options.parse_args()
    with TemporaryDirectory() as folder:
        matches = [
            Match((name,) * SEATS, Path(folder), arguments.seed)
            for name in ("majiang", arguments.ours)
        ]
        output.show(measure(matches, arguments.deals), as_json=arguments.json)


def measure(matches: Sequence[Match], deals: int) -> list[dict[str, Any]]:
    """Time the matches of majiang and of houjuu; returns a line for each clock."""
    for match in matches:
        player(match.line_up[0])  # load models before the clocks start
    times: dict[str, list[list[float]]] = {name: [[], []] for name in CLOCKS}
    rounds = [0, 0]
    for deal in tqdm(range(deals), unit="deal"):
        for number, match in enumerate(matches):
            before = {name: clock() for name, clock in CLOCKS.items()}
            rounds[number] += match.play(deal, 0).rounds
            for name, clock in CLOCKS.items():
                times[name][number].append(clock() - before[name])
    return [_line(name, deals, rounds, *seconds) for name, seconds in times.items()]


def _line(
    clock: str, deals: int, rounds: Sequence[int], theirs: Sequence[float], ours: Sequence[float]
) -> dict[str, Any]:
    logs = [math.log(a / b) for a, b in zip(theirs, ours, strict=True)]
    centre, half = clustered_mean(logs, range(deals))
    return {
        "clock": clock,
        "hanchan": deals,
        "rounds: theirs": rounds[0],
        "rounds: ours": rounds[1],
        "s/hanchan: theirs": sum(theirs) / deals,
        "s/hanchan: ours": sum(ours) / deals,
        "ratio": sum(theirs) / sum(ours),
        "95%": [math.exp(centre - half), math.exp(centre + half)],
        "range": [math.exp(min(logs)), math.exp(max(logs))],
    }


if __name__ == "__main__":
    main()
