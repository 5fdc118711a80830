"""The command ``houjuu``: check logs, estimate deal-in risks, review games, play.

Each module of this package is one command: ``add`` adds its options, its ``run`` does the work.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from houjuu.cli import arena, bot, danger, parse, review
from houjuu.errors import Error

COMMANDS = (parse, danger, review, arena, bot)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for rejected logs, 2 for an error."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except Error as error:
        print(f"houjuu: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    description = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="houjuu", description=description)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
