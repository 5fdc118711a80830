"""Answer times of the bot in a new environment: from the start to the first answer, and later.

The project is installed with the extra `arena` in a new virtual environment outside the project,
with empty caches and without bytecode. There `houjuu bot` follows recorded games: one seat of each
game receives the messages as mjai, other hands hidden. Then it is started again, with bytecode.

"start" is the time from the start of the process to the answer to ``start_game``; 1–10 are the
first ten actions, "later" counts all others. The times are in milliseconds, by the clock and of the
processor (Linux only). On a shared machine the clock includes the time of other programs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import output
from benchmarks.bot import message_to_seat
from houjuu.arena.matches import Match
from houjuu.game.events import Game
from houjuu.logs import mjai, mjlog

PROJECT = Path(__file__).resolve().parents[1]
SOURCES = ("pyproject.toml", "README.md", "LICENSE")
LINE_UP = ("estimator", "relative", "value", "estimator")
FIRST = 10


class Times(NamedTuple):
    """Seconds by the clock, and seconds of the processor."""

    clock: float
    processor: float


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--logs", type=Path, help="mjlog games (default: games of the arena)")
    options.add_argument("--games", type=int, default=12, help="number of games")
    options.add_argument("--player", default="estimator", help="player of the arena")
    arguments = options.parse_args()
    games = list(islice(_games(arguments.logs), arguments.games))
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        command = [_install(home), "bot", "--player", arguments.player]
        for start in ("first start", "second start"):
            times = _play(command, home, games)
            lines += [_line(f"{start}, {name}", times, name) for name in Times._fields]
    output.show(lines, as_json=arguments.json)


def _games(logs: Path | None) -> Iterator[Game]:
    if logs is not None:
        return (game for game in mjlog.read(logs) if game.rules.red_fives)
    return (Match(LINE_UP).play(deal, 0) for deal in count())


def _install(folder: Path) -> str:
    """Install the project in a new environment; the path of its command `houjuu`."""
    project = folder / "project"
    environment = folder / "environment"
    shutil.copytree(PROJECT / "houjuu", project / "houjuu")
    for name in SOURCES:
        shutil.copy(PROJECT / name, project)
    subprocess.run(["uv", "venv", "-q", "--python", sys.executable, environment], check=True)
    install = ["uv", "pip", "install", "-q", "--python", str(environment / "bin" / "python")]
    pinned = ["--constraint", str(PROJECT / "constraints.txt")]
    subprocess.run([*install, *pinned, f"{project}[arena]"], check=True)
    return str(environment / "bin" / "houjuu")


def _play(command: Sequence[str], home: Path, games: Iterable[Game]) -> list[Times]:
    """The time to the first answer, and those of all later answers that are actions."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CACHE_HOME": str(home)}
    pipe = subprocess.PIPE
    times: list[Times] = []
    clock = time.perf_counter()
    processor = 0.0
    with subprocess.Popen(command, cwd=home, env=variables, stdin=pipe, stdout=pipe) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        for line in _lines(games):
            bot.stdin.write(line)
            bot.stdin.flush()
            answer: dict[str, Any] = json.loads(bot.stdout.readline())
            answered = time.perf_counter()
            used = _processor_time(bot.pid)
            if not times or answer["type"] != "none":
                times.append(Times(answered - clock, used - processor))
            clock = time.perf_counter()
            processor = used
    return times


def _lines(games: Iterable[Game]) -> Iterator[bytes]:
    """The messages of a seat of each game."""
    for number, game in enumerate(games):
        for message in mjai.messages(game):
            yield json.dumps(message_to_seat(dict(message), number % 4)).encode() + b"\n"


def _processor_time(process: int) -> float:
    """Seconds that all threads of a process have used; NaN where the system does not report it."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    nanoseconds = [int(thread.read_text().split()[0]) for thread in threads]
    return sum(nanoseconds) / 1e9 if nanoseconds else float("nan")


def _line(name: str, times: Sequence[Times], field: str) -> dict[str, Any]:
    start, *answers = (1000 * float(getattr(time, field)) for time in times)
    first = answers[:FIRST]
    later = answers[FIRST:]
    median, p99, most = np.percentile(later, [50, 99, 100]).tolist()
    by_number = {str(number): answer for number, answer in enumerate(first, 1)}
    summary = {"later": len(later), "median": median, "99%": p99, "most": most}
    return {"": name, "start": start, **by_number, **summary}


if __name__ == "__main__":
    main()
