"""Tenpai shapes: all concealed tenpai hands of 1, 4 and 7 tiles (Kurita & Hoki 2017, section 5.2).

A complete hand consists of sets and a pair. Without one tile it is a shape that waits for this
tile. All completions (`houjuu.hands.completions`) give all shapes, some several times. The
completions of one shape by one kind are one *win*. A wait for a fifth copy (空聴) does not count.

| tiles | shapes | wins | completions |
|---|---|---|---|
| 1 | 34 | 34 | 34 |
| 4 | 3,756 | 5,037 | 5,100 |
| 7 | 148,809 | 217,194 | 224,502 |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from houjuu.arrays import Bools, Ints, UInt8s
from houjuu.errors import Error
from houjuu.hands.completions import Completions, completions
from houjuu.hands.sets import Indices, Masks, combinations
from houjuu.tiles import KINDS, SUIT

_RANKS = 9
_BASE = 5  # the counts of a suit, 0–4 of each rank, are the digits of a code
_DIGIT: Ints = np.array([_BASE**rank for rank in range(_RANKS)])


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Arrays of n tenpai shapes and their w wins.

    Shapes are sorted by waits, forms and suits without honours, wins by shape and kind.

    A *cell* is a complete hand with a type of completion: an index into the raveled array
    (completion types, combinations, 34 pairs) of `houjuu.hands.score`.

    Attributes
    ----------
    tiles : int
        Concealed tiles: 1, 4 or 7.
    patterns : (p, 9) uint8
        The distinct patterns of one suit: 0–4 tiles of each rank. Honours use the first 7 ranks.
    suit_pattern : (4, n) intp
        Index of the pattern of each shape in manzu, pinzu, souzu and honours.
    waits : (n,) uint64
        Bit h if the shape waits for kind h.
    forms : (n,) uint8
        Bits of its wait forms (`houjuu.hands.completions`).
    suits : (n,) uint8
        Bits 0–2 for the suits of its tiles, 3 for honours.
    first_win : (n,) intp
        Index of the shape's first win.
    win_kind : (w,) uint8
        The winning kind, 0–33.
    cell : (w,) intp
        First completion of each win.
    other_cells : tuple of (wins, cells)
        The second completions of the wins that have several, then the third ones, and so on.
    """

    tiles: int
    patterns: UInt8s
    suit_pattern: Indices
    waits: Masks
    forms: UInt8s
    suits: UInt8s
    first_win: Indices
    win_kind: UInt8s
    cell: Indices
    other_cells: tuple[tuple[Indices, Indices], ...]

    def __len__(self) -> int:
        """Number of shapes."""
        return len(self.waits)

    def counts(self) -> UInt8s:
        """Tiles of each kind in each shape, (n, 34) uint8."""
        by_suit = [self.patterns[index] for index in self.suit_pattern]
        return np.concatenate(by_suit, axis=1)[:, :KINDS]


@cache
def shapes(tiles: int) -> Shapes:
    """All tenpai shapes of a number of concealed tiles; the result is cached.

    Parameters
    ----------
    tiles : int
        1, 4 or 7: the concealed tiles of a hand with four, three or two melds.

    Raises
    ------
    Error
        The number is not 1, 4 or 7.

    Examples
    --------
    >>> len(shapes(1)), len(shapes(4))
    (34, 3756)
    """
    if tiles not in (1, 4, 7):
        raise Error(f"tenpai shapes have 1, 4 or 7 concealed tiles, not {tiles}")
    all_completions = completions(tiles // 3)
    codes = _codes(all_completions, tiles // 3)
    patterns, index = _patterns(codes)
    suit_pattern = index[codes]
    key = suit_pattern[0]
    for index in suit_pattern[1:]:
        key = key * len(patterns) + index
    shape = _shape_index(all_completions, suit_pattern > 0, key)
    win_key = shape * KINDS + all_completions.kind
    return _assemble(tiles, all_completions, patterns, suit_pattern, win_key)


def _shape_index(completions: Completions, suits: Bools, key: Ints) -> Indices:
    """Index of the shape of each completion, in the order of `Shapes`; equal keys, equal shape."""
    _, first, shape = np.unique(key, return_index=True, return_inverse=True)
    waits, forms = np.zeros(len(first), np.uint64), np.zeros(len(first), np.uint8)
    np.bitwise_or.at(waits, shape, np.uint64(1) << completions.kind.astype(np.uint64))
    np.bitwise_or.at(forms, shape, completions.form.astype(np.uint8))
    order = np.lexsort((*suits[:3, first], forms, waits))
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return rank[shape]


def _codes(completions: Completions, n_sets: int) -> Ints:
    """Codes of the tiles of each completion before the win, one a suit, (4, completions)."""
    digit = np.zeros((4, KINDS), np.int64)
    for kind in range(KINDS):
        digit[SUIT[kind], kind] = _DIGIT[kind % _RANKS]
    sets: Ints = digit @ combinations(n_sets).counts.T
    pairs, wins = digit[:, completions.pair], digit[:, completions.kind]
    return sets[:, completions.combination] + 2 * pairs - wins


def _patterns(codes: Ints) -> tuple[UInt8s, Ints]:
    """Patterns of the distinct codes, (p, 9), and the index of the pattern by code."""
    used = np.zeros(_BASE**_RANKS, np.bool_)
    used[codes] = True
    distinct = np.flatnonzero(used)
    index = np.zeros(len(used), np.int64)
    index[distinct] = np.arange(len(distinct))
    return (distinct[:, None] // _DIGIT % _BASE).astype(np.uint8), index


def _assemble(
    tiles: int, completions: Completions, patterns: UInt8s, suit_pattern: Ints, key: Ints
) -> Shapes:
    """Merge completions into wins by their key, shape * 34 + winning kind, and wins into shapes."""
    order = np.argsort(key, kind="stable")
    key = key[order]
    first_completion = np.flatnonzero(np.diff(key, prepend=-1))
    win_key = key[first_completion]
    first_win = np.flatnonzero(np.diff(win_key // KINDS, prepend=-1))
    representative = order[first_completion]  # the first completion of each win
    kind = completions.kind[representative].astype(np.uint8)
    win_forms = np.bitwise_or.reduceat(completions.form[order].astype(np.uint8), first_completion)
    shape_pattern = suit_pattern[:, representative[first_win]].astype(np.intp)
    cells = _cells(completions, len(combinations(tiles // 3).sets))
    return Shapes(
        tiles=tiles,
        patterns=patterns,
        suit_pattern=shape_pattern,
        waits=np.bitwise_or.reduceat(np.uint64(1) << kind.astype(np.uint64), first_win),
        forms=np.bitwise_or.reduceat(win_forms, first_win),
        suits=np.packbits((patterns.sum(axis=1) > 0)[shape_pattern], axis=0, bitorder="little")[0],
        first_win=first_win,
        win_kind=kind,
        cell=cells[representative],
        other_cells=_other_cells(cells[order], first_completion),
    )


def _cells(completions: Completions, n_combinations: int) -> Indices:
    hand = completions.completion_type * n_combinations + completions.combination
    return hand * KINDS + completions.pair


def _other_cells(cells: Indices, first: Indices) -> tuple[tuple[Indices, Indices], ...]:
    """The wins with a second completion and its cells, those with a third one, and so on."""
    n_completions = np.diff(first, append=len(cells))
    layers = []
    for nth in range(1, int(n_completions.max())):
        wins = np.flatnonzero(n_completions > nth)
        layers.append((wins, cells[first[wins] + nth]))
    return tuple(layers)
