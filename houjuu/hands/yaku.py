"""The yaku that a hand won by ron can have beside melds, over a grid of complete hands.

A condition takes a `Grid` and gives a bool array that broadcasts to (combinations, 34 pairs).
Seven pairs, thirteen orphans, nine gates and ryanpeikou need more concealed tiles than a shape has;
menzen tsumo, rinshan and haitei need a draw. Which triplets the ron makes open, and so sanankou and
suuankou, is told by `completed`: 1 when the winning tile completes a triplet, else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from houjuu.hands.grid import Grid
from houjuu.hands.sets import GREEN, OUTSIDE, RUNS, SIMPLE, TERMINAL, YAOCHU, Bools, Bytes, bools
from houjuu.tiles import CHUN, EAST, HAKU, KINDS, NORTH

Condition = Callable[[Grid], Bools]

_ALL_RANKS, _RUN_RANKS = range(9), range(7)
_SUIT_RUNS = 7
_DRAGONS, _WINDS = range(HAKU, CHUN + 1), range(EAST, NORTH + 1)
_HONOURS_BIT = np.uint8(8)
_HONITSU = np.array([bits in (9, 10, 12) for bits in range(16)])  # by the bits of the suits
_CHINITSU = np.array([bits in (1, 2, 4) for bits in range(16)])
_BITS = np.array([bits.bit_count() for bits in range(16)], np.uint8)


@dataclass(frozen=True, slots=True)
class Yaku:
    """A yaku: the condition, and its han in a closed and in an open hand (0: not allowed)."""

    name: str
    holds: Condition
    closed: int
    open: int


def _honour_sets(grid: Grid, first: int, number: int) -> Bytes:
    """How many of the honours from `first` on are triplets or kans, (c, 1)."""
    bits = grid.sets >> np.uint64(RUNS + first) & np.uint64((1 << number) - 1)
    return _BITS[bits.astype(np.intp)]


def _pair_in(kinds: range) -> Bools:
    return np.isin(np.arange(KINDS), kinds)


def _any_of(grid: Grid, choices: Sequence[tuple[int, ...]]) -> Bools:
    found = np.zeros((len(grid.sets), 1), np.bool_)
    for sets in choices:
        found |= grid.has_sets(*sets)
    return found


def tanyao(grid: Grid) -> Bools:
    """No terminal and no honour (断么九)."""
    allowed = grid.setting.closed or grid.setting.rules.open_tanyao
    return grid.has(SIMPLE) & np.bool_(allowed)


def iipeikou(grid: Grid) -> Bools:
    """The same run twice (一盃口)."""
    return grid.concealed.twins[:, None]


def sanshoku_doujun(grid: Grid) -> Bools:
    """The same run in all three suits (三色同順)."""
    return _any_of(grid, [(r, r + _SUIT_RUNS, r + 2 * _SUIT_RUNS) for r in _RUN_RANKS])


def ittsu(grid: Grid) -> Bools:
    """123, 456 and 789 of a suit (一気通貫)."""
    firsts = range(0, RUNS, _SUIT_RUNS)
    return _any_of(grid, [(first, first + 3, first + 6) for first in firsts])


def sanshoku_doukou(grid: Grid) -> Bools:
    """The same triplet in all three suits (三色同刻)."""
    return _any_of(grid, [(RUNS + r, RUNS + 9 + r, RUNS + 18 + r) for r in _ALL_RANKS])


def chanta(grid: Grid) -> Bools:
    """A terminal or honour in every part, a run and an honour among them (混全帯么九)."""
    return grid.has(OUTSIDE) & ~grid.has(TERMINAL) & grid.runs.astype(np.bool_)


def junchan(grid: Grid) -> Bools:
    """A terminal in every part, a run among them (純全帯么九)."""
    return grid.has(TERMINAL) & grid.runs.astype(np.bool_)


def honroutou(grid: Grid) -> Bools:
    """Terminals and honours alone (混老頭)."""
    return grid.has(YAOCHU)


def toitoi(grid: Grid) -> Bools:
    """Triplets alone (対々和)."""
    return bools(grid.runs == 0)


def sankantsu(grid: Grid) -> Bools:
    """Three kans (三槓子)."""
    return np.array([[grid.kans == 3]])


def shousangen(grid: Grid) -> Bools:
    """Two triplets and the pair of dragons (小三元)."""
    return bools(_honour_sets(grid, HAKU, 3) == 2) & _pair_in(_DRAGONS)


def honitsu(grid: Grid) -> Bools:
    """One suit and honours (混一色)."""
    return _HONITSU[grid.suits]


def chinitsu(grid: Grid) -> Bools:
    """One suit alone (清一色)."""
    return _CHINITSU[grid.suits]


def _yakuhai(kind: int) -> Condition:
    return lambda grid: grid.has_sets(RUNS + kind)


YAKU = (
    Yaku("haku", _yakuhai(HAKU), 1, 1),
    Yaku("hatsu", _yakuhai(HAKU + 1), 1, 1),
    Yaku("chun", _yakuhai(CHUN), 1, 1),
    Yaku("round wind", lambda grid: grid.has_sets(RUNS + grid.setting.round_wind), 1, 1),
    Yaku("seat wind", lambda grid: grid.has_sets(RUNS + grid.setting.seat_wind), 1, 1),
    Yaku("tanyao", tanyao, 1, 1),
    Yaku("iipeikou", iipeikou, 1, 0),
    Yaku("sanshoku doujun", sanshoku_doujun, 2, 1),
    Yaku("ittsu", ittsu, 2, 1),
    Yaku("sanshoku doukou", sanshoku_doukou, 2, 2),
    Yaku("chanta", chanta, 2, 1),
    Yaku("junchan", junchan, 3, 2),
    Yaku("honroutou", honroutou, 2, 2),
    Yaku("toitoi", toitoi, 2, 2),
    Yaku("sankantsu", sankantsu, 2, 2),
    Yaku("shousangen", shousangen, 2, 2),
    Yaku("honitsu", honitsu, 3, 2),
    Yaku("chinitsu", chinitsu, 6, 5),
)
"""The yaku of a complete hand that do not depend on the wait."""


def yaku_han(grid: Grid) -> Bytes:
    """Han of all the yaku that do not depend on the wait, (c, 34) uint8."""
    han = np.full(grid.traits.shape, grid.setting.extra_yaku, np.uint8)
    for yaku in YAKU:
        worth = yaku.closed if grid.setting.closed else yaku.open
        if worth:
            han += yaku.holds(grid) * np.uint8(worth)
    return han


def pinfu(grid: Grid) -> Bools:
    """Closed, runs alone and a pair without fu, for a two-sided win (平和)."""
    setting = grid.setting
    plain = ~_pair_in(_DRAGONS)
    plain[[setting.round_wind, setting.seat_wind]] = False
    number = grid.concealed.sets.shape[1]
    runs_alone = not setting.melds and number > 0
    return bools(grid.runs == number) & plain & np.bool_(runs_alone)


def sanankou(grid: Grid, completed: int) -> Bools:
    """Three concealed triplets, closed kans counted, the one won on not (三暗刻)."""
    return bools(grid.concealed_triplets - completed >= 3)


def yakuman(grid: Grid) -> Bools:
    """Any yakuman that does not depend on the wait: they count once here, (c, 34) bool."""
    dragons, winds = _honour_sets(grid, HAKU, 3), _honour_sets(grid, EAST, 4)
    return (
        bools(dragons == 3)  # 大三元
        | bools(winds == 4)  # 大四喜
        | (bools(winds == 3) & _pair_in(_WINDS))  # 小四喜
        | bools(grid.suits == _HONOURS_BIT)  # 字一色
        | (grid.has(YAOCHU) & grid.has(TERMINAL))  # 清老頭
        | grid.has(GREEN)  # 緑一色
        | np.bool_(grid.kans == 4)  # 四槓子
    )


def suuankou(grid: Grid, completed: int) -> Bools:
    """Four concealed triplets, closed kans counted, the one won on not (四暗刻単騎)."""
    return bools(grid.concealed_triplets - completed >= 4)
