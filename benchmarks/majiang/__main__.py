"""Play a match with majiang in it: its tables, and where majiang and the referee differed.

Players are those of ``houjuu arena``, and "majiang".
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.majiang.matches import Match, mismatches
from houjuu.arena import command
from houjuu.errors import Error


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        match = Match(tuple(options.players), options.folder, options.seed)
        games = options.deals, options.rotations
        more = {"jobs": options.jobs, "beside": options.beside, "written": options.write}
        print(command.run(match, options.folder, games, **more))
    except Error as problem:
        print(f"benchmarks.majiang: {problem}", file=sys.stderr)
        return 2
    differed = mismatches(options.folder)
    print("", f"{len(differed)} mismatches between majiang and the referee", *differed, sep="\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.majiang", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="keeps the games")
    parser.add_argument("players", nargs=4, metavar="PLAYER", help="the line-up")
    parser.add_argument("--deals", type=int, default=20, help="how many (%(default)s)")
    parser.add_argument(
        "--rotations", type=int, default=1, choices=range(1, 5), help="seats of each (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the deals (%(default)s)")
    parser.add_argument("--jobs", type=int, help="processes (one a core)")
    parser.add_argument("--beside", type=Path, help="a match on the same deals to compare with")
    parser.add_argument("--write", type=Path, nargs="*", default=[], help="files, .csv or .html")
    return parser


if __name__ == "__main__":
    sys.exit(main())
