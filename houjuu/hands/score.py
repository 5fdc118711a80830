"""Score codes of complete hands by type of completion, for the melds and winds of an opponent.

A score depends on the complete hand and the type of completion, but not on the missing tile of a
run. `base_codes` scores a grid of (completion types, combinations of sets, pairs) without dora;
dora, red fives included, only add han (`houjuu.hands.points.add_han`).
"""

from __future__ import annotations

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.yaku import PINFU, SANANKOU, YAKU
from houjuu.hands.completions import (
    COMPLETION_TYPES,
    OPEN_ENDED,
    TRIPLET_SIMPLE,
    TRIPLET_YAOCHU,
)
from houjuu.hands.fu import exact_fu, tens_of_fu
from houjuu.hands.hand_grid import HandGrid
from houjuu.hands.points import score_codes
from houjuu.hands.yaku import pinfu, sanankou, suuankou, yaku_han, yakuman
from houjuu.util.arrays import UInt8s

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
