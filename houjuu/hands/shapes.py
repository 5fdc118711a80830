"""All concealed hands of 1, 4 and 7 tiles that are tenpai (Kurita & Hoki 2017, section 5.2).

Every complete hand is some sets and a pair; taking one tile away leaves a shape that waits for it.
All of that (`houjuu.hands.readings`) gives every shape, some more than once. Readings that win a
shape on the same kind are one *win*. A wait on a fifth copy (空聴) is no wait.

| tiles | shapes | wins | readings |
|---|---|---|---|
| 1 | 34 | 34 | 34 |
| 4 | 3,756 | 5,037 | 5,100 |
| 7 | 148,809 | 217,194 | 224,502 |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from houjuu.errors import Error
from houjuu.hands.readings import Readings, readings
from houjuu.hands.sets import Bools, Bytes, Indices, Masks, combinations
from houjuu.tiles import KINDS, SUIT

Codes = npt.NDArray[np.int64]

_RANKS = 9
_CODE = 5  # a suit's counts, 0–4 of each rank, are the digits of a code
_PLACE: Codes = np.array([_CODE**rank for rank in range(_RANKS)])


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Tenpai shapes, n of them, and their wins, w of them.

    Shapes are sorted by waits, forms and suits (honours aside), wins by shape and kind.

    A *cell* is a complete hand and how it was completed, as an index into the raveled array
    (completions, combinations, 34 pairs) that `houjuu.hands.score` fills.

    Attributes
    ----------
    tiles : int
        Concealed tiles: 1, 4 or 7.
    patterns : (p, 9) uint8
        The different holdings of one suit, 0–4 of each rank. Honours use the first seven ranks.
    suit_pattern : (4, n) intp
        The pattern that each shape holds in manzu, pinzu, souzu and honours.
    waits : (n,) uint64
        Bit h where the shape waits for kind h.
    forms : (n,) uint8
        Bits of its forms of wait.
    suits : (n,) uint8
        Bits 0–2 for the suits, 3 for the honours, that it holds.
    first_win : (n,) intp
        Index of the shape's first win.
    win_shape : (w,) intp
    win_kind : (w,) uint8
        The winning kind, 0–33.
    win_forms : (w,) uint8
        Bits of the forms of wait with which it wins on this kind.
    cell : (w,) intp
        A reading of each win.
    other_cells : tuple of (wins, cells)
        The second readings, the third ones and so on.
    """

    tiles: int
    patterns: Bytes
    suit_pattern: Indices
    waits: Masks
    forms: Bytes
    suits: Bytes
    first_win: Indices
    win_shape: Indices
    win_kind: Bytes
    win_forms: Bytes
    cell: Indices
    other_cells: tuple[tuple[Indices, Indices], ...]

    def __len__(self) -> int:
        """How many shapes there are."""
        return len(self.waits)

    def held(self) -> Bytes:
        """Tiles of every kind in every shape, (n, 34) uint8."""
        by_suit = [self.patterns[of_suit] for of_suit in self.suit_pattern]
        return np.concatenate(by_suit, axis=1)[:, :KINDS]


@cache
def shapes(tiles: int) -> Shapes:
    """All tenpai shapes of so many concealed tiles; built once.

    Parameters
    ----------
    tiles : int
        1, 4 or 7: the concealed part beside four, three and two melds.

    Examples
    --------
    >>> len(shapes(1)), len(shapes(4))
    (34, 3756)
    """
    if tiles not in (1, 4, 7):
        raise Error(f"shapes have 1, 4 or 7 concealed tiles, not {tiles}")
    found = readings(tiles // 3)
    codes = _codes(found, tiles // 3)
    patterns, index = _patterns(codes)
    suit_pattern = index[codes]
    key = suit_pattern[0]
    for of_suit in suit_pattern[1:]:
        key = key * len(patterns) + of_suit
    shape = _in_order(found, suit_pattern > 0, key)
    return _assemble(tiles, found, patterns, suit_pattern, shape * KINDS + found.kind)


def _in_order(found: Readings, suits: Bools, key: Codes) -> Indices:
    """Number of each reading's shape, shapes with the same key being one."""
    _, first, shape = np.unique(key, return_index=True, return_inverse=True)
    waits, forms = np.zeros(len(first), np.uint64), np.zeros(len(first), np.uint8)
    np.bitwise_or.at(waits, shape, np.uint64(1) << found.kind.astype(np.uint64))
    np.bitwise_or.at(forms, shape, found.form.astype(np.uint8))
    order = np.lexsort((*suits[:3, first], forms, waits))
    number = np.empty(len(order), np.intp)
    number[order] = np.arange(len(order))
    return number[shape]


def _codes(found: Readings, number: int) -> Codes:
    """What each reading holds before the win, as a code a suit, (4, readings)."""
    place = np.zeros((4, KINDS), np.int64)
    for kind in range(KINDS):
        place[SUIT[kind], kind] = _PLACE[kind % _RANKS]
    sets: Codes = place @ combinations(number).counts.T
    return sets[:, found.combination] + 2 * place[:, found.pair] - place[:, found.kind]


def _patterns(codes: Codes) -> tuple[Bytes, Codes]:
    """The different codes written out, (p, 9), and by code the index of each among them."""
    used = np.zeros(_CODE**_RANKS, np.bool_)
    used[codes] = True
    different = np.flatnonzero(used)
    index = np.zeros(len(used), np.int64)
    index[different] = np.arange(len(different))
    return (different[:, None] // _PLACE % _CODE).astype(np.uint8), index


def _assemble(
    tiles: int, found: Readings, patterns: Bytes, suit_pattern: Codes, key: Codes
) -> Shapes:
    """Merge readings into wins by their key, shape * 34 + winning kind, and wins into shapes."""
    order = np.argsort(key, kind="stable")
    key = key[order]
    first_reading = np.flatnonzero(np.diff(key, prepend=-1))
    win_key = key[first_reading]
    first_win = np.flatnonzero(np.diff(win_key // KINDS, prepend=-1))
    one = order[first_reading]  # a reading of each win
    kind = found.kind[one].astype(np.uint8)
    win_forms = np.bitwise_or.reduceat(found.form[order].astype(np.uint8), first_reading)
    of_shape = suit_pattern[:, one[first_win]].astype(np.intp)
    cells = _cells(found, len(combinations(tiles // 3).sets))
    return Shapes(
        tiles=tiles,
        patterns=patterns,
        suit_pattern=of_shape,
        waits=np.bitwise_or.reduceat(np.uint64(1) << kind.astype(np.uint64), first_win),
        forms=np.bitwise_or.reduceat(win_forms, first_win),
        suits=np.packbits((patterns.sum(axis=1) > 0)[of_shape], axis=0, bitorder="little")[0],
        first_win=first_win,
        win_shape=np.repeat(np.arange(len(first_win)), np.diff(first_win, append=len(win_key))),
        win_kind=kind,
        win_forms=win_forms,
        cell=cells[one],
        other_cells=_other_cells(cells[order], first_reading),
    )


def _cells(found: Readings, number: int) -> Indices:
    return (found.completion * number + found.combination) * KINDS + found.pair


def _other_cells(cells: Indices, first: Indices) -> tuple[tuple[Indices, Indices], ...]:
    """Layer by layer, the wins that have a second, third, … reading, and its cell."""
    many = np.diff(first, append=len(cells))
    layers = []
    for nth in range(1, int(many.max())):
        wins = np.flatnonzero(many > nth)
        layers.append((wins, cells[first[wins] + nth]))
    return tuple(layers)
