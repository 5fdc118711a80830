"""Absolute danger: the scales of danger that 小林聡 used before relative danger.

Each scale gives the points of every kind against one riichi. Below the limit of the scale a kind
is safe. 牌の危険度計算アルゴリズム(3) compares players with these scales (改善前, 改善(1), 改善(2))
with one that uses `houjuu.player.rules.relative_danger` (改善(3)). Parameters are those of
`houjuu.player.rules.relative_danger.relative`. The points are those of 電脳麻将, routines 0403,
0501 and 0502.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf

import numpy as np

from houjuu.game.tiles import HONOURS, KINDS, SUIT
from houjuu.player.rules.push_fold import Limits
from houjuu.player.rules.relative_danger import RUN_WAITS, run_points, tanki_points
from houjuu.util.arrays import Floats

_BY_SUJI = ((6, 3), (8, 4), (8, 5), (12, 8, 4), (12, 8, 4), (12, 8, 4), (8, 5), (8, 4), (6, 3))
"""Points before walls counted, by rank and by the number of suji that are dead."""

_TANKI_OR_SHANPON = (0, 1, 3, 3, 3)
"""Points of a tanki or shanpon wait of (1), by unseen copies; an honour has the same."""


def suji(unseen: Sequence[int], genbutsu: Collection[int], own_kinds: Collection[int]) -> Floats:
    """The scale before the improvements (改善前), (34,): honours and suji are safe, below 6."""
    return _danger(genbutsu, lambda kind: _by_suji(kind, unseen, genbutsu))


def walls(unseen: Sequence[int], genbutsu: Collection[int], own_kinds: Collection[int]) -> Floats:
    """The scale of (1), (34,): a kind with a possible ryanmen wait is not safe, from 10 up."""
    return _danger(
        genbutsu,
        lambda kind: _TANKI_OR_SHANPON[unseen[kind]] + run_points(kind, unseen, genbutsu),
    )


def as_held(unseen: Sequence[int], genbutsu: Collection[int], own_kinds: Collection[int]) -> Floats:
    """The scale of (2), (34,): as (1), and an honour that nobody has shown has 8 points, not 3."""
    return _danger(
        genbutsu,
        lambda kind: tanki_points(kind, min(unseen[kind], 3)) + run_points(kind, unseen, genbutsu),
    )


def _danger(genbutsu: Collection[int], points: Callable[[int], int]) -> Floats:
    """The points of every kind, (34,); 0 for genbutsu."""
    return np.array([0 if kind in genbutsu else points(kind) for kind in range(KINDS)], dtype=float)


def limits(safe: float) -> Limits:
    """Push/fold before relative danger: fold, avoid tiles above `safe`, or push any tile.

    A poor hand folds, a good one discards safe tiles, a very good one any tile. Without a safe
    tile every hand discards any tile.
    """
    return Limits(safe, safe, *[inf] * 5)


def _by_suji(kind: int, unseen: Sequence[int], genbutsu: Collection[int]) -> int:
    if SUIT[kind] == HONOURS:
        return min(unseen[kind], 3)
    return _BY_SUJI[kind % 9][sum(wait.other_wait in genbutsu for wait in RUN_WAITS[kind])]
