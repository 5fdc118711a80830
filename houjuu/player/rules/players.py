"""The players of the sources and "estimator", by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from houjuu.estimators.protocol import Estimator
from houjuu.player.protocol import Player
from houjuu.player.rules import absolute_danger
from houjuu.player.rules.discard import RULES
from houjuu.player.rules.hand_value_player import HandValuePlayer
from houjuu.player.rules.policies import ExpectedValue, NoFold, RelativeDanger
from houjuu.player.rules.push_fold import Limits
from houjuu.player.rules.relative_danger import Scale
from houjuu.player.rules.shanten_player import ShantenPlayer


def _absolute(scale: Scale, safe: float) -> Player:
    return HandValuePlayer(RelativeDanger(absolute_danger.limits(safe), scale))


PLAYERS: Mapping[str, Callable[..., Player]] = {
    **{rule: partial(ShantenPlayer, rule) for rule in RULES},
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
