"""Choosing a discard by useful tiles: three rules, each a refinement of the one before.

小林聡, 麻雀の打牌選択アルゴリズム(1): among the discards that do not raise the shanten, the rule
takes the one that leaves most useful tiles. Ties go to the last tile in the order 萬筒索字.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from houjuu.game.tiles import COPIES, KIND
from houjuu.hands.claims import distinct
from houjuu.hands.shanten import CLOSED, Goals, after_discard, useful
from houjuu.hands.shanten_tables import ABSENT

Rule = Callable[[int, int], int]
"""The weight of a kind that lowers the shanten, from its copies in hand and its unseen copies."""

RULES: Mapping[str, Rule] = {
    "v1": lambda held, unseen: 1,
    "v2": lambda held, unseen: COPIES - held,
    "v3": lambda held, unseen: unseen,
}
"""v1 counts kinds, v2 all copies that are not in hand, v3 the unseen copies."""


class UsefulDiscard(NamedTuple):
    """A discard: the tile, the shanten that it leaves, and the kinds that lower that."""

    tile: int
    shanten: int
    useful: tuple[int, ...]


def nearest(
    hand: Sequence[int], allowed: Collection[int], goals: Goals = CLOSED
) -> tuple[int, list[int]]:
    """The lowest shanten that a discard leaves, and the tiles that leave it, in order.

    Parameters
    ----------
    hand : sequence of int
        Ids of the 3n + 2 concealed tiles.
    allowed : collection of int
        Ids of the tiles that may be discarded. Without any the shanten is `ABSENT`.
    goals : Goals
        As in `houjuu.hands.shanten`.
    """
    shanten = after_discard([KIND[tile] for tile in hand], goals)
    tiles = distinct(hand, allowed)
    least = min((int(shanten[KIND[tile]]) for tile in tiles), default=ABSENT)
    return least, [tile for tile in tiles if shanten[KIND[tile]] == least]


def options(hand: Sequence[int], allowed: Collection[int]) -> list[UsefulDiscard]:
    """The discards that leave the lowest shanten; parameters as in `nearest`."""
    least, tiles = nearest(hand, allowed)
    return [
        UsefulDiscard(tile, least, tuple(useful([KIND[other] for other in hand if other != tile])))
        for tile in tiles
    ]


def choose(
    hand: Sequence[int], unseen: Sequence[int], allowed: Collection[int], rule: str = "v3"
) -> int:
    """The tile that a rule discards.

    Parameters
    ----------
    hand, allowed
        As in `nearest`.
    unseen : sequence of 34 ints
        Copies of every kind that the player does not see.
    rule : str
        One of `RULES`.
    """
    weight = RULES[rule]
    kinds = [KIND[tile] for tile in hand]

    def useful_tiles(option: UsefulDiscard) -> int:
        return sum(weight(kinds.count(kind), unseen[kind]) for kind in option.useful)

    return max(reversed(options(hand, allowed)), key=useful_tiles).tile
