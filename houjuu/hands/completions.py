"""Completions: the ways in which one tile completes a set or the pair of a hand.

A completion is a complete hand (`houjuu.hands.sets`), the kind of its last tile, and the set or
pair that this tile completes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import HONOURS, IS_YAOCHU, KINDS, SUIT
from houjuu.hands.sets import RUN_LOWS, RUNS, SETS, Indices, set_kinds
from houjuu.util.arrays import Bools

RYANMEN, KANCHAN_PENCHAN, SHANPON, TANKI = (1 << form for form in range(4))
"""Wait forms (待ち形; Kurita & Hoki 2017, section 4), as bits: ryanmen (両面), also the pair of a
4567; penchan or kanchan (辺張, 嵌張); shanpon (双碰); any other tanki (単騎)."""

GOOD_FORMS = RYANMEN | SHANPON
"""Bits of the forms of wait with weight 1 in equation 15."""

OPEN_ENDED, NARROW, TRIPLET_SIMPLE, TRIPLET_YAOCHU = range(4)
"""Types of completions, as far as they change the score: a run with a ryanmen wait; a run with a
kanchan or penchan wait, or the pair; a triplet of simples; a triplet of terminals or honours."""

COMPLETION_TYPES = 4

NO_SET, NO_PAIR = SETS, KINDS
"""In place of a missing set or pair."""

_NO_WIN = (-1, 0, 0)


class Completions(NamedTuple):
    """Arrays of n completions of rows of sets and a pair.

    Attributes
    ----------
    row : (n,) intp
        Index of the sets and the pair.
    kind : (n,) intp
        The winning kind, 0–33.
    completion_type : (n,) intp
        `OPEN_ENDED`, `NARROW`, `TRIPLET_SIMPLE` or `TRIPLET_YAOCHU`.
    form : (n,) intp
        `RYANMEN`, `KANCHAN_PENCHAN`, `SHANPON` or `TANKI`.
    """

    row: Indices
    kind: Indices
    completion_type: Indices
    form: Indices


def completions(sets: Indices, pair: Indices) -> Completions:
    """All completions of sets, (n, 2), and a pair, (n,), filled up with `NO_SET` and `NO_PAIR`."""
    of_sets = _WINS_ON[sets].reshape(len(sets), 3 * sets.shape[1], 3)
    wins = np.concatenate([of_sets, _pair_wins(sets, pair)], 1)
    is_win = wins[:, :, 0] >= 0
    is_win[:, 3:6] &= (sets[:, 0] != sets[:, 1])[:, None]  # the same set twice has its wins once
    row, _ = np.nonzero(is_win)
    kind, completion_type, form = wins[is_win].T
    return Completions(row, kind, completion_type, form)


def wins_on(set_: int) -> list[tuple[int, int, int]]:
    """Winning kind, completion type and wait form of each win that completes the set."""
    low, middle, high = set_kinds(set_)
    if set_ >= RUNS:
        return [(low, TRIPLET_YAOCHU if IS_YAOCHU[low] else TRIPLET_SIMPLE, SHANPON)]
    open_ended = (OPEN_ENDED, RYANMEN)
    narrow = (NARROW, KANCHAN_PENCHAN)
    from_below = narrow if IS_YAOCHU[high] else open_ended
    from_above = narrow if IS_YAOCHU[low] else open_ended
    return [(low, *from_below), (middle, *narrow), (high, *from_above)]


_WINS_ON: Indices = np.array(
    [[*wins_on(set_), _NO_WIN, _NO_WIN][:3] for set_ in range(SETS)] + [[_NO_WIN] * 3], np.intp
)


def _pair_wins(sets: Indices, pair: Indices) -> Indices:
    """The completion of the pair of each row, (n, 1, 3)."""
    extends_run = _EXTENDS[np.minimum(pair, KINDS - 1)[:, None], sets].any(axis=1)
    wins = np.stack(
        [
            np.where(pair == NO_PAIR, -1, pair),
            np.full(len(pair), NARROW),
            np.where(extends_run, RYANMEN, TANKI),
        ],
        axis=1,
    )
    return wins[:, None]


def extends(kind: int, set_: int) -> bool:
    """Whether the set is a run that the kind extends, so that both ends are waits (4567)."""
    if set_ >= RUNS or SUIT[kind] == HONOURS:
        return False
    low = RUN_LOWS[set_]
    high = RUN_LOWS[set_] + 2
    return SUIT[kind] == SUIT[low] and kind in (low - 1, high + 1)


_EXTENDS: Bools = np.array(
    [[extends(kind, set_) for set_ in range(SETS)] + [False] for kind in range(KINDS)]
)
