"""The features of a discarded tile: its role in the hand, and the parts that the hand loses.

The parts of the hand are those of `houjuu.player.hand_value.hand_decomposition`. Most features
stand twice: once without a riichi of an opponent and once facing one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from houjuu.game.tiles import AROUND, EAST, HONOURS, IS_HONOUR, IS_YAOCHU, KINDS, RANKS
from houjuu.player.hand_value.hand_decomposition import (
    CACHED_SUITS,
    CLASSES,
    honour_splits,
    suit_splits,
)
from houjuu.player.preference.decision import DecisionContext, Discards
from houjuu.util.arrays import Floats, read_only
from houjuu.util.features import Columns, feature

_SIMPLE = 4  # terminals and honours
_MANY_PAIRS = 5

_NEAR = [
    [
        []
        if IS_HONOUR[kind]
        else [kind, *(near for near in AROUND[kind] if abs(near - kind) <= reach)]
        for reach in (1, 2)
    ]
    for kind in range(KINDS)
]
"""By kind of a suit: the kinds up to one, and up to two ranks away."""


POSITIONS = ("terminal", "2 or 8", "3 or 7", "4 to 6")
_BESIDE_A_GAP = "one beside, another after a gap"
_IMPOSSIBLE = {
    "terminal": {"two after gaps", _BESIDE_A_GAP, "two beside"},
    "2 or 8": {"two after gaps"},
}
RELATIONS = (
    "alone",
    "one after a gap",
    "two after gaps",
    "one beside",
    _BESIDE_A_GAP,
    "end of a run",
    "two beside",
    "pair",
    "pair with neighbours",
    "triplet",
)
TILE_ROLES = tuple(
    f"{position}, {relation}"
    for position in POSITIONS
    for relation in RELATIONS
    if relation not in _IMPOSSIBLE.get(position, ())
)
"""Where a tile of a suit stands in the hand: its rank, and the tiles up to two ranks away."""

_ROLE_INDEX = {name: index for index, name in enumerate(TILE_ROLES)}
_HONOUR_CLASSES = ("guest wind", "yakuhai")
_ALONE = (*_HONOUR_CLASSES, *POSITIONS)


def tile_role(suit: tuple[int, ...], rank: int) -> int:
    """The role of a tile of a suit, an index into `TILE_ROLES`.

    Parameters
    ----------
    suit : tuple of 9 ints
        Copies of each rank among the concealed tiles of the suit, those of the tile included.
    rank : int
        0–8.
    """
    return _ROLE_INDEX[f"{_position(rank)}, {_relation(suit, rank)}"]


def _position(rank: int) -> str:
    return POSITIONS[min(rank, RANKS - 1 - rank, len(POSITIONS) - 1)]


@lru_cache(maxsize=CACHED_SUITS)
def _relation(suit: tuple[int, ...], rank: int) -> str:
    near = [0 <= rank + step < RANKS and suit[rank + step] > 0 for step in (-2, -1, 1, 2)]
    gap_below, below, above, gap_above = near
    if suit[rank] > 2:
        return "triplet"
    if suit[rank] == 2:
        return "pair with neighbours" if any(near) else "pair"
    if below and above:
        return "two beside"
    if (below and gap_below) or (above and gap_above):
        return "end of a run"
    gaps = gap_below + gap_above
    if below or above:
        return _BESIDE_A_GAP if gaps else "one beside"
    return ("alone", "one after a gap", "two after gaps")[gaps]


@lru_cache(maxsize=CACHED_SUITS)
def _in_suit(tiles: tuple[int, ...], rank: int, yakuhai: tuple[int, ...]) -> Floats:
    """1 for the role of a tile of a suit, and how the mean parts change without it.

    Parameters
    ----------
    tiles : tuple of 9 or 7 ints
        Copies of each rank of its suit, or of each honour.
    rank : int
    yakuhai : tuple of int
        For an honour.
    """
    after = (*tiles[:rank], tiles[rank] - 1, *tiles[rank + 1 :])
    roles = np.zeros(len(TILE_ROLES))
    if len(tiles) == RANKS:
        roles[tile_role(tiles, rank)] = 1.0
    change = _mean_parts(after, yakuhai) - _mean_parts(tiles, yakuhai)
    return read_only(np.concatenate((roles, change)))


@lru_cache(maxsize=CACHED_SUITS)
def _mean_parts(tiles: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of a suit, or of the honours."""
    splits = honour_splits(tiles, yakuhai) if len(tiles) < RANKS else suit_splits(tiles)
    return np.asarray(splits.mean(axis=0), np.float64)


