"""Every way to split a hand into sets, pairs, partial sets and single tiles, of 21 classes.

小林聡, デジタル麻雀の理論 (役の評価関数): a split of a hand is a vector of 21 counts. The source's
list has no 357 (二嵌 of 3, 5 and 7): here too it is a closed wait and a single tile.

A split is one that nothing can be joined in: a single 4 beside a single 5 is no 浮き牌 but 45, and
34 beside a single 5 is 345. Any other is a finer name of the same tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.events import Meld, MeldKind
from houjuu.tiles import COPIES, EAST, HONOURS, IS_HONOUR, IS_YAOCHU, KINDS

Counts = npt.NDArray[np.int8]

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
"""The classes in the source's order, and what of a suit belongs to them; honours besides."""

CLASSES = tuple(name for name, _ in SHAPES)
_RUN, _RUN_TERMINAL, _TRIPLET, _TRIPLET_YAOCHU = range(4)
_PAIR_YAOCHU, _PAIR_YAKUHAI, _OTHER_WIND, _YAKUHAI = 5, 6, 19, 20

_RANKS = 9
_REMEMBERED = 1 << 15  # unit: suits


def _parts() -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the ranks (0–8) of everything that a suit can be split into, and its class."""
    for number, (_, shapes) in enumerate(SHAPES):
        for shape in shapes.split():
            yield tuple(int(rank) - 1 for rank in shape), number


_PARTS = sorted(_parts())
_CLASS_OF = dict(_PARTS)
_OF_LOWEST = [
    [(1 << place, part) for place, (part, _) in enumerate(_PARTS) if part[0] == rank]
    for rank in range(_RANKS)
]


def _joins(one: tuple[int, ...]) -> int:
    """The parts (bits) that make another part together with this one."""
    return sum(
        1 << place
        for place, (other, _) in enumerate(_PARTS)
        if tuple(sorted(one + other)) in _CLASS_OF
    )


_JOINS = {1 << place: _joins(part) for place, (part, _) in enumerate(_PARTS)}


@lru_cache(maxsize=_REMEMBERED)
def of_suit(tiles: tuple[int, ...]) -> Counts:
    """The splits of the tiles of a suit that differ, (n, 21) counts of the classes.

    Parameters
    ----------
    tiles : tuple of 9 ints
        How many tiles of every rank, 0–4.

    Examples
    --------
    >>> [[CLASSES[i] for i in row.nonzero()[0]] for row in of_suit((0, 1, 1, 0, 0, 0, 0, 0, 0))]
    [['two-sided, outer']]
    """
    found = {_counts(way) for way in _ways(list(tiles), 0, 0, 0)}
    return np.array(sorted(found), np.int8)


def _counts(classes: Iterable[int]) -> tuple[int, ...]:
    counts = [0] * len(SHAPES)
    for number in classes:
        counts[number] += 1
    return tuple(counts)


def _ways(left: list[int], rank: int, chosen: int, last: int) -> Iterator[list[int]]:
    """Yield the classes of every split of what is left, of which nothing lies below a rank.

    `chosen` has a bit for every part so far; `last` is that of the last one, so that parts of the
    same lowest rank are taken in one order alone.
    """
    while rank < _RANKS and not left[rank]:
        rank, last = rank + 1, 0
    if rank == _RANKS:
        yield []
        return
    for bit, part in _OF_LOWEST[rank]:
        if bit < last or _JOINS[bit] & chosen:
            continue
        for tile in part:
            left[tile] -= 1
        if all(left[tile] >= 0 for tile in part):
            for way in _ways(left, rank, chosen | bit, bit):
                yield [*way, _CLASS_OF[part]]
        for tile in part:
            left[tile] += 1


_ALONE = {0: ((),), 1: ((1,),), 2: ((2,),), 3: ((3,),), 4: ((3, 1), (2, 2))}
"""How copies of an honour can be split."""


@lru_cache(maxsize=_REMEMBERED)
def of_honours(tiles: tuple[int, ...], yakuhai: tuple[int, ...]) -> Counts:
    """The splits of honours that differ, (n, 21).

    Parameters
    ----------
    tiles : tuple of 7 ints
        How many of every honour, 0–4.
    yakuhai : tuple of int
        The kinds, 27–33, of which a triplet is a yaku.
    """
    kinds = range(EAST, KINDS)
    found = {
        _counts(
            _of_honour(size, kind in yakuhai)
            for kind, sizes in zip(kinds, ways, strict=True)
            for size in sizes
        )
        for ways in product(*(_ALONE[copies] for copies in tiles))
    }
    return np.array(sorted(found), np.int8)


def _of_honour(size: int, yakuhai: bool) -> int:
    """The class of so many copies of an honour."""
    if size == 3:
        return _TRIPLET_YAOCHU
    if size == 2:
        return _PAIR_YAKUHAI if yakuhai else _PAIR_YAOCHU
    return _YAKUHAI if yakuhai else _OTHER_WIND


def class_of(kind: int, copies: int, yakuhai: Sequence[int]) -> int:
    """The class, from 0, of one, two or three tiles of a kind."""
    if IS_HONOUR[kind]:
        return _of_honour(copies, kind in yakuhai)
    return _CLASS_OF[(kind % _RANKS,) * copies]


def of_melds(melds: Sequence[Meld]) -> Counts:
    """The sets that lie on the table, closed kans included, (21,)."""
    counts = np.zeros(len(SHAPES), np.int8)
    for meld in melds:
        kinds = [tile // COPIES for tile in meld.tiles]
        outer = any(IS_YAOCHU[kind] for kind in kinds)
        if meld.kind is MeldKind.CHI:
            counts[_RUN_TERMINAL if outer else _RUN] += 1
        else:
            counts[_TRIPLET_YAOCHU if outer else _TRIPLET] += 1
    return counts


def of_hand(
    counts: Sequence[int], yakuhai: tuple[int, ...]
) -> tuple[Counts, Counts, Counts, Counts]:
    """The splits of every suit and of the honours; a split of the hand is the sum of one of each.

    Parameters
    ----------
    counts : sequence of 34 ints
        Concealed tiles of every kind.
    yakuhai : tuple of int
    """
    first, second, third = (
        of_suit(tuple(counts[_RANKS * suit : _RANKS * (suit + 1)])) for suit in range(HONOURS)
    )
    return first, second, third, of_honours(tuple(counts[EAST:]), yakuhai)


def sums(suits: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """All sums of one row of each of some arrays, (product of their lengths, columns)."""
    total = suits[0]
    for more in suits[1:]:
        total = (total[:, None] + more).reshape(-1, total.shape[1])
    return total


def for_seven_pairs(counts: Sequence[int], yakuhai: Sequence[int]) -> Counts:
    """Pairs and single tiles, (21,); third and fourth copies are of no use and not counted."""
    found = np.zeros(len(SHAPES), np.int8)
    for kind, copies in enumerate(counts):
        if copies:
            found[class_of(kind, min(copies, 2), yakuhai)] += 1
    return found


def for_kokushi(counts: Sequence[int], yakuhai: Sequence[int]) -> Counts:
    """Terminals and honours, every kind as a single tile, and one pair, (21,).

    All else is of no use and not counted.
    """
    found = np.zeros(len(SHAPES), np.int8)
    held = [kind for kind, copies in enumerate(counts) if copies and IS_YAOCHU[kind]]
    for kind in held:
        found[class_of(kind, 1, yakuhai)] += 1
    pair = next((kind for kind in held if counts[kind] > 1), None)
    if pair is not None:
        found[class_of(pair, 2, yakuhai)] += 1
    return found
