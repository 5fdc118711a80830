"""The decisions of a game, each with the hidden hands of the opponents and the rons on its discard.

Discards that are no decisions are left out: those of a seat in riichi and of a player who has
dropped out. So are those of a hand that the log does not show: nobody knows what else it held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from houjuu.game.events import Deal, Discard, Draw, Game, Win
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten
from houjuu.scoring.true_waits import ron_kinds


class HiddenHand(NamedTuple):
    """The hand of an opponent, which the deciding seat does not see.

    Attributes
    ----------
    opponent : Seat
    tenpai : bool or None
        Whether it is tenpai (shanten 0); None if the log does not show the hand.
    wins : int or None
        Mask of the kinds on which it wins (`houjuu.scoring.true_waits.ron_kinds`); None as above.
    """

    opponent: Seat
    tenpai: bool | None
    wins: int | None


@dataclass(slots=True)
class LabelledDecision:
    """A decision to discard, and its truth.

    Attributes
    ----------
    round : int
        Index of the deal in the game, from 0.
    view : View
        Before the discard.
    tile : int
        The discarded tile.
    hands : tuple of HiddenHand
        Of the opponents at the table: right, across, left. Empty if no label was asked for.
    rons : list of Win
        The wins on the tile.
    """

    round: int
    view: View
    tile: int
    hands: tuple[HiddenHand, ...]
    rons: list[Win] = field(default_factory=list)

    @property
    def turn(self) -> int:
        """Number of the seat's earlier discards in the round."""
        return len(self.view.seats[self.view.seat].river)

    @property
    def key(self) -> tuple[int, int, int]:
        """Round, seat and turn, which identify the decision in its game."""
        return self.round, self.view.seat, self.turn


def labelled_decisions(game: Game, turn: int | None = None) -> Iterator[LabelledDecision]:
    """Yield the decisions of a game in the order of play.

    Parameters
    ----------
    game : Game
    turn : int, optional
        Only the decisions of this turn, from 1, have `hands`, whose labels take the most time.
    """
    table = Table(game.rules)
    index = -1
    last: LabelledDecision | None = None
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, (Draw, Discard)):
            if last is not None:
                yield last
            last = _decision(table, index, event, turn) if isinstance(event, Discard) else None
        elif isinstance(event, Win) and event.source != event.seat and last is not None:
            last.rons.append(event)
        table.apply(event)
    if last is not None:
        yield last


def _decision(
    table: Table, index: int, discard: Discard, turn: int | None
) -> LabelledDecision | None:
    decider = table.seats[discard.seat]
    if decider.in_riichi or decider.away or table.round_state.n_unknown[discard.seat]:
        return None
    view = table.view(discard.seat)
    hands: tuple[HiddenHand, ...] = ()
    if turn in (None, len(decider.river) + 1):
        present = [opponent for opponent in view.opponents if not opponent.was_away]
        hands = tuple(_hidden_hand(table, view, opponent) for opponent in present)
    return LabelledDecision(index, view, discard.tile, hands)


def _hidden_hand(table: Table, view: View, opponent: Seat) -> HiddenHand:
    if table.round_state.n_unknown[opponent.seat]:
        return HiddenHand(opponent, None, None)
    hand = table.round_state.hands[opponent.seat]
    tenpai = shanten([KIND[tile] for tile in hand]) == 0
    return HiddenHand(opponent, tenpai, ron_kinds(table, view, opponent))
