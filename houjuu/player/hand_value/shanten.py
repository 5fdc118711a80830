"""Shanten, compiled: the shanten of a hand towards its goals, and the kinds that lower it.

The tiles of a suit make a number in base five, the suit's key. A table contains, for each key, the
number of missing tiles for 0–4 sets, with and without a pair. A hand lacks the least sum over the
ways to distribute the sets and the pair over its four suits.

An open hand needs a yaku: its shanten is the least over its goals. A goal ignores some tiles
(tanyao ignores terminals and honours, a flush the other suits) or requires something (a triplet of
a yakuhai, or triplets alone). An ignored tile counts as any other missing tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np

from houjuu.arrays import Int8s, Ints
from houjuu.tiles import COPIES, KINDS

Keys = Ints
"""(4,): the keys of manzu, pinzu, souzu and honours."""
Goals = Ints
"""(n, 6), a goal a row: four codes for the tiles of each suit that count (`ALL` …), the rank of the
honour that must be a triplet or −1, and the form (`ANY_FORM` …)."""

SETS = 4
WIDTH = 16
_PAIR, _PAIRS, _DISTINCT, _YAOCHU, _YAOCHU_PAIRS, _TRIPLETS = 5, 10, 11, 12, 13, 14
"""Columns: 0–4 tiles missing for so many sets, from _PAIR on the same with a pair; then counts."""

POWERS = np.array([5**rank for rank in range(9)])
ABSENT = 14
"""A shanten higher than that of any hand."""

ALL, NONE, SIMPLES, ALL_BUT = 0, 1, 2, 3
"""Tiles of a suit that count; the code ALL_BUT + rank stands for all but that rank."""

_TRIPLET, _FORM = 4, 5
ANY_FORM, SETS_AND_PAIR, TRIPLETS = 0, 1, 2
CLOSED: Goals = np.array([[ALL, ALL, ALL, ALL, -1, ANY_FORM]])
"""The goal of a closed hand: any winning form."""
TOITOI_GOAL: Goals = np.array([[ALL, ALL, ALL, ALL, -1, TRIPLETS]])
"""Triplets and a pair."""

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function with numba; the result is cached on disk for all processes."""
    return cast(F, numba.njit(cache=True)(function))


class ShantenTables(NamedTuple):
    """Rows by key: of a suit, (5**9, 16), and of the honours, (5**7, 16)."""

    suits: Int8s
    honours: Int8s


class Target(NamedTuple):
    """The number of sets that the concealed tiles must make, the goals, and the tables."""

    sets: int
    goals: Goals
    tables: ShantenTables


class Parts(NamedTuple):
    """A hand by goal: (n, 4, 16) rows of its suits, (n, 4, 10) tiles missing without that suit."""

    rows: Int8s
    others: Int8s


@cache
def shanten_tables() -> ShantenTables:
    """The tables; the first call takes a second."""
    runs = [np.eye(9, dtype=int)[low : low + 3].sum(axis=0) for low in range(7)]
    return ShantenTables(_table(9, runs, ends=[0, 8]), _table(7, [], ends=list(range(7))))


