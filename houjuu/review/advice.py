"""Advice for a review: the discards of a player of `houjuu.player.players`.

Needs the extra "arena".
"""

from __future__ import annotations

from riichienv import Action, ActionType

from houjuu.player import players
from houjuu.player.calls import kuikae_kinds
from houjuu.review.review_data import Advice
from houjuu.table import View
from houjuu.tiles import KIND


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


def legal_discards(view: View) -> list[int]:
    """Ids of the tiles that the seat may discard.

    In riichi this is the drawn tile alone. After a call, kuikae (喰い替え) is forbidden.
    """
    own = view.seats[view.seat]
    if own.in_riichi and view.drawn is not None:
        return [view.drawn]
    if view.drawn is not None or not own.melds:
        return list(view.hand)
    forbidden = kuikae_kinds(own.melds[-1])
    return [tile for tile in view.hand if KIND[tile] not in forbidden]
