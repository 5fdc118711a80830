"""Shanten: of a hand towards its goals, of many hands at once, and the kinds that lower it.

A hand is four keys, one for each suit (`houjuu.player.hand_value.shanten_tables`). Its missing
tiles are the least sum over the ways to distribute the sets and the pair over the suits.

An open hand needs a yaku: its shanten is the least over its goals. A goal ignores some tiles
(tanyao ignores terminals and honours, a flush the other suits) or requires something (a triplet of
a yakuhai, or triplets alone). An ignored tile counts as any other missing tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial, reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import COPIES, EAST, KINDS
from houjuu.player.hand_value.shanten_tables import (
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

Keys = Ints
"""(…, 4): the keys of manzu, pinzu, souzu and honours."""
Goals = Ints
"""(n, 6), a goal a row: four codes for the tiles of each suit that count (`ALL` …), the rank of the
honour that must be a triplet or −1, and the form (`ANY_FORM` …)."""

POWERS: Ints = np.array([5 ** (kind % 9) for kind in range(KINDS)])
"""The key of a tile in its suit, by kind."""
KIND_KEYS: Keys = np.where(np.arange(KINDS)[:, None] // 9 == np.arange(4), POWERS[:, None], 0)
"""The keys of a tile, by kind: (34, 4). The keys of a hand are the sum over its tiles."""

ALL, NONE, SIMPLES, ALL_BUT = 0, 1, 2, 3
"""Tiles of a suit that count; the code ALL_BUT + rank stands for all but that rank."""

ANY_FORM, SETS_AND_PAIR, TRIPLETS_AND_PAIR = 0, 1, 2
CLOSED: Goals = np.array([[ALL, ALL, ALL, ALL, -1, ANY_FORM]])
"""The goal of a closed hand: any winning form."""
TOITOI_GOAL: Goals = np.array([[ALL, ALL, ALL, ALL, -1, TRIPLETS_AND_PAIR]])
"""Triplets and a pair."""

_SUIT_OF_KIND = np.arange(KINDS) // 9
_FIRST_KEYS = np.array([0, 0, 0, FIRST_HONOUR_KEY])
_FIELD = 15


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
    """
    if goals is CLOSED:
        return _closed_shanten(kinds)
    return int(shantens(suit_keys(kinds), Target(len(kinds) // 3, goals)))


def _closed_shanten(kinds: Sequence[int]) -> int:
    """The same for one closed hand with Python's numbers: a fifth of the time of arrays of one."""
    tables, keys = shanten_tables(), [0, 0, 0, FIRST_HONOUR_KEY]
    for kind in kinds:
        keys[kind // 9] += 5 ** (kind % 9)
    manzu, pinzu, souzu, honours = map(tables.rows.item, keys)
    pairs, sets = tables.pairs.item, len(kinds) // 3
    missing = tables.missing[sets].item(pairs(manzu, pinzu), pairs(souzu, honours))
    if sets == SETS:
        counts = sum(map(tables.counts.item, keys))
        missing = min(missing, _missing_for_other_forms().item(counts & 0xFFFF))
    return int(missing) - 1


def useful(kinds: Sequence[int], goals: Goals = CLOSED) -> list[int]:
    """The kinds that lower the shanten of 3n + 1 tiles, but for those with four copies in hand."""
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
    by_goal = [_tiles_missing(keys, target.sets, goal) for goal in target.goals.tolist()]
    return np.asarray(reduce(np.minimum, by_goal) - 1, np.int64)


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

    def at(self) -> Ints:
        """The changed suits as flat indices in (n, 4) arrays; `^ 1` is the other of two suits."""
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
    goals = target.goals.tolist()
    by_goal = [_tiles_missing_after(keys, changes, target.sets, goal) for goal in goals]
    return np.asarray(reduce(np.minimum, by_goal) - 1, np.int64)


def _tiles_missing_after(keys: Keys, changes: Changes, sets: int, goal: Sequence[int]) -> Ints:
    """Tiles that hands lack for a goal after changes, (changes,)."""
    *codes, triplet, form = goal
    if form == TRIPLETS_AND_PAIR:
        return _missing_for_triplets(_counts_after(keys, changes), sets)
    (hands, kinds, step), at = changes, changes.at()
    tables, before = shanten_tables(), _counted(keys, codes) + _FIRST_KEYS
    rows = tables.rows[before].astype(np.int64)
    after = tables.rows[before.take(at) + step * _counted_powers(*codes)[kinds]]
    changed = _cell(tables.pairs, rows.take(at ^ 1), after)
    unchanged = tables.pairs[rows[:, 2::-2], rows[:, 3::-2]].take(at >> 1)

    def triplet_copies() -> Ints:
        held = keys[hands, 3] // POWERS[triplet] % 5
        return np.asarray(held + step * (kinds == EAST + triplet))

    counts = partial(_counts_after, keys, changes)
    return _missing(changed, unchanged, sets, goal, triplet_copies=triplet_copies, counts=counts)


def _missing(
    first: Ints,
    second: Ints,
    sets: int,
    goal: Sequence[int],
    *,
    triplet_copies: Callable[[], Ints],
    counts: Callable[[], Ints],
) -> Ints:
    """Tiles missing, (…,), by the combinations of two suits each.

    The copies of the goal's triplet, and the counts of the hands, are computed where they matter.
    """
    tables, (*_, triplet, form) = shanten_tables(), goal
    if triplet >= 0:
        missing = _cell(tables.missing[sets - 1], first, second) if sets else ABSENT
        wanted = np.maximum(3 - triplet_copies(), 0)
        return np.asarray(np.minimum(missing + wanted, ABSENT + 1), np.int64)
    missing = _cell(tables.missing[sets], first, second)
    if form == ANY_FORM and sets == SETS:
        missing = np.minimum(missing, _missing_for_other_forms()[counts() & 0xFFFF])
    return np.asarray(missing, np.int64)


def _cell(table: npt.NDArray[Any], rows: Ints, columns: Ints) -> npt.NDArray[Any]:
    """`table[rows, columns]` of a square table, in half the time."""
    return table.take(rows.astype(np.int64) * len(table) + columns)


@lru_cache(maxsize=256)
def _counted_powers(*codes: int) -> Ints:
    """The key of a tile in its suit, by kind, (34,); 0 for those that a goal ignores."""
    return read_only(_counted(KIND_KEYS, codes).sum(axis=1))


def _counts_after(keys: Keys, changes: Changes) -> Ints:
    """The counts of hands after changes, (changes,)."""
    at, counts = changes.at(), shanten_tables().counts
    before = keys + _FIRST_KEYS
    of_suits = counts[before]
    rest = of_suits.sum(axis=1, keepdims=True) - of_suits
    after = counts[before.take(at) + changes.step * POWERS[changes.kinds]]
    return np.asarray(rest.take(at) + after)


def _tiles_missing(keys: Keys, sets: int, goal: Sequence[int]) -> Ints:
    """Tiles that hands lack for a goal, (…,)."""
    *codes, triplet, form = goal
    if form == TRIPLETS_AND_PAIR:
        return _missing_for_triplets(_counts(keys), sets)
    tables = shanten_tables()
    rows = tables.rows[_counted(keys, codes) + _FIRST_KEYS]
    first = tables.pairs[rows[..., 0], rows[..., 1]]
    second = tables.pairs[rows[..., 2], rows[..., 3]]

    def triplet_copies() -> Ints:
        return np.asarray(keys[..., 3] // POWERS[triplet] % 5)

    counts = partial(_counts, keys)
    return _missing(first, second, sets, goal, triplet_copies=triplet_copies, counts=counts)


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


def _counts(keys: Keys) -> Ints:
    """The counts of hands (`PAIRS` …), (…,)."""
    return np.asarray(shanten_tables().counts[keys + _FIRST_KEYS].sum(axis=-1))


@cache
def _missing_for_other_forms() -> Int8s:
    """Tiles missing for chiitoitsu or for kokushi musou, by the lowest four counts, (2**16,)."""
    counts = np.arange(1 << 16)
    pairs, distinct = counts >> PAIRS & _FIELD, counts >> DISTINCT & _FIELD
    yaochu, yaochu_pairs = counts >> YAOCHU & _FIELD, counts >> YAOCHU_PAIRS & _FIELD
    seven_pairs = 7 - pairs + np.maximum(7 - distinct, 0)
    kokushi = 14 - yaochu - np.minimum(yaochu_pairs, 1)
    return np.asarray(np.minimum(seven_pairs, kokushi), np.int8)


def _missing_for_triplets(counts: Ints, sets: int) -> Ints:
    """Tiles missing for triplets and a pair."""
    pairs, distinct = counts >> PAIRS & _FIELD, counts >> DISTINCT & _FIELD
    triplets = counts >> TRIPLETS & _FIELD
    wanted = np.maximum(sets - triplets, 0)
    spare = pairs - np.minimum(sets, triplets)
    lacking = 2 * wanted - np.minimum(spare, wanted) - (spare > wanted)
    return np.asarray(lacking + np.maximum(sets + 1 - distinct, 0) + 1)
