"""Tables for the shanten of many hands at once.

The tiles of a suit make a number in base five, the suit's key: each digit is the copies of a rank.
A row contains the missing tiles for 0–4 sets, without and with a pair. The 1,953,125 keys of a
suit and the 78,125 keys of the honours have only 130 different rows. Two suits together have 180.
So four lookups of rows, two of pairs of rows and one of both pairs give the shanten of a hand.

The hand 1123m 456p lacks one tile of two sets and a pair:

>>> tables = shanten_tables()
>>> keys = [2 + 5 + 25, 125 + 625 + 3125, 0, FIRST_HONOUR_KEY]  # 1123m, 456p, no souzu, no honours
>>> manzu, pinzu, souzu, honours = tables.rows[keys]
>>> int(tables.missing[2, tables.pairs[manzu, pinzu], tables.pairs[souzu, honours]])
1

The rows are computed rank by rank. A state contains the missing tiles for the ranks so far, by the
number of sets, the pair, and the numbers of runs that began at each of the last two ranks. Keys
with the same state are equivalent from there on.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import COPIES
from houjuu.util.arrays import Int8s, Ints, UInt8s

SETS = 4
ABSENT = 14
"""A number of missing tiles, and a shanten, higher than that of any hand."""

FIRST_HONOUR_KEY = 5**9
"""Index in the tables of the key 0 of the honours; the keys of a suit come before it."""

PAIRS, DISTINCT, YAOCHU, YAOCHU_PAIRS, TRIPLETS = range(0, 20, 4)
"""First bits of the counts of a suit, four bits each: kinds held twice or more, kinds held,
terminals and honours held, and those held twice or more, kinds held three times or more."""

_RUNS = 3
"""0–2 equal runs are counted: three are the same tiles as three triplets."""


class ShantenTables(NamedTuple):
    """The tables.

    Attributes
    ----------
    rows : (5**9 + 5**7,)
        Number of the row, by key.
    counts : (5**9 + 5**7,)
        The counts (`PAIRS` …), by key. Those of the suits of a hand may be added.
    pairs : (130, 130)
        Number of the combination of two rows.
    missing : (5, 180, 180)
        Tiles missing for 0–4 sets and a pair, by the combinations of two suits each.
    """

    rows: UInt8s
    counts: npt.NDArray[np.int32]
    pairs: UInt8s
    missing: Int8s


@cache
def shanten_tables() -> ShantenTables:
    """The tables; the first call takes a tenth of a second."""
    suit_keys, suit_rows = _rows(9, longest_run=3)
    honour_keys, honour_rows = _rows(7, longest_run=0)
    rows, number = _distinct(np.concatenate((suit_rows, honour_rows)))
    by_key = np.concatenate((suit_keys, honour_keys + len(suit_rows)))
    combinations, pairs = _distinct(_combined(rows).reshape(-1, *rows.shape[1:]))
    return ShantenTables(
        rows=number.astype(np.uint8)[by_key],
        counts=np.concatenate((_counts(9, (0, 8)), _counts(7, range(7)))),
        pairs=pairs.reshape(len(rows), len(rows)).astype(np.uint8),
        missing=np.ascontiguousarray(np.moveaxis(_combined(combinations)[..., 1], -1, 0)),
    )


def _rows(ranks: int, longest_run: int) -> tuple[Ints, Int8s]:
    """The number of the row of each key, and the rows, (rows, 5, 2)."""
    states = np.full((1, SETS + 1, 2, _RUNS, _RUNS), ABSENT, np.int8)
    states[0, 0, 0, 0, 0] = 0
    state_of_key = np.zeros(1, np.intp)
    for rank in range(ranks):
        runs = _RUNS if rank + longest_run <= ranks and longest_run else 1
        after = _with_rank(states, runs)
        states, number = _distinct(after.reshape(-1, *states.shape[1:]))
        # The copies of the new rank are the highest digit of the key.
        state_of_key = number.reshape(COPIES + 1, -1)[:, state_of_key].ravel()
    return state_of_key, states[:, :, :, 0, 0]


def _with_rank(states: Int8s, runs: int) -> Int8s:
    """The states after 0–4 copies of the next rank, (5, states, …), where so many runs begin."""
    after = np.full((COPIES + 1, *states.shape), ABSENT, np.int8)
    for earlier, last, begun, triplet, pair in product(
        range(_RUNS), range(_RUNS), range(runs), range(2), range(2)
    ):
        # A run that began at one of the last two ranks needs a tile of this rank too.
        needed = earlier + last + begun + 3 * triplet + 2 * pair
        if needed <= COPIES:
            missing = np.maximum(needed - np.arange(COPIES + 1), 0).astype(np.int8)
            sets = begun + triplet
            before = states[:, : SETS + 1 - sets, : 2 - pair, earlier, last]
            best = after[:, :, sets:, pair:, last, begun]
            np.minimum(best, before + missing[:, None, None, None], out=best)
    return after


def _combined(rows: Int8s) -> Int8s:
    """The tiles that two groups of suits together lack, (rows, rows, 5, 2)."""
    combined = np.full((len(rows), *rows.shape), ABSENT, np.int8)
    for sets in range(SETS + 1):
        for first_sets in range(sets + 1):
            for first_pair, second_pair in ((0, 0), (0, 1), (1, 0)):
                best = combined[:, :, sets, first_pair + second_pair]
                first = rows[:, None, first_sets, first_pair]
                np.minimum(best, first + rows[:, sets - first_sets, second_pair], out=best)
    return combined


def _counts(ranks: int, yaochu: Collection[int]) -> npt.NDArray[np.int32]:
    """The counts of each key, (5**ranks,)."""
    counts = np.zeros(1, np.int32)
    copies = np.arange(COPIES + 1, dtype=np.int32)
    any_copy = (copies >= 1).astype(np.int32)
    pairs = (copies >= 2).astype(np.int32)
    triplets = (copies >= 3).astype(np.int32)
    simple = (pairs << PAIRS) + (any_copy << DISTINCT) + (triplets << TRIPLETS)
    outer = simple + (any_copy << YAOCHU) + (pairs << YAOCHU_PAIRS)
    for rank in range(ranks):
        # The copies of the new rank are the highest digit of the key.
        counts = ((outer if rank in yaochu else simple)[:, None] + counts).ravel()
    return counts


def _distinct(arrays: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Ints]:
    """The distinct arrays of a batch, and the number of each."""
    flat = np.ascontiguousarray(arrays.reshape(len(arrays), -1))
    rows, number = np.unique(flat.view(f"V{flat.shape[1]}").ravel(), return_inverse=True)
    return rows.view(arrays.dtype).reshape(-1, *arrays.shape[1:]), number
