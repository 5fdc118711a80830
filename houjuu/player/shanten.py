"""How far a hand is from winning, compiled: shanten, and the kinds that lower it.

A suit's tiles make a number in base five, by which a table tells how many tiles it lacks for
so many sets, with a pair or without. A hand lacks the least that its four suits lack between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from houjuu.tiles import COPIES, KINDS

Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Keys = Ints
"""(4,): the numbers of 萬, 筒, 索 and honours."""
Tables = tuple[Bytes, Bytes]
"""Of a suit, (5**9, 16), and of the honours, (5**7, 16)."""

SETS = 4
WIDTH = 16
_PAIR, _PAIRS, _SORTS, _YAOCHU, _YAOCHU_PAIRS = 5, 10, 11, 12, 13
"""Columns: 0–4 what is missing for so many sets, from _PAIR on with a pair too; then counts."""

POWERS = np.array([5**rank for rank in range(9)])
_ABSENT = 14

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function, once for all processes."""
    return cast(F, numba.njit(cache=True)(function))


@cache
def tables() -> Tables:
    """What suits and honours lack, made in a second."""
    runs = [np.eye(9, dtype=int)[low : low + 3].sum(axis=0) for low in range(7)]
    return _table(9, runs, ends=[0, 8]), _table(7, [], ends=list(range(7)))


def _table(ranks: int, runs: Sequence[Ints], ends: list[int]) -> Bytes:
    missing = np.full((10, *[COPIES + 1] * ranks), _ABSENT, dtype=np.int8)
    for count, made in _complete(ranks, runs):
        missing[(count, *made)] = 0
    for axis in range(1, ranks + 1):
        one = np.moveaxis(missing, axis, 0)
        for more in range(1, COPIES + 1):  # to have more is no worse
            np.minimum(one[more], one[more - 1], out=one[more])
        for fewer in range(COPIES - 1, -1, -1):  # to have one fewer is one worse
            np.minimum(one[fewer], one[fewer + 1] + 1, out=one[fewer])
    counts = np.indices([COPIES + 1] * ranks, dtype=np.int8)
    yaochu = counts[ends]
    columns = [*missing, (counts > 1).sum(0), (counts > 0).sum(0)]
    columns += [(yaochu > 0).sum(0), (yaochu > 1).sum(0)]
    table = np.zeros((5**ranks, WIDTH), dtype=np.int8)
    for place, column in enumerate(columns):
        table[:, place] = column.T.ravel()  # the first rank is the number's last digit
    return table


def _complete(ranks: int, runs: Sequence[Ints]) -> Iterable[tuple[int, Ints]]:
    """Yield what needs nothing more: the column, and the tiles of every rank."""
    sets = [*(3 * np.eye(ranks, dtype=int)), *runs]
    pairs = [np.zeros(ranks, dtype=int), *(2 * np.eye(ranks, dtype=int))]
    for count in range(SETS + 1):
        for chosen in combinations_with_replacement(sets, count):
            for pair in pairs:
                made = np.sum([pair, *chosen], axis=0)
                if made.max() <= COPIES:
                    yield count + (_PAIR if pair.any() else 0), made


