"""The ways of a hand to tenpai, compiled: level by level, every hand that useful draws lead to.

A level holds the hands of one shanten; a draw that lowers it leads to the hands of the next level
that a discard can leave. Hands that are reached in several ways stand there once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.player.shanten import (
    POWERS,
    Goal,
    Ints,
    Keys,
    compiled,
    count_of,
    parts_of,
    take_apart,
    with_key,
)
from houjuu.tiles import COPIES, KINDS

Floats = npt.NDArray[np.float64]

NEVER, PON, ANY_CALL = 0, 1, 2
_PON_TIMES, _CHI_TIMES = 4, 2
_FIVE = 4


class Hands(NamedTuple):
    """Hands of 3n + 1 tiles: (n, 4) numbers of their suits, and (n,) the red fives as bits."""

    keys: Keys
    reds: Ints


class Wall(NamedTuple):
    """What may be drawn.

    Attributes
    ----------
    unseen, held : (34,)
        Copies of every kind that are unseen now, and those that the player holds now: what a hand
        has beyond was drawn from the unseen.
    calls : (34,)
        Whether the hand would call a kind, by `NEVER`, `PON`, `ANY_CALL`: it counts as often as
        there are players who may discard it, and oneself who may draw it.
    """

    unseen: Ints
    held: Ints
    calls: Ints


class Draws(NamedTuple):
    """The useful draws of a level's hands.

    Attributes
    ----------
    first : (hands + 1,)
        Where the draws of a hand begin; its last one is where the next hand's begin.
    kinds, left : (draws,)
        What is drawn, and how many unseen copies there are then; more where it may be called.
    first_rest : (draws + 1,)
        Where what may remain after a draw begins.
    rests : (…,)
        Hands of the next level, by number.
    """

    first: Ints
    kinds: Ints
    left: Ints
    first_rest: Ints
    rests: Ints


class Level(NamedTuple):
    """The hands of one shanten and their draws; those of tenpai are what they wait for."""

    hands: Hands
    draws: Draws


def levels(roots: Sequence[Hands], wall: Wall, goal: Goal) -> list[Level]:
    """Walk from some hands to tenpai.

    Parameters
    ----------
    roots : sequence of Hands
        By shanten, from 0 on, each hand once: they come first in their levels.
    wall : Wall
    goal : Goal

    Returns
    -------
    list of Level
        By shanten.
    """
    found: list[Level] = []
    hands = roots[-1]
    for away in range(len(roots) - 1, -1, -1):
        draws, below = _walk(hands, away, wall, roots[max(away - 1, 0)], goal)
        found.append(Level(hands, Draws(*draws)))
        hands = Hands(*below)
    return found[::-1]


@compiled
def fold(draws: Draws, below: Floats) -> Floats:
    """Σ over a hand's draws of unseen copies × the best of what remains, (hands,).

    Parameters
    ----------
    draws : Draws
    below : (hands of the next level,)
        What those are worth.
    """
    total = np.zeros(len(draws.first) - 1)
    for hand in range(len(total)):
        for draw in range(draws.first[hand], draws.first[hand + 1]):
            best = 0.0
            for place in range(draws.first_rest[draw], draws.first_rest[draw + 1]):
                best = max(best, below[draws.rests[place]])
            total[hand] += draws.left[draw] * best
    return total


@compiled
def useful_tiles(key: Keys, wall: Wall, goal: Goal) -> int:
    """How many unseen tiles lower the shanten of 3n + 1 tiles; more where they may be called."""
    parts, total = parts_of(key, goal), 0
    now = with_key(0, key[0], key, parts, goal)
    for kind in range(KINDS):
        suit, rank = kind // 9, kind % 9
        own = count_of(key[suit], rank)
        free = wall.unseen[kind] - max(own - wall.held[kind], 0)
        if own < COPIES and with_key(suit, key[suit] + POWERS[rank], key, parts, goal) < now:
            total += free * _times(key[suit], suit, rank, wall)
    return total


@compiled
def _times(number: int, suit: int, rank: int, wall: Wall) -> int:
    """How many players' discards and draws bring a kind."""
    calls = wall.calls[9 * suit + rank]
    if calls != NEVER and count_of(number, rank) >= 2:
        return _PON_TIMES
    if calls == ANY_CALL and suit < 3:
        for low in range(max(rank - 2, 0), min(rank, 6) + 1):
            needed = 0
            for other in range(low, low + 3):
                needed += other != rank and count_of(number, other) == 0
            if not needed:
                return _CHI_TIMES
    return 1


@compiled
def _walk(
    hands: Hands, away: int, wall: Wall, known: Hands, goal: Goal
) -> tuple[tuple[Ints, Ints, Ints, Ints, Ints], tuple[Keys, Ints]]:
    """The draws of hands, and the hands of the next level."""
    first, kinds, left, first_rest, rests = [0], [0], [0], [0], [0]
    numbers = {(np.int64(0), np.int64(-1)): 0}
    found = [(np.int64(0), np.int64(0), np.int64(0), np.int64(0), np.int64(0)) for _ in range(0)]
    for old in range(len(known.reds)):
        _number(known.keys[old], known.reds[old], numbers, found)
    for hand in range(len(hands.reds)):
        key = hands.keys[hand].copy()
        parts, drawn, after = parts_of(key, goal), key.copy(), parts_of(key, goal)
        for kind in range(KINDS):
            suit, rank = kind // 9, kind % 9
            own = count_of(key[suit], rank)
            free = wall.unseen[kind] - max(own - wall.held[kind], 0)
            if own == COPIES or free <= 0:
                continue
            if with_key(suit, key[suit] + POWERS[rank], key, parts, goal) >= away:
                continue
            kinds.append(kind)
            left.append(free * _times(key[suit], suit, rank, wall) if away else free)
            if away:
                drawn[:] = key
                drawn[suit] += POWERS[rank]
                take_apart(drawn, after, goal)
                for gone in range(KINDS):
                    place, less = gone // 9, POWERS[gone % 9]
                    copies = count_of(drawn[place], gone % 9)
                    if not copies:
                        continue
                    if with_key(place, drawn[place] - less, drawn, after, goal) >= away:
                        continue
                    red = hands.reds[hand]
                    if place < 3 and gone % 9 == _FIVE and copies == 1:
                        red &= ~(1 << place)
                    drawn[place] -= less
                    rests.append(_number(drawn, red, numbers, found))
                    drawn[place] += less
            first_rest.append(len(rests) - 1)
        first.append(len(kinds) - 1)
    keys, reds = np.empty((len(found), 4), np.int64), np.empty(len(found), np.int64)
    for number, name in enumerate(found):
        for suit in range(4):
            keys[number, suit] = name[suit]
        reds[number] = name[4]
    draws = (np.array(first), np.array(kinds)[1:], np.array(left)[1:])
    return (*draws, np.array(first_rest), np.array(rests)[1:]), (keys, reds)


@compiled
def _number(
    key: Keys,
    red: int,
    numbers: dict[Any, int],
    found: list[Any],
) -> int:
    """The number of a hand in its level; a new one where it is new."""
    name = ((key[0] << 42) | (key[1] << 21) | key[2], (key[3] << 3) | red)
    if name not in numbers:
        numbers[name] = len(found)
        found.append((key[0], key[1], key[2], key[3], red))
    return numbers[name]
