"""Every way to split a hand into sets, pairs, partial sets and single tiles, of 21 classes.

デジタル麻雀の理論 (役の評価関数): a split of a hand is a vector of 21 counts. The source's
list has no 357 (二嵌 of 3, 5 and 7): here too it is a kanchan and a single tile.

No two groups of a split may join to a larger group: a single 4 and a single 5 make 45, and 34 and a
single 5 make 345. A split with such groups would only describe the same tiles more finely.

An example: 2334m can be split in three ways, into 234 and 3, 33 and 24, or 23 and 34.

>>> for split in suit_splits((0, 1, 2, 1, 0, 0, 0, 0, 0)):
...     [CLASSES[number] for number in split.nonzero()[0]]
['two-sided, inner', 'two-sided, outer']
['pair of simples', 'closed, outer']
['run of simples', 'single 3 7']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import EAST, HONOURS, IS_HONOUR, IS_YAOCHU, KIND, KINDS, RANKS, YAOCHU
from houjuu.util.arrays import Int8s, Ints, read_only

SHAPES = (
    ("run of simples", "234 345 456 567 678"),
    ("run with a terminal", "123 789"),
    ("triplet of simples", "222 333 444 555 666 777 888"),
    ("triplet of terminals or honours", "111 999"),
    ("pair of simples", "22 33 44 55 66 77 88"),
    ("pair of terminals or other winds", "11 99"),
    ("pair of yakuhai", ""),
    ("two-sided, inner", "34 45 56 67"),
    ("two-sided, outer", "23 78"),
    ("double closed, simples", "246 468"),
    ("double closed, a terminal", "135 579"),
    ("closed, inner", "35 46 57"),
    ("closed, outer", "24 68"),
    ("closed, a terminal", "13 79"),
    ("edge", "12 89"),
    ("single 4 5 6", "4 5 6"),
    ("single 3 7", "3 7"),
    ("single 2 8", "2 8"),
    ("single 1 9", "1 9"),
    ("single other wind", ""),
    ("single yakuhai", ""),
)
"""Names of the classes in the source's order, and their shapes in a suit; honours have others."""

CLASSES = tuple(name for name, _ in SHAPES)
_RUN, _RUN_TERMINAL, _TRIPLET, _TRIPLET_YAOCHU = range(4)
_PAIR_YAOCHU = 5
_PAIR_YAKUHAI = 6
_OTHER_WIND = 19
_YAKUHAI = 20

CACHED_SUITS = 1 << 15
"""Suits that a cache of theirs keeps."""


