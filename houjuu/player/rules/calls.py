"""Calls: the hand that a pon or a chi leaves, the best of several calls, and kans.

A call must lower the shanten of the hand towards a yaku
(`houjuu.player.hand_value.value`), and the hand must be worth more with it than without.
Hands too far from tenpai to compare values take any call that meets the first condition, as in
小林聡, 電脳麻将.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from houjuu.game.actions import Action
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.claims import kuikae_kinds
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value.far_hands import AnyHandValuer
from houjuu.player.hand_value.value import FAR, Value
from houjuu.player.rules.discard import nearest


def best(view: View, calls: Sequence[Action]) -> tuple[Action, Value] | None:
    """The best call and the value of the hand after it; None where none improves the hand.

    Parameters
    ----------
    view : View
    calls : sequence of Action
        Pons and chis, in the tile ids of the view.
    """
    if not calls:
        return None
    valuer = AnyHandValuer(view)
    shanten_now = shanten([KIND[tile] for tile in view.hand], valuer.goals)
    candidates = []
    for call in calls:
        if value := after(view, call, shanten_now - 1):
            candidates.append((call, value))
    if not candidates:
        return None
    call, value = max(candidates, key=lambda candidate: _rank(candidate[1]))
    better = shanten_now >= FAR or value.value > valuer.values([view.hand])[0].value
    return (call, value) if better else None


def _rank(value: Value) -> tuple[int, float]:
    return -value.shanten, value.value


def after(view: View, call: Action, highest: int) -> Value | None:
    """The hand after a call and the best discard; None where its shanten exceeds `highest`."""
    meld = call.meld
    assert meld is not None
    valuer = AnyHandValuer(view, (*view.seats[view.seat].melds, meld))
    rest = [tile for tile in view.hand if tile not in call.from_hand]
    allowed = [tile for tile in rest if KIND[tile] not in kuikae_kinds(meld, view.rules)]
    least, discards = nearest(rest, allowed, valuer.goals)
    if least > highest:
        return None
    hands = [[other for other in rest if other != tile] for tile in discards]
    return max(valuer.values(hands), key=_rank, default=None)


def harmless_kans(view: View, kans: Iterable[Action]) -> Iterator[tuple[Action, int]]:
    """Yield the kans that do not raise the shanten, each with the shanten that it leaves.

    Parameters
    ----------
    view : View
    kans : iterable of Action
        Closed and added kans, in the tile ids of the view.
    """
    shanten_now = shanten([KIND[tile] for tile in view.hand])
    for kan in kans:
        left = shanten([KIND[tile] for tile in view.hand if tile not in kan.from_hand])
        if left <= shanten_now:
            yield kan, left
