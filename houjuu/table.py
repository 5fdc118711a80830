"""The table: fed events, it holds what each seat has shown, and who holds what.

`Table.view(seat)` is what one seat sees, and no more: a `View` is built of public things and of
that seat's own hand. Everything in it is immutable, so a view stays what it was when the table
moves on, and whatever is worked out from a `Seat` can be kept for as long as that seat does
nothing new (the next event of the seat makes a new `Seat`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.errors import TableError
from houjuu.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Event,
    Four,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Rules,
)
from houjuu.ledger import Ledger
from houjuu.tiles import COPIES, EAST, KINDS, dora_of


class RiverTile(NamedTuple):
    """A discard.

    Attributes
    ----------
    tile : int
        Its id, 0–135.
    tsumogiri : bool
        It was the tile just drawn; otherwise it came from the hand (tedashi).
    riichi : bool
        It declared riichi, whether accepted or not.
    order : int
        How many discards the round had seen before it, by any seat.
    others_in_riichi : int
        How many other seats were in riichi when it was discarded.
    called_by : int or None
        The seat that called it away.
    """

    tile: int
    tsumogiri: bool
    riichi: bool
    order: int
    others_in_riichi: int
    called_by: int | None = None

    @property
    def kind(self) -> int:
        """Kind of the tile, 0–33."""
        return self.tile // COPIES


@dataclass(frozen=True, slots=True)
class Seat:
    """What one seat has shown to everybody.

    Attributes
    ----------
    seat : int
        0–3, absolute.
    river : tuple of RiverTile
        Its discards in order, the called ones included.
    melds : tuple of Meld
        Its sets on the table, closed kans included.
    declared : bool
        It has declared riichi, accepted or not.
    in_riichi : bool
        Its riichi was accepted.
    away : bool
        The player has dropped out: the discards are automatic.
    was_away : bool
        The player was away at some time in this round.
    """

    seat: int
    river: tuple[RiverTile, ...] = ()
    melds: tuple[Meld, ...] = ()
    declared: bool = False
    in_riichi: bool = False
    away: bool = False
    was_away: bool = False

    @property
    def open_melds(self) -> int:
        """How many 副露 it has, 0–4: a closed kan is none."""
        return sum(meld.is_open for meld in self.melds)

    @property
    def concealed(self) -> int:
        """How many tiles it holds between its turns: 13, 10, 7, 4 or 1."""
        return 13 - 3 * len(self.melds)

    @property
    def riichi_turn(self) -> int | None:
        """Index in the river of the discard that declared riichi."""
        return next((i for i, discard in enumerate(self.river) if discard.riichi), None)


@dataclass(frozen=True, slots=True)
class View:
    """What one seat sees.

    Attributes
    ----------
    seat : int
        Whose eyes these are.
    hand : tuple of int
        Its concealed tiles, the drawn one included, in the order of drawing.
    drawn : int or None
        The tile that it has just drawn.
    seats : tuple of 4 Seats
        By absolute seat.
    passed : tuple of 4 ints
        By absolute seat, the kinds (bit h for kind h) that others have discarded since that seat
        last discarded, or since it declared riichi: it let them pass.
    round : int
        0 for East 1 … 4 for South 1 …
    dealer, honba, riichi_sticks, tiles_left : int
    scores : tuple of 4 ints, unit: points
    dora_indicators : tuple of int
        Ids of the indicators that are turned over.
    rules : Rules
    """

    seat: int
    hand: tuple[int, ...]
    drawn: int | None
    seats: tuple[Seat, Seat, Seat, Seat]
    passed: Four
    round: int
    dealer: int
    honba: int
    riichi_sticks: int
    tiles_left: int
    scores: Four
    dora_indicators: tuple[int, ...]
    rules: Rules

    @property
    def opponents(self) -> tuple[Seat, Seat, Seat]:
        """The seats to the right, across and to the left: the next to play comes first."""
        right, across, left = ((self.seat + i) % 4 for i in (1, 2, 3))
        return self.seats[right], self.seats[across], self.seats[left]

    @property
    def round_wind(self) -> int:
        """Kind of the round's wind, 27–30."""
        return EAST + self.round // 4 % 4

    def seat_wind(self, seat: int) -> int:
        """Kind of a seat's own wind, 27–30."""
        return EAST + (seat - self.dealer) % 4

    @property
    def dora(self) -> tuple[int, ...]:
        """Kinds that are dora, one for each indicator: one that two of them name stands twice."""
        return tuple(dora_of(indicator // COPIES) for indicator in self.dora_indicators)

    def visible(self) -> list[int]:
        """Ids of all tiles that this seat sees: rivers, melds, indicators, its own hand."""
        return [*public_tiles(self.seats, self.dora_indicators), *self.hand]

    def unseen(self) -> npt.NDArray[np.int8]:
        """How many tiles of every kind this seat does not see, shape (34,), each 0–4."""
        kinds = [tile // COPIES for tile in self.visible()]
        return (COPIES - np.bincount(kinds, minlength=KINDS)).astype(np.int8)

    def furiten(self, seat: int) -> int:
        """Kinds (bit h for kind h) that a seat certainly cannot win on by ron.

        Those in its own river; those that others discarded since it last discarded (同巡); and,
        once in riichi, those discarded since it declared. They are its genbutsu.
        """
        return river_kinds(self.seats[seat]) | self.passed[seat]

    def genbutsu(self, seat: int) -> npt.NDArray[np.bool_]:
        """`furiten` as an array, shape (34,)."""
        return bits(self.furiten(seat))


def river_kinds(seat: Seat) -> int:
    """Kinds (bit h for kind h) that stand in a seat's own river."""
    mask = 0
    for discard in seat.river:
        mask |= 1 << (discard.tile >> 2)
    return mask


def bits(kinds: int) -> npt.NDArray[np.bool_]:
    """A set of kinds (bit h for kind h) as an array, (34,)."""
    octets = np.frombuffer(kinds.to_bytes(5, "little"), dtype=np.uint8)
    return np.unpackbits(octets, count=KINDS, bitorder="little").astype(np.bool_)


def public_tiles(seats: tuple[Seat, ...], dora_indicators: tuple[int, ...]) -> Iterator[int]:
    """Ids of all tiles that lie open, each once: a called tile lies in its meld."""
    for seat in seats:
        yield from (discard.tile for discard in seat.river if discard.called_by is None)
        for meld in seat.melds:
            yield from meld.tiles
    yield from dora_indicators


@dataclass(slots=True)
class _Shown:
    """What is public; everything that a view may hold besides one hand."""

    seats: list[Seat] = field(default_factory=lambda: [Seat(seat) for seat in range(4)])
    passed: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    dora_indicators: tuple[int, ...] = ()
    discards: int = 0


class Table:
    """A table that events are applied to.

    Parameters
    ----------
    rules : Rules, default=Rules()
        Whether there are red fives and open tanyao.

    Examples
    --------
    >>> from houjuu.events import Deal, Draw, Discard
    >>> table = Table()
    >>> hands = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
    >>> table.apply(Deal(0, 0, 0, 0, (25000,) * 4, 135, hands))
    >>> table.apply(Draw(0, 60))
    >>> table.apply(Discard(0, 0, tsumogiri=False))
    >>> [discard.kind for discard in table.view(1).seats[0].river]
    [0]
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules or Rules()
        self.ledger = Ledger()
        self._shown = _Shown()
        self._deal: Deal | None = None
        self._events: list[Event] = []
        self._on: dict[type, Callable[[Any], None]] = {
            Deal: self._begin,
            Discard: self._discard,
            Call: self._call,
            Riichi: self._declare,
            RiichiAccepted: self._accept,
            Dora: self._dora,
            Away: self._away,
            Back: self._back,
        }

    @property
    def seats(self) -> tuple[Seat, Seat, Seat, Seat]:
        """What every seat has shown, by absolute seat."""
        right, across, left, last = self._shown.seats
        return right, across, left, last

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this round so far, its Deal first."""
        return tuple(self._events)

    def apply(self, event: Event) -> None:
        """Let an event happen.

        Raises
        ------
        TableError
            It cannot happen here; the table stays as it was.
        """
        self.ledger.apply(event)
        handler = self._on.get(type(event))
        if handler is not None:
            handler(event)
        self._events.append(event)

    def view(self, seat: int) -> View:
        """What a seat sees now.

        Raises
        ------
        TableError
            No round has been dealt, or there is no such seat.
        """
        if self._deal is None or seat not in range(4):
            raise TableError(f"seat {seat} sees no round")
        shown, ledger, deal = self._shown, self.ledger, self._deal
        first, second, third, fourth = shown.passed
        east, south, west, north = ledger.scores
        return View(
            seat=seat,
            hand=tuple(ledger.hands[seat]),
            drawn=ledger.drawn if ledger.actor == seat else None,
            seats=self.seats,
            passed=(first, second, third, fourth),
            round=deal.round,
            dealer=deal.dealer,
            honba=deal.honba,
            riichi_sticks=ledger.riichi_sticks,
            tiles_left=ledger.tiles_left,
            scores=(east, south, west, north),
            dora_indicators=shown.dora_indicators,
            rules=self.rules,
        )

    def validate(self) -> None:
        """Recompute everything from the events of the round, and compare.

        Raises
        ------
        TableError
            Something differs, which means a mistake in houjuu.
        """
        from houjuu.recount import recount

        for name, (held, counted) in recount(self).items():
            if held != counted:
                raise TableError(f"{name} is held as {held} but counts as {counted}")

    def _begin(self, deal: Deal) -> None:
        away = [seat.away for seat in self._shown.seats]
        self._events.clear()
        self._deal = deal
        self._shown = _Shown(dora_indicators=(deal.dora_indicator,))
        self._shown.seats = [Seat(i, away=gone, was_away=gone) for i, gone in enumerate(away)]

    def _discard(self, discard: Discard) -> None:
        who, tile = discard.seat, discard.tile
        shown, in_riichi = self._shown, self.ledger.in_riichi
        seat = shown.seats[who]
        declares = seat.declared and not in_riichi[who]
        others = sum(in_riichi) - in_riichi[who]
        entry = RiverTile(tile, discard.tsumogiri, declares, shown.discards, others)
        shown.seats[who] = Seat(
            who,
            (*seat.river, entry),
            seat.melds,
            seat.declared,
            seat.in_riichi,
            seat.away,
            seat.was_away,
        )
        shown.discards += 1
        self._let_pass(who, tile)
        if not in_riichi[who]:
            shown.passed[who] = 0

    def _let_pass(self, source: int, tile: int) -> None:
        bit, passed = 1 << (tile >> 2), self._shown.passed
        for seat in range(4):
            if seat != source:
                passed[seat] |= bit

    def _call(self, call: Call) -> None:
        meld, seats = call.meld, self._shown.seats
        seat = seats[call.seat]
        melds = (*seat.melds, meld)
        if meld.kind is MeldKind.KAKAN:
            melds = tuple(self.ledger.melds[call.seat])
            self._let_pass(call.seat, meld.tiles[0])
        elif meld.source is not None:
            source = seats[meld.source]
            called = source.river[-1]._replace(called_by=call.seat)
            seats[meld.source] = replace(source, river=(*source.river[:-1], called))
        seats[call.seat] = replace(seat, melds=melds)

    def _change(self, seat: int, **changes: Any) -> None:
        self._shown.seats[seat] = replace(self._shown.seats[seat], **changes)

    def _declare(self, riichi: Riichi) -> None:
        self._change(riichi.seat, declared=True)

    def _accept(self, accepted: RiichiAccepted) -> None:
        self._change(accepted.seat, in_riichi=True)

    def _away(self, away: Away) -> None:
        self._change(away.seat, away=True, was_away=True)

    def _back(self, back: Back) -> None:
        self._change(back.seat, away=False)

    def _dora(self, dora: Dora) -> None:
        self._shown.dora_indicators += (dora.indicator,)
