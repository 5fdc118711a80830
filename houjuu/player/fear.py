"""What a player makes of danger: which of its discards it takes, given what each leaves and risks.

`Careless` takes the best hand. `Relative` follows the seed's table of limits against riichi.
`Estimated` weighs what a hand is worth against the points that the estimator expects to lose, to
anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from houjuu.estimator import Estimator
from houjuu.melded import Kept
from houjuu.player import danger, push_fold
from houjuu.player.discard import differing
from houjuu.player.push_fold import Limits
from houjuu.player.shanten import after_discard
from houjuu.player.value import Worth
from houjuu.table import View
from houjuu.tiles import COPIES


class Choice(NamedTuple):
    """A discard that may be made: the tile, the shanten and the value of what it leaves."""

    tile: int
    shanten: int
    value: float


class Discards:
    """The discards that may be made; what they leave is valued when it is asked for.

    Parameters
    ----------
    view : View
    allowed : collection of int
        Ids of the tiles that may go.
    """

    def __init__(self, view: View, allowed: Collection[int]) -> None:
        self.view = view
        self._worth = Worth(view)
        found = after_discard([tile // COPIES for tile in view.hand], self._worth.aims)
        self.shanten = {tile: int(found[tile // COPIES]) for tile in differing(view.hand, allowed)}

    def nearest(self) -> list[int]:
        """The tiles that leave the lowest shanten, in order."""
        least = min(self.shanten.values())
        return [tile for tile, shanten in self.shanten.items() if shanten == least]

    def valued(self, tiles: Iterable[int]) -> list[Choice]:
        """What it means to discard each of some tiles."""
        tiles = list(tiles)
        rests = [[other for other in self.view.hand if other != tile] for tile in tiles]
        values = self._worth.of(rests)
        return [Choice(tile, *value) for tile, value in zip(tiles, values, strict=True)]

    def best(self, tiles: Iterable[int]) -> Choice:
        """Of some tiles what leaves the hand nearest, and of most value; of equals the last."""
        tiles = list(tiles)
        least = min(self.shanten[tile] for tile in tiles)
        found = self.valued(tile for tile in tiles if self.shanten[tile] == least)
        return max(reversed(found), key=lambda choice: choice.value)


class Fear(Protocol):
    """How a player looks at danger."""

    def choose(self, discards: Discards) -> Choice:
        """One of the discards."""

    def calls(self, view: View) -> bool:
        """Whether the player may call."""


class Careless:
    """Fears nothing."""

    def choose(self, discards: Discards) -> Choice:
        """The best hand."""
        return discards.best(discards.nearest())

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

    def choose(self, discards: Discards) -> Choice:
        """The best hand of what may be pushed, else the safest tile."""
        found = danger.against_riichi(discards.view)
        if found is None:
            return discards.best(discards.nearest())
        risk = {tile: float(found[tile // COPIES]) for tile in discards.shanten}
        least = min(risk.values())
        pushed = [
            choice
            for choice in discards.valued(discards.nearest())
            if push_fold.may_push(
                risk[choice.tile], least, choice.shanten, choice.value, self.limits
            )
        ]
        if pushed:
            return max(reversed(pushed), key=lambda choice: choice.value)
        return discards.best(tile for tile in risk if risk[tile] == least)


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

    def choose(self, discards: Discards) -> Choice:
        """The discard that promises most."""
        risk = self.estimator.deal_in(discards.view, self._kept)
        if risk.tenpai.max() < self.wary:
            return discards.best(discards.nearest())
        return max(
            reversed(discards.valued(discards.shanten)),
            key=lambda choice: self.appetite * choice.value - risk.points_of(choice.tile),
        )
