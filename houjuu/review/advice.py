"""What a player of `houjuu.arena.matches` would have discarded; needs the extra "arena"."""

from __future__ import annotations

from riichienv import Action, ActionType

from houjuu.arena import matches
from houjuu.events import Meld, MeldKind
from houjuu.review.reviewed import Advice
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, SUIT


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
    banned = _swapped(own.melds[-1])
    return [tile for tile in view.hand if tile // COPIES not in banned]


def _swapped(meld: Meld) -> set[int]:
    """Kinds that a call makes nobody's to discard: the called one, and the other end of its run."""
    if meld.called is None:
        return set()
    kind = meld.called // COPIES
    run = [tile // COPIES for tile in meld.tiles]
    if meld.kind is not MeldKind.CHI or kind == sorted(run)[1]:
        return {kind}
    other = kind + 3 if kind == min(run) else kind - 3
    inside = 0 <= other < EAST and SUIT[other] == SUIT[kind]
    return {kind, other} if inside else {kind}
