"""Choosing a discard by what brings the hand nearer: three rules, each a step beyond the last.

小林聡, 麻雀の打牌選択アルゴリズム(1): among the discards that do not raise the shanten the one that
leaves most that lowers it; of equals the later in the order 萬筒索字, which is the honours' side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from houjuu.player.shanten import ABSENT, CLOSED, Aims, after_discard, useful
from houjuu.tiles import COPIES, RED_FIVES

Rule = Callable[[int, int], int]
"""What a kind that lowers the shanten counts for, by the copies held before and those unseen."""

RULES: Mapping[str, Rule] = {
    "v1": lambda held, unseen: 1,
    "v2": lambda held, unseen: COPIES - held,
    "v3": lambda held, unseen: unseen,
}
"""v1 counts kinds, v2 all copies but those held, v3 all but those seen."""


class Option(NamedTuple):
    """A discard: the tile, the shanten of what it leaves, and the kinds that lower that."""

    tile: int
    shanten: int
    useful: tuple[int, ...]


def differing(hand: Sequence[int], allowed: Collection[int]) -> list[int]:
    """Of the tiles that may be discarded one of each sort, in the order 萬筒索字, red fives first.

    Of copies that are alike the last in the hand is taken.
    """
    alike = {(tile // COPIES, tile not in RED_FIVES): tile for tile in hand if tile in allowed}
    return [alike[key] for key in sorted(alike)]


def nearest(
    hand: Sequence[int], allowed: Collection[int], aims: Aims = CLOSED
) -> tuple[int, list[int]]:
    """The lowest shanten that a discard leaves, and the tiles that leave it, in order.

    Parameters
    ----------
    hand : sequence of int
        Ids of the 3n + 2 concealed tiles.
    allowed : collection of int
        Ids of those that may be discarded; with none of them `ABSENT` is the shanten.
    aims : Aims
        As `houjuu.player.shanten` takes them.
    """
    shanten = after_discard([tile // COPIES for tile in hand], aims)
    tiles = differing(hand, allowed)
    least = min((int(shanten[tile // COPIES]) for tile in tiles), default=ABSENT)
    return least, [tile for tile in tiles if shanten[tile // COPIES] == least]


def options(hand: Sequence[int], allowed: Collection[int]) -> list[Option]:
    """The discards that leave the lowest shanten; parameters as `nearest` takes them."""
    least, tiles = nearest(hand, allowed)
    return [
        Option(tile, least, tuple(useful([other // COPIES for other in hand if other != tile])))
        for tile in tiles
    ]


def choose(
    hand: Sequence[int], unseen: Sequence[int], allowed: Collection[int], rule: str = "v3"
) -> int:
    """The tile that a rule discards.

    Parameters
    ----------
    hand, allowed
        As `options` takes them.
    unseen : sequence of 34 ints
        Copies of every kind that the player does not see.
    rule : str
        One of `RULES`.
    """
    counts, held = RULES[rule], [tile // COPIES for tile in hand]

    def worth(option: Option) -> int:
        return sum(counts(held.count(kind), unseen[kind]) for kind in option.useful)

    return max(reversed(options(hand, allowed)), key=worth).tile
