"""Points of a hand won by ron, and score codes: han and fu in one byte.

A code is ``16 * han + fu / 10`` rounded down; 0 is no win. No ron has 20 fu, so that 2 stands for
the 25 of seven pairs. Han count to 13, which is yakuman, counted (数え) or
not (Kurita & Hoki 2017, section 4). There is no kiriage mangan: Tenhou does not round up.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from houjuu.hands.sets import Bytes, Indices

YAKUMAN_HAN = 13
MOST_FU = 150
"""Codes have no room for more; only four closed kans, a yakuman, have."""
CODES = 16 * (YAKUMAN_HAN + 1)
_FU: Bytes = np.array([0, 10, 25, *range(30, 160, 10)], np.uint8)
_BASE_AT_LIMIT = ((13, 8000), (11, 6000), (8, 4000), (6, 3000), (5, 2000))
_MANGAN_BASE = 2000
_DEALER_SHARE, _OTHER_SHARE = 6, 4


def ron_points(han: int, fu: int, *, dealer: bool = False) -> int:
    """Points that the discarder pays, without honba.

    Parameters
    ----------
    han : int
        From 1; 13 and more are yakuman.
    fu : int
    dealer : bool, default=False
        The winner is the dealer.

    Examples
    --------
    >>> ron_points(1, 30), ron_points(3, 60), ron_points(4, 30, dealer=True), ron_points(13, 30)
    (1000, 7700, 11600, 32000)
    """
    limit = (base for least, base in _BASE_AT_LIMIT if han >= least)
    base = next(limit, min(fu << (han + 2), _MANGAN_BASE))
    return ceil(base * (_DEALER_SHARE if dealer else _OTHER_SHARE) / 100) * 100


def code_of(han: Bytes, tens_of_fu: Bytes) -> Bytes:
    """Score codes of han, 0–13, and tenths of fu, 0–15; 0 where there is no han."""
    return (han << np.uint8(4) | tens_of_fu) * han.astype(np.bool_)


def han_of(code: Bytes) -> Bytes:
    """Han of score codes, 0–13."""
    return code >> np.uint8(4)


def fu_of(code: Bytes) -> Bytes:
    """Fu of score codes, 25–150."""
    return np.asarray(_FU[code & np.uint8(15)])


def _points_of_codes(dealer: bool) -> list[int]:
    return [
        ron_points(code >> 4, int(_FU[code & 15]), dealer=dealer) if code >> 4 else 0
        for code in range(CODES)
    ]


POINTS: Indices = np.array([_points_of_codes(dealer=False), _points_of_codes(dealer=True)], np.intp)
"""Ron points by dealership (0 no, 1 dealer) and score code, (2, 224)."""

_BY_WORTH = sorted(range(CODES), key=lambda code: (POINTS[0][code], code))
_RANK: Bytes = np.argsort(_BY_WORTH).astype(np.uint8)


def better(first: Bytes, second: Bytes) -> Bytes:
    """The better of two codes each: more points, then more han, then more fu."""
    return np.where(_RANK[second] > _RANK[first], second, first)


def more_han(code: Bytes, han: int | Indices) -> Bytes:
    """The codes with 0–13 han more, 13 in all at most; no win stays none."""
    more: Bytes = _MORE_HAN[han, code]
    return more


def _codes_with(more: int) -> list[int]:
    return [
        16 * min(YAKUMAN_HAN, (code >> 4) + more) + (code & 15) if code >> 4 else code
        for code in range(CODES)
    ]


_MORE_HAN: Bytes = np.array([_codes_with(more) for more in range(YAKUMAN_HAN + 1)], np.uint8)
