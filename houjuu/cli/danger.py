"""``houjuu danger``: the deal-in risk of every tile in hand, in a game or in a position by hand."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from houjuu.cli.common import (
    Commands,
    language_option,
    model_option,
    one_game,
    positive,
    room_option,
    seat_of,
)
from houjuu.cli.danger_text import DangerText, explanation_dicts
from houjuu.estimators.loading import load
from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Deal, Discard, Game
from houjuu.game.notation import format_round, parse_round
from houjuu.game.position import arguments, position
from houjuu.game.tiles import format_tiles, parse_kind
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.risk.deal_in import DealIn
from houjuu.risk.texts import best_discard
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.errors import Error
from houjuu.util.languages import Catalogue, system_language, translate
from houjuu.util.languages.names import round_name

_BY_HAND = ("river", "meld", "riichi", "dora", "scores", "sticks")
_OF_A_GAME = ("turn", "all", "list")


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "danger",
        help="print the deal-in risk of every tile in hand",
        description="The deal-in risk of every tile in hand: of a game, or of a position by hand.",
    )
    game = parser.add_argument_group("a game")
    hand = parser.add_argument_group("a position by hand")
    output = parser.add_argument_group("output")
    game.add_argument(
        "game",
        nargs="?",
        metavar="GAME",
        help="a log of one game in any format, also in progress; - for standard input",
    )
    parser.add_argument(
        "--seat",
        help="seat that discards: 0 to 3; by hand also its wind, E to N (default: of the log; "
        "by hand: 0)",
    )
    parser.add_argument(
        "--round", help="such as E2, or E2.1 with its honba (default: the last; by hand: E1)"
    )
    game.add_argument(
        "--turn", type=positive, help="discard of the seat, from 1 (default: the last)"
    )
    game.add_argument("--all", action="store_true", help="all decisions of the seat")
    game.add_argument("--list", action="store_true", help="list the rounds of the game")
    hand.add_argument("--hand", metavar="TILES", help="such as '123m0678p1199s55z + 4p'")
    hand.add_argument(
        "--river",
        action="append",
        default=[],
        metavar="SEAT=TILES",
        help="such as right=\"9m 1z' 5p* 8s~\": ' tsumogiri, * riichi, ~ called",
    )
    hand.add_argument(
        "--meld",
        action="append",
        default=[],
        metavar="SEAT=MELDS",
        help="such as 'left=chi 3~45m, pon 777z'",
    )
    hand.add_argument(
        "--riichi",
        action="append",
        default=[],
        metavar="SEAT=N",
        help="the riichi was discard N (or mark it with *)",
    )
    hand.add_argument("--dora", metavar="TILES", help="dora indicators, such as 3p")
    hand.add_argument(
        "--scores", metavar="N,N,N,N", help="of the seats 0 to 3 (default: 25000 each)"
    )
    hand.add_argument(
        "--sticks",
        type=int,
        metavar="N",
        help="riichi sticks on the table (default: those of the riichi)",
    )
    room_option(parser)
    output.add_argument(
        "--explain", metavar="TILE", help="explain the risk of a tile: 5p, 0p, 5pr, 1z, E, 東"
    )
    output.add_argument(
        "--hands", type=positive, metavar="N", help="add the likely shapes of hands, and N deals"
    )
    output.add_argument("--json", action="store_true", help="a line of JSON for each decision")
    language_option(output)
    model_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the position, the risks and, with ``--explain``, their parts."""
    kind = None if options.explain is None else parse_kind(options.explain)
    if (options.game is None) == (options.hand is None):
        raise Error("danger needs a game, or a position by hand: GAME or --hand")
    _refuse(options, _BY_HAND if options.hand is None else _OF_A_GAME)
    catalogue = translate(options.lang or system_language())
    if options.list:
        print(round_list(one_game(options.game, unfinished=True), catalogue))
        return 0
    shown = [_by_hand(options)] if options.game is None else _of_game(options)
    estimator = load(options.model)
    cache = HandCache()
    for number, decision in enumerate(shown):
        risk = estimator.deal_in(decision.view, cache)
        unseen = estimator.unseen(decision.view)
        hands = estimator.hands(decision.view) if options.hands else None
        if options.json:
            answer = {**_as_dict(decision, risk, unseen, kind), "model": estimator.model}
            if hands is not None:
                answer["hands"] = hands.to_dict(options.hands)
            print(json.dumps(answer, ensure_ascii=False))
        else:
            texts = DangerText(catalogue, decision.view, risk)
            text = _as_text(decision, texts, unseen, kind)
            if hands is not None:
                text += texts.hands(hands, options.hands)
            title = options.all or options.game is None
            print("\n" * bool(number) + "\n\n".join(text if title else text[1:]))
    return 0


