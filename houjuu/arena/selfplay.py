"""Self-played games, which serve as training data: `play(seed)` is always the same game of a seed.

The bots build hands, call, declare riichi and fold a little. Each has a style of its own, so that
many kinds of melded hands and riichi occur. They see a `View` and the legal actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import numpy as np

from houjuu.arena import hanchan
from houjuu.game import yaku
from houjuu.game.actions import OWN_KANS, WINS, Action, ActionKind, discards, grouped
from houjuu.game.events import Game, Meld
from houjuu.game.rules import HANCHAN, Rules
from houjuu.game.table import Seat, View
from houjuu.game.tiles import (
    EAST,
    HONOURS,
    IS_HONOUR,
    IS_YAOCHU,
    KIND,
    KINDS,
    RED_FIVES,
    SUIT,
    dora_of,
    yakuhai_kinds,
)
from houjuu.hands import shanten as hand_shanten
from houjuu.hands.open_yaku import flush_suits, has_yakuhai, possible_yaku
from houjuu.hands.shanten import CLOSED, TOITOI_GOAL, Goals
from houjuu.reading.safety import dead_suji, suji_through
from houjuu.util.arrays import Ints

IMPOSSIBLE = 8
"""The shanten of a hand with more unusable tiles than the plan has fillers."""


class Plan(NamedTuple):
    """A way to a yaku.

    Attributes
    ----------
    name : str
    usable : tuple of 34 bools
        The kinds that it can use.
    fillers : tuple of int
        Kinds that replace the tiles that it cannot use: it cannot use these either, and they do not
        combine with each other, so that each counts as a single tile.
    goals : Goals
        As in `houjuu.hands.shanten`.
    """

    name: str
    usable: tuple[bool, ...] = (True,) * KINDS
    fillers: tuple[int, ...] = ()
    goals: Goals = CLOSED


def _flush(suit: int) -> Plan:
    usable = tuple(SUIT[kind] in (suit, HONOURS) for kind in range(KINDS))
    fillers = [9 * other + rank for other in range(3) if other != suit for rank in (0, 4, 8)]
    return Plan("honitsu", usable, tuple(fillers))


PLAIN = Plan("plain")
YAKUHAI = Plan("yakuhai")
TANYAO = Plan("tanyao", tuple(not yaochu for yaochu in IS_YAOCHU), tuple(range(EAST, KINDS)))
FLUSHES = tuple(_flush(suit) for suit in range(3))
TOITOI = Plan("toitoi", goals=TOITOI_GOAL)


def shanten(kinds: Sequence[int], plan: Plan) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles (kinds) on a plan."""
    usable, n_fillers = _usable(kinds, plan)
    if n_fillers > len(plan.fillers):
        return IMPOSSIBLE
    return hand_shanten.shanten([*usable, *plan.fillers[:n_fillers]], plan.goals)


def after_draw(kinds: Sequence[int], plan: Plan) -> Ints:
    """(34,): shanten of 3n + 1 tiles on a plan after drawing each kind.

    `houjuu.hands.shanten.ABSENT` where four copies are in hand.
    """
    usable, n_fillers = _usable(kinds, plan)
    if n_fillers > len(plan.fillers):
        return np.full(KINDS, IMPOSSIBLE)
    filled = [*usable, *plan.fillers[:n_fillers]]
    by_kind = hand_shanten.after_draw(filled, plan.goals)
    one_filler_more = plan.fillers[n_fillers : n_fillers + 1]
    with_filler = by_kind[one_filler_more[0]] if one_filler_more else IMPOSSIBLE
    return np.where(plan.usable, by_kind, with_filler)


