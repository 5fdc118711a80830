"""A player that considers its own hand alone: lowest shanten, riichi, and no calls.

小林聡, 麻雀の打牌選択アルゴリズム(1), compares its rules by matches between such players.
"""

from __future__ import annotations

from collections.abc import Sequence

from riichienv import Action, ActionType

from houjuu.player import discard
from houjuu.table import View

_AT_ONCE = (ActionType.TSUMO, ActionType.RON, ActionType.RIICHI, ActionType.PASS)


class ShantenPlayer:
    """Wins and declares riichi whenever it can; otherwise discards by one of `discard.RULES`."""

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        by_type = {action.action_type: action for action in actions}
        for action_type in _AT_ONCE:
            if action_type in by_type:
                return by_type[action_type]
        discards = {a.tile: a for a in actions if a.action_type == ActionType.DISCARD}
        if len(discards) == 1:
            return discards.popitem()[1]
        unseen = view.unseen().tolist()
        return discards[discard.choose(view.hand, unseen, list(discards), self.rule)]
