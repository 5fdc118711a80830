"""Relative danger: a tile's share of all the waits that a riichi can still have.

小林聡, 牌の危険度計算アルゴリズム(2), (3): a kind has points for each shape that can wait for it.
Its danger is its share of the points of all kinds, in percent. The points are those of 電脳麻将.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from houjuu.game.table import View
from houjuu.game.tiles import HONOURS, KIND, KINDS, SUIT
from houjuu.util.arrays import Floats

_RYANMEN = 10
_PENCHAN = 3
_KANCHAN = 3
_TANKI_OR_SHANPON = (0, 1, 3, 3)
_TANKI_OR_SHANPON_HONOUR = (0, 1, 3, 8)
"""Points of a tanki or shanpon wait, by the unseen copies beside the discarded one."""


class _RunWait(NamedTuple):
    """Two kinds that wait for a third, the other kind that they wait for, and their points."""

    pair: tuple[int, int]
    other_wait: int | None
    points: int


def _run_waits(kind: int) -> tuple[_RunWait, ...]:
    """The waits of a kind by a run."""
    suit = SUIT[kind]
    if suit == HONOURS:
        return ()
    waits = []
    for low in range(max(kind - 2, 9 * suit), min(kind, 9 * suit + 6) + 1):
        first, second = (member for member in range(low, low + 3) if member != kind)
        other_wait = {low: low + 3, low + 2: low - 1}.get(kind)
        if other_wait is None:
            waits.append(_RunWait((first, second), None, _KANCHAN))
        elif 0 <= other_wait < HONOURS * 9 and SUIT[other_wait] == suit:
            waits.append(_RunWait((first, second), other_wait, _RYANMEN))
        else:
            waits.append(_RunWait((first, second), None, _PENCHAN))
    return tuple(waits)


_RUN_WAITS = tuple(map(_run_waits, range(KINDS)))
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
        else _tanki_points(kind, unseen[kind] - (kind not in own_kinds))
        + _run_points(kind, unseen, genbutsu)
        for kind in range(KINDS)
    ]
    return np.asarray(100 * np.array(points) / max(sum(points), 1))


def _tanki_points(kind: int, copies: int) -> int:
    """Points of a tanki or shanpon wait with so many unseen copies beside the discarded one."""
    by_copies = _TANKI_OR_SHANPON_HONOUR if SUIT[kind] == HONOURS else _TANKI_OR_SHANPON
    return by_copies[max(copies, 0)]


def _run_points(kind: int, unseen: Sequence[int], genbutsu: Collection[int]) -> int:
    """Points of the waits by a run that are still possible."""
    return sum(
        wait.points
        for wait in _RUN_WAITS[kind]
        if wait.other_wait not in genbutsu and all(unseen[kind] for kind in wait.pair)
    )


def against_riichi(view: View) -> Floats | None:
    """The highest danger of every kind against the opponents in riichi, (34,); None without one.

    Unit: percent, as `relative`.
    """
    declared = [seat.seat for seat in view.opponents if seat.declared]
    if not declared:
        return None
    unseen = view.unseen().tolist()
    own_kinds = {KIND[tile] for tile in view.hand}
    dangers = [
        relative(unseen, set(np.flatnonzero(view.genbutsu(seat)).tolist()), own_kinds)
        for seat in declared
    ]
    return np.asarray(np.max(dangers, axis=0))