def after_discard(kinds: Sequence[int], plan: Plan) -> Ints:
    """(34,): shanten of 3n + 2 tiles on a plan after discarding each kind in hand."""
    usable, n_fillers = _usable(kinds, plan)
    filled = [*usable, *plan.fillers[:n_fillers]]
    if n_fillers > len(plan.fillers) + 1:
        return np.full(KINDS, IMPOSSIBLE)
    if n_fillers > len(plan.fillers):  # a usable tile may not go, any other leaves the fillers
        return np.where(plan.usable, IMPOSSIBLE, hand_shanten.shanten(filled, plan.goals))
    by_kind = hand_shanten.after_discard(filled, plan.goals)
    without_filler = by_kind[plan.fillers[n_fillers - 1]] if n_fillers else IMPOSSIBLE
    return np.where(plan.usable, by_kind, without_filler)


def _usable(kinds: Sequence[int], plan: Plan) -> tuple[list[int], int]:
    """The tiles that the plan can use, and the number of the others."""
    usable = [kind for kind in kinds if plan.usable[kind]]
    return usable, len(kinds) - len(usable)


def open_plans(
    kinds: Sequence[int], melds: tuple[Meld, ...], yakuhai: Sequence[int], unseen: Sequence[int]
) -> Iterator[Plan]:
    """The plans that an open hand can still follow.

    Parameters
    ----------
    kinds : sequence of int
        The concealed tiles.
    melds : tuple of Meld
    yakuhai : sequence of int
        Kinds of which a triplet is a yaku.
    unseen : sequence of 34 ints
        Copies of every kind that the player does not see.
    """
    counts = Counter(kinds)
    has_yaku = has_yakuhai(melds, yakuhai) or any(counts[kind] >= 3 for kind in yakuhai)
    # A pair is as good as a yaku while both of its missing tiles may still come.
    if has_yaku or any(counts[kind] == 2 and unseen[kind] == 2 for kind in yakuhai):
        yield YAKUHAI
    possible = possible_yaku(melds)
    if yaku.TANYAO in possible:
        yield TANYAO
    yield from (FLUSHES[suit] for suit in flush_suits(melds))
    if yaku.TOITOI in possible:
        yield TOITOI


def nearby(kinds: Sequence[int]) -> list[int]:
    """The kinds that may improve a hand: those in hand, and those within two ranks of them."""
    near = set()
    for kind in set(kinds):
        near.add(kind)
        if not IS_HONOUR[kind]:
            first = 9 * SUIT[kind]
            near.update(range(max(first, kind - 2), min(first + 9, kind + 3)))
    return sorted(near)


_MAX_SHANTEN = 3
"""The highest shanten after a call."""


@dataclass(frozen=True, slots=True)
class BotStyle:
    """The preferences of a bot.

    Attributes
    ----------
    calls : float
        Probability of a call that improves a closed hand, 0–1.
    haste : float
        How much higher the shanten of an open plan may be for the hand to be opened.
    colour : float
        How much higher the shanten of a flush may be for it to be preferred.
    triplets : float
        The same for toitoi.
    riichi : float
        Probability of a possible riichi, 0–1.
    kans : float
        Probability of a kan that does not raise the shanten, 0–1.
    fold_at : int
        The shanten from which it folds against a riichi.
    """

    calls: float
    haste: float
    colour: float
    triplets: float
    riichi: float
    kans: float
    fold_at: int


def draw_style(rng: Random) -> BotStyle:
    return BotStyle(
        calls=rng.uniform(0.3, 1.0),
        haste=rng.choice((0.0, 0.5)),
        colour=rng.choice((-0.5, 0.5, 0.5, 1.5)),
        triplets=rng.choice((-0.5, 0.5, 1.5)),
        riichi=rng.uniform(0.7, 1.0),
        kans=rng.uniform(0.4, 1.0),
        fold_at=rng.choice((1, 2, 2, 3)),
    )


