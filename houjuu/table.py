"""The game table: it follows the events and gives each seat its view.

A `View` contains public information and the own hand of one seat, never another hand. Views and
seats are immutable: a view does not change with later events, and each event of a seat makes a
new `Seat`, so that results computed from a `Seat` can be cached by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from houjuu.arrays import Bools, Int8s
from houjuu.errors import TableError
from houjuu.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Event,
    Meld,
    MeldKind,
    PerSeat,
    Riichi,
    RiichiAccepted,
    Rules,
    per_seat,
)
from houjuu.round_state import RoundState
from houjuu.tiles import COPIES, EAST, KIND, KINDS, dora_of


class RiverTile(NamedTuple):
    """A discard.

    Attributes
    ----------
    tile : int
        Tile id, 0–135.
    tsumogiri : bool
        Whether it was the tile just drawn; otherwise it came from the hand (tedashi).
    riichi : bool
        Whether it declared riichi, accepted or not.
    order : int
        Number of earlier discards in the round, by all seats.
    others_in_riichi : int
        Number of other seats in riichi at the time of the discard.
    called_by : int or None
        The seat that called the tile.
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
        return KIND[self.tile]


@dataclass(frozen=True, slots=True)
class Seat:
    """Public state of one seat.

    Attributes
    ----------
    seat : int
        0–3, absolute.
    river : tuple of RiverTile
        Discards in order, called ones included.
    melds : tuple of Meld
        Sets on the table, closed kans included.
    declared : bool
        Whether the seat has declared riichi, accepted or not.
    in_riichi : bool
        Whether the riichi was accepted.
    away : bool
        Whether the player is disconnected, so that the discards are automatic.
    was_away : bool
        Whether the player was disconnected at any time in this round.
    """

    seat: int
    river: tuple[RiverTile, ...] = ()
    melds: tuple[Meld, ...] = ()
    declared: bool = False
    in_riichi: bool = False
    away: bool = False
    was_away: bool = False

    @property
    def n_open_melds(self) -> int:
        """Number of 副露, 0–4; closed kans do not count."""
        return sum(meld.is_open for meld in self.melds)

    @property
    def n_concealed(self) -> int:
        """Number of concealed tiles between turns: 13, 10, 7, 4 or 1."""
        return 13 - 3 * len(self.melds)

    @property
    def riichi_turn(self) -> int | None:
        """Index in the river of the discard that declared riichi."""
        return next((i for i, discard in enumerate(self.river) if discard.riichi), None)


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it.

    Attributes
    ----------
    seat : int
        The asking seat, 0–3.
    hand : tuple of int
        Concealed tiles of this seat, the drawn one included, in the order of drawing.
    drawn : int or None
        The tile that this seat has just drawn.
    seats : tuple of 4 Seats
        By absolute seat.
    passed : tuple of 4 ints
        By absolute seat, mask of the kinds (bit h for kind h) that others have discarded, and the
        seat let pass, since its own last discard or, in riichi, since its declaration. The last
        discard counts, but not for the asking seat while that can still win on it.
    round : int
        0 for East 1, 4 for South 1 and so on.
    dealer, honba, riichi_sticks, tiles_left : int
    scores : tuple of 4 ints, unit: points
    dora_indicators : tuple of int
        Ids of the visible indicators.
    rules : Rules
    """

    seat: int
    hand: tuple[int, ...]
    drawn: int | None
    seats: tuple[Seat, Seat, Seat, Seat]
    passed: PerSeat
    round: int
    dealer: int
    honba: int
    riichi_sticks: int
    tiles_left: int
    scores: PerSeat
    dora_indicators: tuple[int, ...]
    rules: Rules

    @property
    def opponents(self) -> tuple[Seat, Seat, Seat]:
        """The other seats in playing order: right, across, left."""
        right, across, left = ((self.seat + i) % 4 for i in (1, 2, 3))
        return self.seats[right], self.seats[across], self.seats[left]

    @property
    def round_wind(self) -> int:
        """Kind of the round wind, 27–30."""
        return EAST + self.round // 4 % 4

    def seat_wind(self, seat: int) -> int:
        """Kind of the wind of a seat, 27–30."""
        return EAST + (seat - self.dealer) % 4

    @property
    def dora(self) -> tuple[int, ...]:
        """Kinds of the dora, one for each indicator, repeated if two indicators agree."""
        return tuple(dora_of(KIND[indicator]) for indicator in self.dora_indicators)

    def visible(self) -> list[int]:
        """Ids of all tiles that this seat sees: rivers, melds, indicators and own hand."""
        return [*public_tiles(self.seats, self.dora_indicators), *self.hand]

    def unseen(self) -> Int8s:
        """Number of tiles of each kind that this seat does not see, shape (34,), 0–4."""
        kinds = [KIND[tile] for tile in self.visible()]
        return (COPIES - np.bincount(kinds, minlength=KINDS)).astype(np.int8)

    def furiten(self, seat: int) -> int:
        """Mask of the kinds (bit h for kind h) that a seat cannot win on by ron: its genbutsu.

        These are the kinds in its own river, the kinds that others discarded since its last discard
        (同巡), and, in riichi, the kinds that others discarded since the declaration.
        """
        return river_mask(self.seats[seat]) | self.passed[seat]

    def genbutsu(self, seat: int) -> Bools:
        """`furiten` as an array, shape (34,)."""
        return mask_to_array(self.furiten(seat))


def river_mask(seat: Seat) -> int:
    """Mask of the kinds (bit h for kind h) in the river of a seat."""
    mask = 0
    for discard in seat.river:
        mask |= 1 << KIND[discard.tile]
    return mask


def mask_to_array(mask: int) -> Bools:
    """Convert a mask of kinds (bit h for kind h) to an array, (34,) bool."""
    octets = np.frombuffer(mask.to_bytes(5, "little"), dtype=np.uint8)
    return np.unpackbits(octets, count=KINDS, bitorder="little").astype(np.bool_)


def public_tiles(seats: tuple[Seat, ...], dora_indicators: tuple[int, ...]) -> Iterator[int]:
    """Ids of all face-up tiles, each once: a called tile counts in its meld, not in the river."""
    for seat in seats:
        yield from (discard.tile for discard in seat.river if discard.called_by is None)
        for meld in seat.melds:
            yield from meld.tiles
    yield from dora_indicators


@dataclass(slots=True)
class _PublicState:
    """The part of the state that every view may contain."""

    seats: list[Seat] = field(default_factory=lambda: [Seat(seat) for seat in range(4)])
    passed: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    passed_before: tuple[int, ...] = (0, 0, 0, 0)  # without the last discard
    dora_indicators: tuple[int, ...] = ()
    n_discards: int = 0


class Table:
    """A game table that follows events.

    Parameters
    ----------
    rules : Rules, default=Rules()

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
        self.round_state = RoundState()
        self._public = _PublicState()
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
        """Public state of every seat, by absolute seat."""
        first, second, third, fourth = self._public.seats
        return first, second, third, fourth

    @property
    def events(self) -> tuple[Event, ...]:
        """Events of the current round, from its Deal on."""
        return tuple(self._events)

    def apply(self, event: Event) -> None:
        """Apply an event.

        Raises
        ------
        TableError
            The event is impossible now; the table is unchanged.
        """
        self.round_state.apply(event)
        handler = self._on.get(type(event))
        if handler is not None:
            handler(event)
        self._events.append(event)

    def view(self, seat: int) -> View:
        """The current view of a seat.

        Raises
        ------
        TableError
            No round has been dealt, or the seat is not 0–3.
        """
        if self._deal is None or seat not in range(4):
            raise TableError(f"there is no view of seat {seat}: no Deal yet, or not a seat 0 to 3")
        public, round_state, deal = self._public, self.round_state, self._deal
        return View(
            seat=seat,
            hand=tuple(round_state.hands[seat]),
            drawn=round_state.drawn if round_state.actor == seat else None,
            seats=self.seats,
            passed=self._passed(seat),
            round=deal.round,
            dealer=deal.dealer,
            honba=deal.honba,
            riichi_sticks=round_state.riichi_sticks,
            tiles_left=round_state.tiles_left,
            scores=per_seat(round_state.scores),
            dora_indicators=public.dora_indicators,
            rules=self.rules,
        )

    def _passed(self, asking: int) -> PerSeat:
        """`View.passed`: the tile that the asking seat can still win on has not passed it."""
        passed, last = self._public.passed.copy(), self.round_state.claimable
        if last is not None and last.seat != asking:
            passed[asking] = self._public.passed_before[asking]
        return per_seat(passed)

    def _begin(self, deal: Deal) -> None:
        away = [seat.away for seat in self._public.seats]
        self._events.clear()
        self._deal = deal
        self._public = _PublicState(dora_indicators=(deal.dora_indicator,))
        self._public.seats = [
            Seat(seat, away=flag, was_away=flag) for seat, flag in enumerate(away)
        ]

    def _discard(self, discard: Discard) -> None:
        actor, tile = discard.seat, discard.tile
        public, in_riichi = self._public, self.round_state.in_riichi
        seat = public.seats[actor]
        declares = seat.declared and not in_riichi[actor]
        others = sum(in_riichi) - in_riichi[actor]
        entry = RiverTile(tile, discard.tsumogiri, declares, public.n_discards, others)
        public.seats[actor] = Seat(
            actor,
            (*seat.river, entry),
            seat.melds,
            seat.declared,
            seat.in_riichi,
            seat.away,
            seat.was_away,
        )
        public.n_discards += 1
        self._pass(actor, tile)
        if not in_riichi[actor]:
            public.passed[actor] = 0

    def _pass(self, source: int, tile: int) -> None:
        bit, passed = 1 << KIND[tile], self._public.passed
        self._public.passed_before = tuple(passed)
        for seat in range(4):
            if seat != source:
                passed[seat] |= bit

    def _call(self, call: Call) -> None:
        meld, seats = call.meld, self._public.seats
        seat = seats[call.seat]
        melds = (*seat.melds, meld)
        if meld.kind is MeldKind.KAKAN:
            melds = tuple(self.round_state.melds[call.seat])
            self._pass(call.seat, meld.tiles[0])
        elif meld.source is not None:
            source = seats[meld.source]
            called = source.river[-1]._replace(called_by=call.seat)
            seats[meld.source] = replace(source, river=(*source.river[:-1], called))
        else:
            self._public.passed_before = tuple(self._public.passed)  # an ankan passes nobody
        seats[call.seat] = replace(seat, melds=melds)

    def _change(self, seat: int, **changes: Any) -> None:
        self._public.seats[seat] = replace(self._public.seats[seat], **changes)

    def _declare(self, riichi: Riichi) -> None:
        self._change(riichi.seat, declared=True)

    def _accept(self, accepted: RiichiAccepted) -> None:
        self._change(accepted.seat, in_riichi=True)

    def _away(self, away: Away) -> None:
        self._change(away.seat, away=True, was_away=True)

    def _back(self, back: Back) -> None:
        self._change(back.seat, away=False)

    def _dora(self, dora: Dora) -> None:
        self._public.dora_indicators += (dora.indicator,)
