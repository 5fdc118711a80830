"""What a player of `houjuu.arena.matches` would have discarded; needs the extra "arena"."""

from __future__ import annotations

from riichienv import Action, ActionType

from houjuu.arena import matches
from houjuu.player.calls import swapped
from houjuu.review.reviewed import Advice
from houjuu.table import View
from houjuu.tiles import COPIES


def of_player(name: str) -> Advice:
    """The advice of a player, by its name.

    Raises
    ------
    Error
        There is none of that name.
    """
    player = matches.player(name)

    def advice(view: View) -> int:
        actions = [Action(ActionType.DISCARD, tile=tile) for tile in allowed(view)]
        return int(player.act(view, actions).tile)

    return advice


def allowed(view: View) -> list[int]:
    """The tiles that the seat may discard: in riichi what it drew, after a call no 喰い替え."""
    own = view.seats[view.seat]
    if own.in_riichi and view.drawn is not None:
        return [view.drawn]
    if view.drawn is not None or not own.melds:
        return list(view.hand)
    banned = swapped(own.melds[-1])
    return [tile for tile in view.hand if tile // COPIES not in banned]
