"""The rounds of a game, and the decisions of a seat in them."""

from __future__ import annotations

from collections.abc import Iterator

from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Deal, Discard, Game
from houjuu.game.notation import format_round, parse_round
from houjuu.util.errors import Error
from houjuu.util.languages import Catalogue
from houjuu.util.languages.names import round_name


def decisions(game: Game, seat: int) -> Iterator[Decision]:
    """Yield every discard of a seat, and the own turn that a game in progress has reached."""
    follower = Follower(game, [seat])
    yield from follower.decisions()
    reached = follower.reached()
    if reached is not None:
        yield reached


def find_decisions(game: Game, seat: int, round: str | None, turn: int | None) -> list[Decision]:
    """The decisions of a seat in a round, or in the whole game.

    Parameters
    ----------
    game : Game
    seat : int
    round : str or None
        Such as ``E2.1``, or ``E2`` if there is one; None for all rounds.
    turn : int or None
        Number of the discard in the round, from 1; None for all.

    Raises
    ------
    Error
        There is no such round, or no such decision.
    """
    name = None if round is None else found_round(game, round)
    of_rounds = [one for one in decisions(game, seat) if name in (None, _round(one))]
    of_turns = [one for one in of_rounds if turn in (None, one.turn + 1)]
    if not of_turns:
        where = "in the game" if name is None else f"in {name}"
        number = "no discard" if turn is None else f"no discard {turn}, but {len(of_rounds)},"
        raise Error(f"seat {seat} has {number} {where}", file=game.id)
    return of_turns


def _round(decision: Decision) -> str:
    return format_round(decision.view.round, decision.view.honba)


def found_round(game: Game, written: str) -> str:
    """The name, such as ``E2.1``, of the round that a text stands for.

    Raises
    ------
    Error
        The game has no such round, or several.
    """
    index, honba = parse_round(written)
    deals = [event for event in game if isinstance(event, Deal)]
    names = [
        format_round(deal.round, deal.honba)
        for deal in deals
        if deal.round == index and honba in (None, deal.honba)
    ]
    if not names:
        rounds = ", ".join(format_round(deal.round, deal.honba) for deal in deals)
        raise Error(f"has no round {written}; its rounds are {rounds}", file=game.id)
    if len(names) > 1:
        raise Error(f"has {len(names)} rounds {written}: {', '.join(names)}", file=game.id)
    return names[0]


def last_round(game: Game) -> str:
    """The name of the last round."""
    deals = [event for event in game if isinstance(event, Deal)]
    if not deals:
        raise Error("contains no round", file=game.id)
    return format_round(deals[-1].round, deals[-1].honba)


def round_list(game: Game, catalogue: Catalogue) -> str:
    """A line for each round: its names, the scores before it, the discards of each seat."""
    lines: list[tuple[Deal, list[int]]] = []
    for event in game:
        if isinstance(event, Deal):
            lines.append((event, [0] * 4))
        elif isinstance(event, Discard):
            lines[-1][1][event.seat] += 1
    return "\n".join(
        catalogue(
            "danger.rounds",
            name=f"{format_round(deal.round, deal.honba):6}",
            round=round_name(catalogue, deal.round, deal.honba),
            scores=" ".join(map(str, deal.scores or "????")),
            discards=" ".join(map(str, counts)),
        )
        for deal, counts in lines
    )