class SelfPlayBot:
    """A player with a style."""

    def __init__(self, style: BotStyle, rng: Random) -> None:
        self.style = style
        self._rng = rng

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        win = next((one for one in actions if one.kind in WINS), None)
        if win:
            return win
        by_kind = grouped(actions)
        hand = _Hand(view, self.style)
        if ActionKind.PASS in by_kind:
            return self._call(hand, by_kind) or by_kind[ActionKind.PASS][0]
        return self._declare(hand, by_kind) or _discard(hand, by_kind[ActionKind.DISCARD])

    def _declare(self, hand: _Hand, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """An action to take instead of a discard."""
        if ActionKind.NINE_TERMINALS in by_kind and hand.shanten >= 3:
            return by_kind[ActionKind.NINE_TERMINALS][0]
        if ActionKind.RIICHI in by_kind and self._happens(self.style.riichi):
            return by_kind[ActionKind.RIICHI][0]
        for action in (action for kind in OWN_KANS for action in by_kind.get(kind, ())):
            harmless = not hand.folds and hand.without(action)
            if harmless and self._happens(self.style.kans):
                return action
        return None

    def _happens(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _call(self, hand: _Hand, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        if hand.folds or (hand.closed and hand.shanten == 0):
            return None
        for kan in by_kind.get(ActionKind.DAIMINKAN, ()):
            harmless = not hand.closed and hand.without(kan)
            if harmless and self._happens(self.style.kans / 2):
                return kan
        calls = [*by_kind.get(ActionKind.PON, ()), *by_kind.get(ActionKind.CHI, ())]
        gains = [(hand.gain(call), call) for call in calls]
        gain, best = max(gains, key=lambda pair: pair[0], default=(0.0, None))
        if best is None or gain <= 0:
            return None
        probability = max(self.style.calls, 0.8 if hand.calls_yakuhai(best) else 0.0)
        return best if not hand.closed or self._happens(probability) else None


class _Hand:
    """A hand with its best plan, the shanten on that plan, and the threats against it."""

    def __init__(self, view: View, style: BotStyle) -> None:
        self.view = view
        self.tiles = list(view.hand)
        self.unseen: list[int] = view.unseen().tolist()
        self.yakuhai = yakuhai_kinds(view.round_wind, view.seat_wind(view.seat))
        self.melds = view.seats[view.seat].melds
        self.closed = not view.seats[view.seat].n_open_melds
        self._style = style
        self.cost, self.plan, self.shanten = self._best(_kinds(self.tiles), self.melds, self.closed)
        self.threats = [seat for seat in view.opponents if _threatens(seat)]
        self.folds = self._folds()

    def _best(
        self, kinds: list[int], melds: tuple[Meld, ...], closed: bool
    ) -> tuple[float, Plan, int]:
        """The plan of least cost: cost (its shanten less the bonus of the style), plan, shanten."""
        plans = (
            (PLAIN, *FLUSHES) if closed else (*open_plans(kinds, melds, self.yakuhai, self.unseen),)
        )
        options = [(plan, shanten(kinds, plan)) for plan in plans]
        if not options:
            return IMPOSSIBLE, PLAIN, shanten(kinds, PLAIN)
        plan, least = min(options, key=lambda option: option[1] - self._bonus(option[0]))
        return least - self._bonus(plan), plan, least

    def _bonus(self, plan: Plan) -> float:
        if plan.name == "honitsu":
            return self._style.colour
        return self._style.triplets if plan is TOITOI else 0.0

    def _folds(self) -> bool:
        """Whether the bot gives the hand up."""
        if not self.threats or self.shanten <= 0 or self.view.seats[self.view.seat].declared:
            return False
        riichi = any(seat.declared for seat in self.threats)
        late = 4 * 2 * self.shanten > self.view.tiles_left
        return late or self.shanten >= self._style.fold_at + (not riichi)

    def without(self, kan: Action) -> bool:
        """Whether a kan leaves a hand of no higher shanten."""
        rest = [KIND[tile] for tile in self.tiles if tile not in kan.from_hand]
        return shanten(rest, self.plan) <= self.shanten

    def gain(self, action: Action) -> float:
        """How much a call lowers the cost; 0 when it does not lower the shanten of a plan."""
        kinds = [KIND[tile] for tile in self.tiles if tile not in action.from_hand]
        melds = (*self.melds, *filter(None, [action.meld]))
        cost, plan, after = self._best(kinds, melds, closed=False)
        if after > _MAX_SHANTEN or after >= shanten(_kinds(self.tiles), plan):
            return 0.0
        haste = 0.5 if self.calls_yakuhai(action) else self._style.haste
        return self.cost - cost + haste

    def calls_yakuhai(self, call: Action) -> bool:
        """Whether a call is of a triplet that is a yaku."""
        return call.claimed is not None and KIND[call.claimed] in self.yakuhai

    def acceptance(self, tiles: list[int], target: int) -> int:
        """Count the unseen tiles that bring the hand of 3n + 1 tiles below a shanten."""
        kinds = _kinds(tiles)
        by_kind = after_draw(kinds, self.plan).tolist()
        return sum(self.unseen[kind] for kind in nearby(kinds) if by_kind[kind] < target)

    def tile_value(self, tile: int) -> float:
        """The value of a tile apart from the shape: dora, red fives, pairs of yakuhai."""
        kind = KIND[tile]
        dora = sum(dora_of(KIND[indicator]) == kind for indicator in self.view.dora_indicators)
        pair = kind in self.yakuhai and _kinds(self.tiles).count(kind) == 2
        return 2.0 * dora + 2.0 * (tile in RED_FIVES) + 1.5 * pair - 0.5 * IS_HONOUR[kind]

    def danger(self, tile: int) -> float:
        """A rough danger against all threats: 0 for genbutsu, then honours, suji and the rest."""
        kind = KIND[tile]
        total = 0.0
        for seat in self.threats:
            furiten = self.view.furiten(seat.seat)
            if furiten >> kind & 1:
                continue
            live = suji_through(kind) - dead_suji(kind, furiten)
            total += self.unseen[kind] if IS_HONOUR[kind] else 1.5 + 3 * live
        return total


def _kinds(tiles: Sequence[int]) -> list[int]:
    return [KIND[tile] for tile in tiles]


def _threatens(seat: Seat) -> bool:
    return seat.declared or seat.n_open_melds >= 3


def _discard(hand: _Hand, actions: Sequence[Action]) -> Action:
    if len(actions) == 1:
        return actions[0]
    by_tile = discards(actions)
    if hand.folds:
        return by_tile[min(by_tile, key=lambda tile: (hand.danger(tile), hand.tile_value(tile)))]
    by_kind = after_discard(_kinds(hand.tiles), hand.plan).tolist()
    distinct = {(KIND[tile], tile in RED_FIVES): tile for tile in by_tile}
    after = {tile: by_kind[KIND[tile]] for tile in distinct.values()}
    least = min(after.values())
    nearest = [tile for tile in after if after[tile] == least]
    if len(nearest) > 1:
        rest = {tile: [other for other in hand.tiles if other != tile] for tile in nearest}
        nearest.sort(key=lambda t: (-hand.acceptance(rest[t], least), hand.tile_value(t)))
    return by_tile[nearest[0]]


def play(seed: int) -> Game:
    """Play one hanchan with four bots.

    Parameters
    ----------
    seed : int
        Determines the walls, the styles of the bots and their actions.

    Returns
    -------
    Game
        Its events contain all four hands; its id is ``selfplay-<seed>``.
    """
    rng = Random(seed)
    walls = rng.getrandbits(63)
    bots = [SelfPlayBot(draw_style(rng), Random(rng.getrandbits(63))) for _ in range(4)]
    game = hanchan.play(f"selfplay-{seed}", walls, bots, [f"bot {seat}" for seat in range(4)])
    return replace(game, rules=Rules(HANCHAN))  # without the bit of games of people
