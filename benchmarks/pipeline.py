"""The pipeline stage by stage: time, processor time, memory of all processes, games per second.

A copy of the pipeline in a temporary folder runs every stage of dvc.yaml in order. "reading" is the
processor time of a stage divided by that of parsing the same logs in one process. Memory is the sum
over all processes of the stage, shared pages counted once (Linux), sampled five times a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
from tqdm import tqdm

from benchmarks import output
from houjuu import logs
from pipeline import graph, paths
from tests.pipeline import repository

_PERIOD = 0.2  # unit: seconds


@dataclass(frozen=True)
class Measured:
    """The cost of one stage.

    Attributes
    ----------
    stage : str
    seconds, processor : float
        By the clock, and of all processes together.
    megabytes : float
        The most that all processes had at one time.
    """

    stage: str
    seconds: float
    processor: float
    megabytes: float


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", type=Path, nargs="+", help="files, folders, archives, databases")
    options.add_argument("--workers", type=int, default=-1, help="processes (default: one a core)")
    options.add_argument("--scheduler", help="address of a Dask scheduler")
    options.add_argument("--skip", nargs="*", default=[], help="stages to leave out at the end")
    options.add_argument("--keep", type=Path, help="a new folder that keeps the run")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = make(arguments.keep or Path(temporary, "run"), arguments.logs, arguments.workers)
        if arguments.scheduler:
            repository.change_params(folder, "run", scheduler=arguments.scheduler)
        measured = list(measure(folder, frozenset(arguments.skip)))
        n_games = len(pd.read_parquet(folder / paths.GAMES))
    reading = read_alone(arguments.logs)
    output.show(lines(measured, n_games, reading), as_json=arguments.json)


def make(folder: Path, sources: list[Path], workers: int) -> Path:
    """A copy of the pipeline with its own parameters and some logs."""
    repository.copy(folder)
    repository.change_params(folder, "run", jobs=workers)
    _measured(folder, "link", ["-m", "pipeline.link", *(str(path.resolve()) for path in sources)])
    return folder


def measure(folder: Path, skipped: frozenset[str] = frozenset()) -> Iterator[Measured]:
    """Yield the cost of every stage, in order."""
    stages = {name: stage for name, stage in graph.stages().items() if name not in skipped}
    for name, stage in tqdm(stages.items(), "stages"):
        yield _measured(folder, name, stage.command.split()[1:])


def _measured(folder: Path, name: str, arguments: list[str]) -> Measured:
    """The cost of a command of Python in the copy of the pipeline."""
    start = time.perf_counter()
    begin = os.times()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    most = [0.0]
    ended = threading.Event()
    watch = threading.Thread(target=_watch, args=(process.pid, most, ended))
    watch.start()
    log, _ = process.communicate()
    ended.set()
    watch.join()
    if process.returncode:
        raise SystemExit(f"{name} failed:\n{log}")
    end = os.times()
    processor = (end.children_user - begin.children_user) + (
        end.children_system - begin.children_system
    )
    return Measured(name, time.perf_counter() - start, processor, most[0])


def _watch(pid: int, most: list[float], ended: threading.Event) -> None:
    while not ended.wait(_PERIOD):
        most[0] = max(most[0], _memory(pid) / 2**20)


def _memory(pid: int) -> int:
    """Proportional memory of a process and all below it, unit: bytes."""
    total = 0
    try:
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            total += int(process.memory_full_info().pss)
    except psutil.Error:  # a process has ended meanwhile
        pass
    return total


def read_alone(sources: list[Path]) -> float:
    """Processor time to parse all logs in this process, unit: seconds."""
    start = time.process_time()
    for path in sources:
        for _ in logs.games(path, lambda error: None):
            pass
    return time.process_time() - start


def lines(measured: list[Measured], n_games: int, reading: float) -> list[dict[str, Any]]:
    """A line for each stage, and one for all."""
    total = Measured(
        "all",
        sum(stage.seconds for stage in measured),
        sum(stage.processor for stage in measured),
        max(stage.megabytes for stage in measured),
    )
    return [
        asdict(stage) | {"games/s": n_games / stage.seconds, "reading": stage.processor / reading}
        for stage in (*measured, total)
    ]


if __name__ == "__main__":
    main()
