"""Readings: every way to complete some concealed sets and a pair by one tile.

A reading is a complete hand (`houjuu.hands.sets`: a combination of sets, and a pair), the kind of
its last tile, and the set or the pair that this tile completes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houjuu.hands.sets import RUN_LOWS, RUNS, SETS, Bools, Bytes, Indices, combinations, set_kinds
from houjuu.tiles import COPIES, HONOURS, IS_YAOCHU, KINDS, SUIT

RYANMEN, PK_TATSU, TOITSU, TANKI_RES = (1 << form for form in range(4))
"""Forms of wait (待ち形; Kurita & Hoki 2017, section 4), as bits: two-sided (両面), the pair wait
of a 4567 included; edge or closed (辺張, 嵌張); two pairs (シャンポン); any other pair (単騎)."""

TWO_SIDED, NARROW, TRIPLET_SIMPLE, TRIPLET_YAOCHU = range(4)
"""Completions, as far as the score tells them apart: a run from two sides; a run from its middle or
the edge, or the pair; a triplet of simples; a triplet of terminals or honours."""

COMPLETIONS = 4


class Readings(NamedTuple):
    """Readings, n of them.

    Attributes
    ----------
    combination, pair : (n,) intp
        The complete hand.
    kind : (n,) intp
        The winning kind, 0–33.
    completion : (n,) intp
        `TWO_SIDED` … `TRIPLET_YAOCHU`.
    form : (n,) intp
        `RYANMEN` … `TANKI_RES`.
    """

    combination: Indices
    pair: Indices
    kind: Indices
    completion: Indices
    form: Indices


def readings(number: int) -> Readings:
    """All readings with so many concealed sets, those with five of a kind left out."""
    parts = zip(_on_sets(number), _on_pair(number), strict=True)
    columns = [np.concatenate(part) for part in parts]
    possible = (_complete_counts(number).max(axis=2) <= COPIES)[columns[0], columns[1]]
    return Readings(*(column[possible] for column in columns))


def _complete_counts(number: int) -> Bytes:
    """Tiles of every kind in every complete hand, (combinations, 34 pairs, 34 kinds)."""
    sets = combinations(number).counts.astype(np.uint8)
    pairs = 2 * np.eye(KINDS, dtype=np.uint8)
    counts: Bytes = sets[:, None] + pairs
    return counts


def _on_sets(number: int) -> Readings:
    """The readings in which the last tile completes a set."""
    wins = [
        (row, pair, *win)
        for row, sets in enumerate(combinations(number).sets.tolist())
        for set_ in dict.fromkeys(sets)
        for win in _WINS_ON[set_]
        for pair in range(KINDS)
    ]
    return Readings(*np.array(wins, np.intp).reshape(-1, 5).T)


def _wins_on(set_: int) -> list[tuple[int, int, int]]:
    """Winning kind, completion and form of every win that completes the set."""
    low, middle, high = set_kinds(set_)
    if set_ >= RUNS:
        return [(low, TRIPLET_YAOCHU if IS_YAOCHU[low] else TRIPLET_SIMPLE, TOITSU)]
    two_sided, narrow = (TWO_SIDED, RYANMEN), (NARROW, PK_TATSU)
    from_below, from_above = (narrow if IS_YAOCHU[end] else two_sided for end in (high, low))
    return [(low, *from_below), (middle, *narrow), (high, *from_above)]


_WINS_ON = [_wins_on(set_) for set_ in range(SETS)]


def _on_pair(number: int) -> Readings:
    """The readings in which the last tile completes the pair."""
    beside = _TOUCHES[:, combinations(number).sets].any(axis=2).T
    form = np.where(beside, RYANMEN, TANKI_RES)
    row, pair = np.indices(form.shape).reshape(2, -1)
    return Readings(row, pair, pair, np.full(form.size, NARROW), form.ravel())


def _touches(kind: int, set_: int) -> bool:
    """Whether a set is a run that the kind would prolong, so that it waits at both ends (4567)."""
    if set_ >= RUNS or SUIT[kind] == HONOURS:
        return False
    low, high = RUN_LOWS[set_], RUN_LOWS[set_] + 2
    return SUIT[kind] == SUIT[low] and kind in (low - 1, high + 1)


_TOUCHES: Bools = np.array(
    [[_touches(kind, set_) for set_ in range(SETS)] for kind in range(KINDS)]
)
