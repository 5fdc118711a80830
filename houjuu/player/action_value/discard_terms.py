"""The terms of a discarded tile: its place in the hand, and the parts that the hand loses with it.

The parts of the hand are those of `houjuu.player.hand_value.hand_decomposition`. Most terms stand
twice, once without a riichi of an opponent and once facing one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from houjuu.arrays import Floats, read_only
from houjuu.player.action_value.decision import Option, Situation
from houjuu.player.choice import places
from houjuu.player.hand_value.hand_decomposition import CLASSES, honour_splits, suit_splits
from houjuu.tiles import AROUND, EAST, IS_HONOUR, IS_YAOCHU, KIND, KINDS, SUIT

_RANKS = 9
_CACHED_SUITS = 1 << 15
_EARLY = 45  # tiles left
_FLUSH = 9  # tiles of one suit and honours
_SIMPLE = 4  # terminals and honours
_MANY_PAIRS = 5

_NEAR = [
    [
        []
        if IS_HONOUR[kind]
        else [kind, *(one for one in AROUND[kind] if abs(one - kind) <= reach)]
        for reach in (1, 2)
    ]
    for kind in range(KINDS)
]
"""By kind of a suit: the kinds up to one, and up to two ranks away."""

DISCARDS = ("DISCARD", "RIICHI")
"""The types of action whose discard has terms."""

POSITIONS = ("terminal", "2 or 8", "3 or 7", "4 to 6")
_BESIDE_A_GAP = "one beside, another after a gap"
_IMPOSSIBLE = {
    "terminal": {"two after gaps", _BESIDE_A_GAP, "two beside"},
    "2 or 8": {"two after gaps"},
}
RELATIONS = (
    *("alone", "one after a gap", "two after gaps", "one beside", _BESIDE_A_GAP),
    *("end of a run", "two beside", "pair", "pair with neighbours", "triplet"),
)
PLACES = tuple(
    f"{position}, {relation}"
    for position in POSITIONS
    for relation in RELATIONS
    if relation not in _IMPOSSIBLE.get(position, ())
)
"""Where a tile of a suit stands in the hand: its rank, and the tiles up to two ranks away."""

_PLACE = {name: index for index, name in enumerate(PLACES)}
_HONOUR_CLASSES = ("guest wind", "yakuhai")
_ALONE = (*_HONOUR_CLASSES, *POSITIONS)


def discarded(option: Option) -> int | None:
    """The kind that an action discards, if it is one of `DISCARDS`."""
    return None if option.discard is None or option.type not in DISCARDS else KIND[option.discard]


def place(hand: Sequence[int], kind: int) -> int:
    """The place of a tile of a suit, an index into `PLACES`.

    Parameters
    ----------
    hand : sequence of 34 ints
        Copies of each kind among the concealed tiles, those of the tile included.
    kind : int
        0–26.
    """
    return _PLACE[f"{_position(kind)}, {_relation(hand, kind)}"]


def _position(kind: int) -> str:
    rank = kind % _RANKS
    return POSITIONS[min(rank, _RANKS - 1 - rank, len(POSITIONS) - 1)]


def _relation(hand: Sequence[int], kind: int) -> str:
    rank = kind % _RANKS
    held = [0 <= rank + step < _RANKS and hand[kind + step] > 0 for step in (-2, -1, 1, 2)]
    gap_below, below, above, gap_above = held
    if hand[kind] > 2:
        return "triplet"
    if hand[kind] == 2:
        return "pair with neighbours" if any(held) else "pair"
    if below and above:
        return "two beside"
    if (below and gap_below) or (above and gap_above):
        return "end of a run"
    gaps = gap_below + gap_above
    if below or above:
        return _BESIDE_A_GAP if gaps else "one beside"
    return ("alone", "one after a gap", "two after gaps")[gaps]


class Discards:
    """The context that all discards of a decision have in common.

    Parameters
    ----------
    situation : Situation
    """

    def __init__(self, situation: Situation) -> None:
        own = situation.own
        suits = [sum(own[first : first + _RANKS]) for first in range(0, EAST, _RANKS)]
        honours = sum(own[EAST:])
        self._at = situation
        self._unseen = situation.unseen
        self.early = float(situation.tiles_left > _EARLY)
        self._main_suit = int(np.argmax(suits))
        self.flush = max(suits[self._main_suit] + honours - _FLUSH, 0)
        self.outer = sum(own[kind] for kind in range(KINDS) if IS_YAOCHU[kind])
        self.pairs = sum(count > 1 for count in situation.hand)

    def write(self, row: Floats, kind: int, *, far: bool) -> None:
        """Write the terms of discarding a kind.

        Parameters
        ----------
        row : array of zeros
            By `NAMES`.
        kind : int
        far : bool
            Whether every action leaves shanten 3 or more.
        """
        facing = self._at.facing_riichi
        both = row[_OF_FACING if facing else _OF_QUIET]
        if not IS_HONOUR[kind]:
            both[place(self._at.hand, kind)] = 1.0
        both[len(PLACES) : -1], both[-1] = self._parts(kind), self._of_flush(kind)
        if facing:
            row[_FACING_ALONE] = [*self._facing(kind, far=far)]
        else:
            row[_QUIET_ALONE] = [*self._quiet(kind)]
        row[-1] = self._of_pairs(kind)

    def _parts(self, kind: int) -> Floats:
        """The change of the mean number of parts of each class over the splits of the suit."""
        first = kind - kind % _RANKS
        yakuhai = self._at.yakuhai if first == EAST else ()
        return _change_of_parts(self._at.hand[first : first + _RANKS], kind - first, yakuhai)

    def _of_flush(self, kind: int) -> float:
        return float(self.flush * (IS_HONOUR[kind] or SUIT[kind] == self._main_suit))

    def _of_pairs(self, kind: int) -> float:
        return float(self._at.hand[kind] == 2 and self.pairs >= _MANY_PAIRS)

    def _quiet(self, kind: int) -> Iterator[float]:
        copies, seen, alone = self._at.hand[kind], self._at.elsewhere[kind], self._alone(kind)
        yield from (self.early * (name == alone) for name in _ALONE)
        for of_class in _HONOUR_CLASSES:
            of_honour = IS_HONOUR[kind] and of_class == self._honour_class(kind)
            yield from (float(of_honour and copies == count) * seen for count in (1, 2))
        yield float(any(dora in AROUND[kind] for dora in self._at.dora))
        yield float(IS_YAOCHU[kind] * max(_SIMPLE - self.outer, 0))
        yield from (float(sum(self._unseen[near] for near in of)) for of in _NEAR[kind])

    def _facing(self, kind: int, *, far: bool) -> Iterator[float]:
        honour, unseen = float(IS_HONOUR[kind]), self._unseen[kind]
        yield from (honour, honour * far)
        yield from ((1 - honour) * unseen, honour * unseen)

    def _alone(self, kind: int) -> str | None:
        """The class of a tile without neighbours, one of `_ALONE`."""
        if IS_HONOUR[kind]:
            return self._honour_class(kind) if self._at.hand[kind] == 1 else None
        return _position(kind) if _relation(self._at.hand, kind) == "alone" else None

    def _honour_class(self, kind: int) -> str:
        return _HONOUR_CLASSES[kind in self._at.yakuhai]


@lru_cache(maxsize=_CACHED_SUITS)
def _change_of_parts(tiles: tuple[int, ...], discarded: int, yakuhai: tuple[int, ...]) -> Floats:
    """What the mean parts of a suit, or of the honours, lose with a tile of a rank."""
    after = (*tiles[:discarded], tiles[discarded] - 1, *tiles[discarded + 1 :])
    return read_only(_mean_parts(after, yakuhai) - _mean_parts(tiles, yakuhai))


@lru_cache(maxsize=_CACHED_SUITS)
def _mean_parts(tiles: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of a suit, or of the honours."""
    splits = honour_splits(tiles, yakuhai) if len(tiles) < _RANKS else suit_splits(tiles)
    return np.asarray(splits.mean(axis=0), np.float64)


