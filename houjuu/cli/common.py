"""Options that several commands share; the games of a file or of standard input."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.game.events import Game
from houjuu.game.rules import ROOMS
from houjuu.logs import any_format as logs
from houjuu.logs.sources import entries
from houjuu.util.errors import Error
from houjuu.util.extras import import_extra
from houjuu.util.json_types import RoomName
from houjuu.util.languages import LANGUAGES, NAMES, Catalogue, problem_text

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

__all__ = [
    "LANGUAGE_NAMES",
    "Commands",
    "games",
    "import_extra",
    "language_option",
    "model_option",
    "one_game",
    "output_options",
    "positive",
    "print_problem",
    "room_option",
    "seat_of",
    "set_verbosity",
]

_LOG = logging.getLogger(__name__)

STDIN = "-"
LANGUAGE_NAMES = ", ".join(f"{language} {NAMES[language]}" for language in LANGUAGES)


def model_option(parser: argparse.ArgumentParser, *, of_player: bool = False) -> None:
    """Add the option ``--model``; it is None if the name of a player may contain the model."""
    default = f"{DEFAULT_MODEL}, or that of the player" if of_player else DEFAULT_MODEL
    help_ = f"a model that ships, a parameter file, or mine.py:MyModel (default: {default})"
    parser.add_argument("--model", default=None if of_player else DEFAULT_MODEL, help=help_)


def room_option(parser: argparse._ActionsContainer) -> None:
    """Add the option ``--room``."""
    help_ = "room of the players (default: that of the game; phoenix, where it is unknown)"
    parser.add_argument("--room", choices=ROOMS.values(), help=help_)


def language_option(parser: argparse._ActionsContainer) -> None:
    """Add the option ``--lang``."""
    help_ = f"language of the output: {LANGUAGE_NAMES} (default: of the locale)"
    parser.add_argument("--lang", choices=LANGUAGES, help=help_)


def positive(text: str) -> int:
    """A whole number from 1, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def games(path: str, *rest: Any, **more: Any) -> Iterator[Game]:
    """Yield the games of a path, or of standard input for ``-``; as `houjuu.logs.games`."""
    if path == STDIN:
        return logs.read_stream(sys.stdin.buffer, "standard input", *rest, **more)
    return logs.games(path, *rest, **more)


def one_game(path: str, *, unfinished: bool = False, room: RoomName | None = None) -> Game:
    """The game of a file, or of standard input, that contains exactly one; in a room, if named."""
    return logs.only_game(games(path, unfinished=unfinished), path).in_room(room)


def seat_of(game: Game, path: str) -> int:
    """The seat from whose view the game of a path was logged, 0–3."""
    seat = logs.own_seat(game, () if path == STDIN else entries(path))
    names = f", {game.names[seat]}" if game.names else ""
    _LOG.info("the seat of the log is %s%s", seat, names)
    return seat


def output_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that all commands have."""
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no warnings, but errors"
    )
    shown.add_argument(
        "-v", "--verbose", action="store_true", help="also notes on what is done, with the time"
    )


def print_problem(t: Catalogue, problem: Error) -> None:
    """Print a problem on standard error, as one that ends a command."""
    print(f"houjuu: {problem_text(t, problem)}", file=sys.stderr)


def set_verbosity(options: argparse.Namespace) -> None:
    """Show what the options ask for on standard error; results are on standard output."""
    logging.basicConfig(format="%(message)s")
    level = logging.INFO if options.verbose else logging.WARNING
    logging.getLogger("houjuu").setLevel(logging.ERROR if options.quiet else level)
    if options.quiet:
        os.environ["TQDM_DISABLE"] = "1"  # tqdm reads it when it is imported, by the commands
