"""The yaku of hands with melds that win by ron, over a grid of complete hands.

A condition maps a `HandGrid` to a bool array that broadcasts to (combinations, pairs); number
and han come from `houjuu.game.yaku`. Chiitoitsu, kokushi musou, chuuren poutou and ryanpeikou need
more concealed tiles than a tenpai shape has; menzen tsumo, rinshan and haitei need a draw. A
triplet completed by ron is open: for sanankou and suuankou, `completes_triplet` is 1 if the winning
tile completes a triplet, else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from houjuu.game.tiles import CHUN, EAST, HAKU, NORTH
from houjuu.game.yaku import (
    CHANTA,
    CHINITSU,
    DRAGON,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    ITTSUU,
    JUNCHAN,
    ROUND_WIND,
    SANKANTSU,
    SANSHOKU_DOUJUN,
    SANSHOKU_DOUKOU,
    SEAT_WIND,
    SHOUSANGEN,
    TANYAO,
    TOITOI,
    YAKU,
)
from houjuu.hands.hand_grid import HandGrid
from houjuu.hands.sets import GREEN, OUTSIDE, RUNS, SIMPLE, TERMINAL, YAOCHU, bools
from houjuu.util.arrays import Bools, UInt8s

Condition = Callable[[HandGrid], Bools]

_ALL_RANKS = range(9)
_RUN_RANKS = range(7)
_SUIT_RUNS = 7
_DRAGONS = range(HAKU, CHUN + 1)
_WINDS = range(EAST, NORTH + 1)
_HONOURS_BIT = np.uint8(8)
_IS_HONITSU = np.array([bits in (9, 10, 12) for bits in range(16)])  # by the bits of the suits
_IS_CHINITSU = np.array([bits in (1, 2, 4) for bits in range(16)])
_BIT_COUNT = np.array([bits.bit_count() for bits in range(16)], np.uint8)


@dataclass(frozen=True, slots=True)
class YakuCondition:
    """Tenhou's number of a yaku (`houjuu.game.yaku`), and the condition for a hand to have it."""

    number: int
    holds: Condition


def _honour_sets(grid: HandGrid, kinds: range) -> UInt8s:
    """Number of triplets and kans of these honours, (c, 1)."""
    bits = grid.sets >> np.uint64(RUNS + kinds[0]) & np.uint64((1 << len(kinds)) - 1)
    return _BIT_COUNT[bits.astype(np.intp)]


def _pair_in(grid: HandGrid, kinds: range) -> Bools:
    return (grid.pairs >= kinds.start) & (grid.pairs < kinds.stop)


def _has_any(grid: HandGrid, choices: Sequence[tuple[int, ...]]) -> Bools:
    has_any = np.zeros((len(grid.sets), 1), np.bool_)
    for sets in choices:
        has_any |= grid.has_sets(*sets)
    return has_any


def tanyao(grid: HandGrid) -> Bools:
    """No terminal and no honour (断幺九)."""
    allowed = grid.context.closed or grid.context.rules.open_tanyao
    return grid.has(SIMPLE) & np.bool_(allowed)


def iipeikou(grid: HandGrid) -> Bools:
    """The same run twice (一盃口)."""
    return grid.concealed.has_iipeikou[:, None]


def sanshoku_doujun(grid: HandGrid) -> Bools:
    """The same run in all three suits (三色同順)."""
    return _has_any(grid, [(r, r + _SUIT_RUNS, r + 2 * _SUIT_RUNS) for r in _RUN_RANKS])


def ittsuu(grid: HandGrid) -> Bools:
    """123, 456 and 789 of a suit (一気通貫)."""
    firsts = range(0, RUNS, _SUIT_RUNS)
    return _has_any(grid, [(first, first + 3, first + 6) for first in firsts])


def sanshoku_doukou(grid: HandGrid) -> Bools:
    """The same triplet in all three suits (三色同刻)."""
    return _has_any(grid, [(RUNS + r, RUNS + 9 + r, RUNS + 18 + r) for r in _ALL_RANKS])


def chanta(grid: HandGrid) -> Bools:
    """A terminal or honour in each set and the pair, with a run and an honour (混全帯幺九)."""
    return grid.has(OUTSIDE) & ~grid.has(TERMINAL) & grid.n_runs.astype(np.bool_)


def junchan(grid: HandGrid) -> Bools:
    """A terminal in each set and the pair, with a run (純全帯幺九)."""
    return grid.has(TERMINAL) & grid.n_runs.astype(np.bool_)


