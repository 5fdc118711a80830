"""Scores of all wins of all tenpai shapes, for the melds, winds and dora of an opponent.

A score depends on the complete hand and the type of completion, but not on the missing tile of a
run. Therefore a grid of (completion types, combinations of sets, pairs) is scored, and each win
takes its scores from there. If a win has several completions, the best one counts (Kurita & Hoki
2017, section 4).
"""

from __future__ import annotations

import numpy as np

from houjuu.arrays import Bools, UInt8s
from houjuu.hands.completions import (
    COMPLETION_TYPES,
    OPEN_ENDED,
    TRIPLET_SIMPLE,
    TRIPLET_YAOCHU,
)
from houjuu.hands.fu import exact_fu, tens_of_fu
from houjuu.hands.hand_grid import HandGrid, ScoringContext
from houjuu.hands.points import YAKUMAN_HAN, better_codes, score_codes
from houjuu.hands.sets import bools
from houjuu.hands.shapes import Shapes
from houjuu.hands.yaku import pinfu, sanankou, suuankou, yaku_han, yakuman
from houjuu.tiles import COPIES, KIND, KINDS
from houjuu.yaku import PINFU, SANANKOU, YAKU

_PINFU_HAN = np.uint8(YAKU[PINFU].han_closed)
_SANANKOU_HAN = np.uint8(YAKU[SANANKOU].han_open)


def score(shapes: Shapes, context: ScoringContext) -> UInt8s:
    """Score codes of all wins.

    Red fives among the concealed tiles and the winning tile count only if the context gives their
    number; `houjuu.hands.points.add_han` can add them afterwards. Then the best completion is
    chosen without them, which made no difference in 56 million wins.

    Parameters
    ----------
    shapes : Shapes
        With w wins.
    context : ScoringContext

    Returns
    -------
    codes : (w,) uint8
        Score codes (`houjuu.hands.points`), han and fu by ron. 0 if the win has no yaku, or if
        hand and melds already contain all four tiles of the winning kind.

    Examples
    --------
    A 2m tanki with four runs of simples: tanyao, 30 fu.

    >>> from houjuu.events import Meld, MeldKind
    >>> from houjuu.hands.shapes import shapes
    >>> runs = [Meld(MeldKind.CHI, (t, t + 4, t + 8), t, 3) for t in (5, 17, 41, 81)]
    >>> tanki = shapes(1)
    >>> codes = score(tanki, ScoringContext(tuple(runs)))
    >>> [divmod(int(code), 16) for code in codes[1:2]]
    [(1, 3)]
    """
    cell_codes = _cell_codes(HandGrid.of(context, shapes.tiles // 3)).ravel()
    codes: UInt8s = cell_codes.take(shapes.cell)
    for wins, cells in shapes.other_cells:
        codes[wins] = better_codes(codes[wins], cell_codes[cells])
    return codes


def _cell_codes(grid: HandGrid) -> UInt8s:
    """Score codes of all types of completions of all hands, (`COMPLETION_TYPES`, c, 34)."""
    yaku, dora, fu = yaku_han(grid), _dora(grid), exact_fu(grid)
    has_yakuman, possible = yakuman(grid), _possible(grid)
    codes = np.empty((COMPLETION_TYPES, *yaku.shape), np.uint8)
    for completion_type in range(COMPLETION_TYPES):
        triplet = int(completion_type in (TRIPLET_SIMPLE, TRIPLET_YAOCHU))
        han = yaku + sanankou(grid, triplet) * _SANANKOU_HAN
        if completion_type == OPEN_ENDED:
            han += pinfu(grid) * _PINFU_HAN
        total = np.minimum(han + dora, np.uint8(YAKUMAN_HAN)) * han.astype(np.bool_)
        yakuman_han = (has_yakuman | suuankou(grid, triplet)) * np.uint8(YAKUMAN_HAN)
        total = np.maximum(total, yakuman_han) * possible
        codes[completion_type] = score_codes(total, tens_of_fu(fu, completion_type))
    return codes


def _dora(grid: HandGrid) -> UInt8s:
    """Han of the dora and known red fives in the whole hand, (c, 34)."""
    dora = np.bincount(grid.context.dora, minlength=KINDS)
    concealed = grid.concealed.counts @ dora + grid.context.bonus
    return concealed.astype(np.uint8)[:, None] + (2 * dora).astype(np.uint8)


def _possible(grid: HandGrid) -> Bools:
    """Whether hand and melds have at most four tiles of each kind, (c, 34).

    If a shape is possible with these melds but its complete hand is not, the shape waits for a
    fifth copy.
    """
    melded = np.bincount([KIND[tile] for tile in grid.context.meld_tiles], minlength=KINDS)
    counts = grid.concealed.counts + melded
    return bools(counts.max(axis=1) <= COPIES)[:, None] & bools(counts <= COPIES - 2)
