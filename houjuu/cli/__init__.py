"""The command ``houjuu``: check logs, estimate deal-in risks, review games, play.

Each command is a module of this package: ``add`` adds its options, its ``run`` does the work. A
copy of houjuu without the rooms of a command is without the command, too.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from houjuu import __version__
from houjuu.cli.common import output_options, set_verbosity
from houjuu.util.errors import Error
from houjuu.util.languages import DEFAULT, problem_text, system_language, translate

_INTERRUPTED, _CLOSED_PIPE = 130, 141  # as shells report SIGINT and SIGPIPE
COMMANDS = (
    *("parse", "convert", "danger", "adapt", "review"),
    *("risks", "report", "serve", "arena", "bot"),
)
_LOG = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    It is 0; 1 for rejected logs; 2 for an error; 130 after Ctrl-C; 141 if the reader of the output
    has closed it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names in a log have characters of every script
            stream.reconfigure(errors="backslashreplace")
    options = parser().parse_args(arguments)
    set_verbosity(options)
    start = time.monotonic()
    try:
        status = int(options.run(options))
        sys.stdout.flush()
        _LOG.info("%.1f s, exit status %s", time.monotonic() - start, status)
    except Error as error:
        t = translate(getattr(options, "lang", DEFAULT) or system_language())
        print(f"houjuu: {problem_text(t, error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return _CLOSED_PIPE
    return status


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(
        prog="houjuu", description="Check logs, estimate deal-in risks, review games, play."
    )
    whole.add_argument("--version", action="version", version=f"houjuu {__version__}")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    for command in _commands():
        command.add(commands)
    for command_parser in commands.choices.values():
        output_options(command_parser)
    return whole


def _commands() -> Iterator[Any]:
    """Yield the modules of the commands whose rooms are there."""
    for name in COMMANDS:
        try:
            yield import_module(f"houjuu.cli.{name}")
        except ModuleNotFoundError as problem:
            if not (problem.name or "").startswith("houjuu."):
                raise