def mean_parts_of_hand(hand: tuple[int, ...], yakuhai: tuple[int, ...]) -> Floats:
    """The mean number of parts of each class over the splits of 34 concealed kinds, (21,)."""
    suits = (hand[first : first + _RANKS] for first in range(0, EAST, _RANKS))
    return sum((_mean_parts(suit, ()) for suit in suits), _mean_parts(hand[EAST:], yakuhai))


BOTH = (
    *(f"discards a {name}" for name in PLACES),
    *(f"parts: {name}" for name in CLASSES),
    "discards a tile of a flush",
)
"""Names of the terms that stand twice: without a riichi, and, as `facing` names them, with one."""

_QUIET = (
    *(f"discards a {name} alone, early" for name in _ALONE),
    *(
        f"discards {of} a {name}, copies seen"
        for name in _HONOUR_CLASSES
        for of in ("a single tile of", "one of a pair of")
    ),
    "discards a neighbour of a dora",
    "discards a terminal or honour of a simple hand",
    *("unseen copies up to one rank away", "unseen copies up to two ranks away"),
)
_FACING = (
    *("discards an honour, facing a riichi", "discards an honour, facing a riichi, far"),
    "unseen copies of a suit's tile, facing a riichi",
    "unseen copies of an honour, facing a riichi",
)


def facing(name: str) -> str:
    """The name of a term of `BOTH` for decisions with an opponent in riichi."""
    return f"{name}, facing a riichi"


_BLOCKS = (BOTH, tuple(map(facing, BOTH)), _QUIET, _FACING, ("discards from one of many pairs",))
_OF_QUIET, _OF_FACING, _QUIET_ALONE, _FACING_ALONE, _ = places(_BLOCKS)
NAMES = tuple(chain.from_iterable(_BLOCKS))
"""Names of the terms."""
