"""``houjuu parse``: check logs and report the errors in each."""

from __future__ import annotations

import argparse
from collections import Counter

from houjuu.cli.common import Commands, games, import_extra, language_option, print_problem
from houjuu.util.errors import Error, LogError
from houjuu.util.languages import system_language, translate

_MOST_KINDS = 20


def add(commands: Commands) -> None:
    parser = commands.add_parser("parse", help="check logs and report the errors in each")
    help_ = "file, folder, archive, database; - for standard input"
    parser.add_argument("paths", nargs="+", metavar="PATH", help=help_)
    parser.add_argument(
        "--strict", action="store_true", help="also recompute scores, wins and tenpai hands"
    )
    language_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print each error, the number of each kind, and a summary; the errors are in English.

    Unknown names and elements of a log are warnings, and errors with ``--strict``.

    Returns 1 if a file is rejected, 2 if a path cannot be opened.
    """
    t = translate(options.lang or system_language())
    n_games = n_rounds = unopened = 0
    kinds: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    strict = import_extra("arena", "scoring.strict") if options.strict else None
    missing_details: Counter[str] = Counter()

    def reject(error: Error) -> None:
        kinds[error.kind] += 1
        print(error)

    for path in options.paths:
        try:
            for game in games(
                path, reject, judge=strict and strict.scored, check=strict and strict.check
            ):
                n_games += 1
                n_rounds += game.rounds
                unread.update(LogError(text).kind for text in game.unread)
                if strict is not None:
                    missing_details += strict.missing_details(game)
        except LogError as error:
            unopened += 1
            print_problem(t, error)
    for kind, count in kinds.most_common(_MOST_KINDS):
        print(f"{count:8} {kind}")
    for kind, count in unread.most_common(_MOST_KINDS):
        print(f"{count:8} {t('parse.unread', kind=kind)}")
    for name, count in missing_details.most_common(_MOST_KINDS):
        print(f"{count:8} {t('parse.missing', name=name)}")
    rejected = kinds.total()
    print(t("parse.summary", games=n_games, rounds=n_rounds, rejected=rejected))
    return 2 if unopened else int(bool(rejected))
