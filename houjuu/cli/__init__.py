"""The command ``houjuu``: check logs, estimate deal-in risks, review games, play.

Each module of this package is one command: ``add`` adds its options, its ``run`` does the work.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from houjuu import __version__
from houjuu.cli import arena, bot, danger, parse, review, risks, serve
from houjuu.util.errors import Error

_INTERRUPTED, _CLOSED_PIPE = 130, 141  # as shells report SIGINT and SIGPIPE
COMMANDS = (parse, danger, review, risks, serve, arena, bot)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    It is 0; 1 for rejected logs; 2 for an error; 130 after Ctrl-C; 141 if the reader of the output
    has closed it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names in a log have characters of every script
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        status = int(options.run(options))
        sys.stdout.flush()
    except Error as error:
        print(f"houjuu: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return _CLOSED_PIPE
    return status


def _parser() -> argparse.ArgumentParser:
    description = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="houjuu", description=description)
    parser.add_argument("--version", action="version", version=f"houjuu {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
