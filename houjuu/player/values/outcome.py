"""The outcome of an action for its seat: the answer of a player that values actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from houjuu.game.actions import Action, ActionKind
from houjuu.player.states import FIELDS, WIDTHS, States


class ValuePart(StrEnum):
    """A part of a value, with its label."""

    OWN_WIN = "own win"
    DRAW = "draw"
    OPPONENTS_WINS = "opponents' wins"
    DEALS_IN_NOW_RIGHT = "deals in now: right"
    DEALS_IN_NOW_ACROSS = "deals in now: across"
    DEALS_IN_NOW_LEFT = "deals in now: left"
    DEALS_IN_LATER_RIGHT = "deals in later: right"
    DEALS_IN_LATER_ACROSS = "deals in later: across"
    DEALS_IN_LATER_LEFT = "deals in later: left"
    RIICHI_STICK = "riichi stick"
    SCORE_SITUATION = "score situation"
    PREFERENCE = "preference"


PARTS = tuple(ValuePart)

DEALS_IN_NOW = PARTS[3:6]
"""The parts of the deal-ins by the discard, to right, across and left."""

_NO_PARTS: Mapping[ValuePart, float] = MappingProxyType(dict.fromkeys(PARTS, 0.0))


NO_STATE = States(*map(np.zeros, (WIDTHS.get(name, ()) for name in FIELDS)))
"""That of an action that ends the round."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """An action and its value.

    Attributes
    ----------
    action : Action
    value : float
        Unit: points at the start of an even game; the sum of the parts.
    parts : mapping of ValuePart to float
        All of them; a label serves as a key too.
    win, deal_in : float
        P(the seat wins the round), and P(it deals in, now or later).
    discard : int or None
        The tile that is discarded: by the action, or after the riichi or the call that it is.
    declares : bool
        Whether it declares riichi: by itself, or as the discard after the declaration.
    win_points : float
        Mean points of a later own win, without honba and sticks.
    left : States
        The state that the action leaves, with a number for each field; 0 where the round ends.
    """

    action: Action
    value: float
    parts: Mapping[ValuePart, float] = field(default_factory=lambda: _NO_PARTS)
    win: float = 0.0
    deal_in: float = 0.0
    discard: int | None = None
    declares: bool = False
    win_points: float = 0.0
    left: States = field(default=NO_STATE, compare=False)

    @property
    def kind(self) -> ActionKind:
        """The kind of the action; a riichi and the discard after it are one action."""
        return ActionKind.RIICHI if self.declares else self.action.kind

    @property
    def dealt_in(self) -> float:
        """The points of the deal-ins by the discard, at most 0."""
        return sum(self.parts[part] for part in DEALS_IN_NOW)

    def with_preference(self, points: float) -> Outcome:
        """The same with one more part of the value."""
        parts = {**self.parts, ValuePart.PREFERENCE: points}
        return replace(self, value=self.value + points, parts=parts)
