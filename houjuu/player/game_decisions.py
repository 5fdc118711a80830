"""All decisions of a seat in a game: the view, the legal actions, and the chosen one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    Event,
    Game,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.game.table import Table, View
from houjuu.player.legal_actions import legal_actions

_NEWS = (Dora, RiichiAccepted, Away, Back)  # after these the open decision goes on
_MOVES = (Discard, Riichi, Call, Win, DrawnRound)


@dataclass(frozen=True, slots=True)
class GameDecision:
    """A decision of a seat.

    Attributes
    ----------
    round : int
        Index of the deal in the game, from 0.
    event : int
        Index of the event in the game after which the seat decides.
    view : View
    legal : tuple of Action
        In the tile ids of the view; at least two.
    chosen : Action or None
        The action of the player; None where another seat came first, or the game ends before it.
    """

    round: int
    event: int
    view: View
    legal: tuple[Action, ...]
    chosen: Action | None


def game_decisions(game: Game, seat: int) -> Iterator[GameDecision]:
    """Yield all decisions of a seat with more than one legal action, in their order."""
    table = Table(game.rules)
    deal = -1
    events = list(game)
    for index, event in enumerate(events):
        deal += isinstance(event, Deal)
        table.apply(event)
        legal = [] if isinstance(event, _NEWS) else legal_actions(table, seat)
        if len(legal) > 1:
            chosen = _chosen(legal, events[index + 1 :], seat)
            yield GameDecision(
                round=deal, event=index, view=table.view(seat), legal=tuple(legal), chosen=chosen
            )


def _chosen(legal: Sequence[Action], following: Sequence[Event], seat: int) -> Action | None:
    """The legal action that the next move of the game is."""
    is_claim = Action(ActionKind.PASS) in legal
    for event in following:
        passes = is_claim and isinstance(event, Draw)
        if passes or isinstance(event, _MOVES):
            move = Action(ActionKind.PASS) if passes else _action(event, seat, is_claim)
            return next((action for action in legal if action == move), None)
    return None


def _action(event: Event, seat: int, is_claim: bool) -> Action | None:
    """The action of a seat that an event is; None where another seat acts."""
    match event:
        case Discard(actor, tile) if actor == seat:
            return Action(ActionKind.DISCARD, tile)
        case Riichi(actor) if actor == seat:
            return Action(ActionKind.RIICHI)
        case Call(actor, meld) if actor == seat:
            return Action.from_meld(meld)
        case Win() if event.seat == seat:
            return Action(ActionKind.TSUMO if event.source == seat else ActionKind.RON, event.tile)
        case DrawnRound():
            return Action(ActionKind.PASS if is_claim else ActionKind.NINE_TERMINALS)
        case _:
            return None
