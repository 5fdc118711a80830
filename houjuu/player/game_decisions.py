"""All decisions of a seat in a game: the view, the legal actions, and the chosen one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from riichienv import Action, ActionType

from houjuu.game.events import Call, Deal, Discard, DrawnRound, Event, Game, MeldKind, Riichi, Win
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, RED_FIVES
from houjuu.player.referee import Referee

_CALLS = {
    MeldKind.CHI: ActionType.CHI,
    MeldKind.PON: ActionType.PON,
    MeldKind.DAIMINKAN: ActionType.DAIMINKAN,
    MeldKind.ANKAN: ActionType.ANKAN,
    MeldKind.KAKAN: ActionType.KAKAN,
}
_ALONE = (
    *(ActionType.RIICHI, ActionType.RON, ActionType.TSUMO),
    *(ActionType.PASS, ActionType.KYUSHU_KYUHAI),
)
"""Actions of which there is one in a decision."""

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


def action_name(action: Action) -> tuple[object, ...]:
    """The same for equal actions of a decision, with equal tiles; another for all others."""
    if action.action_type in _ALONE:
        return (action.action_type,)
    used = () if action.tile is None else (action.tile,)
    return action.action_type, *sorted(map(_name, (*used, *action.consume_tiles)))


def game_decisions(game: Game, seat: int) -> Iterator[GameDecision]:
    """Yield all decisions of a seat with more than one legal action, in their order."""
    table, referee, deal = Table(game.rules), Referee(), -1
    events = list(game)
    for index, event in enumerate(events):
        deal += isinstance(event, Deal)
        table.apply(event)
        referee.follow(table, seat)
        legal = referee.legal_actions(table, seat)
        if len(legal) > 1 and table.round_state.is_played:
            chosen = _chosen(legal, events[index + 1 :], seat)
            yield GameDecision(deal, index, table.view(seat), tuple(legal), chosen)


def _chosen(legal: Sequence[Action], following: Sequence[Event], seat: int) -> Action | None:
    """The legal action that the next move of the game is."""
    is_claim = any(action.action_type == ActionType.PASS for action in legal)
    for event in following:
        if isinstance(event, _MOVES):
            return _of(legal, event, seat, is_claim)
        if is_claim and not isinstance(event, Riichi) and type(event).__name__ == "Draw":
            return _first(legal, ActionType.PASS, None)
    return None


def _of(legal: Sequence[Action], event: Event, seat: int, is_claim: bool) -> Action | None:
    match event:
        case Discard(actor, tile) if actor == seat:
            return _first(legal, ActionType.DISCARD, [tile])
        case Riichi(actor) if actor == seat:
            return _first(legal, ActionType.RIICHI, None)
        case Call(actor, meld) if actor == seat:
            return _first(legal, _CALLS[meld.kind], meld.from_hand)
        case Win() if event.seat == seat:
            kind = ActionType.TSUMO if event.source == seat else ActionType.RON
            return _first(legal, kind, None)
        case DrawnRound() if not is_claim:
            return _first(legal, ActionType.KYUSHU_KYUHAI, None)
        case DrawnRound():
            return _first(legal, ActionType.PASS, None)
        case _:
            return None


def _first(legal: Sequence[Action], kind: ActionType, tiles: Sequence[int] | None) -> Action | None:
    """The first legal action of a type that uses equal tiles from the hand."""
    for action in legal:
        if action.action_type == kind and tiles in (None, ()):
            return action
        if action.action_type == kind and tiles is not None:
            own = action.consume_tiles or [action.tile]
            if sorted(map(_name, own)) == sorted(map(_name, tiles)):
                return action
    return None


def _name(tile: int) -> tuple[int, bool]:
    return KIND[tile], tile in RED_FIVES
