"""Samples for the model of whole hands: the answers about an opponent, and its true hand.

Each seat has at most one view in a round, at its n-th discard. The number n is drawn from the id of
the game before the round begins, so that nothing that happens later selects the view. Rounds in
which the log hides a hand, opponents who are away, and those about to discard have no sample.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from houjuu.estimators.hand_model import HandQuery
from houjuu.estimators.per_opponent import PerOpponentModel
from houjuu.game.decisions import Follower
from houjuu.game.events import SEATS, Game
from houjuu.game.tiles import kind_counts
from houjuu.game.view import View
from houjuu.util.arrays import Int8s

_MOST_TURNS = 16


class HandView(NamedTuple):
    """A view at a discard, and the true hands of the three opponents, (3, 34)."""

    game: str
    view: View
    hands: Int8s


class HandSample(NamedTuple):
    """An opponent in a view: its game, the answers about it, and its true hand, (34,)."""

    game: str
    query: HandQuery
    hand: Int8s


def samples(games: Iterable[Game], estimator: PerOpponentModel) -> list[HandSample]:
    """The samples of some games."""
    return [
        HandSample(game.id, query, hand)
        for game in games
        for of_view in views(game)
        for query, hand, seat in zip(
            estimator.hand_queries(of_view.view),
            of_view.hands,
            of_view.view.opponents,
            strict=True,
        )
        if not seat.was_away and hand.sum() == query.reading.n_tiles
    ]


def views(game: Game) -> Iterator[HandView]:
    """Yield the views of a game with the true hands."""
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    follower = Follower(game)
    turns: dict[int, list[int]] = {}
    for decision in follower.discards():
        if decision.round not in turns:
            turns[decision.round] = rng.integers(1, _MOST_TURNS + 1, size=SEATS).tolist()
        state = follower.table.round_state
        is_chosen = decision.turn == turns[decision.round][decision.seat] and not decision.forced
        if is_chosen and not any(state.n_unknown):
            hands = [kind_counts(state.hands[seat.seat]) for seat in decision.view.opponents]
            yield HandView(game.id, decision.view, np.array(hands, np.int8))
