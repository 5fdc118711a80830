"""The command ``houjuu``: check logs, look at the dangers of a position, play."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
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
from houjuu.tiles import COPIES, format_tiles, kind_name, parse_kind

WINDS = "東南西北"
_PLACES = ("right", "across", "left")
_WAYS = 4  # of winning on a tile, that are told
_LEAST = 0.00005  # of a probability, that it is told


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status: 0, 1 for rejected logs, 2 for a mistake."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except Error as problem:
        print(f"houjuu: {problem}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="houjuu", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    parse = commands.add_parser("parse", help="check logs and say what is wrong with which")
    parse.add_argument("paths", nargs="+", metavar="PATH", help="file, folder, archive, database")
    parse.set_defaults(run=_parse)
    danger = commands.add_parser("danger", help="the dangers of every tile in a position")
    danger.add_argument("game", metavar="GAME", help="a log of one game, in any format")
    danger.add_argument("--seat", type=int, required=True, choices=range(4), help="who decides")
    danger.add_argument("--round", type=int, default=0, help="which deal, from 0 (%(default)s)")
    danger.add_argument("--turn", type=int, help="which discard of the seat, from 1 (the last)")
    danger.add_argument("--explain", metavar="TILE", help="why one tile is as dangerous, as 5p")
    danger.add_argument("--model", default=DEFAULT_MODEL, help="a name, or a file (%(default)s)")
    danger.set_defaults(run=_danger)
    review = commands.add_parser("review", help="a whole game as a page: every discard's dangers")
    review.add_argument("game", metavar="GAME", help="a log of one game, in any format")
    review.add_argument("--seat", type=int, choices=range(4), help="whose (the log's own, or 0)")
    review.add_argument("-o", "--output", type=Path, default=Path("review.html"), metavar="FILE")
    review.add_argument("--player", help="who advises, as in arena, or none (estimator)")
    review.add_argument("--model", default=DEFAULT_MODEL, help="a name, or a file (%(default)s)")
    review.set_defaults(run=_review)
    arena = commands.add_parser("arena", help="duplicate matches between players")
    match_options(arena, deals=100)
    arena.set_defaults(run=_arena)
    bot = commands.add_parser("bot", help="play: mjai on standard input and output")
    bot.add_argument("--player", default="estimator", help="as in arena (%(default)s)")
    bot.add_argument("--seat", type=int, choices=range(4), help="where start_game tells none")
    bot.set_defaults(run=_bot)
    return parser


def match_options(parser: argparse.ArgumentParser, deals: int) -> None:
    """Add what a match is played by; so many deals unless told."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="keeps the games")
    parser.add_argument("players", nargs=4, metavar="PLAYER", help="the line-up, as v2 v1 v1 v1")
    parser.add_argument("--deals", type=int, default=deals, help="how many (%(default)s)")
    parser.add_argument(
        "--rotations", type=int, default=1, choices=range(1, 5), help="seats of each (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the deals (%(default)s)")
    parser.add_argument("--jobs", type=int, help="processes (one a core)")
    parser.add_argument("--beside", type=Path, help="a match on the same deals to compare with")
    parser.add_argument("--write", type=Path, nargs="*", default=[], help="files, .csv or .html")


def _parse(options: argparse.Namespace) -> int:
    games = rounds = 0
    rejected: list[Error] = []

    def reject(problem: Error) -> None:
        rejected.append(problem)
        print(problem)

    for path in options.paths:
        for game in logs.games(path, reject):
            games += 1
            rounds += game.rounds
    print(f"{games} games with {rounds} rounds are sound, {len(rejected)} files are not")
    return 1 if rejected else 0


def _danger(options: argparse.Namespace) -> int:
    view, chosen = position(_game(options.game), options.seat, options.round, options.turn)
    kind = None if options.explain is None else parse_kind(options.explain)
    risk = load(options.model).deal_in(view)
    print(table_text(view), danger_text(view, risk, chosen), sep="\n\n")
    if kind is not None:
        print(*explained(risk, kind), sep="\n\n")
    return 0


def _game(path: str) -> Game:
    """The one game of a file."""
    games = list(islice(logs.games(path), 2))
    if len(games) != 1:
        raise Error("holds more than one game" if games else "holds no game", file=path)
    return games[0]


def _review(options: argparse.Namespace) -> int:
    command = _needing("review", "review.command")
    game = _game(options.game)
    seat = command.own_seat(options.game, game) if options.seat is None else options.seat
    print(command.run(game, seat, options.output, options.player, options.model))
    return 0


def _arena(options: argparse.Namespace) -> int:
    command, matches = (_needing("arena", f"arena.{name}") for name in ("command", "matches"))
    match = matches.Match(tuple(options.players), options.seed)
    games = options.deals, options.rotations
    more = {"jobs": options.jobs, "beside": options.beside, "written": options.write}
    print(command.run(match, options.folder, games, **more))
    return 0


