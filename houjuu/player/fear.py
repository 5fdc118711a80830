"""What a player makes of danger: which of its discards it takes, given what each leaves and risks.

`Careless` takes the best hand. `Relative` follows the seed's table of limits against riichi.
`Estimated` weighs what a hand is worth against the points that the estimator expects to lose, to
anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from houjuu.estimator import Estimator
from houjuu.melded import Kept
from houjuu.player import danger, push_fold
from houjuu.player.push_fold import Limits
from houjuu.table import View
from houjuu.tiles import COPIES


class Choice(NamedTuple):
    """A discard that may be made: the tile, the shanten and the value of what it leaves."""

    tile: int
    shanten: int
    value: float


class Fear(Protocol):
    """How a player looks at danger."""

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """One of the discards, which come in the order of the tiles."""

    def calls(self, view: View) -> bool:
        """Whether the player may call."""


def best(choices: Sequence[Choice]) -> Choice:
    """The nearest to tenpai, of those the one of the most value, of equals the last."""
    return max(reversed(choices), key=lambda choice: (-choice.shanten, choice.value))


class Careless:
    """Fears nothing."""

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """The best hand."""
        return best(choices)

    def calls(self, view: View) -> bool:
        """Always."""
        return True


class _Careful:
    """Calls only before a riichi."""

    def calls(self, view: View) -> bool:
        """Where nobody is in riichi."""
        return not any(seat.declared for seat in view.opponents)


@dataclass(frozen=True)
class Relative(_Careful):
    """The seed's push/fold by relative danger against riichi; see `houjuu.player.push_fold`."""

    limits: Limits = push_fold.SOURCE

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """The best hand of what may be pushed, else the safest tile."""
        found = danger.against_riichi(view)
        if found is None:
            return best(choices)
        risk = {choice: float(found[choice.tile // COPIES]) for choice in choices}
        least, nearest = min(risk.values()), min(choice.shanten for choice in choices)
        pushed = [
            choice
            for choice in choices
            if choice.shanten == nearest
            and push_fold.may_push(risk[choice], least, nearest, choice.value, self.limits)
        ]
        return best(pushed or [choice for choice in choices if risk[choice] == least])


class Estimated(_Careful):
    """Value against expected loss: takes the discard of the highest appetite · value − points.

    Parameters
    ----------
    estimator : Estimator
    appetite : float
        Points that a point of value is worth: of it so much is won in the end.
    wary : float
        P(tenpai) of the likeliest opponent from which danger counts at all.
    """

    def __init__(self, estimator: Estimator, appetite: float = 0.4, wary: float = 0.15) -> None:
        self.estimator = estimator
        self.appetite = appetite
        self.wary = wary
        self._kept = Kept()

    def choose(self, view: View, choices: Sequence[Choice]) -> Choice:
        """The discard that promises most."""
        risk = self.estimator.deal_in(view, self._kept)
        if risk.tenpai.max() < self.wary:
            return best(choices)
        return max(
            reversed(choices),
            key=lambda choice: self.appetite * choice.value - risk.points_of(choice.tile),
        )
