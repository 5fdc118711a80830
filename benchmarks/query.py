"""Processor time of a full query: three opponents, 34 kinds, scores; numpy alone.

Every decision of the 60 benchmark games is queried, with a cache for each seat. Decisions are
grouped by the opponent with most open melds, or by riichi if there are none. Unit: milliseconds.
With `--against`, another checkout of the repository is measured in turn, a game each, and the
ratios are shown: this one divided by the other.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from benchmarks import output

GAMES = 60
BATCHES = 5  # of `deal_in_many`, spread over the games
FIRST_QUERIES = 5
ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("query_worker.py")


class Version:
    """A checkout, in a process of its own, and its times by group."""

    def __init__(self, tree: Path, model: str, archive: Path) -> None:
        self._command = [sys.executable, "-P", str(WORKER), model, str(archive)]
        self._environment = {**os.environ, "PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"}
        self.times: dict[str, list[float]] = defaultdict(list)
        self._process = self._start()

    def ask(self, command: str) -> Any:
        """The answer of the process."""
        return _ask(self._process, command)

    def run_game(self, game: int) -> None:
        """Time the queries of the next game, and sometimes a batch."""
        for name, milliseconds in self.ask("game"):
            self.times[name].append(milliseconds)
            self.times["all"].append(milliseconds)
        if game == 0:
            self.times["peak memory, MB"].append(self.ask("memory"))
        if game % (GAMES // BATCHES) == GAMES // BATCHES - 1:
            together, alone = self.ask("many")
            self.times["deal_in_many, mean"].append(together)
            self.times["the same views alone, mean"].append(alone)

    def run_first_query(self) -> None:
        """Time import, load and first query in a new process."""
        with self._start() as process:
            self.times["import and load"].append(_ask(process, "load"))
            self.times["first query"].append(_ask(process, "first"))
            assert process.stdin is not None
            process.stdin.close()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


def _ask(process: subprocess.Popen[str], command: str) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    print(command, file=process.stdin, flush=True)
    return json.loads(process.stdout.readline())


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument(
        "--model", default="kurita-hoki-2017", help="model name, or parameter file (.npz)"
    )
    options.add_argument("--against", type=Path, help="another checkout, to compare with")
    options.add_argument("--games", type=int, default=GAMES)
    arguments = options.parse_args()
    archive = arguments.shared / "tenhou" / "peer-bench.tar.xz"
    trees = [ROOT, *([arguments.against.resolve()] if arguments.against else [])]
    versions = [Version(tree, arguments.model, archive) for tree in trees]
    for _, version in zip(range(FIRST_QUERIES * len(versions)), cycle(versions), strict=False):
        version.run_first_query()
    for game in tqdm(range(arguments.games), "query"):
        for version in versions[:: -1 if game % 2 else 1]:
            version.run_game(game)
    names = sorted(versions[0].times)
    output.show([_line(name, versions) for name in names], as_json=arguments.json)


def _line(name: str, versions: list[Version]) -> dict[str, Any]:
    times = versions[0].times[name]
    line = {"hardest": name, "runs": len(times)}
    for at in (50, 95, 99):
        here, *there = (float(np.percentile(version.times[name], at)) for version in versions)
        line[f"{at}%"] = here
        line |= {f"{at}% ratio": here / other for other in there}
    return line


if __name__ == "__main__":
    main()
