"""The scores of waiting parts with all classes of the rest of the hand.

The rest of a hand are the sets and the pair that a waiting part needs in other suits. A *column* is
a class of rests: the classes of its sets and its pair (`houjuu.hands.set_classes`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import COPIES, KINDS, SUIT
from houjuu.hands.completions import NO_SET
from houjuu.hands.merging import Keys, merge, random_keys, vector_keys
from houjuu.hands.points import better_codes
from houjuu.hands.set_classes import SetClasses, melded_copies
from houjuu.hands.sets import SET_SUIT, Indices
from houjuu.hands.suit_parts import SUITS, WaitingParts
from houjuu.util.arrays import Bools, UInt8s

_SUIT_OF_KIND: Indices = np.array(SUIT)
_KIND_KEYS = random_keys(KINDS)
_WAITS_KEY, _GOOD_KEY, _TILES_KEY, _LIVE_KEY = random_keys(4)
_ALTERNATIVE_KEYS = random_keys(3)


class Columns(NamedTuple):
    """Offsets (`SetClasses`) and bits of the suits of all classes of rests with some tiles, (r,).

    The index of a column is the class of its set or pair; with two sets, or a set and a pair, it is
    the class of the first times the number of classes of the second, plus the second.
    """

    offset: Indices
    suits: Indices


class Junction(NamedTuple):
    """The scores of the waiting parts with one number of tiles.

    Attributes
    ----------
    tiles, rest_tiles : int
        Number of tiles of the waiting part and of the rest.
    column_key : (4, r) uint64
        By suit of the waiting part, equal for columns with equal scores.
    """

    tiles: int
    rest_tiles: int
    column_key: Keys


@dataclass(frozen=True, slots=True, eq=False)
class WaitingScores:
    """The scores of p waiting parts and w wins (`houjuu.hands.suit_parts`).

    Attributes
    ----------
    junctions : list of Junction
        By number of tiles, ascending.
    is_live : (p,) bool
        Whether the part waits for a kind of which hand and melds do not have all copies.
    part_key : (p,) uint64
        Equal for parts with equal waits, forms and scores.
    yaku_key : (p,) uint64
        Equal for parts that have a yaku with the same columns.
    win_key : (w,) uint64
        Equal for wins with equal scores; 0 without a yaku in any column.
    codes : (n,) uint8
        Score codes without dora.
    win_row : (w,) intp
        Place of the codes of each win: one for each column.
    has_yaku : (m,) bool
    yaku_row : (p,) intp
        Place in `has_yaku` of each part: one for each column.
    """

    junctions: list[Junction]
    is_live: Bools
    part_key: Keys
    yaku_key: Keys
    win_key: Keys
    codes: UInt8s
    win_row: Indices
    has_yaku: Bools
    yaku_row: Indices

    @classmethod
    def of(cls, waiting: WaitingParts, classes: SetClasses, n_sets: int) -> WaitingScores:
        """The scores of all waiting parts in hands with a number of concealed sets."""
        melded = melded_copies(classes.context)
        live = waiting.win_copies + melded[waiting.win_kind] < COPIES
        blocks = [
            _Block.of(waiting, classes, n_sets, live, tiles)
            for tiles in (1, 2, 4, 5, 7)
            if tiles <= 3 * n_sets + 1
        ]
        win_key = np.concatenate([block.row_key[block.row] for block in blocks])
        part_key = np.add.reduceat(win_key * _KIND_KEYS[waiting.win_kind], waiting.first_win)
        part_key += waiting.waits * _WAITS_KEY + waiting.good * _GOOD_KEY
        part_key += (2 * waiting.tiles + waiting.is_complete).astype(np.uint64) * _TILES_KEY
        return cls(
            junctions=[block.junction for block in blocks],
            is_live=np.logical_or.reduceat(live, waiting.first_win),
            part_key=part_key,
            yaku_key=np.concatenate([vector_keys(block.has_yaku) for block in blocks]),
            win_key=win_key,
            codes=np.concatenate([block.codes.ravel() for block in blocks]),
            win_row=_places([block.codes for block in blocks], [block.row for block in blocks]),
            has_yaku=np.concatenate([block.has_yaku.ravel() for block in blocks]),
            yaku_row=_places(
                [block.has_yaku for block in blocks],
                [np.arange(len(block.has_yaku)) for block in blocks],
            ),
        )


def _places(tables: list[UInt8s] | list[Bools], rows: list[Indices]) -> Indices:
    """Places of rows of several tables in all tables, raveled."""
    starts = np.cumsum([0, *(table.size for table in tables)]).tolist()
    parts = zip(starts, tables, rows, strict=False)
    return np.concatenate([start + row * table.shape[1] for start, table, row in parts])


class _Block(NamedTuple):
    """A junction, and the scores of its wins: rows of `codes` with keys, and yaku by part."""

    junction: Junction
    row: Indices
    codes: UInt8s
    row_key: Keys
    has_yaku: Bools

    @classmethod
    def of(
        cls, waiting: WaitingParts, classes: SetClasses, n_sets: int, live: Bools, tiles: int
    ) -> _Block:
        rest_tiles = 3 * n_sets + 1 - tiles
        parts = slice(*np.searchsorted(waiting.tiles, [tiles, tiles + 1]).tolist())
        wins = slice(*np.searchsorted(waiting.win_part, [parts.start, parts.stop]).tolist())
        offsets = _offsets(waiting, classes, n_sets, tiles, wins)
        live = live[wins]
        suit = waiting.suit[waiting.win_part[wins]]
        if rest_tiles:
            key = _LIVE_KEY * live
            for alternative, factor in zip(offsets, _ALTERNATIVE_KEYS, strict=True):
                key += alternative.astype(np.uint64) * factor
            merged = merge(key, suit)
            first, row = merged.representatives, merged.run
            offsets, live, suit = offsets[:, first], live[first], suit[first]
        else:
            row = np.arange(len(live))
        columns = columns_of(classes, n_sets, rest_tiles)
        codes = _best_codes(classes, offsets, columns.offset)
        codes *= (columns.suits >> suit[:, None] & 1 == 0) & live[:, None]
        column_key = np.zeros((SUITS, codes.shape[1]), np.uint64)
        if rest_tiles:
            for own_suit in range(SUITS):
                own = slice(*np.searchsorted(suit, [own_suit, own_suit + 1]).tolist())
                column_key[own_suit] = vector_keys(codes[own].T)
        first_win = waiting.first_win[parts] - wins.start
        has_yaku = _any_of_runs((codes > 0)[row], first_win)
        return cls(
            Junction(tiles, rest_tiles, column_key), row, codes, vector_keys(codes), has_yaku
        )


def _any_of_runs(values: Bools, first: Indices) -> Bools:
    """Whether any row of each run is true, by column; 64 columns at once."""
    n, columns = values.shape
    if columns == 1:
        return np.logical_or.reduceat(values[:, 0], first)[:, None]
    bits = np.zeros((n, -(-columns // 64) * 8), np.uint8)
    bits[:, : -(-columns // 8)] = np.packbits(values, axis=1)
    any_bits = np.bitwise_or.reduceat(bits.view(np.uint64), first, axis=0)
    return np.unpackbits(any_bits.view(np.uint8), axis=1, count=columns).view(np.bool_)


def _offsets(
    waiting: WaitingParts, classes: SetClasses, n_sets: int, tiles: int, wins: slice
) -> Indices:
    """Offsets of the completions of each win, (3, wins), without those of the rest."""
    completions = waiting.win_completions[:, wins]
    some = slice(completions[0, 0], completions[-1, -1] + 1)
    n_own_sets = (tiles + 1) // 3
    offset = waiting.completion_type[some] * classes.type_offset
    offset += classes.pair_offsets.take(waiting.pair[some])
    for place in range(n_own_sets):
        offset += classes.set_offsets[place].take(waiting.sets[some, place])
    offset += classes.set_offsets[n_sets:, NO_SET].sum()
    by_win: Indices = offset[completions - completions[0, 0]]
    return by_win


def _best_codes(classes: SetClasses, offsets: Indices, columns: Indices) -> UInt8s:
    """The better codes of the completions of each win, (wins, r)."""
    codes: UInt8s = classes.codes[offsets[0][:, None] + columns]
    for other in offsets[1:]:
        several = np.flatnonzero(other != offsets[0])
        if len(several):
            other_codes = classes.codes[other[several][:, None] + columns]
            codes[several] = better_codes(codes[several], other_codes)
    return codes


def columns_of(classes: SetClasses, n_sets: int, rest_tiles: int) -> Columns:
    """All classes of rests with a number of tiles, sets and a pair; the last sets of the hand."""
    n_rest_sets = rest_tiles // 3
    set_offsets = classes.set_offsets[:, classes.set_of_class]
    set_suits = SET_SUIT[classes.set_of_class].astype(np.intp)
    parts = [(set_offsets[place], set_suits) for place in range(n_sets - n_rest_sets, n_sets)]
    if rest_tiles % 3:
        kinds = classes.kind_of_class
        parts.append((classes.pair_offsets[kinds], 1 << _SUIT_OF_KIND[kinds]))
    offset, suits = np.zeros(1, np.intp), np.zeros(1, np.intp)
    for own_offset, own_suits in parts:
        offset = np.add.outer(offset, own_offset).ravel()
        suits = np.bitwise_or.outer(suits, own_suits).ravel()
    return Columns(offset, suits)
