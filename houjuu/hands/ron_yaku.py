"""Which of many winning hands have a yaku, without their scores.

Every condition is a comparison of copies, or "complete without these sets": ittsuu is a hand that
is complete without 123, 456 and 789 of a suit, as far as its melds do not show them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

import numpy as np

from houjuu.game.events import KANS, Meld, MeldKind
from houjuu.game.tiles import EAST, IS_YAOCHU, KIND, KINDS, RANKS
from houjuu.hands.shanten import KIND_KEYS, SETS_AND_PAIR, Goal, Target, shantens
from houjuu.util.arrays import Bools, Int8s, Ints

_YAOCHU = np.array(IS_YAOCHU)
_SUITS = range(0, EAST, RANKS)
_RUN_RANKS = range(RANKS - 2)
_COMPLETE = -1


def has_yaku(
    hands: Int8s,
    kinds: Ints,
    melds: Sequence[Meld],
    yakuhai: Collection[int],
    open_tanyao: bool = True,
) -> Bools:
    """Whether each ron has a yaku, riichi and houtei aside, (n,).

    Parameters
    ----------
    hands : (n, 34) array
        Concealed copies before the win.
    kinds : (n,) array
        The winning kinds, each of which completes its hand.
    melds : sequence of Meld
    yakuhai : collection of int
        Kinds of which a triplet is a yaku.
    open_tanyao : bool, default=True
        Whether tanyao counts in an open hand (喰いタン).
    """
    closed = not any(meld.is_open for meld in melds)
    copies = hands.copy()
    copies[np.arange(len(hands)), kinds] += 1
    shown = [KIND[tile] for meld in melds for tile in meld.tiles]
    all_kinds = copies > 0
    all_kinds[:, shown] = True
    triplets = [KIND[meld.tiles[0]] for meld in melds if meld.kind is not MeldKind.CHI]
    kans = sum(meld.kind in KANS for meld in melds)
    has = (copies[:, list(yakuhai)] >= 3).any(axis=1)
    has |= bool(set(triplets) & set(yakuhai)) or kans >= 3
    if closed or open_tanyao:
        has |= ~all_kinds[:, _YAOCHU].any(axis=1)
    has |= sum(all_kinds[:, suit : suit + RANKS].any(axis=1).astype(int) for suit in _SUITS) <= 1
    one_pair = (copies == 2).sum(axis=1) == 1
    if len(triplets) == len(melds):
        has |= one_pair & np.isin(copies, (0, 2, 3)).all(axis=1)
    if not melds:
        has |= (copies == 2).sum(axis=1) == 7
        has |= ~_complete(copies, 4)  # chiitoitsu or kokushi musou
    has |= _outside(copies, melds)
    rest = np.flatnonzero(~has)
    has[rest] = _sanankou(hands[rest], copies[rest], 3 - sum(not meld.is_open for meld in melds))
    rest = np.flatnonzero(~has)
    has[rest] = _with_sets(copies[rest], melds, triplets, closed)
    if not melds:
        rest = np.flatnonzero(~has)
        has[rest] = _pinfu(copies[rest], kinds[rest], yakuhai)
    return np.asarray(has)


def _complete(copies: Int8s, sets: int) -> Bools:
    target = Target(sets, (Goal(form=SETS_AND_PAIR),))
    return np.asarray(shantens(copies.astype(np.intp) @ KIND_KEYS, target) == _COMPLETE)


def _sanankou(hands: Int8s, copies: Int8s, needed: int) -> Bools:
    """Whether hands are complete beside so many triplets that they had before the win."""
    has = np.zeros(len(hands), np.bool_)
    for row in np.flatnonzero((hands >= 3).sum(axis=1) >= needed).tolist():
        for kinds in combinations(np.flatnonzero(hands[row] >= 3).tolist(), max(needed, 0)):
            without = copies[row : row + 1].copy()
            without[0, list(kinds)] -= 3
            has[row] |= _complete(without, int(without.sum()) // 3)[0]
    return has


def _with_sets(copies: Int8s, melds: Sequence[Meld], triplets: list[int], closed: bool) -> Bools:
    """Ittsuu, sanshoku of runs and of triplets, and iipeikou."""
    has = np.zeros(len(copies), np.bool_)
    runs = [min(KIND[tile] for tile in meld.tiles) for meld in melds if meld.kind is MeldKind.CHI]
    shown = [*((run, 1) for run in runs), *((kind, 0) for kind in triplets)]
    n_sets = (int(copies[0].sum()) - 2) // 3 if len(copies) else 0
    for sets in _combinations():
        needed = [one for one in sets if one not in shown]
        if len(set(sets)) == 1:  # the same run twice
            needed = list(sets) if closed else []
        if not needed or len(needed) > n_sets:
            continue
        taken = np.zeros(KINDS, np.int8)
        for kind, is_run in needed:
            taken[kind : kind + (3 if is_run else 1)] += 1 if is_run else 3
        at = np.flatnonzero(taken)
        possible = np.flatnonzero((copies[:, at] >= taken[at]).all(axis=1) & ~has)
        if len(possible):
            has[possible] = _complete(copies[possible] - taken, n_sets - len(needed))
    return has


def _combinations() -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the sets of each yaku: the first kind, and whether it is a run."""
    for suit in _SUITS:
        yield tuple((suit + first, 1) for first in (0, 3, 6))
        for rank in _RUN_RANKS:
            yield ((suit + rank, 1), (suit + rank, 1))
    for rank in _RUN_RANKS:
        yield tuple((suit + rank, 1) for suit in _SUITS)
    for rank in range(RANKS):
        yield tuple((suit + rank, 0) for suit in _SUITS)


