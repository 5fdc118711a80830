"""The discards of a game, each with the hidden hands of the opponents: the labels of all tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Game
from houjuu.game.table import Seat, Table, View
from houjuu.hands.shanten import shanten_of_tiles
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


class LabelledDecision(NamedTuple):
    """A discard, and the hands of the opponents at the table: right, across, left.

    There are no hands if no label was asked for.
    """

    decision: Decision
    hands: tuple[HiddenHand, ...]


def labelled_decisions(game: Game, turn: int | None = None) -> Iterator[LabelledDecision]:
    """Yield the discards of a game that are not forced, in the order of play.

    Parameters
    ----------
    game : Game
    turn : int, optional
        Only the decisions of this turn, from 1, have `hands`, whose labels take the most time.
    """
    follower = Follower(game)
    for decision in follower.discards():
        is_labelled = turn in (None, decision.turn + 1)
        hands = _hands(follower.table, decision.view) if is_labelled else ()
        yield LabelledDecision(decision, hands)


def _hands(table: Table, view: View) -> tuple[HiddenHand, ...]:
    present = [opponent for opponent in view.opponents if not opponent.was_away]
    return tuple(_hidden_hand(table, view, opponent) for opponent in present)


def _hidden_hand(table: Table, view: View, opponent: Seat) -> HiddenHand:
    if table.round_state.n_unknown[opponent.seat]:
        return HiddenHand(opponent, None, None)
    hand = table.round_state.hands[opponent.seat]
    tenpai = shanten_of_tiles(tuple(hand)) == 0
    return HiddenHand(opponent, tenpai, ron_kinds(table, view, opponent))
