"""``houjuu review``: write games with the risk of every discard as pages."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from houjuu.cli.common import (
    Commands,
    import_extra,
    language_option,
    model_option,
    one_game,
    positive,
    print_problem,
    room_option,
)
from houjuu.game.notation import format_round
from houjuu.logs.sources import entries, is_address, slices
from houjuu.player.protocol import DEFAULT_PLAYER
from houjuu.util.errors import Error
from houjuu.util.files import write_text
from houjuu.util.languages import Catalogue, problem_text, system_language, translate

_PAGE = "review.html"
_FOLDER = "reviews"
_PAGE_SUFFIXES = (".html", ".htm")


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "review",
        help="write games with the risk of every discard as pages",
        description="One game becomes a page. A folder, an archive or several logs become a "
        "folder with a page for each game and an index with the habits of one player.",
    )
    parser.add_argument(
        "games", nargs="+", metavar="GAMES", help="logs in any format, folders or archives"
    )
    reviewed = parser.add_mutually_exclusive_group()
    reviewed.add_argument(
        "--seat",
        type=int,
        choices=range(4),
        help="seat shown first (default: of the log; many games: --name)",
    )
    reviewed.add_argument(
        "--name", help="player shown first (default for many games: the name in most of them)"
    )
    parser.add_argument(
        "--one-seat",
        action="store_true",
        help="review this seat alone (many games: always)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help=f"output file, or folder of many games (default: {_PAGE} or {_FOLDER})",
    )
    parser.add_argument(
        "--player",
        help=f'player of the arena that gives advice, or "none" (default: {DEFAULT_PLAYER})',
    )
    parser.add_argument(
        "--beside",
        action="append",
        default=[],
        metavar="ENGINE",
        help="show what another engine would have done: a player, or 'mjai:COMMAND' (repeatable)",
    )
    parser.add_argument("--jobs", type=positive, help="processes (default: one for each core)")
    export = parser.add_mutually_exclusive_group()
    export.add_argument(
        "--json",
        dest="form",
        action="store_const",
        const="json",
        help="no page, but a line of JSON for each game",
    )
    export.add_argument(  # an option of its own, since "--json LOG" has no value
        "--json=short",
        dest="form",
        action="store_const",
        const="short",
        help="the same, with the mistakes alone",
    )
    language_option(parser)
    room_option(parser)
    model_option(parser, of_player=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page, or the folder, and print a summary; or print the data.

    Returns 1 if another engine never answered, or if data are printed and a log is left out.
    """
    t = translate(options.lang or system_language())
    write = (
        _exported if options.form else _many if _is_many(options.games, options.output) else _one
    )
    texts: list[str] = []
    engines: list[Any] = []
    status = 0
    for line in write(options, t):
        if isinstance(line, Error):
            status = _report(t, line)
        elif isinstance(line, dict):
            engines.append(line)
        elif options.form and options.output:
            texts.append(line)
        else:
            print(line, end="" if options.form else "\n")
    if options.form and options.output:
        write_text(options.output, "".join(texts))
    for one in import_extra("review", "review.review_data").over_games(engines):
        answered = one["answered"]
        if one["absent"]:
            absence = import_extra("arena", "player.foreign").absence
            reason = one["absent"][t.language]
            _report(t, absence(one["name"], answered, one["choices"], reason))
            status |= not answered
        if answered and not options.form:
            print(t("page.beside_agrees", **one, share=f"{one['played'] / answered:.0%}"))
    return status


def _report(t: Catalogue, problem: Error) -> int:
    print_problem(t, problem)
    return 1


def _is_many(games: list[str], output: str | None) -> bool:
    """Whether the output is a folder: by its name, else by the input."""
    if len(games) == 1 and output and Path(output).suffix.lower() in _PAGE_SUFFIXES:
        return False
    if output and (output.endswith(("/", os.sep)) or Path(output).is_dir()):
        return True
    return len(games) > 1 or _has_members(games[0])


def _has_members(game: str) -> bool:
    if is_address(game):
        return False
    path = Path(game)
    return path.is_dir() or (path.is_file() and slices(path, 1).is_archive)


def _many(options: argparse.Namespace, t: Catalogue) -> Iterator[Any]:
    """Write the missing pages and the index; yield the logs left out, a summary, the engines."""
    if options.output and Path(options.output).suffix.lower() in _PAGE_SUFFIXES:
        raise Error("several games need a folder: -o reviews/", file=options.output)
    folder = Path(options.output or _FOLDER)
    pages = import_extra("review", "review.site.folder")
    site = pages.write(
        options.games,
        folder,
        import_extra("review", "review.site.build").PageOptions(
            options.player, options.model, options.lang, options.beside, options.room
        ),
        t,
        name=options.name,
        seat=options.seat,
        jobs=options.jobs,
    )
    for problem in site.problems:
        yield t("site.left_out", problem=problem_text(t, problem))
    index = import_extra("review", "review.site.index")
    yield from index.habit_lines(t, site.pages)
    yield t(
        "site.summary",
        file=str(folder / "index.html"),
        n=len(site.pages),
        name=index.name_of(t, site.player),
        made=site.made,
    )
    for page in site.pages:
        yield from page.record.beside


def _one(options: argparse.Namespace, t: Catalogue) -> Iterator[Any]:
    """Write the page of a game; yield a line for each reviewed seat, and the engines."""
    rendering = import_extra("review", "review.rendering")
    review_data = import_extra("review", "review.review_data")
    (path,) = options.games
    game = one_game(path, room=options.room)
    logs = chain.from_iterable(map(entries, options.games))  # opened if no seat is chosen
    seat = rendering.chosen_seat(game, options.seat, options.name, logs)
    text, reviews = rendering.render(
        game,
        [seat] if options.one_seat else rendering.shown_seats(game, seat),
        options.player,
        options.model,
        language=options.lang,
        jobs=options.jobs or os.cpu_count() or 1,
        beside=options.beside,
    )
    file = Path(options.output or _PAGE)
    write_text(file, text)
    for review in reviews:
        discards = list(review_data.discards(review["rounds"]))
        yield t(
            "page.summary",
            file=str(file),
            n=len(discards),
            name=review["names"][0],
            seat=review["seat"],
            rons=sum(len(discard["rons"]) for discard in discards),
        )
        yield from review["beside"]
        for round in review["rounds"]:
            name = format_round(round["round"], round["honba"])
            for one in round["decisions"]:
                if one["illegal"]:
                    yield t(
                        "page.illegal_at", round=name, turn=one["turn"], name=review["names"][0]
                    )


def _exported(options: argparse.Namespace, t: Catalogue) -> Iterator[Any]:
    """Yield the data of all games, the logs left out as Errors, and the engines."""
    exported: Iterator[Any] = import_extra("review", "review.export").exported(
        options.games,
        form=options.form,
        language=t.language,
        seat=options.seat,
        name=options.name,
        player=options.player,
        model=options.model,
        beside=options.beside,
        room=options.room,
    )
    return exported