def mean_parts_of_hand(hand: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of 34 concealed kinds, (21,)."""
    suits = (hand[first : first + RANKS] for first in range(0, EAST, RANKS))
    return sum((_mean_parts(suit, ()) for suit in suits), _mean_parts(hand[EAST:], yakuhai))


_ROLES = tuple(f"discards a {name}" for name in TILE_ROLES)
_PARTS = tuple(f"parts: {name}" for name in CLASSES)


@feature(*_ROLES, *_PARTS)
def in_suit(discards: Discards) -> list[Floats]:
    """0/1 for the role of the tile, and the change of the mean number of parts."""
    context = discards.context
    return [
        _in_suit(_suit_tiles(context, kind), kind % RANKS, context.yakuhai * (kind >= EAST))
        for kind in discards.kinds
    ]


def _suit_tiles(context: DecisionContext, kind: int) -> tuple[int, ...]:
    start = kind - kind % RANKS
    return context.hand[start : start + RANKS]


@feature("discards a tile of a flush")
def of_a_flush(discards: Discards) -> list[int]:
    """Tiles of the flush beyond nine; 0 for a tile of another suit."""
    context = discards.context
    suits = (context.main_suit, HONOURS)
    return [context.flush * (kind // RANKS in suits) for kind in discards.kinds]


@feature(*(f"discards a {name} alone, early" for name in _ALONE))
def alone(discards: Discards) -> list[list[bool]]:
    """0/1, by the class of the tile."""
    if not discards.context.early:
        return [[False]] * len(discards.kinds)
    classes = [_class_alone(discards.context, kind) for kind in discards.kinds]
    return [[name == of_tile for name in _ALONE] for of_tile in classes]


def _class_alone(context: DecisionContext, kind: int) -> str | None:
    """The class of a tile that is alone."""
    suit, rank = _suit_tiles(context, kind), kind % RANKS
    if IS_HONOUR[kind]:
        return _HONOUR_CLASSES[kind in context.yakuhai] if suit[rank] == 1 else None
    return _position(rank) if _relation(suit, rank) == "alone" else None


_COPIES = ("a single tile of", "one of a pair of")
_SEEN = tuple((name, copies) for name in _HONOUR_CLASSES for copies in range(1, 1 + len(_COPIES)))


@feature(
    *(f"discards {_COPIES[copies - 1]} a {name}, copies seen" for name, copies in _SEEN),
)
def honours_seen(discards: Discards) -> list[list[int]]:
    """0–3 copies outside the own tiles, by the class of the honour and its copies in the hand."""
    context = discards.context
    return [
        [
            context.elsewhere[kind]
            * ((_HONOUR_CLASSES[kind in context.yakuhai], context.hand[kind]) == of_honour)
            for of_honour in _SEEN
        ]
        if IS_HONOUR[kind]
        else [0] * len(_SEEN)
        for kind in discards.kinds
    ]


@feature("discards a neighbour of a dora")
def near_dora(discards: Discards) -> list[bool]:
    """0/1."""
    near = {kind for dora in discards.context.dora for kind in AROUND[dora]}
    return [kind in near for kind in discards.kinds]


@feature("discards a terminal or honour of a simple hand")
def outside(discards: Discards) -> list[int]:
    """0–4, terminals and honours of the hand below four."""
    missing = max(_SIMPLE - discards.context.yaochu, 0)
    return [IS_YAOCHU[kind] * missing for kind in discards.kinds]


def _unseen_near(discards: Discards, reach: int) -> list[int]:
    unseen = discards.context.unseen
    return [sum(map(unseen.__getitem__, _NEAR[kind][reach - 1])) for kind in discards.kinds]


@feature("unseen copies up to one rank away")
def unseen_at_1(discards: Discards) -> list[int]:
    """0–12; 0 for an honour."""
    return _unseen_near(discards, 1)


@feature("unseen copies up to two ranks away")
def unseen_at_2(discards: Discards) -> list[int]:
    """0–20; 0 for an honour."""
    return _unseen_near(discards, 2)


@feature("discards an honour, facing a riichi")
def honour(discards: Discards) -> list[bool]:
    """0/1."""
    return [IS_HONOUR[kind] for kind in discards.kinds]


@feature("discards an honour, facing a riichi, far")
def honour_far(discards: Discards) -> list[bool]:
    """0/1, every action leaves shanten 3 or more."""
    return [IS_HONOUR[kind] and discards.far for kind in discards.kinds]


@feature("unseen copies of a suit's tile, facing a riichi")
def unseen_of_a_suit(discards: Discards) -> list[int]:
    """0–4."""
    unseen = discards.context.unseen
    return [0 if IS_HONOUR[kind] else unseen[kind] for kind in discards.kinds]


@feature("unseen copies of an honour, facing a riichi")
def unseen_honour(discards: Discards) -> list[int]:
    """0–4."""
    unseen = discards.context.unseen
    return [unseen[kind] if IS_HONOUR[kind] else 0 for kind in discards.kinds]


@feature("discards from one of many pairs")
def of_many_pairs(discards: Discards) -> list[bool]:
    """0/1."""
    context = discards.context
    many = context.pairs >= _MANY_PAIRS
    return [many and context.hand[kind] == 2 for kind in discards.kinds]


_BOTH = Columns(in_suit, of_a_flush)
BOTH = _BOTH.names
"""Names of the features that stand twice: without a riichi, and, renamed by `facing`, with one."""


def facing(name: str) -> str:
    """The name of a feature of `BOTH` for decisions with an opponent in riichi."""
    return f"{name}, facing a riichi"


_FACING_NAMES = [replace(one, names=tuple(map(facing, one.names))) for one in _BOTH.features]
TABLES: dict[str, Columns[Discards]] = {
    "discard": _BOTH,
    "discard, facing a riichi": Columns(*_FACING_NAMES),
    "quiet discard": Columns(alone, honours_seen, near_dora, outside, unseen_at_1, unseen_at_2),
    "discard under threat": Columns(honour, honour_far, unseen_of_a_suit, unseen_honour),
    "any discard": Columns(of_many_pairs),
}
"""The features of a discard in groups."""


def groups(*, facing_riichi: bool) -> Sequence[str]:
    """The groups of `TABLES` that a discard has, with an opponent in riichi or without."""
    if facing_riichi:
        return ("discard, facing a riichi", "discard under threat", "any discard")
    return ("discard", "quiet discard", "any discard")
