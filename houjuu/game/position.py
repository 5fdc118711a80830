"""A position by hand: text in the notation of `houjuu.game.notation`, a `View` out.

The rivers and melds become the events that they imply, and a `Table` follows these. A position is
therefore checked by the rules of the game, and equals the view that a log or a stream gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from houjuu.game.events import START_SCORE, Deal, Dora, Rules, per_seat
from houjuu.game.limits import MAX_STICKS, points, whole
from houjuu.game.notation import (
    SEAT_NAMES,
    NamedDiscard,
    NamedMeld,
    format_hand,
    format_melds,
    format_river,
    format_round,
    parse_hand,
    parse_melds,
    parse_river,
    parse_round,
    parse_seat,
    seat_name,
)
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.table import Table
from houjuu.game.tiles import TILES, Copies, format_tiles, parse_name, split_tiles, tile_id
from houjuu.game.turns import Replay, find_steps
from houjuu.game.view import View
from houjuu.util.errors import Error, TableError, shown
from houjuu.util.json_types import RoomName

_SEAT = re.compile(r"\bseat ([0-3])\b")
_Value = TypeVar("_Value")
_Default = TypeVar("_Default")

TileList = str | Sequence[str | int] | npt.NDArray[np.integer]
"""Tiles as text, or as a list of names and ids."""

BySeat = Mapping[Any, Any] | Sequence[Any] | npt.NDArray[Any]
"""Values of seats by name, as `houjuu.game.notation.parse_seat` reads it, or of the seats 0 to 3.
"""


def position(
    hand: TileList,
    rivers: BySeat = (),
    melds: BySeat = (),
    riichi: BySeat = (),
    *,
    dora: TileList,
    round: str = "E1",
    seat: int | str = 0,
    scores: BySeat = (),
    riichi_sticks: int | None = None,
    rules: Rules | None = None,
    room: RoomName | None = None,
) -> View:
    """The view of a seat in a position that is written by hand.

    All text is in the notation of `houjuu.game.notation`, which ``houjuu danger`` prints. The
    rivers must be complete, called tiles included, because the turns follow from them.

    Parameters
    ----------
    hand : str or sequence
        Concealed tiles of the seat, such as ``123m0678p1199s55z + 4p``, or a list of names and ids.
        On its own turn the drawn tile stands behind ``+``, or is the last one. After a chi or pon
        no tile is drawn.
    rivers : mapping or sequence of str or of sequences
        The river of each seat, such as ``{"right": "9m 1z' 5p* 2s'"}``, or of the seats 0 to 3.
        After a riichi every discard is tsumogiri.
    melds : mapping or sequence
        The melds of each seat in the order of the calls, as text or list of texts, such as
        ``{"left": "chi 3~45m, pon 777z"}``.
    riichi : mapping or sequence of int
        Number of the discard, from 1, that declares riichi, in place of its ``*``; 0 for none.
    dora : str
        The dora indicators, such as ``3p``.
    round : str, default="E1"
        ``E2`` for East 2, ``E2.1`` for East 2 with one honba.
    seat : int or str, default=0
        The asking seat: 0–3, where seat 0 is East in round E1, or its wind in this round.
    scores : mapping or sequence of 4 ints, unit: points
        By default 25,000, less 1,000 in riichi.
    riichi_sticks : int, optional
        By default one for each seat in riichi.
    rules : Rules, optional
        By default those of a ranked hanchan on Tenhou.
    room : str, optional
        The room of the players, of `houjuu.game.rules.ROOMS`; by default that of the rules.

    Returns
    -------
    View
        Every riichi counts as accepted. A closed or an added kan counts as made on the first turn
        on which it was possible; the notation does not contain its time.

    Raises
    ------
    Error
        A text is not in the notation, there are five copies of a tile, or no order of the turns
        gives these rivers, melds and this hand.

    Examples
    --------
    >>> view = position("123m0678p1199s55z + 4p", {"self": "9m", "left": "1z 9p*"}, dora="3p")
    Traceback (most recent call last):
    houjuu.util.errors.Error: the river of right is too short: discard 1 is missing, but ...
    >>> rivers = {"self": "9m", "right": "4z", "across": "1m'", "left": "1z*"}
    >>> view = position("123m0678p1199s55z + 4p", rivers, dora="3p")
    >>> view.tiles_left, [seat.in_riichi for seat in view.opponents]
    (65, [False, False, True])
    """
    if not isinstance(rules, Rules | None):
        raise Error(f"the rules are {shown(rules)}: pass houjuu.game.Rules(), or leave them out")
    rules = rules or Rules()
    rules = replace(rules, named_room=room or rules.named_room)
    hand = _text(hand, "the hand")
    number, honba = parse_round(_text(round, "the round"))
    seats = _SeatNames(number % 4, seat)
    named_rivers = seats.rivers(rivers, riichi)
    named_melds = seats.values(melds, "the melds", seats.melds, ())
    copies = Copies(red_fives=rules.red_fives)
    indicators = [
        copies.take(*parse_name(name), "the dora indicator")
        for name in split_tiles(_text(dora, "the dora indicator"))
    ]
    if not indicators:
        raise Error("there is no dora indicator; write it as dora='3p'")
    paid = [any(discard.riichi for discard in river) for river in named_rivers]
    stated_scores = seats.values(scores, "the score", lambda score: points(score, "it"), None)
    before = (
        START_SCORE if score is None else score + RIICHI_STICK * stick
        for score, stick in zip(stated_scores, paid, strict=True)
    )
    stated_sticks = sum(paid) if riichi_sticks is None else riichi_sticks
    sticks = whole(stated_sticks, "the number of riichi sticks", MAX_STICKS) - sum(paid)
    if sticks < 0:
        raise Error(f"{sum(paid)} seats are in riichi, but there are {riichi_sticks} riichi sticks")
    hidden = (None, None, None, None)
    table = Table(rules)
    table.apply(
        Deal(
            round=number,
            honba=honba or 0,
            riichi_sticks=sticks,
            dealer=seats.dealer,
            scores=per_seat(before),
            dora_indicator=indicators[0],
            hands=hidden,
        )
    )
    steps, turn = find_steps(named_rivers, named_melds, seats.dealer, seats.names)
    replay = Replay(
        table=table, rivers=named_rivers, melds=named_melds, names=seats.names, copies=copies
    )
    try:
        replay.play(steps)
        drawn = replay.draw(seats.own) if seats.discards(hand, named_melds, turn) else False
        replay.require_all_kans()
        for indicator in indicators[1:]:
            table.apply(Dora(indicator))
        return _with_hand(table.view(seats.own), hand, drawn, copies)
    except TableError as problem:
        raise Error(f"the position is impossible: {seats.named(problem.reason)}") from None


def arguments(view: View) -> dict[str, Any]:
    """The arguments of `position` that describe a view, as values of JSON.

    `position` returns an equal position for them. They do not contain who was disconnected, the
    time of closed and added kans, a tile that an opponent has drawn, and a riichi that is not yet
    accepted.
    """
    red_fives = view.rules.red_fives
    rivers = {seat_name(view, s.seat): format_river(s, red_fives=red_fives) for s in view.seats}
    melds = {seat_name(view, s.seat): list(format_melds(view, s)) for s in view.seats if s.melds}
    return {
        "hand": format_hand(view),
        "rivers": rivers,
        "melds": melds,
        "dora": "".join(format_tiles([t], red_fives=red_fives) for t in view.dora_indicators),
        "round": format_round(view.round, view.honba),
        "seat": view.seat,
        "scores": list(view.scores),
        "riichi_sticks": view.riichi_sticks,
        "room": view.rules.room,
    }


class _SeatNames:
    """The names of the seats, and values by name."""

    def __init__(self, dealer: int, own: int | str) -> None:
        self.dealer = dealer
        self.own = parse_seat(own, dealer)
        self.names = [SEAT_NAMES[(seat - self.own) % 4] for seat in range(4)]

    def number(self, name: str | int) -> int:
        return parse_seat(name, self.dealer, self.own)

    def named(self, message: str) -> str:
        """The message with the names of the seats in place of their numbers."""
        return _SEAT.sub(lambda match: self.names[int(match[1])], message)

    def values(
        self, values: BySeat, what: str, parse: Callable[[Any], _Value], default: _Default
    ) -> list[_Value | _Default]:
        """The value of each seat by absolute seat; a message names what it is."""
        parsed: dict[int, _Value] = {}
        for name, value in _items(values, what):
            seat = self.number(name)
            if seat in parsed:
                raise Error(f"{what} of {self.names[seat]} is written twice")
            try:
                parsed[seat] = parse(value)
            except Error as problem:
                raise Error(f"{what} of {self.names[seat]}: {problem.reason}") from None
        return [parsed.get(seat, default) for seat in range(4)]

    def melds(self, written: object) -> tuple[NamedMeld, ...]:
        texts = [written] if isinstance(written, str) else written
        if not isinstance(texts, Sequence):
            raise Error(f"{shown(written)} is not text or a list of texts")
        return tuple(meld for text in texts for meld in parse_melds(_text(text), self.number))

    def rivers(self, rivers: BySeat, riichi: BySeat) -> list[tuple[NamedDiscard, ...]]:
        by_seat = self.values(rivers, "the river", lambda text: parse_river(_text(text)), ())
        for seat, turn in enumerate(self.values(riichi, "the riichi", _turn, 0)):
            river = list(by_seat[seat])
            if not 0 <= turn <= len(river):
                raise Error(f"the river of {self.names[seat]} has no discard {turn} for the riichi")
            if turn > 0:
                river[turn - 1] = replace(river[turn - 1], riichi=True)
            if sum(discard.riichi for discard in river) > 1:
                raise Error(f"the river of {self.names[seat]} declares riichi on two discards")
            by_seat[seat] = tuple(river)
        return by_seat

    def discards(self, hand: str, melds: Sequence[Sequence[NamedMeld]], turn: int) -> bool:
        """Whether the own seat is to discard, which the number of its tiles shows."""
        tiles, is_drawn_marked = parse_hand(hand)
        n_tiles = len(tiles)
        n_melds = len(melds[self.own])
        between = 13 - 3 * n_melds
        if n_tiles not in (between + is_drawn_marked, between + 1):
            right = f"{between}, or {between + 1} on its own turn"
            if is_drawn_marked:
                n_tiles, right = n_tiles - 1, f"{between} before the +"
            raise Error(f"the hand has {n_tiles} tiles; with {n_melds} melds it has {right}")
        if n_tiles > between and turn != self.own:
            raise Error(
                f"the hand has {n_tiles} tiles, so it is its turn, but after these rivers it is "
                f"the turn of {self.names[turn]}"
            )
        return n_tiles > between


def _with_hand(view: View, hand: str, has_drawn: bool, copies: Copies) -> View:
    names, is_marked = parse_hand(hand)
    if is_marked and not has_drawn:
        raise Error(f"the hand {hand!r} has a drawn tile behind +, but this seat has not drawn")
    tiles = tuple(copies.take(*name, "the hand") for name in names)
    return replace(view, hand=tiles, drawn=tiles[-1] if has_drawn else None)


def _items(values: BySeat, what: str) -> list[tuple[Any, Any]]:
    if isinstance(values, Mapping):
        return list(values.items())
    if isinstance(values, np.ndarray):
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Sequence) or len(values) not in (0, 4):
        raise Error(
            f"{what} of each seat: {shown(values)} is not a mapping by seat or a list of four"
        )
    return list(enumerate(values))


def _text(value: object, what: str = "it") -> str:
    """Text as it is, or a list of names and ids of tiles as text."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        names = (one if isinstance(one, str) else format_tiles([tile_id(one)]) for one in value)
        return " ".join(names)
    if not isinstance(value, str):
        raise Error(f"{what} must be text, not {shown(value)}")
    return value


def _turn(value: object) -> int:
    """Number of a discard, of which a seat has fewer than there are tiles."""
    return whole(value, "it", TILES)
