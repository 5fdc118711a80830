"""Play a match with majiang, and print its tables and the mismatches with the referee.

The players are those of ``houjuu arena`` and "majiang".
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.majiang.matches import Match, mismatches
from houjuu.cli.arena import line_up, match_options, play
from houjuu.util.errors import Error
from houjuu.util.languages import DEFAULT


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.majiang", description=__doc__)
    match_options(parser, deals=20)
    parser.set_defaults(lang=DEFAULT)
    options = parser.parse_args(arguments)
    try:
        match = Match(line_up(options), options.folder, options.seed)
        play(match, options)
    except Error as error:
        print(f"benchmarks.majiang: {error}", file=sys.stderr)
        return 2
    differences = mismatches(options.folder)
    print(
        "", f"{len(differences)} mismatches between majiang and the referee", *differences, sep="\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
