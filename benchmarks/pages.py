"""Time to make a review page of four seats with advice, and its size.

The pages show the first games of an archive of real hanchan. The model is loaded for every page, as
in the command. Units: seconds of one core, seconds by the clock with two processes, and kilobytes.
"""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tqdm import tqdm

from benchmarks import output
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.review import rendering
from houjuu.review.page import write


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--archive", default="phoenix-hanchan", help="archive (%(default)s)")
    options.add_argument("--games", type=int, default=100, help="number of games (%(default)s)")
    arguments = options.parse_args()
    archive = arguments.shared / "tenhou" / f"{arguments.archive}.tar.xz"
    games = islice(mjlog.read(archive), arguments.games)
    measured = [_measure(game) for game in tqdm(games, "review", arguments.games)]
    names = ("seconds of one core", "seconds with two processes", "kilobytes")
    lines = [_line(*pair) for pair in zip(names, zip(*measured, strict=True), strict=True)]
    output.show(lines, as_json=arguments.json)


def _measure(game: Game) -> tuple[float, float, float]:
    seats = rendering.shown_seats(game, 0)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "review.html"
        cpu = time.process_time()
        write(file, rendering.render(game, seats)[0])
        cpu = time.process_time() - cpu
        clock = time.perf_counter()
        write(file, rendering.render(game, seats, jobs=2)[0])
        clock = time.perf_counter() - clock
        return cpu, clock, file.stat().st_size / 1000


def _line(name: str, values: tuple[float, ...]) -> dict[str, Any]:
    median, most = float(np.median(values)), max(values)
    return {"per page": name, "pages": len(values), "median": median, "most": most}


if __name__ == "__main__":
    main()
