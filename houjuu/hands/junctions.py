"""The scores of waiting groups with all classes of the rest of the hand.

The rest of a hand are the sets and the pair that a waiting group needs in other suits. A *column*
is a class of rests: the classes of its sets and its pair (`houjuu.hands.set_classes`). A *junction*
is a number of tiles of the waiting group: it fixes what the rest consists of.

| tiles of the waiting group | the rest, if the hand has two sets |
|---|---|
| 1 | two sets |
| 2 | a set and a pair |
| 4 | a set |
| 5 | a pair |
| 7 | nothing |

In the hand 1123m 456p of `houjuu.hands.tenpai_hands` the group 1123m has four tiles, so that its
columns are the classes of sets. Each of its two wins has a row of score codes, one for each column.
Beside a pon of haku the class of 456p gives both wins 1 han and 30 fu. Its own suit cannot
contribute a rest, so that the codes of these columns are 0.

>>> from houjuu.game.events import Meld, MeldKind
>>> from houjuu.game.tiles import parse_tiles
>>> from houjuu.hands.hand_grid import ScoringContext
>>> from houjuu.hands.points import score_code
>>> from houjuu.hands.suit_groups import suit_groups
>>> haku = parse_tiles("555z")
>>> context = ScoringContext((Meld(MeldKind.PON, haku, haku[0], 1),))
>>> classes, (waiting, _) = SetClasses.from_context(context, 2), suit_groups(2)
>>> scores = WaitingScores.from_groups(waiting, classes, 2)
>>> tiles = (2, 1, 1, 0, 0, 0, 0, 0, 0)
>>> index = np.flatnonzero((waiting.suit == 0) & (waiting.counts == tiles).all(axis=1))
>>> _, wins = waiting.wins_of(index)
>>> manzu_123, pinzu_456 = classes.set_class[[0, 10]]
>>> scores.codes[scores.first_code[wins] + pinzu_456].tolist(), score_code(1, 30)
([19, 19], 19)
>>> scores.codes[scores.first_code[wins] + manzu_123].tolist()
[0, 0]
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
from houjuu.hands.suit_groups import SUITS, WaitingGroups
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
    """The scores of the waiting groups with one number of tiles.

    Attributes
    ----------
    tiles, rest_tiles : int
        Number of tiles of the waiting group and of the rest.
    column_key : (4, r) uint64
        By suit of the waiting group, equal for columns with equal scores.
    """

    tiles: int
    rest_tiles: int
    column_key: Keys


@dataclass(frozen=True, slots=True, eq=False)
class WaitingScores:
    """The scores of g waiting groups and w wins (`houjuu.hands.suit_groups`).

    Attributes
    ----------
    junctions : list of Junction
        By number of tiles, ascending.
    is_live : (g,) bool
        Whether the group waits for a kind of which hand and melds do not have all copies.
    group_key : (g,) uint64
        Equal for groups with equal waits, forms and scores.
    yaku_key : (g,) uint64
        Equal for groups that have a yaku with the same columns.
    win_key : (w,) uint64
        Equal for wins with equal scores; 0 without a yaku in any column.
    codes : (n,) uint8
        Score codes without dora.
    first_code : (w,) intp
        Index in `codes` of the first code of each win, which has one for each column.
    has_yaku : (m,) bool
    first_yaku : (g,) intp
        Index in `has_yaku` of the first element of each group, which has one for each column.
    """

    junctions: list[Junction]
    is_live: Bools
    group_key: Keys
    yaku_key: Keys
    win_key: Keys
    codes: UInt8s
    first_code: Indices
    has_yaku: Bools
    first_yaku: Indices

    @classmethod
    def from_groups(cls, waiting: WaitingGroups, classes: SetClasses, n_sets: int) -> WaitingScores:
        """The scores of all waiting groups in hands with a number of concealed sets."""
        melded = melded_copies(classes.context)
        live = waiting.win_copies + melded[waiting.win_kind] < COPIES
        tables = [
            _junction_scores(waiting, classes, n_sets, live, tiles)
            for tiles in (1, 2, 4, 5, 7)
            if tiles <= 3 * n_sets + 1
        ]
        win_key = np.concatenate([table.row_key[table.row] for table in tables])
        # A sum over the wins of a group: the order of the wins does not matter.
        group_key = np.add.reduceat(win_key * _KIND_KEYS[waiting.win_kind], waiting.first_win)
        group_key += waiting.waits * _WAITS_KEY + waiting.good * _GOOD_KEY
        group_key += (2 * waiting.tiles + waiting.is_complete).astype(np.uint64) * _TILES_KEY
        has_yaku = [table.has_yaku for table in tables]
        return cls(
            junctions=[table.junction for table in tables],
            is_live=np.logical_or.reduceat(live, waiting.first_win),
            group_key=group_key,
            yaku_key=np.concatenate([vector_keys(flags) for flags in has_yaku]),
            win_key=win_key,
            codes=np.concatenate([table.codes.ravel() for table in tables]),
            first_code=_raveled([table.codes for table in tables], [table.row for table in tables]),
            has_yaku=np.concatenate([flags.ravel() for flags in has_yaku]),
            first_yaku=_raveled(has_yaku, [np.arange(len(flags)) for flags in has_yaku]),
        )


def _raveled(tables: list[UInt8s] | list[Bools], rows: list[Indices]) -> Indices:
    """Index of the first element of rows of several tables, after all tables are raveled."""
    starts = np.cumsum([0, *(table.size for table in tables)]).tolist()
    by_table = zip(starts, tables, rows, strict=False)
    return np.concatenate([start + row * table.shape[1] for start, table, row in by_table])


class _JunctionScores(NamedTuple):
    """The scores of a junction: the row of each win in `codes`, and keys; yaku by group."""

    junction: Junction
    row: Indices
    codes: UInt8s
    row_key: Keys
    has_yaku: Bools


def _junction_scores(
    waiting: WaitingGroups, classes: SetClasses, n_sets: int, live: Bools, tiles: int
) -> _JunctionScores:
    rest_tiles = 3 * n_sets + 1 - tiles
    groups = slice(*np.searchsorted(waiting.tiles, [tiles, tiles + 1]).tolist())
    wins = slice(*np.searchsorted(waiting.win_group, [groups.start, groups.stop]).tolist())
    offsets = _offsets(waiting, classes, n_sets, tiles, wins)
    live = live[wins]
    suit = waiting.suit[waiting.win_group[wins]]
    if rest_tiles:
        # Most wins have the same completions by class as another win: they share a row of codes.
        key = _LIVE_KEY * live
        for alternative, factor in zip(offsets, _ALTERNATIVE_KEYS, strict=True):
            key += alternative.astype(np.uint64) * factor
        merged = merge(key, suit)
        first = merged.representatives
        row = merged.classes
        offsets = offsets[:, first]
        live = live[first]
        suit = suit[first]
    else:
        row = np.arange(len(live))
    columns = columns_of(classes, n_sets, rest_tiles)
    codes = _best_codes(classes, offsets, columns.offset)
    # The rest lies in other suits. A wait whose copies are all melded or in hand never wins.
    codes *= (columns.suits >> suit[:, None] & 1 == 0) & live[:, None]
    column_key = np.zeros((SUITS, codes.shape[1]), np.uint64)
    if rest_tiles:
        for own_suit in range(SUITS):
            rows = slice(*np.searchsorted(suit, [own_suit, own_suit + 1]).tolist())
            column_key[own_suit] = vector_keys(codes[rows].T)
    return _JunctionScores(
        junction=Junction(tiles, rest_tiles, column_key),
        row=row,
        codes=codes,
        row_key=vector_keys(codes),
        has_yaku=_any_win((codes > 0)[row], waiting.first_win[groups] - wins.start),
    )


def _any_win(values: Bools, first_win: Indices) -> Bools:
    """Whether any win of each group is true, by column."""
    n, columns = values.shape
    if columns == 1:
        return np.logical_or.reduceat(values[:, 0], first_win)[:, None]
    # 64 columns at once, as the bits of a number: the rows are padded to whole numbers.
    bits = np.zeros((n, -(-columns // 64) * 8), np.uint8)
    bits[:, : -(-columns // 8)] = np.packbits(values, axis=1)
    any_bits = np.bitwise_or.reduceat(bits.view(np.uint64), first_win, axis=0)
    return np.unpackbits(any_bits.view(np.uint8), axis=1, count=columns).view(np.bool_)


def _offsets(
    waiting: WaitingGroups, classes: SetClasses, n_sets: int, tiles: int, wins: slice
) -> Indices:
    """Offsets of the completions of each win, (3, wins), without those of the rest."""
    completions = waiting.win_completions[:, wins]
    first_completion = completions[0, 0]
    rows = slice(first_completion, completions[-1, -1] + 1)
    offset = waiting.completion_type[rows] * classes.type_offset
    offset += classes.pair_offsets.take(waiting.pair[rows])
    for index in range((tiles + 1) // 3):  # the sets of the group, complete by the winning tile
        offset += classes.set_offsets[index].take(waiting.sets[rows, index])
    offset += classes.set_offsets[n_sets:, NO_SET].sum()
    by_win: Indices = offset[completions - first_completion]
    return by_win


def _best_codes(classes: SetClasses, offsets: Indices, columns: Indices) -> UInt8s:
    """The better codes of the completions of each win, (wins, r)."""
    codes: UInt8s = classes.codes[offsets[0][:, None] + columns]
    for alternative in offsets[1:]:
        several = np.flatnonzero(alternative != offsets[0])
        if len(several):
            alternative_codes = classes.codes[alternative[several][:, None] + columns]
            codes[several] = better_codes(codes[several], alternative_codes)
    return codes


def columns_of(classes: SetClasses, n_sets: int, rest_tiles: int) -> Columns:
    """All classes of rests with a number of tiles, sets and a pair; the last sets of the hand."""
    n_rest_sets = rest_tiles // 3
    set_offsets = classes.set_offsets[:, classes.set_of_class]
    set_suits = SET_SUIT[classes.set_of_class].astype(np.intp)
    members = [(set_offsets[index], set_suits) for index in range(n_sets - n_rest_sets, n_sets)]
    if rest_tiles % 3:
        kinds = classes.kind_of_class
        members.append((classes.pair_offsets[kinds], 1 << _SUIT_OF_KIND[kinds]))
    offset = np.zeros(1, np.intp)
    suits = np.zeros(1, np.intp)
    for member_offset, member_suits in members:
        offset = np.add.outer(offset, member_offset).ravel()
        suits = np.bitwise_or.outer(suits, member_suits).ravel()
    return Columns(offset, suits)