def _refuse(options: argparse.Namespace, names: tuple[str, ...]) -> None:
    for name in names:
        if getattr(options, name):
            kind = "position by hand" if name in _BY_HAND else "game"
            raise Error(f"--{name} is an option of a {kind}")


def _of_game(options: argparse.Namespace) -> list[Decision]:
    if options.seat not in (None, "0", "1", "2", "3"):
        raise Error("danger GAME takes the seat that discards: --seat 0 to --seat 3")
    game = one_game(options.game, unfinished=True, room=options.room)
    seat = seat_of(game, options.game) if options.seat is None else int(options.seat)
    round = last_round(game) if options.round is None and not options.all else options.round
    found = find_decisions(game, seat, round, options.turn)
    return found if options.all else found[-1:]


def _by_hand(options: argparse.Namespace) -> Decision:
    if options.dora is None:
        raise Error("a position by hand needs the dora indicators: --dora 3p")
    melds: dict[str, list[str]] = {}
    for seat, text in _pairs(options.meld, "meld"):
        melds.setdefault(seat, []).append(text)
    view = position(
        options.hand,
        dict(_pairs(options.river, "river")),
        melds,
        {seat: _number(text) for seat, text in _pairs(options.riichi, "riichi")},
        dora=options.dora,
        round=options.round or "E1",
        seat=0 if options.seat is None else options.seat,
        scores=[_number(text) for text in (options.scores or "").split(",") if text],
        riichi_sticks=options.sticks,
        room=options.room,
    )
    return _decision(view)


def _decision(view: View) -> Decision:
    turn = len(view.seats[view.seat].river)
    return Decision(round=0, event=0, seat=view.seat, turn=turn, view=view)


def _pairs(texts: list[str], name: str) -> list[tuple[str, str]]:
    pairs = [text.partition("=") for text in texts]
    for text, (_, equals, _) in zip(texts, pairs, strict=True):
        if not equals:
            raise Error(f"--{name} {text!r} has no seat; write it as --{name} 'right={text}'")
    seats = [seat for seat, _, _ in pairs]
    if name != "meld" and len(set(seats)) < len(seats):
        raise Error(f"--{name} has a seat twice")
    return [(seat, value) for seat, _, value in pairs]


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise Error(f"{text!r} is not a whole number") from None


def _as_text(
    decision: Decision, text: DangerText, unseen: UnseenTiles, kind: int | None
) -> list[str]:
    """The paragraphs: title, table, tiles, the best discard, own hand, explanations."""
    parts = [text.title(decision), text.table(), text.danger(decision.tile)]
    parts += [f"{text.best()}\n{text.fold()}", text.own_hand(unseen, decision.tile), *text.room()]
    return parts if kind is None else [*parts, *text.explanations(kind)]


def _as_dict(
    decision: Decision, risk: DealIn, unseen: UnseenTiles, kind: int | None
) -> dict[str, Any]:
    view = decision.view
    tile = decision.tile
    discard = None if tile is None else format_tiles([tile], red_fives=view.rules.red_fives)
    answer = risk.to_dict(view.hand)
    result: dict[str, Any] = {
        "round": format_round(view.round, view.honba),
        "seat": view.seat,
        "turn": decision.turn + 1,
        "discard": discard,
        **answer,
        "best": best_discard(answer),
        "unseen": unseen.to_dict(),
        "position": arguments(view),
    }
    if kind is not None:
        result["explanation"] = explanation_dicts(risk, kind)
    return result


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
