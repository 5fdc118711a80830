"""The interface of a player: it picks one of the legal actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from houjuu.game.actions import Action
from houjuu.game.view import View

DEFAULT_PLAYER = "rank"
"""The name of the player that plays and advises unless another is named."""


class Player(Protocol):
    """Plays one seat."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick one of the legal actions, given the view of the seat."""
        ...
