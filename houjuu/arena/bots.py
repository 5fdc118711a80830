"""Players for games that are only there to be learnt from.

They build hands, call, declare riichi and fold a little, each with a temper of its own, so that
melded hands and riichi of all sorts occur. They see a `View` and the actions that are legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from riichienv import Action, ActionType

from houjuu.arena.plans import (
    FLUSHES,
    HOPELESS,
    PLAIN,
    TOITOI,
    Plan,
    nearby,
    open_plans,
    shanten,
)
from houjuu.reading import dead_suji, suji_through
from houjuu.table import Seat, View
from houjuu.tiles import COPIES, IS_HONOUR, RED_FIVES, dora_of, yakuhai_kinds

_CALLS = (ActionType.PON, ActionType.CHI)
_FAR = 3  # unit: shanten, after a call; what is farther is not called for
_OWN_KANS = (ActionType.ANKAN, ActionType.KAKAN)


@dataclass(frozen=True, slots=True)
class Temper:
    """What a bot likes.

    Attributes
    ----------
    calls : float
        Share of the calls that help a closed hand which it makes, 0–1.
    haste : float
        How much farther a hand may be on an open plan and still be opened, unit: shanten.
    colour : float
        How much farther a one-suit hand may be and still be preferred, unit: shanten.
    triplets : float
        The same for a hand of triplets.
    riichi : float
        Share of the riichi it could declare that it does, 0–1.
    kans : float
        Share of the harmless kans that it makes, 0–1.
    fold_at : int
        The shanten from which it gives up against a riichi.
    """

    calls: float
    haste: float
    colour: float
    triplets: float
    riichi: float
    kans: float
    fold_at: int


def draw_temper(rng: Random) -> Temper:
    """Draw a temper."""
    return Temper(
        calls=rng.uniform(0.3, 1.0),
        haste=rng.choice((0.0, 0.5)),
        colour=rng.choice((-0.5, 0.5, 0.5, 1.5)),
        triplets=rng.choice((-0.5, 0.5, 1.5)),
        riichi=rng.uniform(0.7, 1.0),
        kans=rng.uniform(0.4, 1.0),
        fold_at=rng.choice((1, 2, 2, 3)),
    )


class Bot:
    """A player; `act` picks one of the legal actions from what its seat sees."""

    def __init__(self, temper: Temper, rng: Random) -> None:
        self.temper = temper
        self._rng = rng

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        by_type: dict[Any, list[Action]] = {}
        for action in actions:
            by_type.setdefault(action.action_type, []).append(action)
        for win in (ActionType.TSUMO, ActionType.RON):
            if win in by_type:
                return by_type[win][0]
        hand = _Hand(view, self.temper)
        if ActionType.PASS in by_type:
            return self._call(hand, by_type) or by_type[ActionType.PASS][0]
        return self._declare(hand, by_type) or _discard(hand, by_type[ActionType.DISCARD])

    def _declare(self, hand: _Hand, by_type: dict[Any, list[Action]]) -> Action | None:
        """What it would rather do than discard."""
        if ActionType.KYUSHU_KYUHAI in by_type and hand.shanten >= 3:
            return by_type[ActionType.KYUSHU_KYUHAI][0]
        if ActionType.RIICHI in by_type and self._likes(self.temper.riichi):
            return by_type[ActionType.RIICHI][0]
        for action in (action for kind in _OWN_KANS for action in by_type.get(kind, ())):
            harmless = not hand.folds and hand.without(action)
            if harmless and self._likes(self.temper.kans):
                return action
        return None

    def _likes(self, share: float) -> bool:
        return self._rng.random() < share

    def _call(self, hand: _Hand, by_type: dict[Any, list[Action]]) -> Action | None:
        if hand.folds or (hand.closed and hand.shanten == 0):
            return None
        for kan in by_type.get(ActionType.DAIMINKAN, ()):
            harmless = not hand.closed and hand.without(kan)
            if harmless and self._likes(self.temper.kans / 2):
                return kan
        gains = [(hand.gain(call), call) for kind in _CALLS for call in by_type.get(kind, ())]
        gain, best = max(gains, key=lambda pair: pair[0], default=(0.0, None))
        if best is None or gain <= 0:
            return None
        keen = max(self.temper.calls, 0.8 if best.tile >> 2 in hand.yakuhai else 0.0)
        return best if not hand.closed or self._likes(keen) else None


class _Hand:
    """A hand as its holder thinks of it: the plan for it, how far it is, what threatens it."""

    def __init__(self, view: View, temper: Temper) -> None:
        self.view = view
        self.tiles = list(view.hand)
        self.unseen: list[int] = view.unseen().tolist()
        self.yakuhai = yakuhai_kinds(view.round_wind, view.seat_wind(view.seat))
        self.melds = [
            [tile >> 2 for tile in meld.tiles[:3]] for meld in view.seats[view.seat].melds
        ]
        self.closed = not view.seats[view.seat].open_melds
        self._temper = temper
        self.cost, self.plan, self.shanten = self._best(self.tiles, self.melds, self.closed)
        self.threats = [seat for seat in view.opponents if _threatens(seat)]
        self.folds = self._folds()

    def _best(
        self, tiles: list[int], melds: list[list[int]], closed: bool
    ) -> tuple[float, Plan, int]:
        """The cheapest plan: its shanten, less what the temper likes it better by."""
        plans = (
            (PLAIN, *FLUSHES) if closed else (*open_plans(tiles, melds, self.yakuhai, self.unseen),)
        )
        options = [(plan, shanten(tiles, plan)) for plan in plans]
        if not options:
            return HOPELESS, PLAIN, shanten(tiles, PLAIN)
        plan, distance = min(options, key=lambda option: option[1] - self._bonus(option[0]))
        return distance - self._bonus(plan), plan, distance

    def _bonus(self, plan: Plan) -> float:
        if plan.name == "honitsu":
            return self._temper.colour
        return self._temper.triplets if plan is TOITOI else 0.0

    def _folds(self) -> bool:
        """Whether the hand is not worth a risk."""
        if not self.threats or self.shanten <= 0 or self.view.seats[self.view.seat].declared:
            return False
        riichi = any(seat.declared for seat in self.threats)
        late = 4 * 2 * self.shanten > self.view.tiles_left
        return late or self.shanten >= self._temper.fold_at + (not riichi)

    def without(self, kan: Action) -> bool:
        """Whether the hand is no farther from tenpai when a kan leaves it."""
        gone = (*kan.consume_tiles, kan.tile)
        rest = [tile for tile in self.tiles if tile not in gone]
        return shanten(rest, self.plan) <= self.shanten

    def gain(self, action: Action) -> float:
        """By how much a call brings the hand nearer; 0 when it does not serve a plan."""
        tiles = [tile for tile in self.tiles if tile not in action.consume_tiles]
        meld = sorted(tile >> 2 for tile in (*action.consume_tiles, action.tile))[:3]
        cost, plan, distance = self._best(tiles, [*self.melds, meld], closed=False)
        if distance > _FAR or distance >= shanten(self.tiles, plan):
            return 0.0
        eager = 0.5 if action.tile >> 2 in self.yakuhai else self._temper.haste
        return self.cost - cost + eager

    def acceptance(self, tiles: list[int], target: int) -> int:
        """How many unseen tiles bring the hand of 3n + 1 tiles below a shanten."""
        return sum(
            self.unseen[kind]
            for kind in nearby(tiles)
            if self.unseen[kind] and shanten([*tiles, COPIES * kind], self.plan) < target
        )

    def worth(self, tile: int) -> float:
        """What a tile is worth apart from the shape: dora, red fives, pairs of yakuhai."""
        kind = tile >> 2
        dora = sum(dora_of(indicator >> 2) == kind for indicator in self.view.dora_indicators)
        pair = kind in self.yakuhai and sum(held >> 2 == kind for held in self.tiles) == 2
        return 2.0 * dora + 2.0 * (tile in RED_FIVES) + 1.5 * pair - 0.5 * IS_HONOUR[kind]

    def danger(self, tile: int) -> float:
        """A rough danger against all that threaten: genbutsu 0, then honours, suji, the rest."""
        kind = tile >> 2
        total = 0.0
        for seat in self.threats:
            furiten = self.view.furiten(seat.seat)
            if furiten >> kind & 1:
                continue
            live = suji_through(kind) - dead_suji(kind, furiten)
            total += self.unseen[kind] if IS_HONOUR[kind] else 1.5 + 3 * live
        return total


def _threatens(seat: Seat) -> bool:
    return seat.declared or seat.open_melds >= 3


def _discard(hand: _Hand, actions: Sequence[Action]) -> Action:
    if len(actions) == 1:
        return actions[0]
    if hand.folds:
        return min(actions, key=lambda of: (hand.danger(of.tile), hand.worth(of.tile)))
    rest = {
        action.tile: [tile for tile in hand.tiles if tile != action.tile]
        for action in {(a.tile >> 2, a.tile in RED_FIVES): a for a in actions}.values()
    }
    distance = {tile: shanten(tiles, hand.plan) for tile, tiles in rest.items()}
    nearest = min(distance.values())
    pool = [tile for tile in rest if distance[tile] == nearest]
    if len(pool) > 1:
        pool.sort(key=lambda tile: (-hand.acceptance(rest[tile], nearest), hand.worth(tile)))
    return next(action for action in actions if action.tile == pool[0])
