"""``houjuu parse``: check logs and report the errors in each."""

from __future__ import annotations

import argparse

from houjuu import logs
from houjuu.cli.common import Commands
from houjuu.errors import Error


def add(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("parse", help="check logs and report the errors in each")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="file, folder, archive, database")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print each error and a summary; 1 if a file is rejected."""
    games = rounds = 0
    rejected: list[Error] = []

    def reject(error: Error) -> None:
        rejected.append(error)
        print(error)

    for path in options.paths:
        for game in logs.games(path, reject):
            games += 1
            rounds += game.rounds
    print(f"{games} games with {rounds} rounds are valid; {len(rejected)} files are rejected")
    return 1 if rejected else 0