def honroutou(grid: HandGrid) -> Bools:
    """Only terminals and honours (混老頭)."""
    return grid.has(YAOCHU)


def toitoi(grid: HandGrid) -> Bools:
    """Only triplets (対々和)."""
    return bools(grid.n_runs == 0)


def sankantsu(grid: HandGrid) -> Bools:
    """Three kans (三槓子)."""
    return np.array([[grid.n_kans == 3]])


def shousangen(grid: HandGrid) -> Bools:
    """Two triplets and a pair of dragons (小三元)."""
    return bools(_honour_sets(grid, _DRAGONS) == 2) & _pair_in(grid, _DRAGONS)


def honitsu(grid: HandGrid) -> Bools:
    """One suit and honours (混一色)."""
    return _IS_HONITSU[grid.suits]


def chinitsu(grid: HandGrid) -> Bools:
    """Only one suit (清一色)."""
    return _IS_CHINITSU[grid.suits]


def _yakuhai(kind: int) -> Condition:
    return lambda grid: grid.has_sets(RUNS + kind)


CONDITIONS = (
    YakuCondition(DRAGON, _yakuhai(HAKU)),
    YakuCondition(DRAGON + 1, _yakuhai(HAKU + 1)),
    YakuCondition(DRAGON + 2, _yakuhai(CHUN)),
    YakuCondition(ROUND_WIND, lambda grid: grid.has_sets(RUNS + grid.context.round_wind)),
    YakuCondition(SEAT_WIND, lambda grid: grid.has_sets(RUNS + grid.context.seat_wind)),
    YakuCondition(TANYAO, tanyao),
    YakuCondition(IIPEIKOU, iipeikou),
    YakuCondition(SANSHOKU_DOUJUN, sanshoku_doujun),
    YakuCondition(ITTSUU, ittsuu),
    YakuCondition(SANSHOKU_DOUKOU, sanshoku_doukou),
    YakuCondition(CHANTA, chanta),
    YakuCondition(JUNCHAN, junchan),
    YakuCondition(HONROUTOU, honroutou),
    YakuCondition(TOITOI, toitoi),
    YakuCondition(SANKANTSU, sankantsu),
    YakuCondition(SHOUSANGEN, shousangen),
    YakuCondition(HONITSU, honitsu),
    YakuCondition(CHINITSU, chinitsu),
)
"""The yaku that do not depend on the wait. The winds stand for the number of East."""


def yaku_han(grid: HandGrid) -> UInt8s:
    """Sum of the han of all yaku that do not depend on the wait, (c, p) uint8."""
    han = np.full(grid.traits.shape, grid.context.extra_yaku, np.uint8)
    for yaku in CONDITIONS:
        if value := YAKU[yaku.number].han(closed=grid.context.closed):
            han += yaku.holds(grid) * np.uint8(value)
    return han


def pinfu(grid: HandGrid) -> Bools:
    """Closed, only runs and a pair without fu, for a ryanmen win (平和)."""
    context = grid.context
    pair_without_fu = ~_pair_in(grid, _DRAGONS)
    pair_without_fu &= (grid.pairs != context.round_wind) & (grid.pairs != context.seat_wind)
    n_sets = grid.concealed.sets.shape[1]
    has_only_sets = not context.melds and n_sets > 0
    return bools(grid.n_runs == n_sets) & pair_without_fu & np.bool_(has_only_sets)


def sanankou(grid: HandGrid, completes_triplet: int) -> Bools:
    """Three concealed triplets or closed kans, without the triplet of the ron (三暗刻)."""
    return bools(grid.n_concealed_triplets - completes_triplet >= 3)


def yakuman(grid: HandGrid) -> Bools:
    """Whether the hand has a yakuman that does not depend on the wait, (c, p) bool."""
    dragons = _honour_sets(grid, _DRAGONS)
    winds = _honour_sets(grid, _WINDS)
    return (
        bools(dragons == 3)  # 大三元
        | bools(winds == 4)  # 大四喜
        | (bools(winds == 3) & _pair_in(grid, _WINDS))  # 小四喜
        | bools(grid.suits == _HONOURS_BIT)  # 字一色
        | (grid.has(YAOCHU) & grid.has(TERMINAL))  # 清老頭
        | grid.has(GREEN)  # 緑一色
        | np.bool_(grid.n_kans == 4)  # 四槓子
    )


def suuankou(grid: HandGrid, completes_triplet: int) -> Bools:
    """Four concealed triplets or closed kans, without the triplet of the ron (四暗刻単騎)."""
    return bools(grid.n_concealed_triplets - completes_triplet >= 4)
