"""Scores of every win of every shape, for the melds, winds and dora of an opponent.

A score depends on the complete hand and on how it was completed, not on which tile of a run was
missing, so a grid of (ways to complete, combinations of sets, pairs) is scored, and every win looks
its cells up. Of several readings of a win the higher counts (Kurita & Hoki 2017, section 4).
"""

from __future__ import annotations

import numpy as np

from houjuu.hands.fu import exact_fu, tens_of_fu
from houjuu.hands.grid import Grid, Setting
from houjuu.hands.points import CODE_OF_RANK, RANK, YAKUMAN_HAN
from houjuu.hands.readings import COMPLETIONS, TRIPLET_SIMPLE, TRIPLET_YAOCHU, TWO_SIDED
from houjuu.hands.sets import Bytes, Indices
from houjuu.hands.shapes import Shapes
from houjuu.hands.yaku import pinfu, sanankou, suuankou, yaku_han, yakuman
from houjuu.tiles import COPIES, KINDS

_SANANKOU_HAN = np.uint8(2)


def score(shapes: Shapes, setting: Setting) -> Bytes:
    """What every win is worth.

    Red fives among the concealed tiles and the winning tile are unknown here, unless the setting
    says how many they are. `houjuu.hands.points.more_han` adds them to a score afterwards: exact
    but for the rare win that has two readings of about the same points.

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
    >>> [divmod(int(code), 16) for code in codes[alone.win_kind == 1]]
    [(1, 3)]
    """
    ranks = _cell_ranks(Grid.of(setting, shapes.tiles // 3)).ravel()
    best = ranks.take(shapes.cell)
    for wins, cells in shapes.other_cells:
        best[wins] = np.maximum(best[wins], ranks.take(cells))
    codes = CODE_OF_RANK[best]
    codes[_exhausted(shapes, setting)] = 0
    return codes


def _cell_ranks(grid: Grid) -> Bytes:
    """Rank of the score of every way to complete every hand, (`COMPLETIONS`, c, 34) uint8."""
    yaku, bonus = yaku_han(grid), _dora(grid)
    limit, fu = yakuman(grid), exact_fu(grid)
    ranks = np.empty((COMPLETIONS, *yaku.shape), np.uint8)
    for completion in range(COMPLETIONS):
        completed = int(completion in (TRIPLET_SIMPLE, TRIPLET_YAOCHU))
        han = yaku + sanankou(grid, completed) * _SANANKOU_HAN
        if completion == TWO_SIDED:
            han += pinfu(grid)
        total = np.minimum(han + bonus, np.uint8(YAKUMAN_HAN)) * (han > 0)
        total[limit | suuankou(grid, completed)] = YAKUMAN_HAN
        ranks[completion] = RANK[total << 4 | tens_of_fu(fu, completion) * (total > 0)]
    return ranks


def _dora(grid: Grid) -> Bytes:
    """Dora in the whole hand, (c, 34) uint8, with the red fives that are known."""
    each = np.bincount(grid.setting.dora, minlength=KINDS)
    concealed = (grid.concealed.counts @ each)[:, None] + 2 * each
    return (concealed + grid.setting.bonus).astype(np.uint8)


def _exhausted(shapes: Shapes, setting: Setting) -> Indices:
    """The wins for which hand and melds already hold all four tiles (空聴), as indices."""
    shown = np.bincount([tile // COPIES for tile in setting.meld_tiles], minlength=KINDS)
    full = shapes.win_held + shown.astype(np.uint8)[shapes.win_kind] >= COPIES
    return np.flatnonzero(full)
