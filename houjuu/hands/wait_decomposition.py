"""Every wait of a tenpai hand: all decompositions into sets, a pair and a wait.

A suit is decomposed once and cached, since hands share their suits; a hand joins four of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from houjuu.game.tiles import COPIES, HONOURS, KIND, KINDS, YAOCHU
from houjuu.hands.wait_types import (
    FIRST_SHANPON,
    FIRST_TANKI,
    FORM,
    RYANMEN,
    WINS,
    kanchan,
    penchan,
    ryanmen,
)

Counts = tuple[int, ...]
_WINS = [tuple(dict.fromkeys(pair)) for pair in WINS.tolist()]
_IS_RYANMEN = [form == RYANMEN for form in FORM.tolist()]
_CACHE_SIZE = 1 << 17  # unit: suits, about 100 MB when full


class SuitDecompositions(NamedTuple):
    """The ways to use up the tiles of one suit; `pairs` are kinds, the others are waits."""

    complete: bool  # with sets alone
    pairs: frozenset[int]  # sets and a pair
    taatsu: frozenset[int]  # sets and two tiles that wait
    paired: frozenset[int]  # sets, a pair and two tiles that wait; sets and two pairs
    single: frozenset[int]  # sets and a single tile


class _Loose(NamedTuple):
    """The parts of one decomposition of a suit, triplets excluded."""

    runs: tuple[int, ...] = ()
    pairs: tuple[int, ...] = ()
    taatsu: int | None = None
    single: int | None = None


def count_kinds(tiles: Iterable[int]) -> list[int]:
    """Number of tiles of every kind, 34 numbers."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[KIND[tile]] += 1
    return counts


def waits(counts: list[int]) -> frozenset[int]:
    """Waits, 0–112 (`houjuu.hands.wait_types`), of 13, 10, 7, 4 or 1 concealed tiles.

    Empty if the hand is not tenpai, or tenpai for kokushi musou. A 両面単騎 has only its ryanmen
    wait. Waits with all four winning tiles in the hand are included.
    """
    suits = [decompose(suit, tuple(counts[9 * suit : 9 * suit + 9])) for suit in range(HONOURS + 1)]
    partial = [suit for suit in suits if not suit.complete]
    hand_waits: set[int] = set()
    if len(partial) == 1:
        hand_waits |= partial[0].paired | partial[0].single
    elif len(partial) == 2:
        hand_waits |= _joined(partial[0], partial[1])
    pair_wait = _chiitoitsu_wait(counts)
    if pair_wait is not None and not any(
        _IS_RYANMEN[wait] and pair_wait in _WINS[wait] for wait in hand_waits
    ):
        hand_waits.add(FIRST_TANKI + pair_wait)
    return frozenset(hand_waits)


def winning_kinds(counts: list[int], melded: Iterable[int] = ()) -> int:
    """Mask of the kinds that complete a hand, kokushi musou included.

    A kind with all four tiles in the hand, or in the kinds `melded` as kans, is excluded.
    """
    mask = kokushi_waits(counts)
    for wait in waits(counts):
        for kind in _WINS[wait]:
            mask |= 1 << kind
    for kind, count in enumerate(counts):
        if count == COPIES:
            mask &= ~(1 << kind)
    for kind in melded:
        mask &= ~(1 << kind)
    return mask


def kokushi_waits(counts: list[int]) -> int:
    """Mask of the kinds that complete kokushi musou: none, one, or all thirteen."""
    missing = [kind for kind in YAOCHU if not counts[kind]]
    if sum(counts[kind] for kind in YAOCHU) != 13 or len(missing) > 1:
        return 0
    return sum(1 << kind for kind in missing or YAOCHU)


def _chiitoitsu_wait(counts: list[int]) -> int | None:
    """The kind that completes chiitoitsu."""
    singles = [kind for kind, count in enumerate(counts) if count == 1]
    return singles[0] if len(singles) == 1 and counts.count(2) == 6 else None


