"""Scores of every win of every shape, for the melds, winds and dora of an opponent.

A score depends on the complete hand and on how it was completed, not on which tile of a run was
missing, so a grid of (ways to complete, combinations of sets, pairs) is scored, and every win looks
its cells up. Of several readings of a win the higher counts (Kurita & Hoki 2017, section 4).
"""

from __future__ import annotations

import numpy as np

from houjuu.hands.fu import exact_fu, tens_of_fu
from houjuu.hands.grid import Grid, Setting
from houjuu.hands.points import YAKUMAN_HAN, better, code_of
from houjuu.hands.readings import COMPLETIONS, TRIPLET_SIMPLE, TRIPLET_YAOCHU, TWO_SIDED
from houjuu.hands.sets import Bools, Bytes, bools
from houjuu.hands.shapes import Shapes
from houjuu.hands.yaku import pinfu, sanankou, suuankou, yaku_han, yakuman
from houjuu.tiles import COPIES, KINDS

_SANANKOU_HAN = np.uint8(2)


def score(shapes: Shapes, setting: Setting) -> Bytes:
    """What every win is worth.

    Red fives among the concealed tiles and the winning tile are unknown here, unless the setting
    says how many they are. `houjuu.hands.points.more_han` adds them to a score afterwards. The
    better of two readings is then chosen without them, which made no difference in 56 million wins.

    Parameters
    ----------
    shapes : Shapes, with w wins
    setting : Setting

    Returns
    -------
    codes : (w,) uint8
        Score codes (`houjuu.hands.points`): han and fu by ron. 0 where the win has no yaku, or
        where hand and melds already hold the four tiles to win on.

    Examples
    --------
    A lone 2m beside four runs of simples: tanyao, 30 fu.

    >>> from houjuu.events import Meld, MeldKind
    >>> from houjuu.hands.shapes import shapes
    >>> runs = [Meld(MeldKind.CHI, (t, t + 4, t + 8), t, 3) for t in (5, 17, 41, 81)]
    >>> alone = shapes(1)
    >>> codes = score(alone, Setting(tuple(runs)))
    >>> [divmod(int(code), 16) for code in codes[1:2]]
    [(1, 3)]
    """
    of_cell = _cell_codes(Grid.of(setting, shapes.tiles // 3)).ravel()
    codes: Bytes = of_cell.take(shapes.cell)
    for wins, cells in shapes.other_cells:
        codes[wins] = better(codes[wins], of_cell[cells])
    return codes


def _cell_codes(grid: Grid) -> Bytes:
    """Score of every way to complete every hand, (`COMPLETIONS`, c, 34)."""
    yaku, bonus, fu = yaku_han(grid), _dora(grid), exact_fu(grid)
    limit, possible = yakuman(grid), _possible(grid)
    codes = np.empty((COMPLETIONS, *yaku.shape), np.uint8)
    for completion in range(COMPLETIONS):
        triplet = int(completion in (TRIPLET_SIMPLE, TRIPLET_YAOCHU))
        han = yaku + sanankou(grid, triplet) * _SANANKOU_HAN
        if completion == TWO_SIDED:
            han += pinfu(grid)
        total = np.minimum(han + bonus, np.uint8(YAKUMAN_HAN)) * han.astype(np.bool_)
        highest = (limit | suuankou(grid, triplet)) * np.uint8(YAKUMAN_HAN)
        total = np.maximum(total, highest) * possible
        codes[completion] = code_of(total, tens_of_fu(fu, completion))
    return codes


def _dora(grid: Grid) -> Bytes:
    """Dora in the whole hand, (c, 34), with the red fives that are known."""
    each = np.bincount(grid.setting.dora, minlength=KINDS)
    concealed = grid.concealed.counts @ each + grid.setting.bonus
    return concealed.astype(np.uint8)[:, None] + (2 * each).astype(np.uint8)


def _possible(grid: Grid) -> Bools:
    """Whether hand and melds have at most four of every kind, (c, 34).

    Where a shape beside these melds is possible and the hand it would win with is not, the shape
    waits for a fifth copy.
    """
    shown = np.bincount([tile // COPIES for tile in grid.setting.meld_tiles], minlength=KINDS)
    counts = grid.concealed.counts + shown
    return bools(counts.max(axis=1) <= COPIES)[:, None] & bools(counts <= COPIES - 2)
