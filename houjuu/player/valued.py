"""A player that goes for what its hand is worth: discards, calls, kans and riichi by 評価値.

What it does about danger is another's (`houjuu.player.fear`). It wins whenever it can, and does
nothing that is not legal: it picks from the actions that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from riichienv import Action, ActionType

from houjuu.player import calls
from houjuu.player.calls import KINDS_OF_CALL
from houjuu.player.fear import Discards, Fear
from houjuu.player.shanten import shanten
from houjuu.player.value import Value
from houjuu.table import View
from houjuu.tiles import COPIES

_WINS = (ActionType.TSUMO, ActionType.RON)
_KANS = (ActionType.ANKAN, ActionType.KAKAN)

LEAST_RIICHI = 200.0
"""Value of a tenpai below which riichi is no use: next to nothing is left to win on."""


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
        if ActionType.RIICHI in by_type and chosen.shanten == 0 and chosen.value >= LEAST_RIICHI:
            return by_type[ActionType.RIICHI][0]
        return discards[chosen.tile]

    def _kan(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """A kan that costs the hand nothing, while nobody else is in riichi."""
        now = shanten([tile // COPIES for tile in view.hand])
        for kan in (kan for kind in _KANS for kan in by_type.get(kind, ())):
            gone = (*kan.consume_tiles, kan.tile)
            after = shanten([tile // COPIES for tile in view.hand if tile not in gone])
            if after <= now and self.fear.calls(view, Value(after, 0.0)):
                return kan
        return None

    def _call(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """The best call, where the danger allows it."""
        found = calls.best(view, [call for kind in KINDS_OF_CALL for call in by_type.get(kind, ())])
        return found[0] if found and self.fear.calls(view, found[1]) else None
