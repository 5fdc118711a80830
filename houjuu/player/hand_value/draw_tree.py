"""The draws of a hand to tenpai, compiled: level by level, every hand that useful draws lead to.

A level contains the hands of one shanten. A draw that lowers the shanten leads to the hands of the
next level that a discard can leave. A hand that several draws reach occurs once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from houjuu.arrays import Floats, Ints
from houjuu.player.hand_value.shanten import (
    POWERS,
    Keys,
    Target,
    compiled,
    count_of,
    parts_of,
    take_apart,
    with_key,
)
from houjuu.tiles import COPIES, KINDS

NEVER, PON, ANY_CALL = 0, 1, 2
"""Which calls a hand would make for a kind."""

_PON_TIMES, _CHI_TIMES = 4, 2
_RANK_OF_FIVE = 4


class Hands(NamedTuple):
    """Hands of 3n + 1 tiles: (n, 4) keys of their suits, and (n,) red fives as bits."""

    keys: Keys
    reds: Ints


class Wall(NamedTuple):
    """The tiles that may be drawn.

    Attributes
    ----------
    unseen, held : (34,)
        Copies of every kind that are unseen now, and that the player holds now. The further copies
        of a later hand were drawn from the unseen ones.
    calls : (34,)
        `NEVER`, `PON` or `ANY_CALL`: whether the hand would call a kind. A kind that it would call
        counts once for every player who may bring it: itself and those it may call from.
    """

    unseen: Ints
    held: Ints
    calls: Ints


class Draws(NamedTuple):
    """The useful draws of a level's hands.

    Attributes
    ----------
    first : (hands + 1,)
        Index of the first draw of every hand, and the number of draws at the end.
    kinds, left : (draws,)
        The kind drawn, and its unseen copies then; a multiple of these where it may be called.
    first_rest : (draws + 1,)
        Index in `rests` of the first hand after every draw, and the length of `rests`.
    rests : (…,)
        Hands after the draw and a discard, as indices into the next level.
    """

    first: Ints
    kinds: Ints
    left: Ints
    first_rest: Ints
    rests: Ints


class Level(NamedTuple):
    """The hands of one shanten and their useful draws; those of a tenpai hand are its waits."""

    hands: Hands
    draws: Draws


def levels(roots: Sequence[Hands], wall: Wall, target: Target) -> list[Level]:
    """All levels between some hands and tenpai.

    Parameters
    ----------
    roots : sequence of Hands
        By shanten from 0, each hand once. They come first in their levels.
    wall : Wall
    target : Target

    Returns
    -------
    list of Level
        By shanten, from 0.
    """
    highest_first: list[Level] = []
    hands = roots[-1]
    for shanten in range(len(roots) - 1, -1, -1):
        draws, below = _walk(hands, shanten, wall, roots[max(shanten - 1, 0)], target)
        highest_first.append(Level(hands, Draws(*draws)))
        hands = Hands(*below)
    return highest_first[::-1]


@compiled
def fold(draws: Draws, below: Floats) -> Floats:
    """Σ over a hand's draws of unseen copies × value of the best hand after the draw, (hands,).

    Parameters
    ----------
    draws : Draws
    below : (hands of the next level,)
        Values of the hands of the next level, not negative.
    """
    total = np.zeros(len(draws.first) - 1)
    for hand in range(len(total)):
        for draw in range(draws.first[hand], draws.first[hand + 1]):
            best = 0.0
            for rest in range(draws.first_rest[draw], draws.first_rest[draw + 1]):
                best = max(best, below[draws.rests[rest]])
            total[hand] += draws.left[draw] * best
    return total


@compiled
def useful_tiles(keys: Keys, wall: Wall, target: Target) -> int:
    """Count the unseen tiles that lower the shanten of 3n + 1 tiles, more where it may call."""
    parts, total = parts_of(keys, target), 0
    now = with_key(0, keys[0], keys, parts, target)
    for kind in range(KINDS):
        suit, rank = kind // 9, kind % 9
        own = count_of(keys[suit], rank)
        unseen = wall.unseen[kind] - max(own - wall.held[kind], 0)
        if own < COPIES and with_key(suit, keys[suit] + POWERS[rank], keys, parts, target) < now:
            total += unseen * _sources(keys[suit], suit, rank, wall)
    return total


@compiled
def _sources(key: int, suit: int, rank: int, wall: Wall) -> int:
    """Count the players whose discards and draws bring a kind: 1, 2 or 4."""
    calls = wall.calls[9 * suit + rank]
    if calls != NEVER and count_of(key, rank) >= 2:
        return _PON_TIMES
    if calls == ANY_CALL and suit < 3:
        for low in range(max(rank - 2, 0), min(rank, 6) + 1):
            missing = 0
            for other in range(low, low + 3):
                missing += other != rank and count_of(key, other) == 0
            if not missing:
                return _CHI_TIMES
    return 1


@compiled
def _walk(
    hands: Hands, shanten: int, wall: Wall, roots: Hands, target: Target
) -> tuple[tuple[Ints, Ints, Ints, Ints, Ints], tuple[Keys, Ints]]:
    """The draws of hands, and the hands of the next level; `roots` come first in it."""
    first, kinds, left, first_rest, rests = [0], [0], [0], [0], [0]
    index_of = {(np.int64(0), np.int64(-1)): 0}
    below = [(np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)) for _ in range(0)]
    for root in range(len(roots.reds)):
        _index(roots.keys[root], roots.reds[root], index_of, below)
    for hand in range(len(hands.reds)):
        keys = hands.keys[hand].copy()
        parts, drawn, after = parts_of(keys, target), keys.copy(), parts_of(keys, target)
        for kind in range(KINDS):
            suit, rank = kind // 9, kind % 9
            own = count_of(keys[suit], rank)
            unseen = wall.unseen[kind] - max(own - wall.held[kind], 0)
            if own == COPIES or unseen <= 0:
                continue
            if with_key(suit, keys[suit] + POWERS[rank], keys, parts, target) >= shanten:
                continue
            kinds.append(kind)
            left.append(unseen * _sources(keys[suit], suit, rank, wall) if shanten else unseen)
            if shanten:
                drawn[:] = keys
                drawn[suit] += POWERS[rank]
                take_apart(drawn, after, target)
                for discard in range(KINDS):
                    its_suit, power = discard // 9, POWERS[discard % 9]
                    copies = count_of(drawn[its_suit], discard % 9)
                    if not copies:
                        continue
                    if with_key(its_suit, drawn[its_suit] - power, drawn, after, target) >= shanten:
                        continue
                    reds = hands.reds[hand]
                    if its_suit < 3 and discard % 9 == _RANK_OF_FIVE and copies == 1:
                        reds &= ~(1 << its_suit)
                    drawn[its_suit] -= power
                    rests.append(_index(drawn, reds, index_of, below))
                    drawn[its_suit] += power
            first_rest.append(len(rests) - 1)
        first.append(len(kinds) - 1)
    below_keys, below_reds = np.empty((len(below), 4), np.int64), np.empty(len(below), np.int64)
    for index, entry in enumerate(below):
        for suit in range(4):
            below_keys[index, suit] = entry[suit]
        below_reds[index] = entry[4]
    draws = (np.array(first), np.array(kinds)[1:], np.array(left)[1:])
    return (*draws, np.array(first_rest), np.array(rests)[1:]), (below_keys, below_reds)


@compiled
def _index(keys: Keys, reds: int, index_of: dict[Any, int], hands: list[Any]) -> int:
    """The index of a hand in its level; a new hand is added at the end."""
    name = ((keys[0] << 42) | (keys[1] << 21) | keys[2], (keys[3] << 3) | reds)
    if name not in index_of:
        index_of[name] = len(hands)
        hands.append((keys[0], keys[1], keys[2], keys[3], reds))
    return index_of[name]
