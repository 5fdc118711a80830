"""The decisions of a game: the alternatives of one seat, and its choice.

One follower finds them. Rows, labels, reviews and commands read its decisions:

- **Turn.** The number of the seat's earlier discards in the round.
- **View.** An own turn is seen as at its answer, with every indicator that was turned over by then.
  A claim is seen as it was offered, before the stick of the riichi is paid.
- **Answer.** A draw or an abortive draw passes all claims. A claim that another seat came before
  has no answer: the log does not show whether the seat let it pass.
- **Forced.** An absent player chooses nothing, and a seat in riichi discards the drawn tile.
- **Hidden hands.** A seat whose hand the log does not show has no decision.

>>> from houjuu.game.events import Deal, Discard, Draw, Game, Rules
>>> hands = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
>>> deal = Deal(0, 0, 0, 0, (25000,) * 4, 135, hands)
>>> events = (deal, Draw(0, 60), Discard(0, 0, tsumogiri=False))
>>> game = Game("id", Rules(), (), events)
>>> [(one.seat, one.turn, one.discard, one.forced) for one in Follower(game).discards()]
[(0, 0, 0, False)]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from houjuu.game.actions import OWN_KANS, Action, ActionKind
from houjuu.game.events import (
    SEATS,
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.game.table import Table
from houjuu.game.view import View
from houjuu.util.errors import Error

LegalActions = Callable[[Table, int], Sequence[Action]]
"""Maps a table and a seat to the legal actions of the seat, as `houjuu.scoring.legality`."""

NEWS = (Dora, RiichiAccepted, Away, Back)
"""After these an open decision goes on."""
_PASS = Action(ActionKind.PASS)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a seat.

    Attributes
    ----------
    round : int
        Index of the deal in the game, from 0.
    event : int
        Index in the game of the last event that the view contains.
    seat : int
        0–3, absolute.
    turn : int
        Number of the seat's earlier discards in the round.
    view : View
        What the seat saw.
    legal : tuple of Action
        In the tile ids of the view; empty where nobody asked for them.
    chosen : Action or None
        The action of the log, also one that the rules forbid; None where another seat came first,
        or where the game ends before it.
    forced : bool
        Whether the player had no choice: absent, or in riichi with nothing to do but discard.
    rons : tuple of Win
        The wins on the discard.
    """

    round: int
    event: int
    seat: int
    turn: int
    view: View
    legal: tuple[Action, ...] = ()
    chosen: Action | None = None
    forced: bool = False
    rons: tuple[Win, ...] = ()

    @property
    def key(self) -> tuple[int, int, int]:
        """Round, seat and turn, which identify the discard of a turn in its game."""
        return self.round, self.seat, self.turn

    @property
    def is_free(self) -> bool:
        """Whether the player could choose between several actions."""
        return len(self.legal) > 1 and not self.forced

    @property
    def tile(self) -> int | None:
        """The id of the discarded tile; None if the seat discarded none."""
        chosen = self.chosen
        return chosen.tile if chosen and chosen.kind is ActionKind.DISCARD else None

    @property
    def discard(self) -> int:
        """`tile`; raises Error if the seat discarded none."""
        if self.tile is None:
            raise Error(f"seat {self.seat} discarded no tile")
        return self.tile


class DiscardTurn(NamedTuple):
    """A discard that is not forced: `Decision.key` and `Decision.tile` without the view."""

    round: int
    seat: int
    turn: int
    tile: int


