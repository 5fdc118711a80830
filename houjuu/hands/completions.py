"""Completions: all ways in which one tile completes concealed sets and a pair.

A completion is a complete hand (`houjuu.hands.sets`: a combination of sets, and a pair), the kind
of its last tile, and the set or pair that this tile completes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houjuu.arrays import Bools, UInt8s
from houjuu.hands.sets import RUN_LOWS, RUNS, SETS, Indices, combinations, set_kinds
from houjuu.tiles import COPIES, HONOURS, IS_YAOCHU, KINDS, SUIT

RYANMEN, KANCHAN_PENCHAN, SHANPON, TANKI = (1 << form for form in range(4))
"""Wait forms (待ち形; Kurita & Hoki 2017, section 4), as bits: ryanmen (両面), also the pair of a
4567; penchan or kanchan (辺張, 嵌張); shanpon (双碰); any other tanki (単騎)."""

OPEN_ENDED, NARROW, TRIPLET_SIMPLE, TRIPLET_YAOCHU = range(4)
"""Types of completions, as far as they change the score: a run with a ryanmen wait; a run with a
kanchan or penchan wait, or the pair; a triplet of simples; a triplet of terminals or honours."""

COMPLETION_TYPES = 4


class Completions(NamedTuple):
    """Arrays of n completions.

    Attributes
    ----------
    combination, pair : (n,) intp
        The complete hand: index of the combination and kind of the pair.
    kind : (n,) intp
        The winning kind, 0–33.
    completion_type : (n,) intp
        `OPEN_ENDED`, `NARROW`, `TRIPLET_SIMPLE` or `TRIPLET_YAOCHU`.
    form : (n,) intp
        `RYANMEN`, `KANCHAN_PENCHAN`, `SHANPON` or `TANKI`.
    """

    combination: Indices
    pair: Indices
    kind: Indices
    completion_type: Indices
    form: Indices


def completions(n_sets: int) -> Completions:
    """All completions with this number of concealed sets, without those with five of a kind."""
    parts = zip(_set_completions(n_sets), _pair_completions(n_sets), strict=True)
    columns = [np.concatenate(part) for part in parts]
    possible = (_complete_counts(n_sets).max(axis=2) <= COPIES)[columns[0], columns[1]]
    return Completions(*(column[possible] for column in columns))


def _complete_counts(n_sets: int) -> UInt8s:
    """Tiles of each kind in each complete hand, (combinations, 34 pairs, 34 kinds)."""
    sets = combinations(n_sets).counts.astype(np.uint8)
    pairs = 2 * np.eye(KINDS, dtype=np.uint8)
    counts: UInt8s = sets[:, None] + pairs
    return counts


def _set_completions(n_sets: int) -> Completions:
    """The completions in which the last tile completes a set."""
    wins = [
        (row, *win)
        for row, sets in enumerate(combinations(n_sets).sets.tolist())
        for set_ in dict.fromkeys(sets)
        for win in _WINS_ON[set_]
    ]
    pairs = np.tile(np.arange(KINDS), len(wins))
    by_pair = np.repeat(np.array(wins, np.intp).reshape(-1, 4), KINDS, axis=0)
    row, kind, completion_type, form = by_pair.T
    return Completions(row, pairs, kind, completion_type, form)


def _wins_on(set_: int) -> list[tuple[int, int, int]]:
    """Winning kind, completion type and wait form of each win that completes the set."""
    low, middle, high = set_kinds(set_)
    if set_ >= RUNS:
        return [(low, TRIPLET_YAOCHU if IS_YAOCHU[low] else TRIPLET_SIMPLE, SHANPON)]
    open_ended, narrow = (OPEN_ENDED, RYANMEN), (NARROW, KANCHAN_PENCHAN)
    from_below, from_above = (narrow if IS_YAOCHU[end] else open_ended for end in (high, low))
    return [(low, *from_below), (middle, *narrow), (high, *from_above)]


_WINS_ON = [_wins_on(set_) for set_ in range(SETS)]


def _pair_completions(n_sets: int) -> Completions:
    """The completions in which the last tile completes the pair."""
    extends_run = _EXTENDS[:, combinations(n_sets).sets].any(axis=2).T
    form = np.where(extends_run, RYANMEN, TANKI)
    row, pair = np.indices(form.shape).reshape(2, -1)
    return Completions(row, pair, pair, np.full(form.size, NARROW), form.ravel())


def _extends(kind: int, set_: int) -> bool:
    """Whether the set is a run that the kind extends, so that both ends are waits (4567)."""
    if set_ >= RUNS or SUIT[kind] == HONOURS:
        return False
    low, high = RUN_LOWS[set_], RUN_LOWS[set_] + 2
    return SUIT[kind] == SUIT[low] and kind in (low - 1, high + 1)


_EXTENDS: Bools = np.array(
    [[_extends(kind, set_) for set_ in range(SETS)] for kind in range(KINDS)]
)
