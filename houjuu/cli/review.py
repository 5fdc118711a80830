"""``houjuu review``: write a game with the risk of every discard as a page."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from houjuu.cli.common import Commands, import_extra, language_option, model_option, one_game
from houjuu.logs.sources import entries


def add(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "review", help="write a game with the risk of every discard as a page"
    )
    parser.add_argument("game", metavar="GAME", help="a log of one game, in any format")
    parser.add_argument(
        "--seat", type=int, choices=range(4), help="seat shown first (default: of the log)"
    )
    parser.add_argument("--one-seat", action="store_true", help="review this seat alone")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("review.html"),
        metavar="FILE",
        help="output file (default: %(default)s)",
    )
    parser.add_argument(
        "--player", help='player of the arena that gives advice, or "none" (default: estimator)'
    )
    language_option(parser)
    model_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page and print a summary."""
    command = import_extra("review", "review.command")
    game = one_game(options.game)
    seat = command.own_seat(game, entries(options.game)) if options.seat is None else options.seat
    settings = {"player": options.player, "model": options.model, "language": options.lang}
    seats = [seat] if options.one_seat else command.shown_seats(game, seat)
    jobs = os.cpu_count() or 1
    print(*command.run(game, seats, options.output, **settings, jobs=jobs), sep="\n")
    return 0
