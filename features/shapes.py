"""Every wait of a tenpai hand: all ways to split it into sets, a pair and a wait.

A suit is split once and remembered, since hands share their suits; a hand joins four of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from houjuu.tiles import COPIES, HONOURS, IS_YAOCHU, KINDS
from houjuu.waits import FIRST_TANKI, FIRST_TOITSU, FORM, RYANMEN, WINS, closed, edge, two_sided

Counts = tuple[int, ...]
_WINS = [tuple(dict.fromkeys(pair)) for pair in WINS.tolist()]
_IS_TWO_SIDED = [form == RYANMEN for form in FORM.tolist()]
_YAOCHU = [kind for kind in range(KINDS) if IS_YAOCHU[kind]]
_REMEMBERED = 1 << 17  # unit: suits, about 100 MB when full


class Split(NamedTuple):
    """How one suit's tiles can be used up; `pairs` are kinds, the rest are waits."""

    complete: bool  # by sets alone
    pairs: frozenset[int]  # sets and a pair
    tatsu: frozenset[int]  # sets and two tiles that wait
    paired: frozenset[int]  # sets, a pair and two tiles that wait; sets and two pairs
    single: frozenset[int]  # sets and a single tile


class _Loose(NamedTuple):
    """What one way to split a suit leaves beside triplets."""

    runs: tuple[int, ...] = ()
    pairs: tuple[int, ...] = ()
    tatsu: int | None = None
    single: int | None = None


def counts_of(tiles: Iterable[int]) -> list[int]:
    """How many tiles of every kind, 34 numbers."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile >> 2] += 1
    return counts


def waits(counts: list[int]) -> frozenset[int]:
    """The waits (0–112, `houjuu.waits`) of a concealed hand of 13, 10, 7, 4 or 1 tiles.

    Empty when it is not tenpai, or tenpai for 国士無双. Of a 両面単騎 only the two-sided wait is
    given; waits whose tiles are all four in the hand are given too.
    """
    suits = [split(suit, tuple(counts[9 * suit : 9 * suit + 9])) for suit in range(HONOURS + 1)]
    partial = [suit for suit in suits if not suit.complete]
    found: set[int] = set()
    if len(partial) == 1:
        found |= partial[0].paired | partial[0].single
    elif len(partial) == 2:
        found |= _joined(partial[0], partial[1])
    seventh = _seven_pairs(counts)
    if seventh is not None and not any(
        _IS_TWO_SIDED[wait] and seventh in _WINS[wait] for wait in found
    ):
        found.add(FIRST_TANKI + seventh)
    return frozenset(found)


def winning_kinds(counts: list[int], melded: Iterable[int] = ()) -> int:
    """Kinds (bit h for kind h) that complete a hand, 国士無双 included.

    A kind whose four tiles the player holds, concealed or in the kinds `melded` as kans, is none.
    """
    mask = thirteen_orphans(counts)
    for wait in waits(counts):
        for kind in _WINS[wait]:
            mask |= 1 << kind
    for kind, count in enumerate(counts):
        if count == COPIES:
            mask &= ~(1 << kind)
    for kind in melded:
        mask &= ~(1 << kind)
    return mask


def thirteen_orphans(counts: list[int]) -> int:
    """Kinds (bit h for kind h) that complete 国士無双: 0, one, or all thirteen."""
    missing = [kind for kind in _YAOCHU if not counts[kind]]
    if sum(counts[kind] for kind in _YAOCHU) != 13 or len(missing) > 1:
        return 0
    return sum(1 << kind for kind in missing or _YAOCHU)


def _seven_pairs(counts: list[int]) -> int | None:
    """The kind that completes 七対子."""
    singles = [kind for kind, count in enumerate(counts) if count == 1]
    return singles[0] if len(singles) == 1 and counts.count(2) == 6 else None


def _joined(one: Split, other: Split) -> set[int]:
    found: set[int] = set()
    if one.pairs:
        found |= other.tatsu
    if other.pairs:
        found |= one.tatsu
    if one.pairs and other.pairs:
        found |= {FIRST_TOITSU + kind for kind in one.pairs | other.pairs}
    return found


@lru_cache(maxsize=_REMEMBERED)
def split(suit: int, counts: Counts) -> Split:
    """All ways to split the tiles of a suit (3: honours), given how many there are of each rank."""
    ways = set(_ways(suit, list(counts), _Loose()))
    single = {wait for way in ways if way.single is not None for wait in _single(suit, way)}
    twos = {kind for wait in single if _IS_TWO_SIDED[wait] for kind in _WINS[wait]}
    paired = {way.tatsu for way in ways if way.tatsu is not None and way.pairs}
    shanpon = {FIRST_TOITSU + kind for way in ways if len(way.pairs) == 2 for kind in way.pairs}
    bare = [way for way in ways if way.single is None]
    return Split(
        complete=any(way.tatsu is None and not way.pairs for way in bare),
        pairs=frozenset(way.pairs[0] for way in bare if way.tatsu is None and len(way.pairs) == 1),
        tatsu=frozenset(way.tatsu for way in bare if way.tatsu is not None and not way.pairs),
        paired=frozenset(paired | shanpon),
        single=frozenset(wait for wait in single if wait - FIRST_TANKI not in twos),
    )


def _single(suit: int, way: _Loose) -> Iterator[int]:
    """Yield the waits of a single tile: two-sided with a run beside it, as in 4567."""
    assert way.single is not None
    rank = way.single
    lows = [low for low, run in ((rank, rank + 1), (rank - 3, rank - 3)) if run in way.runs]
    if not lows:
        yield FIRST_TANKI + 9 * suit + rank
    for low in lows:
        yield two_sided(suit, low)


def _ways(suit: int, counts: list[int], loose: _Loose) -> Iterator[_Loose]:
    """Yield what is left beside sets, taking what the lowest tile belongs to first."""
    rank = next((rank for rank, count in enumerate(counts) if count), None)
    if rank is None:
        yield loose
        return
    for taken, after in _uses(suit, counts, rank, loose):
        for used in taken:
            counts[used] -= 1
        yield from _ways(suit, counts, after)
        for used in taken:
            counts[used] += 1


def _uses(
    suit: int, counts: list[int], rank: int, loose: _Loose
) -> Iterator[tuple[tuple[int, ...], _Loose]]:
    """Yield the tiles that the lowest one can go with, and what is loose then."""
    beside = counts[rank + 1] if suit < HONOURS and rank < 8 else 0
    beyond = counts[rank + 2] if suit < HONOURS and rank < 7 else 0
    if counts[rank] >= 3:
        yield (rank,) * 3, loose
    if beside and beyond:
        yield (rank, rank + 1, rank + 2), loose._replace(runs=(*loose.runs, rank))
    if loose.single is not None:
        return
    kind, waiting = 9 * suit + rank, loose.tatsu is not None
    if counts[rank] >= 2 and len(loose.pairs) + waiting < 2:
        yield (rank, rank), loose._replace(pairs=(*loose.pairs, kind))
    if not waiting and len(loose.pairs) < 2:
        if beside:
            yield (rank, rank + 1), loose._replace(tatsu=_adjacent(suit, rank))
        if beyond:
            yield (rank, rank + 2), loose._replace(tatsu=closed(suit, rank))
        if not loose.pairs:
            yield (rank,), loose._replace(single=rank)


def _adjacent(suit: int, rank: int) -> int:
    return edge(suit, int(rank == 7)) if rank in (0, 7) else two_sided(suit, rank - 1)