def _joined(first: SuitDecompositions, second: SuitDecompositions) -> set[int]:
    joined: set[int] = set()
    if first.pairs:
        joined |= second.taatsu
    if second.pairs:
        joined |= first.taatsu
    if first.pairs and second.pairs:
        joined |= {FIRST_SHANPON + kind for kind in first.pairs | second.pairs}
    return joined


@lru_cache(maxsize=_CACHE_SIZE)
def decompose(suit: int, counts: Counts) -> SuitDecompositions:
    """All decompositions of a suit (3: honours) with these counts of each rank."""
    ways = set(_ways(suit, list(counts), _Loose()))
    single = {wait for way in ways if way.single is not None for wait in _single(suit, way)}
    twos = {kind for wait in single if _IS_RYANMEN[wait] for kind in _WINS[wait]}
    paired = {way.taatsu for way in ways if way.taatsu is not None and way.pairs}
    shanpon = {FIRST_SHANPON + kind for way in ways if len(way.pairs) == 2 for kind in way.pairs}
    bare = [way for way in ways if way.single is None]
    return SuitDecompositions(
        complete=any(way.taatsu is None and not way.pairs for way in bare),
        pairs=frozenset(way.pairs[0] for way in bare if way.taatsu is None and len(way.pairs) == 1),
        taatsu=frozenset(way.taatsu for way in bare if way.taatsu is not None and not way.pairs),
        paired=frozenset(paired | shanpon),
        single=frozenset(wait for wait in single if wait - FIRST_TANKI not in twos),
    )


def _single(suit: int, way: _Loose) -> Iterator[int]:
    """Yield the waits of a single tile: ryanmen with a run next to it, as in 4567."""
    assert way.single is not None
    rank = way.single
    lows = [low for low, run in ((rank, rank + 1), (rank - 3, rank - 3)) if run in way.runs]
    if not lows:
        yield FIRST_TANKI + 9 * suit + rank
    for low in lows:
        yield ryanmen(suit, low)


def _ways(suit: int, counts: list[int], loose: _Loose) -> Iterator[_Loose]:
    """Yield the parts of every decomposition, placing the lowest tile first."""
    rank = next((rank for rank, count in enumerate(counts) if count), None)
    if rank is None:
        yield loose
        return
    for used, after in _uses(suit, counts, rank, loose):
        for rank_used in used:
            counts[rank_used] -= 1
        yield from _ways(suit, counts, after)
        for rank_used in used:
            counts[rank_used] += 1


def _uses(
    suit: int, counts: list[int], rank: int, loose: _Loose
) -> Iterator[tuple[tuple[int, ...], _Loose]]:
    """Yield the ranks of each part that the lowest tile can belong to, and the parts after it."""
    next_rank = counts[rank + 1] if suit < HONOURS and rank < 8 else 0
    rank_after_next = counts[rank + 2] if suit < HONOURS and rank < 7 else 0
    if counts[rank] >= 3:
        yield (rank,) * 3, loose
    if next_rank and rank_after_next:
        yield (rank, rank + 1, rank + 2), loose._replace(runs=(*loose.runs, rank))
    if loose.single is not None:
        return
    kind = 9 * suit + rank
    waiting = loose.taatsu is not None
    if counts[rank] >= 2 and len(loose.pairs) + waiting < 2:
        yield (rank, rank), loose._replace(pairs=(*loose.pairs, kind))
    if not waiting and len(loose.pairs) < 2:
        if next_rank:
            yield (rank, rank + 1), loose._replace(taatsu=_adjacent(suit, rank))
        if rank_after_next:
            yield (rank, rank + 2), loose._replace(taatsu=kanchan(suit, rank))
        if not loose.pairs:
            yield (rank,), loose._replace(single=rank)


def _adjacent(suit: int, rank: int) -> int:
    return penchan(suit, int(rank == 7)) if rank in (0, 7) else ryanmen(suit, rank - 1)
