"""``houjuu convert``: write games of any format in another one."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from houjuu.cli.common import Commands, games, import_extra, language_option
from houjuu.game.events import Game
from houjuu.logs import mjai_writer, mjlog_writer, tenhou6_writer
from houjuu.util.errors import Error
from houjuu.util.files import write_bytes
from houjuu.util.languages import problem_text, system_language, translate

_ADDRESS = "https://tenhou.net/6/#json="
FORMATS: dict[str, tuple[str, Callable[[Game], bytes]]] = {
    "tenhou6": (".json", lambda game: tenhou6_writer.write(game).encode() + b"\n"),
    "mjai": (".mjson", lambda game: mjai_writer.write(game).encode()),
    "mjlog": (".mjlog", mjlog_writer.write),
    "address": (".txt", lambda game: f"{_ADDRESS}{quote(tenhou6_writer.write(game))}\n".encode()),
}
"""Suffix and writer of each format; "address" opens in the log editor of Tenhou."""


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "convert",
        help="write games of any format in another one",
        description="A file for each game, named by its id. A game that the format cannot hold is "
        "reported and left out.",
    )
    parser.add_argument(
        "logs", nargs="+", metavar="LOGS", help="logs in any format, folders or archives"
    )
    parser.add_argument(
        *("-o", "--output"),
        type=Path,
        metavar="FOLDER",
        help="folder of the files (default: standard output)",
    )
    help_ = 'format (default: %(default)s); "address" is a link that opens in tenhou.net/6'
    parser.add_argument("--to", choices=FORMATS, default="tenhou6", help=help_)
    language_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the games and print each log that is left out; 1 if there is one."""
    t = translate(options.lang or system_language())
    suffix, write = FORMATS[options.to]
    # limit hands of tenhou.net/6 have no fu
    judge = import_extra("arena", "scoring.win_scoring").scored
    n_left_out = 0

    def left_out(problem: Error) -> None:
        nonlocal n_left_out
        n_left_out += 1
        print(t("site.left_out", problem=problem_text(t, problem)), file=sys.stderr)

    files = set[str]()
    for path in options.logs:
        for game in games(path, left_out, judge=judge):
            try:
                content = write(game)
                if options.output is None:
                    sys.stdout.write(content.decode())
                    continue
                file = re.sub(r"[^\w-]", "_", game.id) + suffix
                if file in files:
                    raise Error("has the id of an earlier game")
                files.add(file)
                options.output.mkdir(parents=True, exist_ok=True)
                write_bytes(options.output / file, content)
            except OSError as problem:
                reason = f"cannot be made a folder ({problem.strerror})"
                raise Error(reason, file=str(options.output)) from None
            except Error as problem:
                left_out(problem.in_file(game.id))
    return int(bool(n_left_out))
