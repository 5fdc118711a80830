"""All concealed tenpai hands of 1, 4 and 7 tiles, one by one, with their waits and scores.

`houjuu.hands` sums over these hands without enumerating them. Here they are enumerated, from all
complete hands less one tile, to compare its sums and scores with them. A wait for a fifth copy
(空聴) does not count.

| tiles | shapes | wins | completions |
|---|---|---|---|
| 1 | 34 | 34 | 34 |
| 4 | 3,756 | 5,037 | 5,100 |
| 7 | 148,809 | 217,194 | 224,502 |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import COPIES, KIND, KINDS, RANKS, SUIT
from houjuu.hands.completions import COMPLETION_TYPES, NARROW, RYANMEN, TANKI, extends, wins_on
from houjuu.hands.hand_grid import HandGrid, ScoringContext
from houjuu.hands.points import add_han, better_codes
from houjuu.hands.score import base_codes
from houjuu.hands.sets import SETS, Combinations, Indices, Masks
from houjuu.util.arrays import Bools, Ints, UInt8s

_BASE = 5  # the counts of a suit, 0–4 of each rank, are the digits of a code
_DIGIT: Ints = np.array([_BASE**rank for rank in range(RANKS)])


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Arrays of n tenpai shapes and their w wins.

    Shapes are sorted by waits, forms and suits without honours, wins by shape and kind.

    A *cell* is a complete hand with a type of completion: an index into the raveled array
    (completion types, combinations, 34 pairs) of `score`.

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


class Completions(NamedTuple):
    """All ways in which one tile completes concealed sets and a pair, (n,) each."""

    combination: Indices
    pair: Indices
    kind: Indices
    completion_type: Indices
    form: Indices


@cache
def combinations(n_sets: int) -> Combinations:
    """All 1, 55 or 1,540 combinations of 0, 1 or 2 sets, impossible ones included."""
    rows = list(combinations_with_replacement(range(SETS), n_sets))
    return Combinations.from_rows(np.array(rows, np.intp).reshape(len(rows), n_sets))


def completions(n_sets: int) -> Completions:
    """All completions with this number of concealed sets, without those with five of a kind."""
    rows = [
        (row, pair, *win)
        for row, sets in enumerate(combinations(n_sets).sets.tolist())
        for pair in range(KINDS)
        for win in _wins(sets, pair)
    ]
    columns = Completions(*np.array(rows, np.intp).T)
    counts = combinations(n_sets).counts[:, None] + 2 * np.eye(KINDS, dtype=np.intp)
    possible = (counts.max(axis=2) <= COPIES)[columns.combination, columns.pair]
    return Completions(*(column[possible] for column in columns))


def _wins(sets: list[int], pair: int) -> list[tuple[int, int, int]]:
    of_sets = [win for set_ in dict.fromkeys(sets) for win in wins_on(set_)]
    extends_run = any(extends(pair, set_) for set_ in sets)
    return [*of_sets, (pair, NARROW, RYANMEN if extends_run else TANKI)]


@cache
def shapes(tiles: int) -> Shapes:
    """All tenpai shapes of a number of concealed tiles; the result is cached.

    Parameters
    ----------
    tiles : int
        1, 4 or 7: the concealed tiles of a hand with four, three or two melds.

    Examples
    --------
    >>> len(shapes(1)), len(shapes(4))
    (34, 3756)
    """
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
        digit[SUIT[kind], kind] = _DIGIT[kind % RANKS]
    sets: Ints = digit @ combinations(n_sets).counts.T
    pairs, wins = digit[:, completions.pair], digit[:, completions.kind]
    return sets[:, completions.combination] + 2 * pairs - wins


def _patterns(codes: Ints) -> tuple[UInt8s, Ints]:
    """Patterns of the distinct codes, (p, 9), and the index of the pattern by code."""
    used = np.zeros(_BASE**RANKS, np.bool_)
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


def score(shapes: Shapes, context: ScoringContext) -> UInt8s:
    """Score codes of all wins, (w,).

    Red fives among the concealed tiles and the winning tile count only if the context gives their
    number. 0 if the win has no yaku, or if hand and melds contain all copies of the winning kind.
    """
    concealed = combinations(shapes.tiles // 3)
    base = base_codes(HandGrid.from_sets(context, concealed, np.arange(KINDS)))
    dora = np.bincount(context.dora, minlength=KINDS)
    melded = np.bincount([KIND[tile] for tile in context.meld_tiles], minlength=KINDS)
    counts = concealed.counts + melded
    possible = (counts.max(axis=1) <= COPIES)[:, None] & (counts <= COPIES - 2)
    bonus = (concealed.counts @ dora + context.bonus)[:, None] + 2 * dora
    cell_codes = (add_han(base, np.minimum(bonus, YAKUMAN_HAN)) * possible).ravel()
    assert len(cell_codes) == COMPLETION_TYPES * possible.size
    codes: UInt8s = cell_codes.take(shapes.cell)
    for wins, cells in shapes.other_cells:
        codes[wins] = better_codes(codes[wins], cell_codes[cells])
    return codes
