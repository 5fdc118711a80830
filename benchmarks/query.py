"""Processor time of a full query: three opponents, 34 kinds, scores; numpy alone.

Every decision of the 60 benchmark games is queried, with a cache for each seat. Decisions are
grouped by the opponent with most open melds, or by riichi if there are none. Unit: milliseconds.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections import defaultdict
from typing import Any

import numpy as np
from tqdm import tqdm

import houjuu
from benchmarks import output
from houjuu.events import Discard, Game
from houjuu.logs import mjlog
from houjuu.table import View

LOAD = """
import time
start = time.perf_counter()
import houjuu
houjuu.load()
print(time.perf_counter() - start)
"""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument(
        "--model", default="kurita-hoki-2017", help="model name, or parameter file (.npz)"
    )
    arguments = options.parse_args()
    estimator = houjuu.load(arguments.model)
    times: dict[str, list[float]] = defaultdict(list)
    for game in tqdm(mjlog.read(arguments.shared / "tenhou" / "peer-bench.tar.xz"), "query"):
        for name, seconds in _query_times(game, estimator):
            times[name].append(1000 * seconds)
            times["all"].append(1000 * seconds)
    lines = [_line(name, times[name]) for name in sorted(times)]
    output.show(lines, as_json=arguments.json)
    if not arguments.json:
        process = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, check=True)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"import and load: {float(process.stdout):.2f} s; peak memory: {memory:.0f} MB")


def _query_times(game: Game, estimator: houjuu.Estimator) -> list[tuple[str, float]]:
    table = houjuu.Table(game.rules)
    caches = [houjuu.HandCache() for _ in range(4)]
    times = []
    for event in game:
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            view = table.view(event.seat)
            start = time.thread_time()
            risk = estimator.deal_in(view, caches[event.seat])
            _ = risk.any, risk.points
            times.append((_group(view), time.thread_time() - start))
        table.apply(event)
    return times


def _group(view: View) -> str:
    n_open_melds = max(seat.n_open_melds for seat in view.opponents)
    if n_open_melds:
        return f"{n_open_melds} melds"
    return "riichi" if any(seat.in_riichi for seat in view.opponents) else "closed"


def _line(name: str, times: list[float]) -> dict[str, Any]:
    median, p95, p99 = np.percentile(times, [50, 95, 99]).tolist()
    return {"hardest": name, "queries": len(times), "median": median, "95%": p95, "99%": p99}


if __name__ == "__main__":
    main()
