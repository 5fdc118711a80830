"""Yaku and score codes of complete hands, for the melds and winds of an opponent.

A condition of a yaku maps a `HandGrid` to a bool array that broadcasts to (combinations, pairs);
number and han come from `houjuu.game.yaku`. Chiitoitsu, kokushi musou, chuuren poutou and
ryanpeikou need more concealed tiles than a tenpai shape has; menzen tsumo, rinshan and haitei need
a draw. A triplet completed by ron is open: for sanankou and suuankou, `completes_triplet` is 1 if
the winning tile completes a triplet, else 0.

A score depends on the complete hand and the type of completion, but not on the missing tile of a
run. `base_codes` scores a grid of (completion types, combinations of sets, pairs) without dora;
dora, red fives included, only add han (`houjuu.hands.points.add_han`).

Fu are by Tenhou's rules: a pair of a wind that is both round and seat wind has 4 fu (連風牌), and
an open hand without any fu counts 30.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from houjuu.game.events import KANS, Meld, MeldKind
from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import CHUN, EAST, HAKU, HONOURS, KIND, KINDS, NORTH, SUIT
from houjuu.game.yaku import (
    CHANTA,
    CHINITSU,
    DRAGON,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    ITTSUU,
    JUNCHAN,
    PINFU,
    ROUND_WIND,
    SANANKOU,
    SANKANTSU,
    SANSHOKU_DOUJUN,
    SANSHOKU_DOUKOU,
    SEAT_WIND,
    SHOUSANGEN,
    TANYAO,
    TOITOI,
    YAKU,
)
from houjuu.hands.completions import (
    COMPLETION_TYPES,
    NARROW,
    NO_SET,
    OPEN_ENDED,
    TRIPLET_SIMPLE,
    TRIPLET_YAOCHU,
    completions,
)
from houjuu.hands.hand_grid import HandGrid, ScoringContext
from houjuu.hands.points import MAX_FU, score_codes
from houjuu.hands.sets import (
    GREEN,
    OUTSIDE,
    RUN_LOWS,
    RUNS,
    SET_COUNTS,
    SIMPLE,
    TERMINAL,
    TRIPLET_FU,
    YAOCHU,
    Combinations,
    Indices,
    bools,
)
from houjuu.util.arrays import Bools, Int8s, UInt8s

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


_RUN_FROM = np.full(KINDS, NO_SET)
_RUN_FROM[list(RUN_LOWS)] = np.arange(RUNS)
"""The run whose lowest tile is a kind."""
_FIRST_KINDS = [SUIT.index(suit) for suit in range(HONOURS + 1)]
_COUNTS = np.append(SET_COUNTS, np.full((1, KINDS), 5), axis=0).astype(np.int8)
"""Tiles of each set; no hand has those of `NO_SET`."""


def decompositions(copies: Int8s) -> tuple[Indices, Indices, Indices]:
    """All ways to divide hands of 3n + 2 tiles, (m, 34), into sets and a pair.

    Returns
    -------
    tuple of arrays
        Of each way: the hand, (d,), the sets, (d, n), from the lowest tile on, and the pair, (d,).
    """
    tiles = np.add.reduceat(copies, _FIRST_KINDS, axis=1, dtype=np.intp)  # sets leave two of a suit
    hand, pair = np.nonzero((copies >= 2) & (tiles % 3 == 2)[:, SUIT])
    rest = copies[hand]
    rest[np.arange(len(hand)), pair] -= 2
    sets = np.zeros((len(hand), 0), np.intp)
    for _ in range(int(copies[:1].sum()) // 3):
        lowest = (rest > 0).argmax(axis=1)
        one = np.concatenate([lowest + RUNS, _RUN_FROM[lowest]])
        rest = np.tile(rest, (2, 1)) - _COUNTS[one]
        ways = np.flatnonzero((rest >= 0).all(axis=1))
        before = ways % len(hand)
        rest, sets = rest[ways], np.column_stack([sets[before], one[ways]])
        hand, pair = hand[before], pair[before]
    return hand, sets, pair


def has_yaku(hands: Int8s, kinds: Indices, context: ScoringContext) -> Bools:
    """Whether each ron has a yaku, (n,).

    Parameters
    ----------
    hands : (n, 34) array
        Concealed copies before the win, all of one number of tiles.
    kinds : (n,) array
        The winning kinds, each of which completes its hand.
    context : ScoringContext
    """
    copies = hands.copy()
    copies[np.arange(len(hands)), kinds] += 1
    hand, sets, pair = decompositions(copies)
    has = np.bincount(hand, minlength=len(hands)) == 0  # chiitoitsu, kokushi musou
    codes = base_codes(HandGrid.from_sets(context, Combinations.from_rows(sets), np.arange(KINDS)))
    of_two = np.pad(sets, ((0, 0), (0, 2)), constant_values=NO_SET)
    row, kind, completion_type, _ = completions(of_two, pair)
    wins = (kind == kinds[hand[row]]) & (codes[completion_type, row, pair[row]] > 0)
    has[hand[row[wins]]] = True
    return np.asarray(has)
