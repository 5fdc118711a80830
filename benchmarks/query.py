"""How long a full query takes: three opponents, 34 kinds, scores; one core, numpy alone.

Every decision of the peers' 60 games is asked, each seat holding what can be kept. A decision is
listed under the opponent with most melds, else under one in riichi. Milliseconds.
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
from houjuu.melded import Kept
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
    options.add_argument("--model", default="kurita-hoki-2017", help="a name, or a file (.npz)")
    arguments = options.parse_args()
    estimator = houjuu.load(arguments.model)
    times: dict[str, list[float]] = defaultdict(list)
    for game in tqdm(mjlog.read(arguments.shared / "tenhou" / "peer-bench.tar.xz"), "ask"):
        for name, seconds in _ask(game, estimator):
            times[name].append(1000 * seconds)
            times["all"].append(1000 * seconds)
    lines = [_line(name, times[name]) for name in sorted(times)]
    output.show(lines, as_json=arguments.json)
    if not arguments.json:
        loaded = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, check=True)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"import and load: {float(loaded.stdout):.2f} s; most memory: {memory:.0f} MB")


def _ask(game: Game, estimator: houjuu.Estimator) -> list[tuple[str, float]]:
    table = houjuu.Table(game.rules)
    kept = [Kept() for _ in range(4)]
    found = []
    for event in game:
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            view = table.view(event.seat)
            start = time.perf_counter()
            risk = estimator.deal_in(view, kept[event.seat])
            _ = risk.any, risk.points
            found.append((_name(view), time.perf_counter() - start))
        table.apply(event)
    return found


def _name(view: View) -> str:
    melds = max(seat.open_melds for seat in view.opponents)
    if melds:
        return f"{melds} melds"
    return "riichi" if any(seat.in_riichi for seat in view.opponents) else "closed"


def _line(name: str, times: list[float]) -> dict[str, Any]:
    median, p95, p99 = np.percentile(times, [50, 95, 99]).tolist()
    return {"hardest": name, "queries": len(times), "median": median, "95%": p95, "99%": p99}


if __name__ == "__main__":
    main()
