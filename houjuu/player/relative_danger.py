"""Relative danger: a tile's share of all the waits that a riichi can still have.

小林聡, 牌の危険度計算アルゴリズム(2), (3): a kind has points for each shape that can wait for it.
Its danger is its share of the points of all kinds, in percent.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from houjuu.arrays import Floats
from houjuu.table import View
from houjuu.tiles import HONOURS, KIND, KINDS, SUIT

_RYANMEN, _PENCHAN, _KANCHAN = 10, 3, 3
_TANKI_OR_SHANPON = (0, 1, 3, 3)
_TANKI_OR_SHANPON_HONOUR = (0, 1, 3, 8)
"""Points of a tanki or shanpon wait, by the unseen copies beside the discarded one."""


class _RunWait(NamedTuple):
    """Two kinds that wait for a third, the other kind that they wait for, and their points."""

    held: tuple[int, int]
    other: int | None
    points: int


def _run_waits(kind: int) -> tuple[_RunWait, ...]:
    """The waits of a kind by a run."""
    suit = SUIT[kind]
    if suit == HONOURS:
        return ()
    waits = []
    for low in range(max(kind - 2, 9 * suit), min(kind, 9 * suit + 6) + 1):
        first, second = (member for member in range(low, low + 3) if member != kind)
        other = {low: low + 3, low + 2: low - 1}.get(kind)
        if other is None:
            waits.append(_RunWait((first, second), None, _KANCHAN))
        elif 0 <= other < HONOURS * 9 and SUIT[other] == suit:
            waits.append(_RunWait((first, second), other, _RYANMEN))
        else:
            waits.append(_RunWait((first, second), None, _PENCHAN))
    return tuple(waits)


_RUN_WAITS = tuple(map(_run_waits, range(KINDS)))
"""The waits by a run, by kind."""


def relative(unseen: Sequence[int], genbutsu: Collection[int], held: Collection[int]) -> Floats:
    """The danger of every kind against one riichi, (34,), unit: percent of the total.

    Parameters
    ----------
    unseen : sequence of 34 ints
        Copies of every kind that the discarder does not see.
    genbutsu : collection of int
        Kinds that the riichi cannot win on.
    held : collection of int
        Kinds in the hand of the discarder. Another kind counts with one unseen copy less: the one
        that the discarder would discard, as in the source's program (電脳麻将).
    """
    points = np.array(
        [
            0 if kind in genbutsu else _points(kind, unseen, genbutsu, kind in held)
            for kind in range(KINDS)
        ]
    )
    return np.asarray(100 * points / max(int(points.sum()), 1))


def _points(kind: int, unseen: Sequence[int], genbutsu: Collection[int], is_held: bool) -> int:
    by_copies = _TANKI_OR_SHANPON_HONOUR if SUIT[kind] == HONOURS else _TANKI_OR_SHANPON
    return by_copies[max(unseen[kind] - (not is_held), 0)] + sum(
        wait.points
        for wait in _RUN_WAITS[kind]
        if wait.other not in genbutsu and all(unseen[held] for held in wait.held)
    )


def against_riichi(view: View) -> Floats | None:
    """The highest danger of every kind against the opponents in riichi, (34,); None without one.

    Unit: percent, as in `relative`.
    """
    declared = [seat.seat for seat in view.opponents if seat.declared]
    if not declared:
        return None
    unseen, held = view.unseen().tolist(), {KIND[tile] for tile in view.hand}
    dangers = [
        relative(unseen, set(np.flatnonzero(view.genbutsu(seat)).tolist()), held)
        for seat in declared
    ]
    return np.asarray(np.max(dangers, axis=0))
