"""Advice for a review: the discards of a player of `houjuu.player.players`.

Needs the extra "arena".
"""

from __future__ import annotations

from riichienv import Action, ActionType

from houjuu.player import players
from houjuu.player.calls import legal_discards
from houjuu.review.review_data import Advice
from houjuu.table import View


def of_player(name: str) -> Advice:
    """The advice of a player, by its name.

    Raises
    ------
    Error
        There is no such player.
    """
    player = players.player(name)

    def advice(view: View) -> int:
        actions = [Action(ActionType.DISCARD, tile=tile) for tile in legal_discards(view)]
        return int(player.act(view, actions).tile)

    return advice
