"""``houjuu arena``: play duplicate matches between players."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from houjuu.cli.common import Commands, import_extra, language_option, positive, print_problem
from houjuu.util.errors import Error
from houjuu.util.files import write_text
from houjuu.util.languages import system_language, translate

KNOWN = ("v3", "relative", "estimator", "rank")
OPPONENT = "relative"
"""The players of every ladder, and their three opponents."""


def add(commands: Commands) -> None:
    parser = commands.add_parser("arena", help="play duplicate matches between players")
    match_options(parser, deals=100)
    parser.add_argument(
        "--ladder",
        action="store_true",
        help="add the players to a table of known ones, each against three 'relative'",
    )
    language_option(parser)
    parser.set_defaults(run=run)


def match_options(parser: argparse.ArgumentParser, deals: int) -> None:
    """Add the options of a match; `deals` is the default number of deals."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of the game logs")
    parser.add_argument(
        "players",
        nargs="+",
        metavar="PLAYER",
        help="line-up of four: v2, a class as mybot:MyPlayer, or 'mjai:COMMAND'",
    )
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
    parser.add_argument(
        "--model", help="model of the players that query one, unless their names contain one"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed (default: %(default)s)")
    parser.add_argument("--jobs", type=int, help="processes (default: one for each core)")
    parser.add_argument(
        "--strict", action="store_true", help="end at the first illegal, late or absent answer"
    )
    parser.add_argument("--beside", type=Path, help="match on the same deals to compare with")
    parser.add_argument("--write", type=Path, nargs="*", default=[], help="output files, .csv")


def run(options: argparse.Namespace) -> int:
    """Play the match and print its tables."""
    if options.ladder:
        return climb(options)
    matches = import_extra("arena", "arena.matches")
    play(matches.Match(line_up(options), options.seed, options.strict), options)
    return 0


def climb(options: argparse.Namespace) -> int:
    """Play the known players and those of the options on the same walls, and print the ladder."""
    report = import_extra("arena", "arena.match_report")
    language = options.lang or system_language()
    names = dict.fromkeys((*KNOWN, *line_up(options)))
    records = report.play_variants(
        names, OPPONENT, options.folder, options.seed, deals=options.deals, jobs=options.jobs
    )
    added, known = records[[*names][-1]], records[KNOWN[-1]]
    print(report.ladder(records, language).text())
    print(f"\n{report.precision(added, known, language)}")
    return 0


def line_up(options: argparse.Namespace) -> tuple[str, ...]:
    """The players of the options of a match, by name, with their model."""
    players = import_extra("arena", "player.players")
    names: tuple[str, ...] = players.with_model(options.players, options.model)
    return names


def play(match: Any, options: argparse.Namespace) -> None:
    """Play a match, print its tables, and write them to the files of the options.

    Raises
    ------
    Error
        A file for the tables has another suffix or no folder; nothing is played then.
    """
    matches = import_extra("arena", "arena.matches")
    report = import_extra("arena", "arena.match_report")
    for path in options.write:
        _check(path)
    language = options.lang or system_language()
    folder = options.folder
    beside = options.beside
    matches.play_matches([(match, folder)], options.deals, options.rotations, options.jobs)
    records = [
        report.records(one, *matches.read_match(one, match.seed, options.deals, options.rotations))
        for one in (folder, beside)
        if one is not None
    ]
    tables = report.tables(*records, language=language)
    for path in options.write:
        write_text(path, "\n".join(table.csv() for table in tables))
    print("\n\n".join(table.text() for table in tables))
    firsts = [one.players[one.first] for one in records]
    print(f"\n{report.precision(*firsts, language=language)}")
    for problem in (problem for one in records for problem in report.absences(one.players)):
        print_problem(translate(language), problem)
    for file, model in matches.model_names(match).items():
        print(f"\n{file}: {model}")


def _check(path: Path) -> None:
    if path.suffix != ".csv":
        raise Error("cannot be written; the tables are .csv files", file=str(path))
    if path.is_dir() or not path.parent.is_dir():
        raise Error("cannot be written: it is a folder, or in no folder", file=str(path))