class Follower:
    """Follows a game once, and finds the decisions that its events answer.

    Parameters
    ----------
    game : Game
    seats : collection of int
        The seats whose decisions are found.
    legal : callable, optional
        The legal actions, for the decisions with more than one. Without it only discards are
        found, which takes the least time.

    Attributes
    ----------
    table : Table
        Before the event that is yielded, or the decision. It moves on with the iterator.
    """

    def __init__(
        self,
        game: Game,
        seats: Collection[int] = range(SEATS),
        legal: LegalActions | None = None,
    ) -> None:
        self.table = Table(game.rules)
        self._events = tuple(game)
        self._seats = seats
        self._legal = legal
        self._round = -1
        self._index = -1
        self._claims: list[Decision] = []

    def __iter__(self) -> Iterator[tuple[Event, list[Decision]]]:
        """Yield each event, and the decisions that it answers."""
        for event in self._events:
            yield event, [*self._answered(event)]
            self._apply(event)
            if self._legal is not None and isinstance(event, (Discard, Call)):
                claimants = [seat for seat in self._seats if seat != event.seat]
                claims = (self._decision(seat) for seat in claimants)
                self._claims = [one for one in claims if one is not None and len(one.legal) > 1]

    def decisions(self) -> Iterator[Decision]:
        """Yield the decisions alone."""
        for _, answered in self:
            yield from answered

    def discards(self) -> Iterator[Decision]:
        """Yield the discards that are not forced: the tables of rows are of these decisions."""
        for decision in self.decisions():
            if not decision.forced and decision.tile is not None:
                yield decision

    def turns(self) -> Iterator[DiscardTurn]:
        """Yield `discards` without what most tables of rows do not need, in a third of the time.

        `table` gives a view of the decision until the next one is asked for.
        """
        state = self.table.round_state
        for event in self._events:
            if isinstance(event, Discard) and event.seat in self._seats:
                own = self.table.seats[event.seat]
                if not (own.away or own.in_riichi or state.n_unknown[event.seat]):
                    yield DiscardTurn(self._round, event.seat, len(own.river), event.tile)
            self._apply(event)

    def reached(self) -> Decision | None:
        """The own turn that a game in progress has reached at its end; None if there is none."""
        state = self.table.round_state
        is_reached = state.is_played and state.actor in self._seats
        return self._decision(state.actor) if is_reached else None

    def _answered(self, event: Event) -> Iterator[Decision]:
        """Yield the decisions that an event answers, before the table applies it."""
        is_other = self._legal is None and not isinstance(event, Discard)
        if is_other or isinstance(event, NEWS):
            return
        if self._claims:
            yield from self._answered_claims(event)
        seat = self.table.round_state.actor
        chosen = _own_action(event, seat) if seat in self._seats else None
        is_discard = chosen is not None and chosen.kind is ActionKind.DISCARD
        if chosen is None:
            return
        decision = self._decision(seat, chosen, self._rons(seat) if is_discard else ())
        if decision is not None and (is_discard or len(decision.legal) > 1):
            yield decision

    def _answered_claims(self, event: Event) -> Iterator[Decision]:
        """Yield the claims with their answers, once it is clear which seats came first."""
        winners = {win.seat: win for win in self._wins_from(self._index + 1)}
        for claim in self._claims:
            yield replace(claim, chosen=_claim_answer(claim, event, winners))
        self._claims = []

    def _wins_from(self, index: int) -> Iterator[Win]:
        """Yield the wins that come next from an event on."""
        for following in range(index, len(self._events)):
            event = self._events[following]
            if isinstance(event, Win):
                yield event
            elif not isinstance(event, NEWS):
                return

    def _rons(self, seat: int) -> tuple[Win, ...]:
        """The wins on the discard that follows, of a seat."""
        return tuple(win for win in self._wins_from(self._index + 2) if win.source == seat)

    def _apply(self, event: Event) -> None:
        self.table.apply(event)
        self._index += 1
        self._round += isinstance(event, Deal)

    def _decision(
        self, seat: int, chosen: Action | None = None, rons: tuple[Win, ...] = ()
    ) -> Decision | None:
        """The open decision of a seat; None if its hand is hidden."""
        table = self.table
        if table.round_state.n_unknown[seat]:
            return None
        own = table.seats[seat]
        legal = () if self._legal is None else tuple(self._legal(table, seat))
        return Decision(
            round=self._round,
            event=self._index,
            seat=seat,
            turn=len(own.river),
            view=table.view(seat),
            legal=legal,
            chosen=chosen,
            forced=own.away or (own.in_riichi and len(legal) < 2),
            rons=rons,
        )


def _own_action(event: Event, seat: int) -> Action | None:
    """The action at the own turn of a seat that an event is; None for all others."""
    match event:
        case Discard(actor, tile) if actor == seat:
            return Action(ActionKind.DISCARD, tile)
        case Riichi(actor) if actor == seat:
            return Action(ActionKind.RIICHI)
        case Call(actor, meld) if actor == seat and ActionKind(meld.kind.value) in OWN_KANS:
            return Action.from_meld(meld)
        case Win() if event.seat == event.source == seat:
            return Action(ActionKind.TSUMO, event.tile)
        case DrawnRound(reason=DrawReason.NINE_TERMINALS):
            return Action(ActionKind.NINE_TERMINALS)
        case _:
            return None


def _claim_answer(claim: Decision, event: Event, winners: dict[int, Win]) -> Action | None:
    """The answer of a seat to a tile that it could claim."""
    ron = next((one for one in claim.legal if one.kind is ActionKind.RON), None)
    if claim.seat in winners:
        return Action(ActionKind.RON, winners[claim.seat].tile)
    match event:
        case DrawnRound(reason=DrawReason.THREE_RON) if ron is not None:
            return ron
        case Draw() | DrawnRound():
            return _PASS
        case Call(actor, meld) if actor == claim.seat:
            return Action.from_meld(meld)
        case Win() if ron is not None:
            return _PASS
        case _:
            return None
