"""Choosing a discard by what brings the hand nearer: three rules, each a step beyond the last.

小林聡, 麻雀の打牌選択アルゴリズム(1): among the discards that do not raise the shanten the one that
leaves most that lowers it; of equals the later in the order 萬筒索字, which is the honours' side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from riichienv import calculate_shanten

from houjuu.arena.plans import nearby
from houjuu.tiles import COPIES, IS_YAOCHU, KINDS, RED_FIVES

_YAOCHU = frozenset(kind for kind in range(KINDS) if IS_YAOCHU[kind])
_SIMPLES = frozenset(range(KINDS)) - _YAOCHU

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


def useful(hand: Sequence[int], shanten: int) -> tuple[int, ...]:
    """The kinds that lower the shanten of 3n + 1 tiles; none of which all four are held.

    Parameters
    ----------
    hand : sequence of int
        Ids of the concealed tiles.
    shanten : int
        That of the hand.
    """
    held = [tile // COPIES for tile in hand]
    near = set(nearby(hand))
    found = [kind for kind in near if held.count(kind) < COPIES and _lowers(hand, kind, shanten)]
    # What stands alone is as useful as all that stands alone, but 幺九牌 for 国士無双.
    for alone in (_SIMPLES - near, _YAOCHU - near):
        if alone and _lowers(hand, min(alone), shanten):
            found += alone
    return tuple(sorted(found))


def _lowers(hand: Sequence[int], kind: int, shanten: int) -> bool:
    return bool(calculate_shanten([*hand, COPIES * kind]) < shanten)


def differing(hand: Sequence[int], allowed: Collection[int]) -> list[int]:
    """Of the tiles that may be discarded one of each sort, in the order 萬筒索字, red fives first.

    Of copies that are alike the last in the hand is taken.
    """
    alike = {(tile // COPIES, tile not in RED_FIVES): tile for tile in hand if tile in allowed}
    return [alike[key] for key in sorted(alike)]


def options(hand: Sequence[int], allowed: Collection[int]) -> list[Option]:
    """The discards that leave the lowest shanten, in the order of `differing`.

    Parameters
    ----------
    hand : sequence of int
        Ids of the 3n + 2 concealed tiles.
    allowed : collection of int
        Ids of those that may be discarded.
    """
    tiles = differing(hand, allowed)
    rest = {tile: [other for other in hand if other != tile] for tile in tiles}
    shanten = {tile: calculate_shanten(rest[tile]) for tile in tiles}
    nearest = min(shanten.values())
    return [
        Option(tile, nearest, useful(rest[tile], nearest))
        for tile in tiles
        if shanten[tile] == nearest
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
