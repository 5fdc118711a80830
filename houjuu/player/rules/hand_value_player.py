"""A player that maximizes the value of its hand: discards, calls, kans and riichi by 評価値.

A policy (`houjuu.player.rules.policies`) decides about danger. The player wins whenever it can, and
picks from the legal actions that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from riichienv import Action, ActionType

from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.hand_value.value import Value, prepare
from houjuu.player.rules import calls
from houjuu.player.rules.policies import DiscardOptions, DiscardPolicy
from houjuu.scoring.riichienv_adapter import KINDS_OF_CALL

_WINS = (ActionType.TSUMO, ActionType.RON)
_KANS = (ActionType.ANKAN, ActionType.KAKAN)

MIN_RIICHI_VALUE = 200.0
"""The least value of a tenpai for riichi: below it almost no winning tile is left."""

KYUSHU_SHANTEN = 3
"""The least shanten to abort the round by 九種九牌. Kokushi counts: with 11 kinds it plays on."""


class HandValuePlayer:
    """The player.

    Parameters
    ----------
    policy : DiscardPolicy
    """

    def __init__(self, policy: DiscardPolicy) -> None:
        self.policy = policy
        prepare()

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
        return (
            self._abort(view, by_type) or self._kan(view, by_type) or self._discard(view, by_type)
        )

    def _abort(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """九種九牌 with a hand that is far from any winning form."""
        (abort,) = by_type.get(ActionType.KYUSHU_KYUHAI, (None,))
        far = abort is not None and shanten([KIND[tile] for tile in view.hand]) >= KYUSHU_SHANTEN
        return abort if far else None

    def _discard(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action:
        discards = {action.tile: action for action in by_type[ActionType.DISCARD]}
        if len(discards) == 1:
            return discards.popitem()[1]
        option = self.policy.choose(DiscardOptions(view, discards))
        is_good_tenpai = option.shanten == 0 and option.value >= MIN_RIICHI_VALUE
        if ActionType.RIICHI in by_type and is_good_tenpai:
            return by_type[ActionType.RIICHI][0]
        return discards[option.tile]

    def _kan(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """A kan that does not raise the shanten, while nobody else has declared riichi."""
        kans = [kan for kind in _KANS for kan in by_type.get(kind, ())]
        for kan, left in calls.harmless_kans(view, kans):
            if self.policy.may_call(view, Value(left, 0.0)):
                return kan
        return None

    def _call(self, view: View, by_type: dict[ActionType, list[Action]]) -> Action | None:
        """The best call, where the policy allows it."""
        options = [call for kind in KINDS_OF_CALL for call in by_type.get(kind, ())]
        best = calls.best(view, options)
        return best[0] if best and self.policy.may_call(view, best[1]) else None
