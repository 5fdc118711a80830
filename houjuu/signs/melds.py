"""Calls, and the sets that they made."""

from __future__ import annotations

from bisect import bisect_left

from houjuu import reading
from houjuu.cases import Case
from houjuu.events import Meld
from houjuu.signs.values import NONE, NOTHING_DISCARDED
from houjuu.tiles import IS_YAOCHU


def chis(case: Case) -> int:
    """Chi."""
    return sum(not _same(meld) for meld in case.seat.melds)


def two_sided_chis(case: Case) -> int:
    """Chi of a tile that a two-sided shape took."""
    return sum(not _same(meld) and _two_sided(meld) for meld in case.seat.melds)


def simple_sets(case: Case) -> int:
    """Pon and kan of 2 to 8, closed kans too."""
    return sum(_same(meld) and not IS_YAOCHU[meld.tiles[0] >> 2] for meld in case.seat.melds)


def open_yaku(case: Case) -> int:
    """0 no set, 1 yakuhai, else 2, +1 tanyao, +2 one suit, +4 all triplets possible."""
    melds = case.seat.melds
    if not melds:
        return 0
    if any(meld.tiles[0] >> 2 in case.yakuhai for meld in melds):
        return 1
    tanyao = not any(IS_YAOCHU[tile >> 2] for meld in melds for tile in meld.tiles)
    return 2 + tanyao + 2 * (len(reading.meld_suits(melds)) < 2) + 4 * all(map(_same, melds))


def first_call(case: Case) -> int:
    """Discards before the first call."""
    return case.calls[0] if case.calls else NONE


def since_call(case: Case) -> int:
    """Discards since the last call."""
    return len(case.kinds) - case.calls[-1] if case.calls else NONE


def since_call_before(case: Case) -> int:
    """Discards since the call before the last."""
    return len(case.kinds) - case.calls[-2] if len(case.calls) > 1 else NONE


def tedashi_since_call(case: Case) -> int:
    """Tedashi since the last call, the discard after it included."""
    if not case.calls:
        return NONE
    return len(case.turns) - bisect_left(case.turns, case.calls[-1])


def middles_since_call(case: Case) -> int:
    """Those of them of 3 to 7."""
    if not case.calls:
        return NONE
    since = case.tedashi_classes[bisect_left(case.turns, case.calls[-1]) :]
    return since.count(3) + since.count(4)


def after_call(case: Case) -> int:
    """Class of the discard after the last call; 5 without one."""
    called = bool(case.calls) and case.calls[-1] < len(case.kinds)
    return case.classes[case.calls[-1]] if called else NOTHING_DISCARDED


def _same(meld: Meld) -> bool:
    return meld.tiles[0] >> 2 == meld.tiles[-1] >> 2


def _two_sided(meld: Meld) -> bool:
    low, called = meld.tiles[0] >> 2, (meld.called or 0) >> 2
    return (called == low and low % 9 < 6) or (called == low + 2 and low % 9 > 0)


SIGNS = (
    chis,
    two_sided_chis,
    simple_sets,
    open_yaku,
    first_call,
    since_call,
    since_call_before,
    tedashi_since_call,
    middles_since_call,
    after_call,
)
