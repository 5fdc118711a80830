"""Discard policies: which discard a player takes, given the hands that discards leave and the risk.

`NoFold` takes the best hand. `RelativeDanger` follows the push/fold table of 小林聡,
牌の危険度計算アルゴリズム(3), against riichi. `ExpectedValue`, the default, weighs the value of the
hand against the points that the estimator expects the discard to lose to any opponent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import NamedTuple, Protocol

from houjuu.estimators.protocol import Estimator
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.claims import distinct
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.shanten import after_discard
from houjuu.player.hand_value.far_hands import AnyHandValuer
from houjuu.player.hand_value.value import Value
from houjuu.player.rules import push_fold, relative_danger
from houjuu.player.rules.push_fold import Limits
from houjuu.risk.deal_in import DealIn

_WALL_DECAY = 25.0
"""With this many tiles left, a round reaches the exhaustive draw with probability e⁻¹."""

_TENPAI_CALL_VALUE, _CALL_VALUE = 500.0, 1200.0
"""Least values for a call against a riichi, into tenpai and otherwise: 小林聡, 電脳麻将."""


class DiscardOption(NamedTuple):
    """A possible discard: the tile, and the shanten and the value of the hand that it leaves."""

    tile: int
    shanten: int
    value: float


class DiscardOptions:
    """The possible discards; the hands that they leave are valued on demand.

    Parameters
    ----------
    view : View
    allowed : collection of int
        Ids of the tiles that may be discarded.

    Attributes
    ----------
    shanten : dict of int to int
        Shanten after each discard, by tile; of identical tiles one.
    """

    def __init__(self, view: View, allowed: Collection[int]) -> None:
        self.view = view
        self._valuer = AnyHandValuer(view)
        by_kind = after_discard([KIND[tile] for tile in view.hand], self._valuer.goals)
        self.shanten = {tile: int(by_kind[KIND[tile]]) for tile in distinct(view.hand, allowed)}

    def nearest(self, tiles: Iterable[int] | None = None) -> list[int]:
        """Of some tiles, by default all, those that leave the lowest shanten, in order."""
        shanten = {tile: self.shanten[tile] for tile in (self.shanten if tiles is None else tiles)}
        least = min(shanten.values())
        return [tile for tile in shanten if shanten[tile] == least]

    def valued(self, tiles: Iterable[int]) -> list[DiscardOption]:
        """The discards of some tiles with their values, in the same order."""
        tiles = list(tiles)
        hands = [[other for other in self.view.hand if other != tile] for tile in tiles]
        values = self._valuer.values(hands)
        return [DiscardOption(tile, *value) for tile, value in zip(tiles, values, strict=True)]

    def best(self, tiles: Iterable[int]) -> DiscardOption:
        """The discard with the lowest shanten; ties are broken by value, then by the last tile."""
        return max(reversed(self.valued(self.nearest(tiles))), key=lambda option: option.value)


class DiscardPolicy(Protocol):
    """How a player weighs danger."""

    def choose(self, discards: DiscardOptions) -> DiscardOption:
        """Choose one of the discards."""

    def may_call(self, view: View, after: Value) -> bool:
        """Whether the player may make a call that leaves a hand of this shanten and value."""


class NoFold:
    """Ignores danger."""

    def choose(self, discards: DiscardOptions) -> DiscardOption:
        """The best hand."""
        return discards.best(discards.nearest())

    def may_call(self, view: View, after: Value) -> bool:
        """Always true."""
        return True


class _CarefulCalls:
    """Calls freely before a riichi, and after one only with a good hand."""

    def may_call(self, view: View, after: Value) -> bool:
        """Whether nobody has declared riichi, or the hand is good enough.

        小林聡, 電脳麻将: a tenpai with a value of 500, or any hand with a value of 1,200.
        """
        if not any(seat.declared for seat in view.opponents):
            return True
        return after.value >= (_TENPAI_CALL_VALUE if after.shanten <= 0 else _CALL_VALUE)


@dataclass(frozen=True)
class RelativeDanger(_CarefulCalls):
    """Push/fold by relative danger against riichi; see `houjuu.player.rules.push_fold`.

    Attributes
    ----------
    limits : Limits
    """

    limits: Limits = push_fold.SOURCE

    def choose(self, discards: DiscardOptions) -> DiscardOption:
        """The best hand among the tiles that may be pushed; without one the safest tile."""
        danger = relative_danger.against_riichi(discards.view)
        if danger is None:
            return discards.best(discards.nearest())
        risk = {tile: float(danger[KIND[tile]]) for tile in discards.shanten}
        least = min(risk.values())
        pushes = [
            option
            for option in discards.valued(discards.nearest())
            if push_fold.may_push(
                risk[option.tile], least, option.shanten, option.value, self.limits
            )
        ]
        if pushes:
            return max(reversed(pushes), key=lambda option: option.value)
        return discards.best(tile for tile in risk if risk[tile] == least)


@dataclass
class ExpectedValue(_CarefulCalls):
    """Takes the discard with the highest expected gain less expected loss.

    The expected gain is value_scale · value points. With fewer than draw_horizon draws left it is
    multiplied by (draws left / draw_horizon) ** (shanten + 1), because the hand must draw its
    missing tiles and its winning tile in time. A tenpai hand gains tenpai_value · exp(−tiles left /
    25) more: its share of the payments at an exhaustive draw times the probability of that draw.

    While no opponent is in riichi or likely to be tenpai, only the discards that leave the lowest
    shanten are compared, by value alone. Ties go to the last tile.

    Attributes
    ----------
    estimator : Estimator
    value_scale : float
        Expected points for each point of value.
    draw_horizon : float
        Draws of a seat that a hand needs to reach its full value.
    fold_threshold : float
        Losses count from this P(tenpai) of the likeliest opponent, or after a riichi.
    tenpai_value : float
        Value of tenpai at the exhaustive draw, unit: points.
    cache : HandCache
        To query the same seat elsewhere too, share it: the choices are identical, only faster.
    """

    estimator: Estimator
    value_scale: float = 1.0
    draw_horizon: float = 6.0
    fold_threshold: float = 0.4
    tenpai_value: float = 1000.0
    cache: HandCache = field(default_factory=HandCache, init=False, repr=False)

    def choose(self, discards: DiscardOptions) -> DiscardOption:
        """The discard with the highest expected gain less expected loss."""
        view = discards.view
        prediction = self.estimator.predict_tenpai(view)
        riichi = any(seat.declared for seat in view.opponents)
        if not riichi and prediction.tenpai.max() < self.fold_threshold:
            nearest = self._options(discards, None, discards.nearest())
            return max(reversed(nearest), key=lambda option: option.value)
        risk = self.estimator.deal_in(view, self.cache, prediction)

        def expected(option: DiscardOption) -> float:
            return self._gain(option, view.tiles_left) - float(risk.points_of(option.tile))

        return max(reversed(self._options(discards, risk, list(discards.shanten))), key=expected)

    def _options(
        self, discards: DiscardOptions, risk: DealIn | None, tiles: Sequence[int]
    ) -> Sequence[DiscardOption]:
        """The discards of some tiles; `risk` is None where losses do not count."""
        return discards.valued(tiles)

    def _gain(self, option: DiscardOption, tiles_left: int) -> float:
        """Expected gain of a hand, unit: points."""
        time = min(tiles_left / 4 / self.draw_horizon, 1.0)
        at_draw = self.tenpai_value * exp(-tiles_left / _WALL_DECAY) if option.shanten <= 0 else 0.0
        return self.value_scale * option.value * time ** (option.shanten + 1) + at_draw
