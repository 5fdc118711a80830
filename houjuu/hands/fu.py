"""Fu of a hand won by ron, over a grid of complete hands.

Tenhou's rules: a pair of the wind that is both round's and seat's has 4 fu (連風牌), an open hand
without any fu counts 30.
"""

from __future__ import annotations

import numpy as np

from houjuu.events import Meld, MeldKind
from houjuu.hands.grid import KANS, Grid
from houjuu.hands.points import MOST_FU
from houjuu.hands.readings import NARROW, TRIPLET_SIMPLE, TRIPLET_YAOCHU
from houjuu.hands.sets import TRIPLET_FU, Bytes
from houjuu.tiles import COPIES, HAKU, KINDS

_BASE, _CLOSED_RON, _LEAST = 20, 10, 30
_PAIR_FU = 2
_COMPLETION_FU = {NARROW: 2, TRIPLET_SIMPLE: -2, TRIPLET_YAOCHU: -4}
"""What the wait adds; a triplet that the ron completes is open and loses half its fu."""


def meld_fu(meld: Meld) -> int:
    """Fu of a meld."""
    if meld.kind is MeldKind.CHI:
        return 0
    kan, concealed = meld.kind in KANS, not meld.is_open
    return int(TRIPLET_FU[meld.tiles[0] // COPIES]) << (2 * kan + concealed)


def pair_fu(round_wind: int, seat_wind: int) -> Bytes:
    """Fu of a pair by kind, (34,)."""
    fu = np.zeros(KINDS, np.uint8)
    fu[HAKU:] = _PAIR_FU
    fu[round_wind] += _PAIR_FU
    fu[seat_wind] += _PAIR_FU
    return fu


def exact_fu(grid: Grid) -> Bytes:
    """Fu before rounding and without those of the wait, (c, 34) uint8."""
    setting = grid.setting
    fixed = _BASE + _CLOSED_RON * setting.closed + sum(map(meld_fu, setting.melds))
    pair = pair_fu(setting.round_wind, setting.seat_wind) + np.uint8(fixed)
    return grid.concealed.fu[:, None] + pair


def tens_of_fu(exact: Bytes, completion: int) -> Bytes:
    """Fu / 10 when the hand is completed in this way (`houjuu.hands.readings`), 3–15."""
    to_round_up = 9 + _COMPLETION_FU.get(completion, 0)
    tens = (exact + np.uint8(to_round_up)) // np.uint8(10)
    return tens.clip(_LEAST // 10, MOST_FU // 10)
