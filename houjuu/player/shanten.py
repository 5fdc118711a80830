"""How far a hand is from winning, compiled: shanten, and the kinds that lower it.

A suit's tiles make a number in base five, by which a table tells how many tiles it lacks for
so many sets, with a pair or without. A hand lacks the least that its four suits lack between them.

An open hand needs a yaku: it is as far as the nearest of its aims, each of which leaves some
tiles out of account (断幺九 the 幺九牌, a flush the other suits) or asks for something (a triplet
of 役牌, nothing but triplets). What is left out might as well be any other missing tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from houjuu.tiles import COPIES, KINDS

Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Keys = Ints
"""(4,): the numbers of 萬, 筒, 索 and honours."""
Aims = Ints
"""(n, 6): of each suit what counts, the rank of the honour that must be a triplet or −1, a form."""

SETS = 4
WIDTH = 16
_PAIR, _PAIRS, _SORTS, _YAOCHU, _YAOCHU_PAIRS, _TRIPLETS = 5, 10, 11, 12, 13, 14
"""Columns: 0–4 what is missing for so many sets, from _PAIR on with a pair too; then counts."""

POWERS = np.array([5**rank for rank in range(9)])
ABSENT = 14
"""Farther than any hand."""

ALL, NONE, SIMPLES, BUT = 0, 1, 2, 3
"""What of a suit counts; from BUT on all but a rank."""

_TRIPLET, _FORM = 4, 5
ANY_FORM, SETS_AND_PAIR, TRIPLETS = 0, 1, 2
CLOSED: Aims = np.array([[ALL, ALL, ALL, ALL, -1, ANY_FORM]])
"""The aim of a closed hand: to win at all."""

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function, once for all processes."""
    return cast(F, numba.njit(cache=True)(function))


class Tables(NamedTuple):
    """Of a suit, (5**9, 16), and of the honours, (5**7, 16)."""

    suits: Bytes
    honours: Bytes


class Goal(NamedTuple):
    """How many sets a hand is to make, and to what aims."""

    sets: int
    aims: Aims
    tables: Tables


class Parts(NamedTuple):
    """A hand by aim: (n, 4, 16) the rows of its suits, (n, 4, 10) what all but a suit lack."""

    rows: Bytes
    others: Bytes


@cache
def tables() -> Tables:
    """What suits and honours lack, made in a second."""
    runs = [np.eye(9, dtype=int)[low : low + 3].sum(axis=0) for low in range(7)]
    return Tables(_table(9, runs, ends=[0, 8]), _table(7, [], ends=list(range(7))))


