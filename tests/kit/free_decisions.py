"""The decisions of a seat with several legal actions."""

from __future__ import annotations

from collections.abc import Iterator

from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Game
from houjuu.scoring.legality import legal_actions


def free_decisions(game: Game, seat: int) -> Iterator[Decision]:
    """Yield them in the order of play."""
    follower = Follower(game, [seat], legal_actions)
    return (decision for decision in follower.decisions() if decision.is_free)
