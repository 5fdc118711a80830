"""A player that goes for what its hand is worth: discards, calls, kans and riichi by 評価値.

What it does about danger is another's (`houjuu.player.fear`). It wins whenever it can, and does
nothing that is not legal: it picks from the actions that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from riichienv import Action, ActionType

from houjuu.events import Meld, MeldKind
from houjuu.player.discard import differing
from houjuu.player.fear import Discards, Fear
from houjuu.player.shanten import ABSENT, after_discard, shanten
from houjuu.player.value import FAR, Value, Worth
from houjuu.table import View
from houjuu.tiles import COPIES, EAST, SUIT

_WINS = (ActionType.TSUMO, ActionType.RON)
_CALLS = {ActionType.PON: MeldKind.PON, ActionType.CHI: MeldKind.CHI}
_KANS = (ActionType.ANKAN, ActionType.KAKAN)


class Valued:
    """The player.

    Parameters
    ----------
    fear : Fear
    """

    def __init__(self, fear: Fear) -> None:
        self.fear = fear

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        by_type: dict[ActionType, list[Action]] = {}
        for action in actions:
            by_type.setdefault(action.action_type, []).append(action)
        for win in _WINS:
            if win in by_type:
                return by_type[win][0]
        if ActionType.PASS in by_type:
            return self._call(view, by_type) or by_type[ActionType.PASS][0]
        return self._kan(view, by_type) or self._discard(view, by_type)

    def _discard(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action:
        discards = {action.tile: action for action in by_type[ActionType.DISCARD]}
        if len(discards) == 1:
            return discards.popitem()[1]
        chosen = self.fear.choose(Discards(view, discards))
        if ActionType.RIICHI in by_type and chosen.shanten == 0:
            return by_type[ActionType.RIICHI][0]
        return discards[chosen.tile]

    def _kan(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """A kan that costs the hand nothing, while nobody else is in riichi."""
        if not self.fear.calls(view):
            return None
        now = shanten([tile // COPIES for tile in view.hand])
        for kan in (kan for kind in _KANS for kan in by_type.get(kind, ())):
            gone = (*kan.consume_tiles, kan.tile)
            if shanten([tile // COPIES for tile in view.hand if tile not in gone]) <= now:
                return kan
        return None

    def _call(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """The call that makes most of the hand, if it makes more of it than drawing does."""
        calls = [call for kind in _CALLS for call in by_type.get(kind, ())]
        if not calls or not self.fear.calls(view):
            return None
        (now,) = Worth(view).of([view.hand])
        after = {id(call): _after(view, call) for call in calls}
        nearer = [call for call in calls if after[id(call)].shanten < now.shanten]
        if not nearer:
            return None
        found = max(nearer, key=lambda call: _rank(after[id(call)]))
        return found if _pays(now, after[id(found)]) else None


def _rank(value: Value) -> tuple[int, float]:
    return -value.shanten, value.value


def _pays(now: Value, after: Value) -> bool:
    """Whether a call that brings the hand nearer makes more of it; from afar it always does."""
    return now.shanten >= FAR or after.value > now.value


def _after(view: View, call: Action) -> Value:
    """The hand after a call and the best discard."""
    tiles = tuple(sorted((*call.consume_tiles, call.tile)))
    meld = Meld(_CALLS[call.action_type], tiles, called=call.tile, source=(view.seat + 3) % 4)
    worth = Worth(view, (*view.seats[view.seat].melds, meld))
    rest = [tile for tile in view.hand if tile not in call.consume_tiles]
    banned = _banned(call)
    allowed = [tile for tile in rest if tile // COPIES not in banned]
    shanten = after_discard([tile // COPIES for tile in rest], worth.aims)
    least = min((int(shanten[tile // COPIES]) for tile in allowed), default=ABSENT)
    hands = [
        [other for other in rest if other != tile]
        for tile in differing(rest, allowed)
        if shanten[tile // COPIES] == least
    ]
    return max(worth.of(hands), key=_rank, default=Value(ABSENT, 0.0))


def _banned(call: Action) -> set[int]:
    """Kinds that may not be discarded after a call (喰い替え)."""
    kind = call.tile // COPIES
    low, high = sorted(tile // COPIES for tile in call.consume_tiles[:2])
    if call.action_type == ActionType.PON or high - low == 2:
        return {kind}
    other = low - 1 if kind > high else high + 1
    inside = 0 <= other < EAST and SUIT[other] == SUIT[kind]
    return {kind, other} if inside else {kind}