def _outside(copies: Int8s, melds: Sequence[Meld]) -> Bools:
    """Chanta, junchan and honroutou: a terminal or honour in each set and the pair."""
    if not all(any(IS_YAOCHU[KIND[tile]] for tile in meld.tiles) for meld in melds):
        return np.zeros(len(copies), np.bool_)
    outside = (copies[:, EAST:] != 1).all(axis=1) & (copies[:, EAST:] != 4).all(axis=1)
    pairs = (copies[:, EAST:] == 2).sum(axis=1)
    for suit in _SUITS:
        outside &= ~copies[:, suit + 3 : suit + 6].any(axis=1)
        for terminal, second, third in ((suit, suit + 1, suit + 2), (suit + 8, suit + 7, suit + 6)):
            rest = copies[:, terminal] - copies[:, second]
            outside &= (copies[:, second] == copies[:, third]) & np.isin(rest, (0, 2, 3))
            pairs = pairs + (rest == 2)
    return np.asarray(outside & (pairs == 1))


def _pinfu(copies: Int8s, kinds: Ints, yakuhai: Collection[int]) -> Bools:
    """Only runs and a pair without fu, for a ryanmen win."""
    worth_fu = np.zeros(KINDS, np.bool_)
    worth_fu[list(yakuhai)] = True
    alone = (copies[:, EAST:] > 0).sum(axis=1) <= 1  # the only honour is the pair
    hand, pair = np.nonzero((copies >= 2) & ~worth_fu & alone[:, None])
    rest = copies[hand].T.copy()  # by kind, so that a step reads one row
    rest[pair, np.arange(len(hand))] -= 1
    rest[pair, np.arange(len(hand))] -= 1
    possible = ~rest[EAST:].any(axis=0)
    ryanmen = np.zeros(len(hand), np.bool_)
    won = kinds[hand]
    for suit in _SUITS:
        for rank in _RUN_RANKS:
            low = suit + rank
            runs = rest[low].copy()
            rest[low : low + 3] -= runs
            possible &= runs >= 0
            ends = (won == low) & (rank < 6) | (won == low + 2) & (rank > 0)
            ryanmen |= (runs > 0) & ends
    has = np.zeros(len(copies), np.bool_)
    has[hand[possible & ryanmen & ~rest.any(axis=0)]] = True
    return has
