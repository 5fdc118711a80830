"""Groups: the concealed tiles of one suit in a tenpai hand of 1, 4 or 7 tiles.

A tenpai hand has a group in each suit, which may be empty. The number of its tiles shows its role:

| tiles | role |
|---|---|
| 3, 6 | *complete*: one or two sets |
| 2, 5 | *complete*: a pair, perhaps with a set; *waiting*: one or two sets less a tile; or both |
| 1, 4, 7 | *waiting*: a pair and zero to two sets, less a tile |

A hand has one waiting group, and its other groups are complete. If two groups are both complete and
waiting, each can be the pair of the other, and the hand waits in two suits (双碰).

The 148,809 hands of 7 tiles consist of some ten thousand groups.

The hand 1123m 456p of `houjuu.hands.tenpai_hands` consists of the waiting group 1123m, with two
wins, and of the complete group 456p. The win on 1m has two completions: 123m with a pair of 1m, by
the tanki 1m or by the ryanmen 23m.

>>> waiting, complete = suit_groups(2)
>>> tiles = (2, 1, 1, 0, 0, 0, 0, 0, 0)
>>> index = np.flatnonzero((waiting.suit == 0) & (waiting.counts == tiles).all(axis=1))
>>> _, wins = waiting.wins_of(index)
>>> waiting.win_kind[wins].tolist()
[0, 3]
>>> [waiting.sets[completion].tolist() for completion in waiting.win_completions[:2, wins[0]]]
[[0, 55], [0, 55]]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import COPIES, KINDS, RANKS, SUIT
from houjuu.hands.completions import GOOD_FORMS, NO_PAIR, NO_SET, completions
from houjuu.hands.merging import ragged
from houjuu.hands.sets import SET_COUNTS, SET_SUIT, SETS, Indices, Masks
from houjuu.util.arrays import Bools, Ints, UInt8s

SUITS = 4
_ALTERNATIVES = 3  # completions of one win, at most
_SETS_OF_SUIT = [[s for s in range(SETS) if SET_SUIT[s] == 1 << suit] for suit in range(SUITS)]
_KINDS_OF_SUIT = [[k for k in range(KINDS) if SUIT[k] == suit] for suit in range(SUITS)]
_SET_COUNTS: Indices = np.concatenate([SET_COUNTS, np.zeros((1, KINDS), np.intp)])
_PAIR_COUNTS: Indices = np.concatenate([2 * np.eye(KINDS, dtype=np.intp), _SET_COUNTS[-1:]])

# A code contains the number of tiles, the suit, and the counts of the ranks, 0-4, as digits.
_BASE = COPIES + 1
_DIGIT: Ints = _BASE ** np.arange(RANKS)
_OF_SUIT = _BASE**RANKS
_OF_TILE = SUITS * _BASE**RANKS
_KIND_CODE: Ints = _DIGIT[np.arange(KINDS) % RANKS] + _OF_TILE


@dataclass(frozen=True, slots=True, eq=False)
class CompleteGroups:
    """Arrays of n complete groups.

    Attributes
    ----------
    tiles, suit : (n,) intp
    counts : (n, 9) uint8
        Number of tiles of each rank.
    sets : (n, 2) intp
        The sets, filled up with `NO_SET`.
    pair : (n,) intp
        Kind of the pair, or `NO_PAIR`.
    waiting : (n,) intp
        Index of the waiting group with the same tiles, or -1.
    """

    tiles: Indices
    suit: Indices
    counts: UInt8s
    sets: Indices
    pair: Indices
    waiting: Indices


@dataclass(frozen=True, slots=True, eq=False)
class WaitingGroups:
    """Arrays of n waiting groups, w wins and c completions.

    Groups are sorted by tiles and suit, wins by group and kind. The completions of one group by one
    kind are one *win*. A wait for a fifth copy (空聴) does not count.

    Attributes
    ----------
    tiles, suit : (n,) intp
    counts : (n, 9) uint8
        Number of tiles of each rank.
    waits : (n,) uint64
        Bit h if the group waits for kind h.
    good : (n,) bool
        Whether one of the waits is a ryanmen or shanpon.
    is_complete : (n,) bool
        Whether the tiles are also a complete group.
    first_win : (n,) intp
        Index of the first win of each group.
    win_group, win_kind, win_copies : (w,) intp
        Group of each win, the winning kind, and its copies in the group.
    win_completions : (3, w) intp
        The completions of each win; the first one is repeated if there are fewer.
    completion_type : (c,) intp
    sets : (c, 2) intp
        The sets with the winning tile, filled up with `NO_SET`.
    pair : (c,) intp
        Kind of the pair, or `NO_PAIR`.
    """

    tiles: Indices
    suit: Indices
    counts: UInt8s
    waits: Masks
    good: Bools
    is_complete: Bools
    first_win: Indices
    win_group: Indices
    win_kind: Indices
    win_copies: Indices
    win_completions: Indices
    completion_type: Indices
    sets: Indices
    pair: Indices

    def wins_of(self, groups: Indices) -> tuple[Indices, Indices]:
        """All wins of groups: index into `groups` and index of the win."""
        n_wins = np.diff(self.first_win, append=len(self.win_group))
        return ragged(self.first_win[groups], n_wins[groups])


class SuitGroups(NamedTuple):
    """All groups of the hands with a number of concealed sets, 0–2."""

    waiting: WaitingGroups
    complete: CompleteGroups


@cache
def suit_groups(n_sets: int) -> SuitGroups:
    """All groups of the tenpai hands with 3 `n_sets` + 1 concealed tiles; the result is cached."""
    sets, pair, suit = _sets_and_pairs(n_sets)
    code = (_SET_COUNTS[sets].sum(axis=1) + _PAIR_COUNTS[pair]) @ _KIND_CODE + suit * _OF_SUIT
    waiting_code, waiting = _waiting_groups(sets, pair, code)
    rows = np.flatnonzero(code // _OF_TILE <= 3 * n_sets)
    complete_code = code[rows]
    waiting_group = np.minimum(np.searchsorted(waiting_code, complete_code), len(waiting_code) - 1)
    is_same = waiting_code[waiting_group] == complete_code
    waiting.is_complete[waiting_group[is_same]] = True
    tiles, suit, counts = _decode(complete_code)
    complete = CompleteGroups(
        tiles=tiles,
        suit=suit,
        counts=counts,
        sets=sets[rows],
        pair=pair[rows],
        waiting=np.where(is_same, waiting_group, -1),
    )
    return SuitGroups(waiting, complete)


def _sets_and_pairs(n_sets: int) -> tuple[Indices, Indices, Indices]:
    """All sets, up to `n_sets`, and a pair or none, within a suit: (n, 2), (n,), and the suit."""
    rows = [
        (*sets, *[NO_SET] * (2 - k), pair, suit)
        for suit, suit_sets in enumerate(_SETS_OF_SUIT)
        for k in range(n_sets + 1)
        for sets in combinations_with_replacement(suit_sets, k)
        for pair in (*_KINDS_OF_SUIT[suit], NO_PAIR)
    ]
    columns = np.array(rows, np.intp)
    sets = columns[:, :2]
    pair = columns[:, 2]
    suit = columns[:, 3]
    counts = _SET_COUNTS[sets].sum(axis=1) + _PAIR_COUNTS[pair]
    possible = (counts.max(axis=1) <= COPIES) & counts.any(axis=1)
    return sets[possible], pair[possible], suit[possible]


def _decode(code: Ints) -> tuple[Indices, Indices, UInt8s]:
    """Number of tiles, suit and counts of codes."""
    counts = (code[:, None] // _DIGIT % _BASE).astype(np.uint8)
    return code // _OF_TILE, code // _OF_SUIT % SUITS, counts


def _waiting_groups(sets: Indices, pair: Indices, code: Ints) -> tuple[Ints, WaitingGroups]:
    """The groups that one tile completes, and their codes, ascending."""
    row, kind, completion_type, form = completions(sets, pair)
    code = code[row] - _KIND_CODE[kind]
    order = np.lexsort((kind, code))
    row = row[order]
    kind = kind[order]
    code = code[order]
    first_completion = np.flatnonzero(np.diff(code * KINDS + kind, prepend=-1))
    win_code = code[first_completion]
    win_kind = kind[first_completion]
    is_first = np.diff(win_code, prepend=-1) != 0
    first_win = np.flatnonzero(is_first)
    tiles, suit, counts = _decode(win_code[first_win])
    win_group = is_first.cumsum() - 1
    last = np.append(first_completion[1:], len(code)) - 1
    kind_bit = np.uint64(1) << win_kind.astype(np.uint64)
    is_good = (form[order] & GOOD_FORMS) != 0
    return win_code[first_win], WaitingGroups(
        tiles=tiles,
        suit=suit,
        counts=counts,
        waits=np.bitwise_or.reduceat(kind_bit, first_win),
        good=np.logical_or.reduceat(is_good, first_completion[first_win]),
        is_complete=np.zeros(len(first_win), np.bool_),
        first_win=first_win,
        win_group=win_group,
        win_kind=win_kind,
        win_copies=counts[win_group, win_kind % RANKS].astype(np.intp),
        win_completions=np.minimum(first_completion + np.arange(_ALTERNATIVES)[:, None], last),
        completion_type=completion_type[order],
        sets=sets[row],
        pair=pair[row],
    )
