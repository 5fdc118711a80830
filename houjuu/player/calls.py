"""Calls: what a pon or a chi makes of a hand, and which is worth it.

A call must bring the hand nearer to a yaku (`houjuu.player.open_hands`) and make more of it than
drawing does; a hand that is farther than its values reach takes whatever does the first, as
小林聡, 電脳麻将, does.
"""

from __future__ import annotations

from collections.abc import Sequence

from riichienv import Action, ActionType

from houjuu.events import Meld, MeldKind
from houjuu.player.discard import nearest
from houjuu.player.shanten import shanten
from houjuu.player.value import FAR, Value, Worth
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, SUIT

KINDS_OF_CALL = {ActionType.PON: MeldKind.PON, ActionType.CHI: MeldKind.CHI}


def best(view: View, calls: Sequence[Action]) -> tuple[Action, Value] | None:
    """The call that makes most of the hand and what it makes of it; None where none is worth it.

    Parameters
    ----------
    view : View
    calls : sequence of Action
        Pons and chis, in the ids of the view.
    """
    if not calls:
        return None
    worth = Worth(view)
    away = shanten([tile // COPIES for tile in view.hand], worth.aims)
    found = [(call, value) for call in calls if (value := after(view, call, away - 1))]
    if not found:
        return None
    call, value = max(found, key=lambda of: _rank(of[1]))
    return (call, value) if away >= FAR or value.value > worth.of([view.hand])[0].value else None


def _rank(value: Value) -> tuple[int, float]:
    return -value.shanten, value.value


def after(view: View, call: Action, most: int) -> Value | None:
    """The hand after a call and the best discard; None where its shanten would be above `most`."""
    tiles = tuple(sorted((*call.consume_tiles, call.tile)))
    meld = Meld(
        KINDS_OF_CALL[call.action_type], tiles, called=call.tile, source=(view.seat + 3) % 4
    )
    worth = Worth(view, (*view.seats[view.seat].melds, meld))
    rest = [tile for tile in view.hand if tile not in call.consume_tiles]
    allowed = [tile for tile in rest if tile // COPIES not in swapped(meld)]
    away, gone = nearest(rest, allowed, worth.aims)
    if away > most:
        return None
    hands = [[other for other in rest if other != tile] for tile in gone]
    return max(worth.of(hands), key=_rank, default=None)


def swapped(meld: Meld) -> set[int]:
    """Kinds that may not be discarded after a call (喰い替え): the called, the run's other end."""
    if meld.called is None:
        return set()
    kind = meld.called // COPIES
    run = [tile // COPIES for tile in meld.tiles]
    if meld.kind is not MeldKind.CHI or kind == sorted(run)[1]:
        return {kind}
    other = kind + 3 if kind == min(run) else kind - 3
    inside = 0 <= other < EAST and SUIT[other] == SUIT[kind]
    return {kind, other} if inside else {kind}
