"""Relative danger: a tile's share of all the ways in which a riichi can still be waited on.

小林聡, 牌の危険度計算アルゴリズム(2), (3): a kind has points for each shape that can wait for it,
and its danger is its share, in percent, of the points of all kinds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.table import View
from houjuu.tiles import HONOURS, KINDS, SUIT

Floats = npt.NDArray[np.float64]

_TWO_SIDED, _EDGE, _CLOSED = 10, 3, 3
_ALONE = (0, 1, 3, 3, 3)
_ALONE_HONOUR = (0, 1, 3, 8, 8)
"""Points of a single tile or a pair, by the unseen copies."""


class _Run(NamedTuple):
    """Two tiles that wait for a third: what they are, what they wait for too, their points."""

    held: tuple[int, int]
    other: int | None
    points: int


def _runs(kind: int) -> tuple[_Run, ...]:
    """The pairs of tiles that a kind makes a run of."""
    if SUIT[kind] == HONOURS:
        return ()
    found = []
    for low in range(max(kind - 2, 9 * SUIT[kind]), min(kind, 9 * SUIT[kind] + 6) + 1):
        first, second = (tile for tile in range(low, low + 3) if tile != kind)
        other = {low: low + 3, low + 2: low - 1}.get(kind)
        if other is None:
            found.append(_Run((first, second), None, _CLOSED))
        elif 0 <= other < HONOURS * 9 and SUIT[other] == SUIT[kind]:
            found.append(_Run((first, second), other, _TWO_SIDED))
        else:
            found.append(_Run((first, second), None, _EDGE))
    return tuple(found)


RUNS = tuple(map(_runs, range(KINDS)))
"""For every kind the pairs of tiles that it makes a run of."""


def relative(unseen: Sequence[int], genbutsu: Collection[int]) -> Floats:
    """The danger of every kind against one riichi, (34,), unit: percent of all.

    Parameters
    ----------
    unseen : sequence of 34 ints
        Copies of every kind that the discarder does not see.
    genbutsu : collection of int
        Kinds that the riichi cannot win on.
    """
    points = np.array(
        [0 if kind in genbutsu else _points(kind, unseen, genbutsu) for kind in range(KINDS)]
    )
    return np.asarray(100 * points / max(int(points.sum()), 1))


def _points(kind: int, unseen: Sequence[int], genbutsu: Collection[int]) -> int:
    alone = _ALONE_HONOUR if SUIT[kind] == HONOURS else _ALONE
    return alone[unseen[kind]] + sum(
        run.points
        for run in RUNS[kind]
        if run.other not in genbutsu and all(unseen[tile] for tile in run.held)
    )


def against_riichi(view: View) -> Floats | None:
    """The highest danger of every kind, (34,), against the opponents in riichi; None without one.

    Unit: percent, as `relative`.
    """
    declared = [seat.seat for seat in view.opponents if seat.declared]
    if not declared:
        return None
    unseen = view.unseen().tolist()
    found = [
        relative(unseen, set(np.flatnonzero(view.genbutsu(seat)).tolist())) for seat in declared
    ]
    return np.asarray(np.max(found, axis=0))