def goal(tiles: int, aims: Aims = CLOSED) -> Goal:
    """That of a hand of so many concealed tiles."""
    return Goal(tiles // 3, aims, tables())


def _table(ranks: int, runs: Sequence[Ints], ends: list[int]) -> Bytes:
    missing = np.full((10, *[COPIES + 1] * ranks), ABSENT, dtype=np.int8)
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
    columns += [(yaochu > 0).sum(0), (yaochu > 1).sum(0), (counts > 2).sum(0)]
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


def shanten(kinds: Sequence[int], aims: Aims = CLOSED) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles; −1 if they win.

    Of 13 or 14 seven pairs and 国士無双 count too.
    """
    return _shanten(keys(kinds), goal(len(kinds), aims))


def useful(kinds: Sequence[int], aims: Aims = CLOSED) -> list[int]:
    """The kinds that lower the shanten of 3n + 1 tiles; none of which all four are held."""
    found = _changes(keys(kinds), 1, goal(len(kinds), aims))
    return [int(kind) for kind in np.flatnonzero(found < shanten(kinds, aims))]


def after_discard(kinds: Sequence[int], aims: Aims = CLOSED) -> Ints:
    """(34,): shanten of 3n + 2 tiles after discarding a kind; `ABSENT` where it is not held."""
    return _changes(keys(kinds), -1, goal(len(kinds), aims))


@compiled
def parts_of(key: Keys, goal: Goal) -> Parts:
    """A hand as `with_key` takes it."""
    count = len(goal.aims)
    parts = Parts(np.empty((count, 4, WIDTH), np.int8), np.empty((count, 4, 10), np.int8))
    take_apart(key, parts, goal)
    return parts


@compiled
def take_apart(key: Keys, parts: Parts, goal: Goal) -> None:
    """Fill in what follows from the hand's numbers."""
    numbers, rest = np.empty(10, np.int8), np.empty(10, np.int8)
    for aim in range(len(goal.aims)):
        rows, others = parts.rows[aim], parts.others[aim]
        for suit in range(4):
            rows[suit] = _row(suit, key[suit], goal.aims[aim], goal.tables)
        _join(rows[0], rows[1], numbers)
        _join(rows[2], rows[3], rest)
        _join(rows[1], rest, others[0])
        _join(rows[0], rest, others[1])
        _join(numbers, rows[3], others[2])
        _join(numbers, rows[2], others[3])


@compiled
def with_key(suit: int, number: int, key: Keys, parts: Parts, goal: Goal) -> int:
    """Shanten of a hand of which one suit has another number."""
    least = ABSENT
    honours = number if suit == 3 else key[3]
    for place in range(len(goal.aims)):
        aim, rows = goal.aims[place], parts.rows[place]
        row = _row(suit, number, aim, goal.tables)
        if aim[_FORM] == TRIPLETS:
            least = min(least, _of_triplets(suit, row, rows, goal.sets))
            continue
        sets, missing = goal.sets, 0
        if aim[_TRIPLET] >= 0:
            sets -= 1
            missing = max(3 - count_of(honours, aim[_TRIPLET]), 0)
        missing += _missing(row, parts.others[place, suit], sets)
        if aim[_FORM] == ANY_FORM and sets == SETS:
            missing = min(missing, _of_other_forms(suit, row, rows))
        least = min(least, missing - 1)
    return least


@compiled
def _missing(row: Bytes, other: Bytes, sets: int) -> int:
    """What a suit and the others lack for sets and a pair."""
    missing = ABSENT
    for part in range(sets + 1):
        missing = min(missing, row[part] + other[_PAIR + sets - part])
        missing = min(missing, row[_PAIR + part] + other[sets - part])
    return missing


@compiled
def _of_other_forms(suit: int, row: Bytes, rows: Bytes) -> int:
    """What is missing to seven pairs, or to 国士無双."""
    pairs, sorts, yaochu, doubled = row[_PAIRS], row[_SORTS], row[_YAOCHU], row[_YAOCHU_PAIRS]
    for third in range(4):
        if third != suit:
            pairs += rows[third, _PAIRS]
            sorts += rows[third, _SORTS]
            yaochu += rows[third, _YAOCHU]
            doubled += rows[third, _YAOCHU_PAIRS]
    return int(min(7 - pairs + max(7 - sorts, 0), 14 - yaochu - min(doubled, 1)))


@compiled
def _of_triplets(suit: int, row: Bytes, rows: Bytes, sets: int) -> int:
    """Shanten to triplets and a pair."""
    pairs, triplets, sorts = row[_PAIRS], row[_TRIPLETS], row[_SORTS]
    for third in range(4):
        if third != suit:
            pairs += rows[third, _PAIRS]
            triplets += rows[third, _TRIPLETS]
            sorts += rows[third, _SORTS]
    wanted = max(sets - triplets, 0)
    spare = pairs - min(sets, triplets)
    lacking = 2 * wanted - min(spare, wanted) - (1 if spare > wanted else 0)
    return int(lacking + max(sets + 1 - sorts, 0))


@compiled
def _row(suit: int, key: int, aim: Ints, table: Tables) -> Bytes:
    """A suit's row of the tables, of what counts of it."""
    what = aim[suit]
    if what == NONE:
        key = 0
    elif what == SIMPLES:
        key -= count_of(key, 0) * POWERS[0] + count_of(key, 8) * POWERS[8]
    elif what >= BUT:
        key -= count_of(key, what - BUT) * POWERS[what - BUT]
    if suit == 3:
        return table.honours[key]  # type: ignore[no-any-return]
    return table.suits[key]  # type: ignore[no-any-return]


@compiled
def _join(first: Bytes, second: Bytes, joined: Bytes) -> None:
    """What two groups of tiles lack between them."""
    for sets in range(SETS + 1):
        plain = paired = ABSENT
        for part in range(sets + 1):
            rest = sets - part
            plain = min(plain, first[part] + second[rest])
            paired = min(paired, first[part] + second[_PAIR + rest])
            paired = min(paired, first[_PAIR + part] + second[rest])
        joined[sets], joined[_PAIR + sets] = plain, paired


@compiled
def count_of(key: int, rank: int) -> int:
    """How many tiles of a rank a suit's number tells of."""
    return (key // POWERS[rank]) % 5  # type: ignore[no-any-return]


@compiled
def shantens(keys: Keys, goal: Goal) -> Ints:
    """(n,): shanten of hands by their numbers, (n, 4)."""
    found = np.empty(len(keys), np.int64)
    for place in range(len(keys)):
        found[place] = _shanten(keys[place].copy(), goal)
    return found


@compiled
def _shanten(key: Keys, goal: Goal) -> int:
    return with_key(0, key[0], key, parts_of(key, goal), goal)


@compiled
def _changes(key: Keys, step: int, goal: Goal) -> Ints:
    """(34,): shanten with one more or one fewer of a kind; `ABSENT` where that cannot be."""
    parts = parts_of(key, goal)
    found = np.full(KINDS, ABSENT)
    for kind in range(KINDS):
        suit, rank = kind // 9, kind % 9
        if 0 <= count_of(key[suit], rank) + step <= COPIES:
            found[kind] = with_key(suit, key[suit] + step * POWERS[rank], key, parts, goal)
    return found