def keys(kinds: Iterable[int]) -> Keys:
    """The four numbers of a hand."""
    found = [0, 0, 0, 0]
    for kind in kinds:
        found[kind // 9] += 5 ** (kind % 9)
    return np.array(found)


def ranks_of(key: int) -> list[int]:
    """The ranks, 0 on, of a suit's number."""
    return [rank for rank in range(9) for _ in range(key // 5**rank % 5)]


def shanten(kinds: Sequence[int]) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles; −1 if they win.

    Of 13 or 14 seven pairs and 国士無双 count too.
    """
    return _shanten(keys(kinds), len(kinds) // 3, tables())


def useful(kinds: Sequence[int]) -> list[int]:
    """The kinds that lower the shanten of 3n + 1 tiles; none of which all four are held."""
    found = _changes(keys(kinds), len(kinds) // 3, 1, tables())
    return [int(kind) for kind in np.flatnonzero(found < shanten(kinds))]


def after_discard(kinds: Sequence[int]) -> Ints:
    """(34,): shanten of 3n + 2 tiles after discarding a kind; 13 where it is not held."""
    return _changes(keys(kinds), len(kinds) // 3, -1, tables())


@compiled
def around(key: Keys, table: Tables, rows: Bytes, others: Bytes) -> None:
    """Fill in the rows of the four suits, and for each suit what the three others lack.

    Parameters
    ----------
    key : (4,)
    table : Tables
    rows : (4, 16)
    others : (4, 10)
    """
    for suit in range(4):
        rows[suit] = row_of(suit, key[suit], table)
    numbers, rest = np.empty(10, np.int8), np.empty(10, np.int8)
    _join(rows[0], rows[1], numbers)
    _join(rows[2], rows[3], rest)
    _join(rows[1], rest, others[0])
    _join(rows[0], rest, others[1])
    _join(numbers, rows[3], others[2])
    _join(numbers, rows[2], others[3])


@compiled
def _join(first: Bytes, second: Bytes, joined: Bytes) -> None:
    """What two groups of tiles lack between them."""
    for sets in range(SETS + 1):
        plain = paired = _ABSENT
        for part in range(sets + 1):
            rest = sets - part
            plain = min(plain, first[part] + second[rest])
            paired = min(paired, first[part] + second[_PAIR + rest])
            paired = min(paired, first[_PAIR + part] + second[rest])
        joined[sets], joined[_PAIR + sets] = plain, paired


@compiled
def with_row(suit: int, row: Bytes, rows: Bytes, others: Bytes, sets: int) -> int:
    """Shanten of a hand of which one suit is another than `around` was told."""
    other = others[suit]
    missing = _ABSENT
    for part in range(sets + 1):
        missing = min(missing, row[part] + other[_PAIR + sets - part])
        missing = min(missing, row[_PAIR + part] + other[sets - part])
    if sets == SETS:
        pairs, sorts, yaochu, doubled = row[_PAIRS], row[_SORTS], row[_YAOCHU], row[_YAOCHU_PAIRS]
        for third in range(4):
            if third != suit:
                pairs += rows[third, _PAIRS]
                sorts += rows[third, _SORTS]
                yaochu += rows[third, _YAOCHU]
                doubled += rows[third, _YAOCHU_PAIRS]
        missing = min(missing, 7 - pairs + max(7 - sorts, 0), 14 - yaochu - min(doubled, 1))
    return missing - 1


@compiled
def row_of(suit: int, key: int, table: Tables) -> Bytes:
    """A suit's row of the tables."""
    suits, honours = table
    if suit == 3:
        return honours[key]  # type: ignore[no-any-return]
    return suits[key]  # type: ignore[no-any-return]


@compiled
def count_of(key: int, rank: int) -> int:
    """How many tiles of a rank a suit's number tells of."""
    return (key // POWERS[rank]) % 5  # type: ignore[no-any-return]


@compiled
def _shanten(key: Keys, sets: int, table: Tables) -> int:
    rows, others = np.empty((4, WIDTH), np.int8), np.empty((4, 10), np.int8)
    around(key, table, rows, others)
    return with_row(0, rows[0], rows, others, sets)


@compiled
def _changes(key: Keys, sets: int, step: int, table: Tables) -> Ints:
    """(34,): shanten with one more or one fewer of a kind; 13 where that cannot be."""
    rows, others = np.empty((4, WIDTH), np.int8), np.empty((4, 10), np.int8)
    around(key, table, rows, others)
    found = np.full(KINDS, _ABSENT - 1)
    for kind in range(KINDS):
        suit, rank = kind // 9, kind % 9
        if 0 <= count_of(key[suit], rank) + step <= COPIES:
            row = row_of(suit, key[suit] + step * POWERS[rank], table)
            found[kind] = with_row(suit, row, rows, others, sets)
    return found
