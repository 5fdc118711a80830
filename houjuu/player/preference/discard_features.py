"""The features of a discarded tile: its role in the hand, and the parts that the hand loses.

The parts of the hand are those of `houjuu.player.hand_value.hand_decomposition`. Most features
stand twice: once without a riichi of an opponent and once facing one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

import numpy as np

from houjuu.game.actions import DISCARDS
from houjuu.game.tiles import AROUND, EAST, HONOURS, IS_HONOUR, IS_YAOCHU, KIND, KINDS, RANKS
from houjuu.player.hand_value.hand_decomposition import (
    CACHED_SUITS,
    CLASSES,
    honour_splits,
    suit_splits,
)
from houjuu.player.preference.decision import DecisionContext, Option
from houjuu.player.round_end.logit import places
from houjuu.util.arrays import Floats, read_only

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


def discarded(option: Option) -> int | None:
    """The kind that an action discards, if it is one of `DISCARDS`."""
    return None if option.discard is None or option.kind not in DISCARDS else KIND[option.discard]


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


def write(row: Floats, context: DecisionContext, kind: int, *, far: bool) -> None:
    """Write the features of discarding a kind.

    Parameters
    ----------
    row : array of zeros
        By `NAMES`.
    context : DecisionContext
    kind : int
    far : bool
        Whether every action leaves shanten 3 or more.
    """
    suit, rank = divmod(kind, RANKS)
    tiles = context.hand[RANKS * suit : RANKS * (suit + 1)]
    both = row[_BOTH_FACING if context.facing_riichi else _BOTH_QUIET]
    both[:-1] = _in_suit(tiles, rank, context.yakuhai if suit == HONOURS else ())
    both[-1] = context.flush * (suit in (context.main_suit, HONOURS))
    if context.facing_riichi:
        row[_FACING_ALONE] = _facing(context, kind, far=far)
    else:
        row[_QUIET_ALONE] = _quiet(context, tiles, kind)
    row[-1] = context.hand[kind] == 2 and context.pairs >= _MANY_PAIRS


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


def _quiet(context: DecisionContext, suit: tuple[int, ...], kind: int) -> list[float]:
    """The features `_QUIET` of discarding a kind of a suit with these tiles."""
    alone = [0.0] * len(_ALONE)
    seen = [0.0] * len(_SEEN)
    rank = kind % RANKS
    if IS_HONOUR[kind]:
        honour_class = int(kind in context.yakuhai)
        copies = suit[rank]
        alone[honour_class] = float(context.early and copies == 1)
        if copies <= len(_COPIES):
            seen[len(_COPIES) * honour_class + copies - 1] = context.elsewhere[kind]
    elif context.early and _relation(suit, rank) == "alone":
        alone[_ALONE.index(_position(rank))] = 1.0
    near_dora = any(dora in AROUND[kind] for dora in context.dora)
    outside = IS_YAOCHU[kind] * max(_SIMPLE - context.yaochu, 0)
    unseen = (sum(map(context.unseen.__getitem__, near)) for near in _NEAR[kind])
    return [*alone, *seen, float(near_dora), outside, *unseen]


def _facing(context: DecisionContext, kind: int, *, far: bool) -> list[float]:
    """The features `_FACING` of discarding a kind."""
    honour = IS_HONOUR[kind]
    unseen = context.unseen[kind]
    return [honour, honour * far, (1 - honour) * unseen, honour * unseen]


@lru_cache(maxsize=CACHED_SUITS)
def _mean_parts(tiles: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of a suit, or of the honours."""
    splits = honour_splits(tiles, yakuhai) if len(tiles) < RANKS else suit_splits(tiles)
    return np.asarray(splits.mean(axis=0), np.float64)


def mean_parts_of_hand(hand: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of 34 concealed kinds, (21,)."""
    suits = (hand[first : first + RANKS] for first in range(0, EAST, RANKS))
    return sum((_mean_parts(suit, ()) for suit in suits), _mean_parts(hand[EAST:], yakuhai))


BOTH = (
    *(f"discards a {name}" for name in TILE_ROLES),
    *(f"parts: {name}" for name in CLASSES),
    "discards a tile of a flush",
)
"""Names of the features that stand twice: without a riichi, and, renamed by `facing`, with one."""

_COPIES = ("a single tile of", "one of a pair of")
_SEEN = [f"discards {count} a {name}, copies seen" for name in _HONOUR_CLASSES for count in _COPIES]
_QUIET = (
    *(f"discards a {name} alone, early" for name in _ALONE),
    *_SEEN,
    "discards a neighbour of a dora",
    "discards a terminal or honour of a simple hand",
    "unseen copies up to one rank away",
    "unseen copies up to two ranks away",
)
_FACING = (
    "discards an honour, facing a riichi",
    "discards an honour, facing a riichi, far",
    "unseen copies of a suit's tile, facing a riichi",
    "unseen copies of an honour, facing a riichi",
)


def facing(name: str) -> str:
    """The name of a feature of `BOTH` for decisions with an opponent in riichi."""
    return f"{name}, facing a riichi"


_BLOCKS = (BOTH, tuple(map(facing, BOTH)), _QUIET, _FACING, ("discards from one of many pairs",))
_BOTH_QUIET, _BOTH_FACING, _QUIET_ALONE, _FACING_ALONE, _ = places(_BLOCKS)
NAMES = tuple(chain.from_iterable(_BLOCKS))
"""Names of the features."""
