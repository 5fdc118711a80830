"""``houjuu danger``: print the deal-in risk of every tile in hand."""

from __future__ import annotations

import argparse

from houjuu.cli.common import Commands, model_option, one_game
from houjuu.cli.danger_text import danger_text, explanation_texts, table_text
from houjuu.errors import Error
from houjuu.estimator import load
from houjuu.events import Deal, Discard, Game
from houjuu.table import Table, View
from houjuu.tiles import parse_kind


def add(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("danger", help="print the deal-in risk of every tile in hand")
    parser.add_argument("game", metavar="GAME", help="a log of one game, in any format")
    parser.add_argument(
        "--seat", type=int, required=True, choices=range(4), help="seat that discards"
    )
    parser.add_argument(
        "--round", type=int, default=0, help="round, counted from 0 (default: %(default)s)"
    )
    parser.add_argument("--turn", type=int, help="discard of the seat, from 1 (default: the last)")
    parser.add_argument("--explain", metavar="TILE", help="explain the risk of a tile such as 5p")
    model_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the position, the risks and, with ``--explain``, their parts."""
    view, chosen = position(one_game(options.game), options.seat, options.round, options.turn)
    kind = None if options.explain is None else parse_kind(options.explain)
    risk = load(options.model).deal_in(view)
    print(table_text(view), danger_text(view, risk, chosen), sep="\n\n")
    if kind is not None:
        print(*explanation_texts(risk, kind), sep="\n\n")
    return 0


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