def _bot(options: argparse.Namespace) -> int:
    matches, bot = (_needing("arena", name) for name in ("arena.matches", "player.bot"))
    player = matches.player(options.player)
    for answer in bot.serve(bot.Bot(player, options.seat), sys.stdin):
        print(answer, flush=True)
    return 0


def _needing(extra: str, name: str) -> Any:
    """A module that needs what an extra installs."""
    try:
        return import_module(f"houjuu.{name}")
    except ImportError as missing:
        raise Error(f"this needs {missing.name}: pip install houjuu[{extra}]") from None


def position(game: Game, seat: int, round: int, turn: int | None) -> tuple[View, int]:
    """What a seat sees before its discard number `turn` of a round, and what it discarded.

    Raises
    ------
    Error
        The game has no such round, or the seat no such discard in it.
    """
    found: list[tuple[View, int]] = []
    table, index = Table(game.rules), -1
    for event in game:
        index += isinstance(event, Deal)
        if index == round and isinstance(event, Discard) and event.seat == seat:
            found.append((table.view(seat), event.tile))
        table.apply(event)
    if index < round or round < 0:
        raise Error(f"has no round {round}; its rounds are 0 to {index}", file=game.id)
    if not 1 <= (len(found) if turn is None else turn) <= len(found):
        raise Error(f"seat {seat} discards {len(found)} times in round {round}", file=game.id)
    return found[-1 if turn is None else turn - 1]


def table_text(view: View) -> str:
    """The position in letters: tsumogiri ', riichi *, called away ~."""
    dora = format_tiles(view.dora_indicators)
    lines = [
        f"{WINDS[view.round // 4 % 4]}{view.round % 4 + 1}局 {view.honba}本場, "
        f"{view.riichi_sticks} sticks, {view.tiles_left} tiles left, indicator {dora}"
    ]
    for place, seat in zip(
        ("self", *_PLACES), (view.seats[view.seat], *view.opponents), strict=True
    ):
        lines.append(_seat_text(view, place, seat))
    return "\n".join([*lines, f"hand    {_hand_text(view)}"])


def _seat_text(view: View, place: str, seat: Seat) -> str:
    wind = WINDS[view.seat_wind(seat.seat) - 27]
    river = " ".join(_river_text(discard) for discard in seat.river)
    melds = "".join(f" [{meld.kind} {format_tiles(meld.tiles)}]" for meld in seat.melds)
    return f"{place:7} {wind} {view.scores[seat.seat]:6}  {river}{melds}"


def _river_text(discard: RiverTile) -> str:
    marks = ("'" * discard.tsumogiri, "*" * discard.riichi, "~" * (discard.called_by is not None))
    return format_tiles([discard.tile]) + "".join(marks)


def _hand_text(view: View) -> str:
    kept = [tile for tile in view.hand if tile != view.drawn]
    return format_tiles(kept) + (f" + {format_tiles([view.drawn])}" if view.drawn else "")


def danger_text(view: View, risk: DealIn, chosen: int) -> str:
    """A line for each tile of the hand, the cheapest first; > marks what was discarded."""
    names = [
        f"{place} {opponent.kind}" for place, opponent in zip(_PLACES, risk.opponents, strict=True)
    ]
    lines = ["tile   " + "".join(f"{name:>16}" for name in names) + f"{'any':>9}{'points':>9}"]
    tenpai = "".join(f"{100 * p:15.1f}%" for p in risk.tenpai)
    lines.append(f"tenpai {tenpai}")
    points = {format_tiles([tile]): (risk.points_of(tile), tile // COPIES) for tile in view.hand}
    for name, (lost, kind) in sorted(points.items(), key=lambda item: item[1]):
        chances = "".join(f"{100 * p:15.2f}%" for p in risk.by_opponent[:, kind])
        mark = ">" if name == format_tiles([chosen]) else " "
        lines.append(f"{mark} {name:5}{chances}{100 * risk.any[kind]:8.2f}%{lost:9.0f}")
    return "\n".join(lines)


def explained(risk: DealIn, kind: int) -> Iterator[str]:
    """Yield for each opponent what its number for a kind stands on, in points of percent."""
    for place, of in zip(_PLACES, risk.explain(kind), strict=True):
        lines = [f"{place} ({of.kind}): {100 * of.probability:.2f}% for {kind_name(kind)}"]
        lines += [_part(term, "as") for term in of.terms[:_WAYS]]
        lines += [_part(reason, "because of") for reason in of.reasons if _told(reason)]
        if of.tenpai_reasons:
            lines.append(f"  tenpai {100 * of.tenpai:.1f}%")
            lines += [_part(reason, "  because of") for reason in of.tenpai_reasons]
        yield "\n".join(lines)


def _part(term: Term, why: str) -> str:
    return f"  {100 * term.probability:+8.2f}  {why} {term.name}"


def _told(reason: Term) -> bool:
    return abs(reason.probability) >= _LEAST


if __name__ == "__main__":
    sys.exit(main())