def _groups() -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the ranks (0–8) of every group that a suit can be split into, and its class."""
    for number, (_, shapes) in enumerate(SHAPES):
        for shape in shapes.split():
            yield tuple(int(rank) - 1 for rank in shape), number


_GROUPS = sorted(_groups())
_CLASS_OF = dict(_GROUPS)
_BY_LOWEST_RANK = [
    [(1 << index, group) for index, (group, _) in enumerate(_GROUPS) if group[0] == rank]
    for rank in range(RANKS)
]
"""The bit and the ranks of every group, by its lowest rank."""


def _joinable(group: tuple[int, ...]) -> int:
    """The groups (bits) that make a larger group together with this one."""
    return sum(
        1 << index
        for index, (partner, _) in enumerate(_GROUPS)
        if tuple(sorted(group + partner)) in _CLASS_OF
    )


_JOINABLE = {1 << index: _joinable(group) for index, (group, _) in enumerate(_GROUPS)}


@lru_cache(maxsize=CACHED_SUITS)
def suit_splits(tiles: tuple[int, ...]) -> Int8s:
    """The different splits of the tiles of a suit, (n, 21) counts of the classes.

    Parameters
    ----------
    tiles : tuple of 9 ints
        Copies of every rank, 0–4.

    Examples
    --------
    >>> [[CLASSES[i] for i in row.nonzero()[0]] for row in suit_splits((0, 1, 1, 0, 0, 0, 0, 0, 0))]
    [['two-sided, outer']]
    """
    splits = {_counts(classes) for classes in _splits(list(tiles), 0, 0, 0)}
    return np.array(sorted(splits), np.int8)


def _counts(classes: Iterable[int]) -> tuple[int, ...]:
    counts = [0] * len(SHAPES)
    for number in classes:
        counts[number] += 1
    return tuple(counts)


def _splits(left: list[int], rank: int, chosen: int, last: int) -> Iterator[list[int]]:
    """Yield the classes of every split of the tiles that are left, from a rank upwards.

    `chosen` has a bit for every group so far; `last` is the bit of the last one. Groups of the same
    lowest rank are chosen in increasing order, so that every split is found once.
    """
    while rank < RANKS and not left[rank]:
        rank = rank + 1
        last = 0
    if rank == RANKS:
        yield []
        return
    for bit, group in _BY_LOWEST_RANK[rank]:
        if bit < last or _JOINABLE[bit] & chosen:
            continue
        for tile_rank in group:
            left[tile_rank] -= 1
        if all(left[tile_rank] >= 0 for tile_rank in group):
            for classes in _splits(left, rank, chosen | bit, bit):
                yield [*classes, _CLASS_OF[group]]
        for tile_rank in group:
            left[tile_rank] += 1


_HONOUR_SPLITS = {0: ((),), 1: ((1,),), 2: ((2,),), 3: ((3,),), 4: ((3, 1), (2, 2))}
"""The sizes of the groups of 0–4 copies of an honour."""


@lru_cache(maxsize=CACHED_SUITS)
def honour_splits(tiles: tuple[int, ...], yakuhai: tuple[int, ...]) -> Int8s:
    """The different splits of honours, (n, 21).

    Parameters
    ----------
    tiles : tuple of 7 ints
        Copies of every honour, 0–4.
    yakuhai : tuple of int
        The kinds, 27–33, of which a triplet is a yaku.
    """
    kinds = range(EAST, KINDS)
    splits = {
        _counts(
            _honour_class(size, kind in yakuhai)
            for kind, sizes in zip(kinds, sizes_by_kind, strict=True)
            for size in sizes
        )
        for sizes_by_kind in product(*(_HONOUR_SPLITS[copies] for copies in tiles))
    }
    return np.array(sorted(splits), np.int8)


def _honour_class(size: int, yakuhai: bool) -> int:
    """The class of one, two or three copies of an honour."""
    if size == 3:
        return _TRIPLET_YAOCHU
    if size == 2:
        return _PAIR_YAKUHAI if yakuhai else _PAIR_YAOCHU
    return _YAKUHAI if yakuhai else _OTHER_WIND


def class_of(kind: int, copies: int, yakuhai: Sequence[int]) -> int:
    """The class, from 0, of one, two or three tiles of a kind."""
    if IS_HONOUR[kind]:
        return _honour_class(copies, kind in yakuhai)
    return _CLASS_OF[(kind % RANKS,) * copies]


def meld_counts(melds: Sequence[Meld]) -> Int8s:
    """The melds by class, closed kans included, (21,)."""
    counts = np.zeros(len(SHAPES), np.int8)
    for meld in melds:
        kinds = [KIND[tile] for tile in meld.tiles]
        has_yaochu = any(IS_YAOCHU[kind] for kind in kinds)
        if meld.kind is MeldKind.CHI:
            counts[_RUN_TERMINAL if has_yaochu else _RUN] += 1
        else:
            counts[_TRIPLET_YAOCHU if has_yaochu else _TRIPLET] += 1
    return counts


def hand_splits(
    counts: Sequence[int], yakuhai: tuple[int, ...]
) -> tuple[Int8s, Int8s, Int8s, Int8s]:
    """The splits of every suit and of the honours; one row of each sums to a split of the hand.

    Parameters
    ----------
    counts : sequence of 34 ints
        Concealed tiles of every kind.
    yakuhai : tuple of int
    """
    first, second, third = (
        suit_splits(tuple(counts[RANKS * suit : RANKS * (suit + 1)])) for suit in range(HONOURS)
    )
    return first, second, third, honour_splits(tuple(counts[EAST:]), yakuhai)


def sums(suits: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """All sums of one row of each array, (product of their lengths, columns)."""
    total = suits[0]
    for suit in suits[1:]:
        total = (total[:, None] + suit).reshape(-1, total.shape[1])
    return total


def seven_pairs_counts(counts: npt.ArrayLike, yakuhai: tuple[int, ...]) -> Int8s:
    """Pairs and single tiles by class, (…, 21); third and fourth copies are not counted.

    Parameters
    ----------
    counts : (…, 34) array
        Concealed tiles of every kind.
    yakuhai : tuple of int
    """
    counts, (singles, pairs) = np.asarray(counts), _classes(yakuhai)
    return np.asarray((counts == 1) @ singles + (counts > 1) @ pairs, np.int8)


def kokushi_counts(counts: npt.ArrayLike, yakuhai: tuple[int, ...]) -> Int8s:
    """Terminals and honours by class, (…, 21): every kind as a single tile, and one pair.

    Other tiles are not counted. Parameters as in `seven_pairs_counts`.
    """
    yaochu, (singles, pairs) = np.asarray(counts)[..., YAOCHU], _classes(yakuhai)
    paired = yaochu > 1
    pair = pairs[np.array(YAOCHU)[paired.argmax(axis=-1)]] * paired.any(axis=-1, keepdims=True)
    return np.asarray((yaochu > 0) @ singles[YAOCHU, :] + pair, np.int8)


@lru_cache(maxsize=64)
def _classes(yakuhai: tuple[int, ...]) -> tuple[Ints, Ints]:
    """1 for the class of one, and of two copies of each kind: (34, 21) each."""
    singles, pairs = (
        np.eye(len(SHAPES), dtype=np.intp)[[class_of(kind, n, yakuhai) for kind in range(KINDS)]]
        for n in (1, 2)
    )
    return read_only(singles), read_only(pairs)
