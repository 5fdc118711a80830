"""Shanten: of a hand towards its goals, of many hands at once, and the kinds that lower it.

A hand is four keys, one for each suit (`houjuu.hands.shanten_tables`). Its missing
tiles are the least sum over the ways to distribute the sets and the pair over the suits.

An open hand needs a yaku: its shanten is the least over its goals. A goal ignores some tiles
(tanyao ignores terminals and honours, a flush the other suits) or requires something (a triplet of
a yakuhai, or triplets alone). An ignored tile counts as any other missing tile.

An example: 1123m 456p is tenpai and waits for 1m and 4m. With tanyao as its goal the two 1m do not
count: 23m 456p lacks two tiles of 234m 456p and a pair. The rank of 3m is 2, its digit in the key
that of 5² = 25.

>>> from houjuu.game.tiles import KIND, parse_tiles
>>> kinds = [KIND[tile] for tile in parse_tiles("1123m456p")]
>>> keys = suit_keys(kinds)
>>> keys.tolist(), [2 + 5 + 25, 125 + 625 + 3125, 0, 0]
([32, 3875, 0, 0], [32, 3875, 0, 0])
>>> shanten(kinds), useful(kinds)
(0, [0, 3])
>>> tanyao = Goal((SIMPLES, SIMPLES, SIMPLES, NONE), form=SETS_AND_PAIR)
>>> _counted(keys, tanyao.suits).tolist(), shanten(kinds, (tanyao,))
([30, 3875, 0, 0], 2)

The shanten after a draw or a discard needs one new lookup, because three suits stay as they are:

>>> changes = Changes(hands=np.array([0, 0]), kinds=np.array([3, 33]), step=1)  # 4m, chun
>>> changed_shantens(keys[None], changes, Target(2, CLOSED)).tolist()
[-1, 0]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import COPIES, EAST, KIND, KINDS
from houjuu.hands.shanten_tables import (
    ABSENT,
    DISTINCT,
    FIRST_HONOUR_KEY,
    PAIRS,
    SETS,
    TRIPLETS,
    YAOCHU,
    YAOCHU_PAIRS,
    shanten_tables,
)
from houjuu.util.arrays import Int8s, Ints, read_only
from houjuu.util.errors import Error

Keys = Ints
"""(…, 4): the keys of manzu, pinzu, souzu and honours."""
POWERS: Ints = np.array([5 ** (kind % 9) for kind in range(KINDS)])
"""The key of a tile in its suit, by kind."""
KIND_KEYS: Keys = np.where(np.arange(KINDS)[:, None] // 9 == np.arange(4), POWERS[:, None], 0)
"""The keys of a tile, by kind: (34, 4). The keys of a hand are the sum over its tiles."""

ALL, NONE, SIMPLES, ALL_BUT = 0, 1, 2, 3
"""Tiles of a suit that count; the code ALL_BUT + rank stands for all but that rank."""

ANY_FORM, SETS_AND_PAIR, TRIPLETS_AND_PAIR = 0, 1, 2
"""Chiitoitsu and kokushi musou too; sets and a pair; triplets and a pair."""


class Goal(NamedTuple):
    """A goal of a hand.

    Attributes
    ----------
    suits : tuple of 4 ints
        The tiles of each suit that count (`ALL` …).
    triplet : int, default=-1
        Rank of the honour that must be a triplet; −1 if none must.
    form : int, default=`ANY_FORM`
    """

    suits: tuple[int, int, int, int] = (ALL, ALL, ALL, ALL)
    triplet: int = -1
    form: int = ANY_FORM


Goals = tuple[Goal, ...]

CLOSED: Goals = (Goal(),)
"""The goal of a closed hand: any winning form."""
TOITOI_GOAL: Goals = (Goal(form=TRIPLETS_AND_PAIR),)
"""Triplets and a pair."""

_SUIT_OF_KIND = np.arange(KINDS) // 9
_FIRST_KEYS = np.array([0, 0, 0, FIRST_HONOUR_KEY])
_FIELD = 15
_MOST_TILES = 14


class Target(NamedTuple):
    """The number of sets that the concealed tiles must make, and the goals."""

    sets: int
    goals: Goals


def suit_keys(kinds: Iterable[int]) -> Keys:
    """The four keys of a hand, (4,)."""
    keys = [0, 0, 0, 0]
    for kind in kinds:
        keys[kind // 9] += 5 ** (kind % 9)
    return np.array(keys)


def ranks_of(key: int) -> list[int]:
    """The ranks of the tiles in a suit's key, from 0, in order."""
    return [rank for rank in range(9) for _ in range(key // 5**rank % 5)]


def copies_of(keys: Keys) -> Ints:
    """The copies of every kind in hands, (…, 34), by their keys, (…, 4)."""
    return keys[..., _SUIT_OF_KIND] // POWERS % 5


def shanten(kinds: Sequence[int], goals: Goals = CLOSED) -> int:
    """Shanten of 3n + 1 or 3n + 2 concealed tiles; −1 if they win.

    With 13 or 14 tiles chiitoitsu and kokushi musou count too.

    Parameters
    ----------
    kinds : sequence of int
        Kinds, 0–33; of tile ids, such as `View.hand`, it is `shanten_of_tiles`.
    goals : tuple of Goal
        By default any winning form.

    Raises
    ------
    Error
        A number is no kind, or there are more than 14.
    """
    if goals is not CLOSED:
        _check(kinds)
        return int(shantens(suit_keys(kinds), Target(len(kinds) // 3, goals)))
    try:
        return _closed_shanten(kinds)
    except IndexError:
        _check(kinds)
        raise


def _check(kinds: Sequence[int]) -> None:
    if len(kinds) > _MOST_TILES or max(kinds) >= KINDS:
        raise Error(
            f"{list(kinds)} are not the kinds, 0 to 33, of 1 to 14 tiles: of tile ids, such as "
            "those of a view, take KIND[tile], or shanten_of_tiles"
        )


@lru_cache(maxsize=64)
def shanten_of_tiles(tiles: tuple[int, ...]) -> int:
    """`shanten` of tile ids, such as `View.hand`.

    The last results are cached, since tsumogiri leave a hand as it is.
    """
    return shanten([KIND[tile] for tile in tiles])


def _closed_shanten(kinds: Sequence[int]) -> int:
    """The same for one closed hand with Python's numbers: a fifth of the time of arrays of one."""
    tables = shanten_tables()
    keys = [0, 0, 0, FIRST_HONOUR_KEY]
    for kind in kinds:
        keys[kind // 9] += 5 ** (kind % 9)
    manzu, pinzu, souzu, honours = map(tables.rows.item, keys)
    pairs = tables.pairs.item
    sets = len(kinds) // 3
    missing = tables.missing[sets].item(pairs(manzu, pinzu), pairs(souzu, honours))
    if sets == SETS:
        counts = sum(map(tables.counts.item, keys))
        missing = min(missing, _missing_for_other_forms().item(counts & 0xFFFF))
    return int(missing) - 1


def useful(kinds: Sequence[int], goals: Goals = CLOSED) -> list[int]:
    """The kinds that lower the shanten of 3n + 1 kinds, but for those with four copies in hand."""
    lowers = after_draw(kinds, goals) < shanten(kinds, goals)
    return [int(kind) for kind in np.flatnonzero(lowers)]


def after_draw(kinds: Sequence[int], goals: Goals = CLOSED) -> Ints:
    """(34,): shanten of 3n + 1 tiles after drawing a kind; `ABSENT` where four are in hand."""
    return _shanten_after(kinds, 1, goals)


def after_discard(kinds: Sequence[int], goals: Goals = CLOSED) -> Ints:
    """(34,): shanten of 3n + 2 tiles after discarding a kind; `ABSENT` where none is in hand."""
    return _shanten_after(kinds, -1, goals)


def _shanten_after(kinds: Sequence[int], step: int, goals: Goals) -> Ints:
    """(34,): shanten with one more or one fewer of a kind; `ABSENT` where that is impossible."""
    _check(kinds)
    copies = np.bincount(kinds, minlength=KINDS)
    possible = np.flatnonzero(copies < COPIES if step > 0 else copies)
    changes = Changes(np.zeros_like(possible), possible, step)
    shanten = np.full(KINDS, ABSENT)
    shanten[possible] = changed_shantens(
        suit_keys(kinds)[None], changes, Target(len(kinds) // 3, goals)
    )
    return shanten


def shantens(keys: Keys, target: Target) -> Ints:
    """Shanten of hands, (…,), by their keys, (…, 4)."""
    return _shantens(_Hands(keys), target)


class Changes(NamedTuple):
    """Changes of hands by a tile.

    Attributes
    ----------
    hands, kinds : (changes,)
        The index of each hand, and the kind of which it gets or loses a tile.
    step : int
        1 for a draw, −1 for a discard.
    """

    hands: Ints
    kinds: Ints
    step: int

    def suit_index(self) -> Ints:
        """Indices of the changed suits in a raveled (n, 4) array, (changes,)."""
        return 4 * self.hands + _SUIT_OF_KIND[self.kinds]


def changed_shantens(keys: Keys, changes: Changes, target: Target) -> Ints:
    """Shanten of hands after changes, (changes,): only the changed suit is looked up again.

    Parameters
    ----------
    keys : (n, 4)
        Of the hands before.
    changes : Changes
        A change takes a tile that the hand has, or adds one to at most three.
    target : Target
    """
    return _shantens(_ChangedHands(keys, changes), target)


class _Hands(NamedTuple):
    """Hands by their keys, (…, 4)."""

    keys: Keys

    def suit_pairs(self, codes: tuple[int, ...]) -> tuple[Ints, Ints]:
        """The combinations of the first two and of the last two suits, of the tiles that count."""
        tables = shanten_tables()
        rows = tables.rows[_counted(self.keys, codes) + _FIRST_KEYS]
        first = tables.pairs[rows[..., 0], rows[..., 1]]
        return first, tables.pairs[rows[..., 2], rows[..., 3]]

    def counts(self) -> Ints:
        """The counts (`PAIRS` …), (…,)."""
        return np.asarray(shanten_tables().counts[self.keys + _FIRST_KEYS].sum(axis=-1))

    def honour_copies(self, rank: int) -> Ints:
        """Copies of an honour, (…,)."""
        return np.asarray(self.keys[..., 3] // POWERS[rank] % 5)


class _ChangedHands(NamedTuple):
    """Hands after changes: as `_Hands`, with one entry for each change."""

    keys: Keys
    changes: Changes

    def suit_pairs(self, codes: tuple[int, ...]) -> tuple[Ints, Ints]:
        """The combination with the changed suit, and that of the other two suits."""
        tables = shanten_tables()
        changed = self.changes.suit_index()
        before = _counted(self.keys, codes) + _FIRST_KEYS
        rows = tables.rows[before].astype(np.intp)
        steps = self.changes.step * _counted_powers(codes)[self.changes.kinds]
        after = tables.rows[before.take(changed) + steps]
        # A raveled index is 4 * hand + suit, and suits are combined as 0 with 1 and 2 with 3. The
        # lowest bit is the suit within its pair: ^ 1 gives its partner, which has not changed.
        with_partner = _cell(tables.pairs, rows.take(changed ^ 1), after)
        # >> 1 gives 2 * hand + pair. The pairs stand here in reverse, (2, 3) before (0, 1), so
        # that this index leads to the pair of the other two suits.
        reversed_pairs = tables.pairs[rows[:, 2::-2], rows[:, 3::-2]]
        return with_partner, reversed_pairs.take(changed >> 1)

    def counts(self) -> Ints:
        """The counts (`PAIRS` …), (changes,): those of the other three suits and of the changed."""
        table = shanten_tables().counts
        changed = self.changes.suit_index()
        before = self.keys + _FIRST_KEYS
        by_suit = table[before]
        others = by_suit.sum(axis=1, keepdims=True) - by_suit
        after = table[before.take(changed) + self.changes.step * POWERS[self.changes.kinds]]
        return np.asarray(others.take(changed) + after)

    def honour_copies(self, rank: int) -> Ints:
        """Copies of an honour, (changes,)."""
        hands, kinds, step = self.changes
        before = self.keys[hands, 3] // POWERS[rank] % 5
        return np.asarray(before + step * (kinds == EAST + rank))


def _shantens(hands: _Hands | _ChangedHands, target: Target) -> Ints:
    """Shanten of hands: the least over the goals."""
    by_goal = [_tiles_missing(hands, target.sets, goal) for goal in target.goals]
    return np.asarray(reduce(np.minimum, by_goal) - 1, np.intp)


def _tiles_missing(hands: _Hands | _ChangedHands, sets: int, goal: Goal) -> Ints:
    """Tiles that hands lack for a goal."""
    if goal.form == TRIPLETS_AND_PAIR:
        return _missing_for_triplets(hands.counts(), sets)
    tables, (first, second) = shanten_tables(), hands.suit_pairs(goal.suits)
    if goal.triplet >= 0:
        # The triplet is one of the sets; its tiles do not count for the others.
        missing = _cell(tables.missing[sets - 1], first, second) if sets else ABSENT
        for_triplet = np.maximum(3 - hands.honour_copies(goal.triplet), 0)
        return np.asarray(np.minimum(missing + for_triplet, ABSENT + 1), np.intp)
    missing = _cell(tables.missing[sets], first, second)
    if goal.form == ANY_FORM and sets == SETS:
        missing = np.minimum(missing, _missing_for_other_forms()[hands.counts() & 0xFFFF])
    return np.asarray(missing, np.intp)


def _cell(table: npt.NDArray[Any], rows: Ints, columns: Ints) -> npt.NDArray[Any]:
    """`table[rows, columns]` of a square table, in half the time."""
    return table.take(rows.astype(np.intp) * len(table) + columns)


@lru_cache(maxsize=256)  # without it open hands take a quarter longer
def _counted_powers(codes: tuple[int, ...]) -> Ints:
    """The key of a tile in its suit, by kind, (34,); 0 for those that a goal ignores."""
    return read_only(_counted(KIND_KEYS, codes).sum(axis=1))


def _counted(keys: Keys, codes: Sequence[int]) -> Keys:
    """The keys of the tiles that count for a goal."""
    if not any(codes):
        return keys
    counted = keys.copy()
    for suit, code in enumerate(codes):
        if code == NONE:
            counted[..., suit] = 0
        ignored = (0, 8) if code == SIMPLES else (code - ALL_BUT,) if code >= ALL_BUT else ()
        for rank in ignored:
            counted[..., suit] -= keys[..., suit] // POWERS[rank] % 5 * POWERS[rank]
    return counted


@cache
def _missing_for_other_forms() -> Int8s:
    """Tiles missing for chiitoitsu or for kokushi musou, by the lowest four counts, (2**16,)."""
    counts = np.arange(1 << 16)
    pairs = counts >> PAIRS & _FIELD
    distinct = counts >> DISTINCT & _FIELD
    yaochu = counts >> YAOCHU & _FIELD
    yaochu_pairs = counts >> YAOCHU_PAIRS & _FIELD
    seven_pairs = 7 - pairs + np.maximum(7 - distinct, 0)
    kokushi = 14 - yaochu - np.minimum(yaochu_pairs, 1)
    return np.asarray(np.minimum(seven_pairs, kokushi), np.int8)


def _missing_for_triplets(counts: Ints, sets: int) -> Ints:
    """Tiles missing for triplets and a pair."""
    pairs = counts >> PAIRS & _FIELD
    distinct = counts >> DISTINCT & _FIELD
    triplets = counts >> TRIPLETS & _FIELD
    further = np.maximum(sets - triplets, 0)  # triplets to complete, from pairs or single tiles
    spare = pairs - np.minimum(sets, triplets)
    missing = 2 * further - np.minimum(spare, further) - (spare > further)
    # Each of the sets and the pair needs a kind of its own: one tile more where kinds are too few.
    return np.asarray(missing + np.maximum(sets + 1 - distinct, 0) + 1)
