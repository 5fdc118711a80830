"""How many hanchan a second four of our players play, beside four of majiang's on the same deals.

The two take turns, deal by deal, in one process on one core. "busy" is what majiang's own code
takes of its time, without referee and bridge; the interval of 95% and the range are those of the
ratio of two hanchan on the same deal, and are of its logarithm's mean.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tqdm import tqdm

from benchmarks import output
from benchmarks.majiang.host import host
from benchmarks.majiang.matches import Match
from houjuu.arena.matches import SEATS, player
from houjuu.arena.statistics import mean

THEIRS = "majiang"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ours", default="estimator", help="as in ``houjuu arena``")
    options.add_argument("--deals", type=int, default=5, help="hanchan of each (%(default)s)")
    options.add_argument("--seed", type=int, default=1, help="of the deals (%(default)s)")
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    arguments = options.parse_args()
    with TemporaryDirectory() as folder:
        names = (THEIRS, arguments.ours)
        matches = [Match((name,) * SEATS, Path(folder), arguments.seed) for name in names]
        lines = measure(matches, arguments.deals)
    output.show(lines, as_json=arguments.json)


def measure(matches: list[Match], deals: int) -> list[dict[str, Any]]:
    """Time majiang's match and ours; a line each."""
    for match in matches:
        player(match.line_up[0])  # loads what it needs
    seconds: list[list[float]] = [[] for _ in matches]
    rounds = [0 for _ in matches]
    before = host().waited
    for deal in tqdm(range(deals), unit="deal"):
        for number, match in enumerate(matches):
            start = time.perf_counter()
            rounds[number] += match.play(deal, 0).rounds
            seconds[number].append(time.perf_counter() - start)
    theirs, ours = seconds
    busy = (host().waited - before) / sum(theirs)
    logs = [math.log(a / b) for a, b in zip(theirs, ours, strict=True)]
    centre, half = mean((logs, range(deals)))
    spread = [math.exp(log) for log in (centre - half, centre + half, min(logs), max(logs))]

    def line(number: int, busy: float | None, **ratio: Any) -> dict[str, Any]:
        total = sum(seconds[number])
        told = {"four of": matches[number].line_up[0], "hanchan": deals, "rounds": rounds[number]}
        speed = {"seconds a hanchan": total / deals, "hanchan a second": deals / total}
        return {**told, **speed, "busy": busy, **ratio}

    none = {"ratio": None, "95%": None, "range": None}
    ratio = {"ratio": sum(theirs) / sum(ours), "95%": spread[:2], "range": spread[2:]}
    return [line(0, busy, **none), line(1, None, **ratio)]


if __name__ == "__main__":
    main()
