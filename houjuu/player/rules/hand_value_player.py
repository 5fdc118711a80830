"""A player that maximizes the value of its hand: discards, calls, kans and riichi by 評価値.

A policy (`houjuu.player.rules.policies`) decides about danger. The player wins whenever it can, and
picks from the legal actions that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.game.actions import OWN_KANS, WINS, Action, ActionKind, discards, grouped
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value.far_hands import prepare
from houjuu.player.hand_value.value import Value
from houjuu.player.rules import calls
from houjuu.player.rules.policies import DiscardOptions, DiscardPolicy

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
        win = next((one for one in actions if one.kind in WINS), None)
        if win:
            return win
        by_kind = grouped(actions)
        if ActionKind.PASS in by_kind:
            return self._call(view, by_kind) or by_kind[ActionKind.PASS][0]
        return (
            self._abort(view, by_kind) or self._kan(view, by_kind) or self._discard(view, by_kind)
        )

    def _abort(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """九種九牌 with a hand that is far from any winning form."""
        (abort,) = by_kind.get(ActionKind.NINE_TERMINALS, (None,))
        far = abort is not None and shanten([KIND[tile] for tile in view.hand]) >= KYUSHU_SHANTEN
        return abort if far else None

    def _discard(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action:
        by_tile = discards(by_kind[ActionKind.DISCARD])
        if len(by_tile) == 1:
            return by_tile.popitem()[1]
        option = self.policy.choose(DiscardOptions(view, by_tile))
        is_good_tenpai = option.shanten == 0 and option.value >= MIN_RIICHI_VALUE
        if ActionKind.RIICHI in by_kind and is_good_tenpai:
            return by_kind[ActionKind.RIICHI][0]
        return by_tile[option.tile]

    def _kan(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """A kan that does not raise the shanten, while nobody else has declared riichi."""
        kans = [kan for kind in OWN_KANS for kan in by_kind.get(kind, ())]
        for kan, left in calls.harmless_kans(view, kans):
            if self.policy.may_call(view, Value(left, 0.0)):
                return kan
        return None

    def _call(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """The best call, where the policy allows it."""
        options = [
            call for kind in (ActionKind.PON, ActionKind.CHI) for call in by_kind.get(kind, ())
        ]
        best = calls.best(view, options)
        return best[0] if best and self.policy.may_call(view, best[1]) else None
