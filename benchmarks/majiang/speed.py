"""How many hanchan a second four of our players play, beside four of majiang's on the same deals.

The two take turns, deal by deal. "processor" counts what they take of the processors' time, node's
included, and is what to look at where a machine is shared. "ratio" is of the totals; its interval
of 95% and its range are those of the ratio deal by deal (the interval of its logarithm's mean).
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
from houjuu.arena.matches import SEATS, player
from houjuu.arena.statistics import mean

CLOCKS: dict[str, Callable[[], float]] = {
    "wall": time.perf_counter,
    "processor": lambda: time.process_time() + host().spent,
}


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.majiang.speed")
    options.description = __doc__
    options.add_argument("--ours", default="estimator", help="as in houjuu arena (%(default)s)")
    options.add_argument("--deals", type=int, default=5, help="hanchan of each (%(default)s)")
    options.add_argument("--seed", type=int, default=1, help="of the deals (%(default)s)")
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = options.parse_args()
    with TemporaryDirectory() as folder:
        matches = [
            Match((name,) * SEATS, Path(folder), arguments.seed)
            for name in ("majiang", arguments.ours)
        ]
        output.show(measure(matches, arguments.deals), as_json=arguments.json)


def measure(matches: Sequence[Match], deals: int) -> list[dict[str, Any]]:
    """Time majiang's match and ours: a line a clock."""
    for match in matches:
        player(match.line_up[0])  # loads what it needs
    taken: dict[str, list[list[float]]] = {name: [[], []] for name in CLOCKS}
    rounds = [0, 0]
    for deal in tqdm(range(deals), unit="deal"):
        for number, match in enumerate(matches):
            before = {name: clock() for name, clock in CLOCKS.items()}
            rounds[number] += match.play(deal, 0).rounds
            for name, clock in CLOCKS.items():
                taken[name][number].append(clock() - before[name])
    return [_line(name, deals, rounds, *seconds) for name, seconds in taken.items()]


def _line(
    clock: str, deals: int, rounds: Sequence[int], theirs: Sequence[float], ours: Sequence[float]
) -> dict[str, Any]:
    logs = [math.log(a / b) for a, b in zip(theirs, ours, strict=True)]
    centre, half = mean((logs, range(deals)))
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
