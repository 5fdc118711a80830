"""The interface of a player: it picks one of the legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from houjuu.game.actions import Action
from houjuu.game.events import Event, PlayerInfo
from houjuu.game.rules import Rules
from houjuu.game.view import View

DEFAULT_PLAYER = "rank"
"""The name of the player that plays and advises unless another is named."""


class Player(Protocol):
    """Plays one seat."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick one of the legal actions, given the view of the seat."""
        ...


@runtime_checkable
class Listener(Player, Protocol):
    """A player that hears of every event of its game, and not only of its own decisions."""

    def sit(self, seat: int, infos: Sequence[PlayerInfo], rules: Rules) -> None:
        """Take a seat at the start of a game."""
        ...

    def hear(self, event: Event) -> None:
        """Hear of an event."""
        ...

    def leave(self, scores: Sequence[int] | None) -> None:
        """The game is over; None: it was given up."""
        ...
