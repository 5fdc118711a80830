"""Relative danger: a tile's share of all the waits that a riichi can still have.

小林聡, 牌の危険度計算アルゴリズム(2), (3): a kind has points for each shape that can wait for it.
Its danger is its share of the points of all kinds, in percent.

Absolute danger, the scales before it (改善前, 改善(1), 改善(2)), gives the points of every kind
against one riichi, with the parameters of `relative`; below the limit of a scale a kind is safe.
The points are those of 電脳麻将, routines 0403, 0501 and 0502.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from houjuu.game.table import View
from houjuu.game.tiles import HONOURS, KIND, KINDS, SUIT
from houjuu.player.rules.push_fold import Limits
from houjuu.util.arrays import Floats

_RYANMEN = 10
_PENCHAN = 3
_KANCHAN = 3
_TANKI_OR_SHANPON = (0, 1, 3, 3)
_TANKI_OR_SHANPON_HONOUR = (0, 1, 3, 8)
"""Points of a tanki or shanpon wait, by the unseen copies beside the discarded one."""


class RunWait(NamedTuple):
    """Two kinds that wait for a third, the other kind that they wait for, and their points."""

    pair: tuple[int, int]
    other_wait: int | None
    points: int


def _run_waits(kind: int) -> tuple[RunWait, ...]:
    """The waits of a kind by a run."""
    suit = SUIT[kind]
    if suit == HONOURS:
        return ()
    waits = []
    for low in range(max(kind - 2, 9 * suit), min(kind, 9 * suit + 6) + 1):
        first, second = (member for member in range(low, low + 3) if member != kind)
        other_wait = {low: low + 3, low + 2: low - 1}.get(kind)
        if other_wait is None:
            waits.append(RunWait((first, second), None, _KANCHAN))
        elif 0 <= other_wait < HONOURS * 9 and SUIT[other_wait] == suit:
            waits.append(RunWait((first, second), other_wait, _RYANMEN))
        else:
            waits.append(RunWait((first, second), None, _PENCHAN))
    return tuple(waits)


Scale = Callable[[Sequence[int], Collection[int], Collection[int]], Floats]
"""The danger of every kind against one riichi; parameters as in `relative`."""

RUN_WAITS = tuple(map(_run_waits, range(KINDS)))
"""The waits by a run, by kind."""


def relative(
    unseen: Sequence[int], genbutsu: Collection[int], own_kinds: Collection[int]
) -> Floats:
    """The danger of every kind against one riichi, (34,), unit: percent of the total.

    Parameters
    ----------
    unseen : sequence of 34 ints
        Copies of every kind that the discarder does not see.
    genbutsu : collection of int
        Kinds that the riichi cannot win on.
    own_kinds : collection of int
        Kinds in the hand of the discarder. Another kind counts with one unseen copy less: the one
        that the discarder would discard, as in the source's program (電脳麻将).
    """
    points = [
        0
        if kind in genbutsu
        else tanki_points(kind, unseen[kind] - (kind not in own_kinds))
        + run_points(kind, unseen, genbutsu)
        for kind in range(KINDS)
    ]
    return np.asarray(100 * np.array(points) / max(sum(points), 1))


def tanki_points(kind: int, copies: int) -> int:
    """Points of a tanki or shanpon wait with so many unseen copies beside the discarded one."""
    by_copies = _TANKI_OR_SHANPON_HONOUR if SUIT[kind] == HONOURS else _TANKI_OR_SHANPON
    return by_copies[max(copies, 0)]


def run_points(kind: int, unseen: Sequence[int], genbutsu: Collection[int]) -> int:
    """Points of the waits by a run that are still possible."""
    return sum(
        wait.points
        for wait in RUN_WAITS[kind]
        if wait.other_wait not in genbutsu and all(unseen[kind] for kind in wait.pair)
    )


def against_riichi(view: View, scale: Scale = relative) -> Floats | None:
    """The highest danger of every kind against the opponents in riichi, (34,); None without one.

    Unit: that of the scale; of `relative` percent.
    """
    declared = [seat.seat for seat in view.opponents if seat.declared]
    if not declared:
        return None
    unseen = view.unseen().tolist()
    own_kinds = {KIND[tile] for tile in view.hand}
    dangers = [
        scale(unseen, set(np.flatnonzero(view.genbutsu(seat)).tolist()), own_kinds)
        for seat in declared
    ]
    return np.asarray(np.max(dangers, axis=0))


_BY_SUJI = ((6, 3), (8, 4), (8, 5), (12, 8, 4), (12, 8, 4), (12, 8, 4), (8, 5), (8, 4), (6, 3))
"""Points before walls counted, by rank and by the number of suji that are dead."""

_ABSOLUTE_TANKI_OR_SHANPON = (0, 1, 3, 3, 3)
"""Points of a tanki or shanpon wait of (1), by unseen copies; an honour has the same."""


def suji(unseen: Sequence[int], genbutsu: Collection[int], own_kinds: Collection[int]) -> Floats:
    """The scale before the improvements (改善前), (34,): honours and suji are safe, below 6."""
    return _danger(genbutsu, lambda kind: _by_suji(kind, unseen, genbutsu))


def walls(unseen: Sequence[int], genbutsu: Collection[int], own_kinds: Collection[int]) -> Floats:
    """The scale of (1), (34,): a kind with a possible ryanmen wait is not safe, from 10 up."""
    return _danger(
        genbutsu,
        lambda kind: _ABSOLUTE_TANKI_OR_SHANPON[unseen[kind]] + run_points(kind, unseen, genbutsu),
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
