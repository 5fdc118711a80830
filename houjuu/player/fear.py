"""What a player makes of danger: which of its discards it takes, given what each leaves and risks.

`Careless` takes the best hand. `Relative` follows the seed's table of limits against riichi.
`Estimated` weighs what a hand is worth against the points that the estimator expects to lose, to
anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple, Protocol

from houjuu.deal_in import DealIn
from houjuu.estimator import Estimator
from houjuu.melded import Kept
from houjuu.player import danger, push_fold
from houjuu.player.discard import differing
from houjuu.player.push_fold import Limits
from houjuu.player.shanten import after_discard
from houjuu.player.value import Value, Worth
from houjuu.table import View
from houjuu.tiles import COPIES

_DRAWN_AT = 25.0
"""So many tiles from the end of the wall a round has e⁻¹ to come to it."""


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

    def calls(self, view: View, after: Value) -> bool:
        """Whether the player may call, for what that makes of its hand."""


class Careless:
    """Fears nothing."""

    def choose(self, discards: Discards) -> Choice:
        """The best hand."""
        return discards.best(discards.nearest())

    def calls(self, view: View, after: Value) -> bool:
        """Always."""
        return True


class _Careful:
    """Calls before a riichi, and then only what is worth it."""

    def calls(self, view: View, after: Value) -> bool:
        """Where nobody is in riichi, or the hand comes near enough.

        小林聡, 電脳麻将: tenpai worth 500, or anything worth 1,200.
        """
        if not any(seat.declared for seat in view.opponents):
            return True
        return after.value >= (500 if after.shanten <= 0 else 1200)


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


@dataclass
class Estimated(_Careful):
    """What a hand promises against expected loss: takes the discard of the highest difference.

    A hand promises appetite · value points, times (draws left / horizon) ** (shanten + 1) where
    less than the horizon is left: it must draw what it lacks, and what it wins on, while there is
    something to draw. In tenpai it also promises what that is worth when nobody wins, times
    exp(−tiles left / 25), how likely that is.

    Attributes
    ----------
    estimator : Estimator
    appetite : float
        Points that a point of value is worth: of it so much is won in the end.
    horizon : float
        Draws of a seat from which on a hand is worth its value.
    wary : float
        P(tenpai) of the likeliest opponent from which danger counts at all.
    tenpai : float
        What tenpai is worth at the end of the wall, unit: points.
    """

    estimator: Estimator
    appetite: float = 1.0
    horizon: float = 6.0
    wary: float = 0.4
    tenpai: float = 1000.0

    def __post_init__(self) -> None:
        self._kept = Kept()

    def choose(self, discards: Discards) -> Choice:
        """The discard that promises most."""
        view = discards.view
        reading = self.estimator.read(view)
        riichi = any(seat.in_riichi for seat in view.opponents)
        if not riichi and reading.tenpai.max() < self.wary:
            nearest = self._judged(discards, None, discards.nearest())
            return max(reversed(nearest), key=lambda choice: choice.value)
        risk = self.estimator.deal_in(view, self._kept, reading)

        def promise(choice: Choice) -> float:
            return self._promise(choice, view.tiles_left) - float(risk.points_of(choice.tile))

        return max(reversed(self._judged(discards, risk, list(discards.shanten))), key=promise)

    def _judged(
        self, discards: Discards, risk: DealIn | None, tiles: Sequence[int]
    ) -> Sequence[Choice]:
        """What it means to discard each of some tiles; risk is None where nobody is dangerous."""
        return discards.valued(tiles)

    def _promise(self, choice: Choice, left: int) -> float:
        """What a hand promises with so many tiles left to draw, unit: points."""
        time = min(left / 4 / self.horizon, 1.0)
        kept = self.tenpai * exp(-left / _DRAWN_AT) if choice.shanten <= 0 else 0.0
        return self.appetite * choice.value * time ** (choice.shanten + 1) + kept
