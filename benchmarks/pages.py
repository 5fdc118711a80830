"""Time to make a review page with advice, and its size.

The pages show the first games of an archive of real hanchan, the four seats in turn. The model is
loaded for every page, as in the command. Units: seconds of one core, and kilobytes.
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
from houjuu.events import Game
from houjuu.logs import mjlog
from houjuu.review import command


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--archive", default="phoenix-hanchan", help="archive (%(default)s)")
    options.add_argument("--games", type=int, default=100, help="number of games (%(default)s)")
    arguments = options.parse_args()
    archive = arguments.shared / "tenhou" / f"{arguments.archive}.tar.xz"
    games = islice(mjlog.read(archive), arguments.games)
    measured = [
        _measure(game, i % 4) for i, game in enumerate(tqdm(games, "review", arguments.games))
    ]
    seconds, sizes = zip(*measured, strict=True)
    lines = [_line("seconds", seconds), _line("kilobytes", sizes)]
    output.show(lines, as_json=arguments.json)


def _measure(game: Game, seat: int) -> tuple[float, float]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "review.html"
        start = time.process_time()
        command.run(game, command.shown_seats(game, seat), file)
        return time.process_time() - start, file.stat().st_size / 1000


def _line(name: str, values: tuple[float, ...]) -> dict[str, Any]:
    median, most = float(np.median(values)), max(values)
    return {"per page": name, "pages": len(values), "median": median, "most": most}


if __name__ == "__main__":
    main()
