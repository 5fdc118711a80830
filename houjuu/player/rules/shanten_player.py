"""A player that considers its own hand alone: lowest shanten, riichi, and no calls.

小林聡, 麻雀の打牌選択アルゴリズム(1), compares its rules by matches between such players.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.game.actions import WINS, Action, ActionKind, discards
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten
from houjuu.player.rules import discard
from houjuu.player.rules.calls import harmless_kans

_AT_ONCE = (*WINS, ActionKind.PASS)

NINE_TERMINALS_SHANTEN = 4
"""The least shanten of a hand that declares 九種九牌."""


class ShantenPlayer:
    """Wins and declares riichi whenever it can; otherwise discards by one of `discard.RULES`.

    As the program of the source (電脳麻将, routines 0001 to 0003) it declares a closed kan that
    does not raise the shanten, and 九種九牌 with a shanten of 4 or more.
    """

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        by_kind = {action.kind: action for action in actions}
        for kind in _AT_ONCE:
            if kind in by_kind:
                return by_kind[kind]
        if ActionKind.NINE_TERMINALS in by_kind and _is_far(view):
            return by_kind[ActionKind.NINE_TERMINALS]
        kans = [action for action in actions if action.kind is ActionKind.ANKAN]
        for kan, _ in harmless_kans(view, kans):
            return kan
        if ActionKind.RIICHI in by_kind:
            return by_kind[ActionKind.RIICHI]
        by_tile = discards(actions)
        if len(by_tile) == 1:
            return by_tile.popitem()[1]
        unseen = view.unseen().tolist()
        return by_tile[discard.choose(view.hand, unseen, list(by_tile), self.rule)]


def _is_far(view: View) -> bool:
    return shanten([KIND[tile] for tile in view.hand]) >= NINE_TERMINALS_SHANTEN
