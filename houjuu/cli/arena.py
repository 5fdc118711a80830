"""``houjuu arena``: play duplicate matches between players."""

from __future__ import annotations

import argparse
from pathlib import Path

from houjuu.cli.common import Commands, import_extra, language_option, positive
from houjuu.util.languages import system_language


def add(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("arena", help="play duplicate matches between players")
    match_options(parser, deals=100)
    language_option(parser)
    parser.set_defaults(run=run)


def match_options(parser: argparse.ArgumentParser, deals: int) -> None:
    """Add the options of a match; `deals` is the default number of deals."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of the game logs")
    parser.add_argument("players", nargs=4, metavar="PLAYER", help="line-up, such as v2 v1 v1 v1")
    parser.add_argument(
        "--deals", type=positive, default=deals, help="number of deals (default: %(default)s)"
    )
    parser.add_argument(
        "--rotations",
        type=int,
        default=1,
        choices=range(1, 5),
        help="rotations of the seats for each deal (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1, help="seed (default: %(default)s)")
    parser.add_argument("--jobs", type=int, help="processes (default: one for each core)")
    parser.add_argument("--beside", type=Path, help="match on the same deals to compare with")
    parser.add_argument(
        "--write", type=Path, nargs="*", default=[], help="output files, .csv or .html"
    )


def run(options: argparse.Namespace) -> int:
    """Play the match and print its tables."""
    match_tables = import_extra("arena", "arena.match_tables")
    matches = import_extra("arena", "arena.matches")
    match = matches.Match(tuple(options.players), options.seed)
    games = options.deals, options.rotations
    more = {"jobs": options.jobs, "beside": options.beside, "written": options.write}
    language = options.lang or system_language()
    print(match_tables.run(match, options.folder, games, **more, language=language))
    return 0
