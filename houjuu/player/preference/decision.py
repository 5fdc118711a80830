"""A decision as the preferences see it: what its actions have in common, and each action."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from operator import add
from typing import NamedTuple, Self

import numpy as np

from houjuu.game.actions import DISCARDS, ENDS, ActionKind
from houjuu.game.game_end import order
from houjuu.game.tiles import (
    COPIES,
    EAST,
    HONOURS,
    KIND,
    RANKS,
    RED_FIVES,
    YAOCHU,
    kind_counts,
    yakuhai_kinds,
)
from houjuu.game.view import View
from houjuu.hands.shanten import shanten
from houjuu.player.values.outcome import Outcome
from houjuu.util.arrays import Floats, Ints

_EARLY = 45  # tiles left
_SMALL_LOSS = 10.0  # points
_FLUSH = 9  # tiles of one suit and honours


@dataclass(frozen=True)
class DecisionContext:
    """The context that the actions of a decision have in common.

    Attributes
    ----------
    hand, melded : tuple of 34 ints
        Copies of each kind among the concealed tiles, the drawn one included, and in the own melds.
    elsewhere : tuple of 34 ints
        Copies that the seat sees outside its own tiles.
    red_fives : int
        Of the own tiles.
    dora, yakuhai : tuple of int
        Kinds.
    closed : bool
        Whether the hand is closed.
    was_tenpai : bool
        Whether the hand was tenpai before the draw.
    facing_riichi : bool
        Whether an opponent is in riichi.
    last_round : bool
        South 4 of a hanchan, East 4 of an East-only game, or later.
    rounds_left : int
        After this one, without repeats.
    rank : int
        The place by the scores, from 0.
    behind, ahead : int
        Points to the next place above and below; 0 of the first and of the last.
    tenpai : float
        P(tenpai) of the likeliest opponent.
    dealer : bool
    tiles_left : int
    counts_reds : bool
        Whether red fives are dora.
    """

    hand: tuple[int, ...]
    melded: tuple[int, ...]
    elsewhere: tuple[int, ...]
    red_fives: int
    dora: tuple[int, ...]
    yakuhai: tuple[int, ...]
    closed: bool
    was_tenpai: bool
    facing_riichi: bool
    last_round: bool
    rounds_left: int
    rank: int
    behind: int
    ahead: int
    tenpai: float
    dealer: bool
    tiles_left: int
    counts_reds: bool = True

    @classmethod
    def from_view(cls, view: View, tenpai: float) -> Self:
        """The context of a view; P(tenpai) is that of the likeliest opponent."""
        own = view.seats[view.seat]
        ranked = order(np.array(view.scores)).tolist()
        rank = ranked.index(view.seat)
        above, below = (view.scores[ranked[min(max(rank + step, 0), 3)]] for step in (-1, 1))
        unseen = view.unseen()
        meld_tiles = [tile for meld in own.melds for tile in meld.tiles]
        reds = view.rules.red_fives
        hand = kind_counts(view.hand)
        melded = kind_counts(meld_tiles)
        return cls(
            hand=tuple(hand.tolist()),
            melded=tuple(melded.tolist()),
            elsewhere=tuple((COPIES - unseen - hand - melded).tolist()),
            red_fives=reds and sum(tile in RED_FIVES for tile in (*view.hand, *meld_tiles)),
            dora=view.dora,
            yakuhai=yakuhai_kinds(view.round_wind, view.seat_wind(view.seat)),
            closed=not own.n_open_melds,
            was_tenpai=view.drawn is not None and leaves_tenpai(view.hand, view.drawn),
            last_round=view.round >= view.rules.last_round,
            rounds_left=max(view.rules.last_round - view.round, 0),
            rank=rank,
            behind=above - view.scores[view.seat],
            ahead=view.scores[view.seat] - below,
            facing_riichi=any(seat.declared for seat in view.opponents),
            tenpai=tenpai,
            dealer=view.seat == view.dealer,
            tiles_left=view.tiles_left,
            counts_reds=reds,
        )

    @cached_property
    def own(self) -> Sequence[int]:
        """Copies of each kind in hand and melds."""
        return [*map(add, self.hand, self.melded)]

    @cached_property
    def unseen(self) -> Sequence[int]:
        """Copies of each kind that the seat does not see."""
        return [COPIES - own - seen for own, seen in zip(self.own, self.elsewhere, strict=True)]

    @cached_property
    def own_dora(self) -> int:
        """Dora and red fives in hand and melds."""
        return self.red_fives + sum(self.own[kind] for kind in self.dora)

    @cached_property
    def main_suit(self) -> int:
        """The suit of most tiles, the first of equal ones."""
        return max(range(HONOURS), key=self._suit_tiles)

    @cached_property
    def flush(self) -> int:
        """How far the tiles of one suit and honours, in hand and melds, exceed nine."""
        return max(self._suit_tiles(self.main_suit) + sum(self.own[EAST:]) - _FLUSH, 0)

    @cached_property
    def yaochu(self) -> int:
        """Terminals and honours in hand and melds."""
        return sum(map(self.own.__getitem__, YAOCHU))

    @cached_property
    def pairs(self) -> int:
        """Kinds with two or more concealed copies."""
        return sum(copies > 1 for copies in self.hand)

    @property
    def early(self) -> bool:
        """Whether the round is in its first turns."""
        return self.tiles_left > _EARLY

    def _suit_tiles(self, suit: int) -> int:
        return sum(self.own[RANKS * suit : RANKS * (suit + 1)])

    def dora_of(self, tile: int) -> int:
        """Dora of a tile, that of a red five included."""
        return self.dora.count(KIND[tile]) + (self.counts_reds and tile in RED_FIVES)


def without_riichi(outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[int]]:
    """The outcomes without riichi, and for each outcome the index of the one with its preference.

    The preferences have no say in riichi: a tile is one action with riichi and without, and has the
    higher value of the two. All riichi count as that of the best one's tile.
    """
    quiet = [one for one in outcomes if not one.declares]
    riichi = max((one for one in outcomes if one.declares), key=_value, default=None)
    of_riichi = 0
    if quiet and riichi is not None:
        tiles = [one.discard if one.kind is ActionKind.DISCARD else None for one in quiet]
        of_riichi = tiles.index(riichi.discard)
        value = max(quiet[of_riichi].value, riichi.value)
        quiet[of_riichi] = replace(quiet[of_riichi], value=value)
    own = iter(range(len(quiet)))
    return quiet, [of_riichi if one.declares else next(own) for one in outcomes]


def _value(outcome: Outcome) -> float:
    return outcome.value


class OneAction(NamedTuple):
    """An action of a decision, the source of the features of a call or a kan.

    Attributes
    ----------
    context : DecisionContext
    outcome : Outcome
    pass_shanten : float
        The shanten that passing leaves; without a pass the least of the decision.
    """

    context: DecisionContext
    outcome: Outcome
    pass_shanten: float


@dataclass(frozen=True, eq=False)
class Actions:
    """All actions of a decision, the source of the features that compare them."""

    context: DecisionContext
    outcomes: Sequence[Outcome]

    @cached_property
    def nearest(self) -> float:
        """The least shanten that an action leaves."""
        return nearest_shanten(self.outcomes)

    @cached_property
    def values(self) -> Floats:
        """The values of the actions, (n,), unit: points."""
        return np.array([outcome.value for outcome in self.outcomes])

    @cached_property
    def log_loss(self) -> Floats:
        """The log of 1 plus a tenth of the points lost by dealing in now, (n,)."""
        return np.array([log(1 - outcome.dealt_in / _SMALL_LOSS) for outcome in self.outcomes])

    @cached_property
    def kinds(self) -> Ints:
        """The kind that each action discards as one of `houjuu.game.actions.DISCARDS`, or −1."""
        return np.array(
            [
                -1 if one.discard is None or one.kind not in DISCARDS else KIND[one.discard]
                for one in self.outcomes
            ]
        )

    @cached_property
    def pass_shanten(self) -> float:
        """As in `OneAction`."""
        passes = (
            outcome.left.shanten for outcome in self.outcomes if outcome.kind is ActionKind.PASS
        )
        return next(passes, self.nearest)


class Discards(NamedTuple):
    """Discards of a decision, the source of their features.

    Attributes
    ----------
    context : DecisionContext
    kinds : sequence of int
        The kind of each.
    far : bool
        Whether every action leaves shanten 3 or more.
    """

    context: DecisionContext
    kinds: Sequence[int]
    far: bool


def leaves_tenpai(hand: Sequence[int], discard: int) -> bool:
    """Whether the concealed tiles are tenpai without one of them."""
    return shanten([KIND[tile] for tile in hand if tile != discard]) == 0


def nearest_shanten(outcomes: Iterable[Outcome]) -> float:
    """The least shanten that an action leaves; 0 where all end the round."""
    return min(
        (outcome.left.shanten for outcome in outcomes if outcome.kind not in ENDS), default=0.0
    )
