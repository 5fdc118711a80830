"""What several commands share: options, the game of a file, modules of an extra."""

from __future__ import annotations

import argparse
from importlib import import_module
from itertools import islice
from typing import Any, TypeAlias

from houjuu import logs
from houjuu.errors import Error
from houjuu.estimator import DEFAULT_MODEL
from houjuu.events import Game

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def model_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--model``."""
    help_ = "name of a model that ships, or a parameter file (default: %(default)s)"
    parser.add_argument("--model", default=DEFAULT_MODEL, help=help_)


def one_game(path: str) -> Game:
    """The game of a file that contains exactly one."""
    games = list(islice(logs.games(path), 2))
    if len(games) != 1:
        raise Error("contains more than one game" if games else "contains no game", file=path)
    return games[0]


def import_extra(extra: str, name: str) -> Any:
    """Import a module that needs an extra of the package."""
    try:
        return import_module(f"houjuu.{name}")
    except ImportError as missing:
        raise Error(f"this needs {missing.name}: pip install houjuu[{extra}]") from None