def target_of(tiles: int, goals: Goals = CLOSED) -> Target:
    """The target of a hand with so many concealed tiles."""
    return Target(tiles // 3, goals, shanten_tables())


def _table(ranks: int, runs: Sequence[Ints], ends: list[int]) -> Int8s:
    missing = np.full((10, *[COPIES + 1] * ranks), ABSENT, dtype=np.int8)
    for column, copies in _complete(ranks, runs):
        missing[(column, *copies)] = 0
    for axis in range(1, ranks + 1):
        by_copies = np.moveaxis(missing, axis, 0)
        for more in range(1, COPIES + 1):  # another copy never raises the number
            np.minimum(by_copies[more], by_copies[more - 1], out=by_copies[more])
        for fewer in range(COPIES - 1, -1, -1):  # without a copy one more is missing
            np.minimum(by_copies[fewer], by_copies[fewer + 1] + 1, out=by_copies[fewer])
    counts = np.indices([COPIES + 1] * ranks, dtype=np.int8)
    yaochu = counts[ends]
    columns = [*missing, (counts > 1).sum(0), (counts > 0).sum(0)]
    columns += [(yaochu > 0).sum(0), (yaochu > 1).sum(0), (counts > 2).sum(0)]
    table = np.zeros((5**ranks, WIDTH), dtype=np.int8)
    for index, counted in enumerate(columns):
        table[:, index] = counted.T.ravel()  # the first rank is the last digit of the key
    return table


def _complete(ranks: int, runs: Sequence[Ints]) -> Iterable[tuple[int, Ints]]:
    """Yield the complete groups of sets with or without a pair: column, and copies by rank."""
    sets = [*(3 * np.eye(ranks, dtype=int)), *runs]
    pairs = [np.zeros(ranks, dtype=int), *(2 * np.eye(ranks, dtype=int))]
    for count in range(SETS + 1):
        for chosen in combinations_with_replacement(sets, count):
            for pair in pairs:
                copies = np.sum([pair, *chosen], axis=0)
                if copies.max() <= COPIES:
                    yield count + (_PAIR if pair.any() else 0), copies


def suit_keys(kinds: Iterable[int]) -> Keys:
    """The four keys of a hand, (4,)."""
    keys = [0, 0, 0, 0]
    for kind in kinds:
        keys[kind // 9] += 5 ** (kind % 9)
    return np.array(keys)


def ranks_of(key: int) -> list[int]:
    """The ranks of the tiles in a suit's key, from 0, in order."""
    return [rank for rank in range(9) for _ in range(key // 5**rank % 5)]


def shanten(kinds: Sequence[int], goals: Goals = CLOSED) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles; −1 if they win.

    With 13 or 14 tiles chiitoitsu and kokushi musou count too.
    """
    return _shanten(suit_keys(kinds), target_of(len(kinds), goals))


def useful(kinds: Sequence[int], goals: Goals = CLOSED) -> list[int]:
    """The kinds that lower the shanten of 3n + 1 tiles, but for those with four copies in hand."""
    lowers = after_draw(kinds, goals) < shanten(kinds, goals)
    return [int(kind) for kind in np.flatnonzero(lowers)]


def after_draw(kinds: Sequence[int], goals: Goals = CLOSED) -> Ints:
    """(34,): shanten of 3n + 1 tiles after drawing a kind; `ABSENT` where four are in hand."""
    return _shanten_after(suit_keys(kinds), 1, target_of(len(kinds), goals))


def after_discard(kinds: Sequence[int], goals: Goals = CLOSED) -> Ints:
    """(34,): shanten of 3n + 2 tiles after discarding a kind; `ABSENT` where none is in hand."""
    return _shanten_after(suit_keys(kinds), -1, target_of(len(kinds), goals))


@compiled
def parts_of(keys: Keys, target: Target) -> Parts:
    """The parts of a hand, as `with_key` takes them."""
    count = len(target.goals)
    parts = Parts(np.empty((count, 4, WIDTH), np.int8), np.empty((count, 4, 10), np.int8))
    take_apart(keys, parts, target)
    return parts


@compiled
def take_apart(keys: Keys, parts: Parts, target: Target) -> None:
    """Fill in the parts of a hand from its keys."""
    first_two, last_two = np.empty(10, np.int8), np.empty(10, np.int8)
    for goal in range(len(target.goals)):
        rows, others = parts.rows[goal], parts.others[goal]
        for suit in range(4):
            rows[suit] = _row(suit, keys[suit], target.goals[goal], target.tables)
        _combine(rows[0], rows[1], first_two)
        _combine(rows[2], rows[3], last_two)
        _combine(rows[1], last_two, others[0])
        _combine(rows[0], last_two, others[1])
        _combine(first_two, rows[3], others[2])
        _combine(first_two, rows[2], others[3])


@compiled
def with_key(suit: int, key: int, keys: Keys, parts: Parts, target: Target) -> int:
    """Shanten of the hand with these keys and parts if one suit had another key."""
    least = ABSENT
    honours = key if suit == 3 else keys[3]
    for number in range(len(target.goals)):
        goal, rows = target.goals[number], parts.rows[number]
        row = _row(suit, key, goal, target.tables)
        if goal[_FORM] == TRIPLETS:
            least = min(least, _triplets_shanten(suit, row, rows, target.sets))
            continue
        sets, missing = target.sets, 0
        if goal[_TRIPLET] >= 0:
            sets -= 1
            missing = max(3 - count_of(honours, goal[_TRIPLET]), 0)
        missing += _missing(row, parts.others[number, suit], sets)
        if goal[_FORM] == ANY_FORM and sets == SETS:
            missing = min(missing, _missing_for_other_forms(suit, row, rows))
        least = min(least, missing - 1)
    return least


@compiled
def _missing(row: Int8s, other: Int8s, sets: int) -> int:
    """Tiles that a suit and the others together lack for so many sets and a pair."""
    missing = ABSENT
    for part in range(sets + 1):
        missing = min(missing, row[part] + other[_PAIR + sets - part])
        missing = min(missing, row[_PAIR + part] + other[sets - part])
    return missing


@compiled
def _missing_for_other_forms(suit: int, row: Int8s, rows: Int8s) -> int:
    """Tiles missing for chiitoitsu or for kokushi musou, whichever lacks fewer."""
    pairs, distinct, yaochu, doubled = row[_PAIRS], row[_DISTINCT], row[_YAOCHU], row[_YAOCHU_PAIRS]
    for other in range(4):
        if other != suit:
            pairs += rows[other, _PAIRS]
            distinct += rows[other, _DISTINCT]
            yaochu += rows[other, _YAOCHU]
            doubled += rows[other, _YAOCHU_PAIRS]
    return int(min(7 - pairs + max(7 - distinct, 0), 14 - yaochu - min(doubled, 1)))


@compiled
def _triplets_shanten(suit: int, row: Int8s, rows: Int8s, sets: int) -> int:
    """Shanten to triplets and a pair."""
    pairs, triplets, distinct = row[_PAIRS], row[_TRIPLETS], row[_DISTINCT]
    for other in range(4):
        if other != suit:
            pairs += rows[other, _PAIRS]
            triplets += rows[other, _TRIPLETS]
            distinct += rows[other, _DISTINCT]
    wanted = max(sets - triplets, 0)
    spare = pairs - min(sets, triplets)
    lacking = 2 * wanted - min(spare, wanted) - (1 if spare > wanted else 0)
    return int(lacking + max(sets + 1 - distinct, 0))


@compiled
def _row(suit: int, key: int, goal: Ints, table: ShantenTables) -> Int8s:
    """The row of the tables for the tiles of a suit that count for a goal."""
    counted = goal[suit]
    if counted == NONE:
        key = 0
    elif counted == SIMPLES:
        key -= count_of(key, 0) * POWERS[0] + count_of(key, 8) * POWERS[8]
    elif counted >= ALL_BUT:
        key -= count_of(key, counted - ALL_BUT) * POWERS[counted - ALL_BUT]
    if suit == 3:
        return table.honours[key]  # type: ignore[no-any-return]
    return table.suits[key]  # type: ignore[no-any-return]


@compiled
def _combine(first: Int8s, second: Int8s, combined: Int8s) -> None:
    """Fill in the tiles that two groups of suits together lack, (10,)."""
    for sets in range(SETS + 1):
        plain = paired = ABSENT
        for part in range(sets + 1):
            rest = sets - part
            plain = min(plain, first[part] + second[rest])
            paired = min(paired, first[part] + second[_PAIR + rest])
            paired = min(paired, first[_PAIR + part] + second[rest])
        combined[sets], combined[_PAIR + sets] = plain, paired


@compiled
def count_of(key: int, rank: int) -> int:
    """Copies of a rank in a suit's key, 0–4."""
    return (key // POWERS[rank]) % 5  # type: ignore[no-any-return]


@compiled
def shantens(keys: Keys, target: Target) -> Ints:
    """(n,): shanten of hands by their keys, (n, 4)."""
    shanten = np.empty(len(keys), np.int64)
    for hand in range(len(keys)):
        shanten[hand] = _shanten(keys[hand].copy(), target)
    return shanten


@compiled
def _shanten(keys: Keys, target: Target) -> int:
    return with_key(0, keys[0], keys, parts_of(keys, target), target)


@compiled
def _shanten_after(keys: Keys, step: int, target: Target) -> Ints:
    """(34,): shanten with one more or one fewer of a kind; `ABSENT` where that is impossible."""
    parts = parts_of(keys, target)
    shanten = np.full(KINDS, ABSENT)
    for kind in range(KINDS):
        suit, rank = kind // 9, kind % 9
        if 0 <= count_of(keys[suit], rank) + step <= COPIES:
            shanten[kind] = with_key(suit, keys[suit] + step * POWERS[rank], keys, parts, target)
    return shanten
