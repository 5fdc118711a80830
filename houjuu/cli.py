"""The command ``houjuu``: check logs, estimate deal-in risks, review games, play."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from houjuu import logs
from houjuu.deal_in import DealIn, Term
from houjuu.errors import Error
from houjuu.estimator import DEFAULT_MODEL, load
from houjuu.events import Deal, Discard, Game
from houjuu.table import RiverTile, Seat, Table, View
from houjuu.tiles import EAST, KIND, format_tiles, kind_name, parse_kind

WINDS = "東南西北"
_OPPONENTS = ("right", "across", "left")
_MOST_TERMS = 4  # waits or scores listed for one opponent
_LEAST_LISTED = 0.00005  # unit: probability; reasons below it are left out


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, 1 for rejected logs, 2 for an error."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except Error as error:
        print(f"houjuu: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="houjuu", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    parse = commands.add_parser("parse", help="check logs and report the errors in each")
    parse.add_argument("paths", nargs="+", metavar="PATH", help="file, folder, archive, database")
    parse.set_defaults(run=_parse)
    danger = commands.add_parser("danger", help="print the deal-in risk of every tile in hand")
    danger.add_argument("game", metavar="GAME", help="a log of one game, in any format")
    danger.add_argument(
        "--seat", type=int, required=True, choices=range(4), help="seat that discards"
    )
    danger.add_argument(
        "--round", type=int, default=0, help="round, counted from 0 (default: %(default)s)"
    )
    danger.add_argument("--turn", type=int, help="discard of the seat, from 1 (default: the last)")
    danger.add_argument("--explain", metavar="TILE", help="explain the risk of a tile such as 5p")
    _model_option(danger)
    danger.set_defaults(run=_danger)
    review = commands.add_parser(
        "review", help="write a game with the risk of every discard as a page"
    )
    review.add_argument("game", metavar="GAME", help="a log of one game, in any format")
    review.add_argument(
        "--seat", type=int, choices=range(4), help="reviewed seat (default: of the log)"
    )
    review.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("review.html"),
        metavar="FILE",
        help="output file (default: %(default)s)",
    )
    review.add_argument(
        "--player", help='player of the arena that gives advice, or "none" (default: estimator)'
    )
    _model_option(review)
    review.set_defaults(run=_review)
    arena = commands.add_parser("arena", help="play duplicate matches between players")
    match_options(arena, deals=100)
    arena.set_defaults(run=_arena)
    bot = commands.add_parser("bot", help="play mjai on standard input and output")
    bot.add_argument(
        "--player", default="estimator", help="player of the arena (default: %(default)s)"
    )
    bot.add_argument(
        "--seat", type=int, choices=range(4), help="own seat, if start_game does not contain it"
    )
    bot.set_defaults(run=_bot)
    return parser


def _model_option(parser: argparse.ArgumentParser) -> None:
    help_ = "name of a model that ships, or a parameter file (default: %(default)s)"
    parser.add_argument("--model", default=DEFAULT_MODEL, help=help_)


def match_options(parser: argparse.ArgumentParser, deals: int) -> None:
    """Add the options of a match; `deals` is the default number of deals."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder of the game logs")
    parser.add_argument("players", nargs=4, metavar="PLAYER", help="line-up, such as v2 v1 v1 v1")
    parser.add_argument(
        "--deals", type=int, default=deals, help="number of deals (default: %(default)s)"
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


def _parse(options: argparse.Namespace) -> int:
    games = rounds = 0
    rejected: list[Error] = []

    def reject(error: Error) -> None:
        rejected.append(error)
        print(error)

    for path in options.paths:
        for game in logs.games(path, reject):
            games += 1
            rounds += game.rounds
    print(f"{games} games with {rounds} rounds are valid; {len(rejected)} files are rejected")
    return 1 if rejected else 0


def _danger(options: argparse.Namespace) -> int:
    view, chosen = position(_game(options.game), options.seat, options.round, options.turn)
    kind = None if options.explain is None else parse_kind(options.explain)
    risk = load(options.model).deal_in(view)
    print(table_text(view), danger_text(view, risk, chosen), sep="\n\n")
    if kind is not None:
        print(*explanation_texts(risk, kind), sep="\n\n")
    return 0


def _game(path: str) -> Game:
    """The game of a file that contains exactly one."""
    games = list(islice(logs.games(path), 2))
    if len(games) != 1:
        raise Error("contains more than one game" if games else "contains no game", file=path)
    return games[0]


def _review(options: argparse.Namespace) -> int:
    command = _import_extra("review", "review.command")
    game = _game(options.game)
    seat = command.own_seat(options.game, game) if options.seat is None else options.seat
    print(command.run(game, seat, options.output, options.player, options.model))
    return 0


def _arena(options: argparse.Namespace) -> int:
    command, matches = (_import_extra("arena", f"arena.{name}") for name in ("command", "matches"))
    match = matches.Match(tuple(options.players), options.seed)
    games = options.deals, options.rotations
    more = {"jobs": options.jobs, "beside": options.beside, "written": options.write}
    print(command.run(match, options.folder, games, **more))
    return 0


def _bot(options: argparse.Namespace) -> int:
    matches, bot = (_import_extra("arena", name) for name in ("arena.matches", "player.bot"))
    player = matches.player(options.player)
    for answer in bot.serve(bot.Bot(player, options.seat), sys.stdin):
        print(answer, flush=True)
    return 0


def _import_extra(extra: str, name: str) -> Any:
    """Import a module that needs an extra of the package."""
    try:
        return import_module(f"houjuu.{name}")
    except ImportError as missing:
        raise Error(f"this needs {missing.name}: pip install houjuu[{extra}]") from None


def position(game: Game, seat: int, round: int, turn: int | None) -> tuple[View, int]:
    """The view of a seat before a discard, and the tile that it discarded.

    Parameters
    ----------
    game : Game
    seat : int
        0–3, absolute.
    round : int
        Index of the round in the game, from 0.
    turn : int or None
        Number of the seat's discard in the round, from 1; None for its last.

    Raises
    ------
    Error
        The game has no such round, or the seat has no such discard in it.
    """
    discards: list[tuple[View, int]] = []
    table, index = Table(game.rules), -1
    for event in game:
        index += isinstance(event, Deal)
        if index == round and isinstance(event, Discard) and event.seat == seat:
            discards.append((table.view(seat), event.tile))
        table.apply(event)
    if index < round or round < 0:
        raise Error(f"has no round {round}; its rounds are 0 to {index}", file=game.id)
    if not 1 <= (len(discards) if turn is None else turn) <= len(discards):
        raise Error(f"seat {seat} discards {len(discards)} times in round {round}", file=game.id)
    return discards[-1 if turn is None else turn - 1]


def table_text(view: View) -> str:
    """The position as text. River marks: ' tsumogiri, * riichi, ~ called."""
    dora = format_tiles(view.dora_indicators)
    lines = [
        f"{WINDS[view.round // 4 % 4]}{view.round % 4 + 1}局 {view.honba}本場, "
        f"{view.riichi_sticks} sticks, {view.tiles_left} tiles left, indicator {dora}"
    ]
    seats = (view.seats[view.seat], *view.opponents)
    for name, seat in zip(("self", *_OPPONENTS), seats, strict=True):
        lines.append(_seat_text(view, name, seat))
    return "\n".join([*lines, f"hand    {_hand_text(view)}"])


def _seat_text(view: View, name: str, seat: Seat) -> str:
    wind = WINDS[view.seat_wind(seat.seat) - EAST]
    river = " ".join(_river_text(discard) for discard in seat.river)
    melds = "".join(f" [{meld.kind} {format_tiles(meld.tiles)}]" for meld in seat.melds)
    return f"{name:7} {wind} {view.scores[seat.seat]:6}  {river}{melds}"


def _river_text(discard: RiverTile) -> str:
    marks = ("'" * discard.tsumogiri, "*" * discard.riichi, "~" * (discard.called_by is not None))
    return format_tiles([discard.tile]) + "".join(marks)


def _hand_text(view: View) -> str:
    undrawn = [tile for tile in view.hand if tile != view.drawn]
    return format_tiles(undrawn) + (
        "" if view.drawn is None else f" + {format_tiles([view.drawn])}"
    )


def danger_text(view: View, risk: DealIn, chosen: int) -> str:
    """A line for each tile of the hand, the lowest expected loss first; > marks the discard."""
    names = [
        f"{name} {opponent.opponent_type}"
        for name, opponent in zip(_OPPONENTS, risk.opponents, strict=True)
    ]
    lines = ["tile   " + "".join(f"{name:>16}" for name in names) + f"{'any':>9}{'points':>9}"]
    tenpai = "".join(f"{100 * p:15.1f}%" for p in risk.tenpai)
    lines.append(f"tenpai {tenpai}")
    points = {format_tiles([tile]): (risk.points_of(tile), KIND[tile]) for tile in view.hand}
    for name, (expected, kind) in sorted(points.items(), key=lambda item: item[1]):
        probabilities = "".join(f"{100 * p:15.2f}%" for p in risk.by_opponent[:, kind])
        mark = ">" if name == format_tiles([chosen]) else " "
        lines.append(f"{mark} {name:5}{probabilities}{100 * risk.any[kind]:8.2f}%{expected:9.0f}")
    return "\n".join(lines)


def explanation_texts(risk: DealIn, kind: int) -> Iterator[str]:
    """Yield the parts of the risk of a kind for each opponent, in percentage points."""
    for name, explanation in zip(_OPPONENTS, risk.explain(kind), strict=True):
        probability = f"{100 * explanation.probability:.2f}% for {kind_name(kind)}"
        lines = [f"{name} ({explanation.opponent_type}): {probability}"]
        terms = explanation.terms[:_MOST_TERMS]
        lines += _part_lines("score" if explanation.opponent_type.is_melded else "wait", terms)
        lines += _part_lines("reason", explanation.reasons)
        if explanation.tenpai_reasons:
            lines.append(f"  tenpai {100 * explanation.tenpai:.1f}%")
            lines += _part_lines("  reason", explanation.tenpai_reasons)
        yield "\n".join(lines)


def _part_lines(label: str, parts: Iterable[Term]) -> Iterator[str]:
    for part in parts:
        if abs(part.probability) >= _LEAST_LISTED:
            yield f"  {100 * part.probability:+8.2f}  {label}: {part.name}"


if __name__ == "__main__":
    sys.exit(main())
