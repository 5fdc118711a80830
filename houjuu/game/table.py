"""The game table: it follows the events and gives each seat its view.

Views and seats are immutable: a view does not change with later events, and each event of a seat
makes a new `Seat`, so that results computed from a `Seat` can be cached by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Event,
    MeldKind,
    PerSeat,
    Riichi,
    RiichiAccepted,
    Rules,
    per_seat,
)
from houjuu.game.notation import format_round
from houjuu.game.round_state import RoundState
from houjuu.game.seat import RiverTile, Seat, opponents_of, public_tiles, river_mask
from houjuu.game.tiles import KIND
from houjuu.game.view import View, mask_to_array, unchecked_view
from houjuu.util.errors import TableError

__all__ = ["RiverTile", "Seat", "Table", "View", "mask_to_array", "public_tiles", "river_mask"]


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
    >>> from houjuu.game.events import Deal, Draw, Discard
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

    def __repr__(self) -> str:
        """The round and the number of tiles left."""
        if self._deal is None:
            return "Table(no round)"
        round = format_round(self._deal.round, self._deal.honba)
        return f"Table({round}, {self.round_state.tiles_left} tiles left)"

    @property
    def seats(self) -> tuple[Seat, Seat, Seat, Seat]:
        """Public state of every seat, by absolute seat."""
        first, second, third, fourth = self._public.seats
        return first, second, third, fourth

    def opponents(self, seat: int) -> tuple[Seat, Seat, Seat]:
        """Public state of the other seats in playing order, as `View.opponents`."""
        return opponents_of(self._public.seats, seat)

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
        handler = self._ON.get(type(event))
        if handler is not None:
            handler(self, event)
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
        return unchecked_view(
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
            moment=round_state.moment,
        )

    def _passed(self, asking: int) -> PerSeat:
        """`View.passed`: the tile that the asking seat can still win on has not passed it."""
        masks, last = self._public.passed.copy(), self.round_state.claimable
        if last is not None and last.seat != asking:
            masks[asking] = self._public.passed_before[asking]
        return per_seat(masks)

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
        others = sum(in_riichi) - in_riichi[actor]
        # By position: with keywords, a replay of all events takes a quarter longer.
        river_tile = RiverTile(tile, discard.tsumogiri, seat.declares, public.n_discards, others)
        public.seats[actor] = Seat(
            actor,
            (*seat.river, river_tile),
            seat.melds,
            seat.declared,
            seat.in_riichi,
            seat.away,
            seat.was_away,
        )
        public.n_discards += 1
        self._add_to_passed(actor, tile)
        if not in_riichi[actor]:
            public.passed[actor] = 0

    def _add_to_passed(self, source: int, tile: int) -> None:
        """Let every other seat pass a tile."""
        bit, masks = 1 << KIND[tile], self._public.passed
        self._public.passed_before = tuple(masks)
        for seat in range(4):
            if seat != source:
                masks[seat] |= bit

    def _call(self, call: Call) -> None:
        meld, seats = call.meld, self._public.seats
        seat = seats[call.seat]
        melds = (*seat.melds, meld)
        if meld.kind is MeldKind.KAKAN:
            melds = tuple(self.round_state.melds[call.seat])
            self._add_to_passed(call.seat, meld.tiles[0])
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

    # of the class: bound methods in an instance would keep it alive until a garbage collection
    _ON: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Deal: _begin,
        Discard: _discard,
        Call: _call,
        Riichi: _declare,
        RiichiAccepted: _accept,
        Dora: _dora,
        Away: _away,
        Back: _back,
    }
