"""Points of a hand won by ron, and score codes: han and fu in one byte.

A code is ``16 * han + fu / 10`` rounded down; 0 is no win. No ron has 20 fu, so that 2 stands for
the 25 of chiitoitsu. Han go up to 13: a yakuman, counted (数え) or not (Kurita & Hoki 2017,
section 4).
"""

from __future__ import annotations

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN, base_points, hand_points
from houjuu.hands.sets import Indices
from houjuu.util.arrays import UInt8s

MAX_FU = 150
"""Highest fu of a code; only a hand of four closed kans, a yakuman, has more."""
CODES = 16 * (YAKUMAN_HAN + 1)
FU_CLASSES = 3
"""Han by which the fu of closed hands differ: 1, 2, or more. A riichi of 1 han has 40 fu."""
_FU: UInt8s = np.array([0, 10, 25, *range(30, 160, 10)], np.uint8)


def score_code(han: int, fu: int) -> int:
    """Score code of han, 1–13, and fu.

    >>> score_code(1, 30)
    19
    """
    return 16 * han + fu // 10


def score_codes(han: UInt8s, tens_of_fu: UInt8s) -> UInt8s:
    """Score codes of arrays of han, 0–13, and fu / 10, 0–15; 0 where han is 0."""
    return (han << np.uint8(4) | tens_of_fu) * han.astype(np.bool_)


def han_of(code: UInt8s) -> UInt8s:
    """Han of score codes, 0–13."""
    return code >> np.uint8(4)


def fu_of(code: UInt8s) -> UInt8s:
    """Fu of score codes, 25–150."""
    return np.asarray(_FU[code & np.uint8(15)])


def _points(kiriage: bool) -> Indices:
    codes = range(16, CODES)
    base = [base_points(code >> 4, int(_FU[code & 15]), kiriage=kiriage) for code in codes]
    all_codes = np.array([0] * 16 + base)  # the first are no win
    return np.array([hand_points(all_codes, dealer=dealer) for dealer in (False, True)])


POINTS: Indices = _points(kiriage=False)
"""Ron points by dealership (0 no, 1 dealer) and score code, (2, 224)."""

KIRIAGE_POINTS: Indices = _points(kiriage=True)
"""`POINTS` where 4 han of 30 fu and 3 han of 60 fu are mangan."""

_BY_POINTS = sorted(range(CODES), key=lambda code: (POINTS[0][code], code))
_RANK: UInt8s = np.argsort(_BY_POINTS).astype(np.uint8)


def better_codes(first: UInt8s, second: UInt8s) -> UInt8s:
    """The better code of each pair: more points, then more han, then more fu."""
    return np.where(_RANK[second] > _RANK[first], second, first)


def add_han(code: UInt8s, han: int | Indices) -> UInt8s:
    """Add 0–13 han to codes, up to 13 in all; code 0, no win, stays 0."""
    codes: UInt8s = _ADDED_HAN[han, code]
    return codes


def _codes_with(added: int) -> list[int]:
    return [
        16 * min(YAKUMAN_HAN, (code >> 4) + added) + (code & 15) if code >> 4 else code
        for code in range(CODES)
    ]


_ADDED_HAN: UInt8s = np.array([_codes_with(added) for added in range(YAKUMAN_HAN + 1)], np.uint8)
