"""Play a match with majiang in it: its tables, and where majiang and the referee differed.

Players are those of ``houjuu arena``, and "majiang".
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.majiang.matches import Match, mismatches
from houjuu.arena import command
from houjuu.cli import match_options
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
    match_options(parser, deals=20)
    return parser


if __name__ == "__main__":
    sys.exit(main())
