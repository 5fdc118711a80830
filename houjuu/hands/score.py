"""Score codes of complete hands by type of completion, for the melds and winds of an opponent.

A score depends on the complete hand and the type of completion, but not on the missing tile of a
run. `base_codes` scores a grid of (completion types, combinations of sets, pairs) without dora;
dora, red fives included, only add han (`houjuu.hands.points.add_han`).

Fu are by Tenhou's rules: a pair of a wind that is both round and seat wind has 4 fu (連風牌), and
an open hand without any fu counts 30.
"""

from __future__ import annotations

import numpy as np

from houjuu.game.events import KANS, Meld, MeldKind
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import HAKU, KIND, KINDS
from houjuu.game.yaku import PINFU, SANANKOU, YAKU
from houjuu.hands.completions import (
    COMPLETION_TYPES,
    NARROW,
    OPEN_ENDED,
    TRIPLET_SIMPLE,
    TRIPLET_YAOCHU,
)
from houjuu.hands.hand_grid import HandGrid
from houjuu.hands.points import MAX_FU, score_codes
from houjuu.hands.sets import TRIPLET_FU
from houjuu.hands.yaku import pinfu, sanankou, suuankou, yaku_han, yakuman
from houjuu.util.arrays import UInt8s

_BASE = 20
_CLOSED_RON = 10
_MIN_FU = 30
_PAIR_FU = 2
_COMPLETION_FU = {NARROW: 2, TRIPLET_SIMPLE: -2, TRIPLET_YAOCHU: -4}
"""Fu of the wait; a triplet completed by ron is open and loses half of its fu."""


def meld_fu(meld: Meld) -> int:
    """Fu of a meld."""
    if meld.kind is MeldKind.CHI:
        return 0
    is_kan = meld.kind in KANS
    is_closed = not meld.is_open
    return int(TRIPLET_FU[KIND[meld.tiles[0]]]) << (2 * is_kan + is_closed)


def pair_fu(round_wind: int, seat_wind: int) -> UInt8s:
    """Fu of a pair by kind, (34,)."""
    fu = np.zeros(KINDS, np.uint8)
    fu[HAKU:] = _PAIR_FU
    fu[round_wind] += _PAIR_FU
    fu[seat_wind] += _PAIR_FU
    return fu


def exact_fu(grid: HandGrid) -> UInt8s:
    """Fu before rounding and without the fu of the wait, (c, p) uint8."""
    context = grid.context
    fixed = _BASE + _CLOSED_RON * context.closed + sum(map(meld_fu, context.melds))
    pair = pair_fu(context.round_wind, context.seat_wind) + np.uint8(fixed)
    return grid.concealed.fu[:, None] + pair[grid.pairs]


def tens_of_fu(exact: UInt8s, completion_type: int) -> UInt8s:
    """Rounded fu / 10, 3–15, for a type of completion (`houjuu.hands.completions`)."""
    wait_fu = _COMPLETION_FU.get(completion_type, 0)
    tens = (exact + np.uint8(9 + wait_fu)) // np.uint8(10)
    return tens.clip(_MIN_FU // 10, MAX_FU // 10)


_PINFU_HAN = np.uint8(YAKU[PINFU].han_closed)
_SANANKOU_HAN = np.uint8(YAKU[SANANKOU].han_open)


def base_codes(grid: HandGrid) -> UInt8s:
    """Score codes without dora of all hands of a grid, (`COMPLETION_TYPES`, c, p).

    0 if the win has no yaku. Whether a hand has five tiles of a kind is not checked.
    """
    yaku = yaku_han(grid)
    fu = exact_fu(grid)
    has_yakuman = yakuman(grid)
    codes = np.empty((COMPLETION_TYPES, *yaku.shape), np.uint8)
    for completion_type in range(COMPLETION_TYPES):
        triplet = int(completion_type in (TRIPLET_SIMPLE, TRIPLET_YAOCHU))
        han = yaku + sanankou(grid, triplet) * _SANANKOU_HAN
        if completion_type == OPEN_ENDED:
            han += pinfu(grid) * _PINFU_HAN
        yakuman_han = (has_yakuman | suuankou(grid, triplet)) * np.uint8(YAKUMAN_HAN)
        han = np.maximum(np.minimum(han, np.uint8(YAKUMAN_HAN)), yakuman_han)
        codes[completion_type] = score_codes(han, tens_of_fu(fu, completion_type))
    return codes
