"""The players of the sources and "estimator", by name; and `ShantenPlayer`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import WINS, Action, ActionKind, discards
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten
from houjuu.player.protocol import Player
from houjuu.player.rules import absolute_danger, discard
from houjuu.player.rules.calls import harmless_kans
from houjuu.player.rules.hand_value_player import HandValuePlayer
from houjuu.player.rules.policies import ExpectedValue, NoFold, RelativeDanger
from houjuu.player.rules.push_fold import Limits
from houjuu.player.rules.relative_danger import Scale

_AT_ONCE = (*WINS, ActionKind.PASS)

NINE_TERMINALS_SHANTEN = 4
"""The least shanten of a hand that declares 九種九牌."""


class ShantenPlayer:
    """The lowest shanten, and no calls: it considers its own hand alone.

    It wins and declares riichi whenever it can; otherwise it discards by one of `discard.RULES`.
    小林聡, 麻雀の打牌選択アルゴリズム(1), compares the rules by matches between such players.
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


def _absolute(scale: Scale, safe: float) -> Player:
    return HandValuePlayer(RelativeDanger(absolute_danger.limits(safe), scale))


PLAYERS: Mapping[str, Callable[..., Player]] = {
    **{rule: partial(ShantenPlayer, rule) for rule in discard.RULES},
    "value": lambda: HandValuePlayer(NoFold()),
    "before": lambda: _absolute(absolute_danger.suji, 6),
    "improved-1": lambda: _absolute(absolute_danger.walls, 10),
    "improved-2": lambda: _absolute(absolute_danger.as_held, 10),
    "relative": lambda **limits: HandValuePlayer(RelativeDanger(Limits(**limits))),
    "estimator": lambda estimator, **weights: HandValuePlayer(ExpectedValue(estimator, **weights)),
}
"""Their constructors; `houjuu.player.players` lists the names."""


def estimator_of(player: Player) -> Estimator | None:
    """The estimator that one of these players queries; None for every other player."""
    policy = player.policy if isinstance(player, HandValuePlayer) else None
    return policy.estimator if isinstance(policy, ExpectedValue) else None
