"""``houjuu parse``: check logs and report the errors in each."""

from __future__ import annotations

import argparse
import sys

from houjuu.cli.common import Commands, games
from houjuu.errors import Error, LogError


def add(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("parse", help="check logs and report the errors in each")
    help_ = "file, folder, archive, database; - for standard input"
    parser.add_argument("paths", nargs="+", metavar="PATH", help=help_)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print each error and a summary; 1 if a file is rejected, 2 if a path cannot be opened."""
    n_games = n_rounds = unopened = 0
    rejected: list[Error] = []

    def reject(error: Error) -> None:
        rejected.append(error)
        print(error)

    for path in options.paths:
        try:
            for game in games(path, reject):
                n_games += 1
                n_rounds += game.rounds
        except LogError as error:
            unopened += 1
            print(f"houjuu: {error}", file=sys.stderr)
    print(f"{n_games} games with {n_rounds} rounds are valid; {len(rejected)} files are rejected")
    return 2 if unopened else int(bool(rejected))
