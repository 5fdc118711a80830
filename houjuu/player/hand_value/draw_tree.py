"""The draws of a hand to tenpai: level by level, every hand that useful draws lead to.

A level contains the hands of one shanten. A draw that lowers the shanten leads to the hands of the
next level that a discard can leave. A hand that several draws reach occurs once.

An example: 13m 57p, for one set and a pair, has shanten 1. Six kinds lower it. The discard after
each must leave tenpai. The level of shanten 0 contains the tenpai hands, whose draws are the waits.

    shanten 1         draw     shanten 0, after a discard     wait, unseen
    13m 57p      ┬──  1m, 3   ──  11m 57p                     6p, 4
                 ├──  2m, 4   ─┬  123m 7p                     7p, 3
                 │             └  123m 5p                     5p, 3
                 ├──  3m, 3   ──  33m 57p                     6p, 4
                 ├──  5p, 3   ──  13m 55p                     2m, 4
                 ├──  6p, 4   ─┬  3m 567p                     3m, 3
                 │             └  1m 567p                     1m, 3
                 └──  7p, 3   ──  13m 77p                     2m, 4

>>> from houjuu.game.tiles import KIND, format_tiles, parse_tiles
>>> from houjuu.hands.shanten import CLOSED, suit_keys
>>> target = Target(1, CLOSED)
>>> keys = suit_keys([KIND[tile] for tile in parse_tiles("13m57p")])[None]
>>> root, none = KeyedHands(keys, np.array([0])), KeyedHands(keys[:0], np.array([], int))
>>> (in_hand,) = copies_of(keys)
>>> wall = Wall(4 - in_hand, in_hand, np.full(KINDS, NEVER))
>>> tenpai, first = levels([none, root], wall, target)
>>> first.draws.kinds.tolist(), first.draws.left.tolist()
([0, 1, 2, 13, 14, 15], [3, 4, 3, 3, 4, 3])
>>> first.draws.rests.tolist(), first.draws.first_rest.tolist()  # 2m and 6p have two rests each
([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 3, 4, 5, 7])
>>> tenpai.draws.left.tolist()
[4, 3, 3, 4, 4, 3, 3, 4]

With a value of 1 for a win the value of a tenpai hand is the number of its unseen waits. That of
the root is the sum over its draws of unseen copies times the best rest: 6 · 3 · 4.

>>> waits = fold(tenpai, np.ones(8))
>>> fold(first, waits[best_rests(first, waits)]).tolist()
[72.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from houjuu.game.tiles import EAST, KINDS
from houjuu.hands.shanten import (
    KIND_KEYS,
    Changes,
    Keys,
    Target,
    changed_shantens,
    copies_of,
)
from houjuu.player.hand_value.shape import padded_ranks
from houjuu.util.arrays import Floats, Ints

NEVER, PON, ANY_CALL = 0, 1, 2
"""Which calls a hand would make for a kind."""

_PON_TIMES = 4
_CHI_TIMES = 2

_RED_BIT = np.zeros(KINDS, np.intp)
_RED_BIT[[4, 13, 22]] = 1, 2, 4


class KeyedHands(NamedTuple):
    """Hands of 3n + 1 tiles: (n, 4) keys of their suits, and (n,) red fives as bits."""

    keys: Keys
    reds: Ints


class Wall(NamedTuple):
    """The tiles that may be drawn.

    Attributes
    ----------
    unseen, in_hand : (34,)
        Copies of every kind that are unseen, and in the player's hand, before the first draw. The
        further copies of a later hand were drawn from the unseen ones.
    calls : (34,)
        `NEVER`, `PON` or `ANY_CALL`: whether the hand would call a kind. A kind that it would call
        counts once for every player who may bring it: itself and those it may call from.
    weights : (34,), optional
        How much an unseen copy of each kind counts; without them 1.
    """

    unseen: Ints
    in_hand: Ints
    calls: Ints
    weights: Floats | None = None


class Draws(NamedTuple):
    """The useful draws of a level's hands.

    Attributes
    ----------
    hands, kinds, left : (draws,)
        The hand as an index into its level, in order; the kind drawn, in order for each hand; and
        its unseen copies then, weighted, a multiple of these where it may be called.
    first_rest : (draws,)
        Index in `rests` of the first hand after every draw.
    rests : (…,)
        Hands after the draw and a discard, as indices into the next level. Those of tenpai hands
        are left out.
    """

    hands: Ints
    kinds: Ints
    left: Ints | Floats
    first_rest: Ints
    rests: Ints


class Level(NamedTuple):
    """The hands of one shanten and their useful draws; those of a tenpai hand are its waits."""

    hands: KeyedHands
    draws: Draws


def levels(roots: Sequence[KeyedHands], wall: Wall, target: Target) -> list[Level]:
    """All levels between some hands and tenpai.

    Parameters
    ----------
    roots : sequence of KeyedHands
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
        if shanten:
            draws, below = _walk(hands, shanten, wall, roots[shanten - 1], target)
        else:
            draws = _waits(hands, wall, target)
            below = hands
        highest_first.append(Level(hands, draws))
        hands = below
    return highest_first[::-1]


def keeping_draws(
    hands: KeyedHands, shanten: int, wall: Wall, target: Target
) -> tuple[Level, KeyedHands]:
    """The draws that do not lower the shanten of hands, and the hands after a discard.

    Parameters
    ----------
    hands : KeyedHands
        Of one shanten, each once.
    shanten : int
    wall : Wall
        Nothing is called.
    target : Target

    Returns
    -------
    Level
        `hands` and their draws; the rests are those discards that keep the shanten.
    KeyedHands
        The hands that the rests are indices into; `hands` come first in it.
    """
    copies = copies_of(hands.keys)
    (drawing, kinds, left), after = _all_draws(hands.keys, copies, wall, target)
    kept = np.flatnonzero(after >= shanten)
    keeping = drawing[kept], kinds[kept], left[kept]
    draws, all_hands = _with_discards(hands, copies, keeping, shanten, roots=hands, target=target)
    return Level(hands, draws), all_hands


def with_most(level: Level, numbers: Ints | Floats) -> tuple[Level, Ints]:
    """The draws after which the best rest has a higher number than the hand has now.

    Parameters
    ----------
    level : Level
        As of `keeping_draws`.
    numbers : (hands,)
        Of all hands of `keeping_draws`.

    Returns
    -------
    Level
        The rests are those with the highest number after each draw.
    (…,)
        The hands that these are indices into, as indices into all hands.
    """
    draws = level.draws
    of_rests = numbers[draws.rests]
    highest = np.maximum.reduceat(of_rests, draws.first_rest)
    draw = np.repeat(
        np.arange(len(draws.kinds)), np.diff(draws.first_rest, append=len(draws.rests))
    )
    higher = highest > numbers[draws.hands]
    chosen = np.flatnonzero(higher[draw] & (of_rests == highest[draw]))
    used = np.union1d(np.arange(len(level.hands.reds)), draws.rests[chosen])
    which = np.flatnonzero(higher)
    first = np.searchsorted(draw[chosen], which)
    rests = np.searchsorted(used, draws.rests[chosen])
    selected = Draws(draws.hands[which], draws.kinds[which], draws.left[which], first, rests)
    return Level(level.hands, selected), used


def best_rests(level: Level, below: Floats) -> Ints:
    """The best hand after each draw, the first of equal ones: an index into the next level.

    Parameters
    ----------
    level : Level
    below : (hands of the next level,)
        Values of the hands of the next level, not negative.
    """
    draws = level.draws
    values = below[draws.rests]
    best = np.maximum.reduceat(values, draws.first_rest)
    n_rests = np.diff(draws.first_rest, append=len(values))
    # The lowest index with the best value: the others get an index that is never the lowest.
    index = np.arange(len(values))
    index[values < np.repeat(best, n_rests)] = len(values)
    return draws.rests[np.minimum.reduceat(index, draws.first_rest)]


def fold(level: Level, after: Floats) -> Floats:
    """Σ over a hand's draws of unseen copies × what each draw has in `after`, (draws, …).

    The result has a row for each hand of the level, (hands, …).
    """
    draws = level.draws
    sums = np.zeros((len(level.hands.reds), *after.shape[1:]))
    (first,) = np.nonzero(np.diff(draws.hands, prepend=-1))
    if len(first):
        counted = (draws.left * after.T).T
        sums[draws.hands[first]] = np.add.reduceat(counted, first)
    return sums


def useful_tiles(keys: Keys, shanten: Ints, wall: Wall, target: Target) -> Floats:
    """The unseen tiles, weighted, that lower the shanten of hands, (n,).

    A tile that may be called counts more.

    Parameters
    ----------
    keys : (n, 4)
        Of 3n + 1 tiles each.
    shanten : (n,)
    wall : Wall
    target : Target
    """
    copies = copies_of(keys)
    hands, kinds, left = _useful_draws(keys, copies, shanten, wall, target)
    sources = _sources(copies, wall)[hands, kinds]
    return np.bincount(hands, left * sources, minlength=len(keys)).astype(np.float64)


def unseen_waits(keys: Keys, wall: Wall, target: Target) -> list[tuple[int, float]]:
    """The kinds that one tenpai hand, (1, 4), waits for, with their unseen copies, weighted."""
    _, kinds, left = _useful_draws(keys, copies_of(keys), 0, wall, target)
    return list(zip(kinds.tolist(), left.tolist(), strict=True))


def _useful_draws(
    keys: Keys, copies: Ints, shanten: Ints | int, wall: Wall, target: Target
) -> tuple[Ints, Ints, Ints | Floats]:
    """The draws that lower the shanten of hands: hands, kinds, and weighted copies, in order."""
    (hands, kinds, left), after = _all_draws(keys, copies, wall, target)
    lower = np.flatnonzero(after < np.broadcast_to(shanten, len(keys))[hands])
    return hands[lower], kinds[lower], left[lower]


def _all_draws(
    keys: Keys, copies: Ints, wall: Wall, target: Target
) -> tuple[tuple[Ints, Ints, Ints | Floats], Ints]:
    """All draws of hands: hands, kinds, and weighted copies, in order; and the shanten after."""
    unseen = wall.unseen - np.maximum(copies - wall.in_hand, 0)
    hands, kinds = np.nonzero(unseen > 0)
    left = unseen[hands, kinds]
    weighted = left if wall.weights is None else left * wall.weights[kinds]
    return (hands, kinds, weighted), changed_shantens(keys, Changes(hands, kinds, 1), target)


def _sources(copies: Ints, wall: Wall) -> Ints:
    """Count the players whose discards and draws bring each kind: 1, 2 or 4, (n, 34)."""
    if not wall.calls.any():
        return np.ones_like(copies)
    ranks = padded_ranks(copies > 0)
    two_in_a_row = ranks[..., :-1] & ranks[..., 1:]
    # Two ranks below, two above, or one on either side.
    run = two_in_a_row[..., :9] | two_in_a_row[..., 3:] | (ranks[..., 1:10] & ranks[..., 3:12])
    chi = np.zeros(copies.shape, np.bool_)
    chi[:, :EAST] = run.reshape(-1, EAST)
    sources = np.where((wall.calls == ANY_CALL) & chi, _CHI_TIMES, 1)
    return np.where((wall.calls != NEVER) & (copies >= 2), _PON_TIMES, sources)


def _waits(hands: KeyedHands, wall: Wall, target: Target) -> Draws:
    """The waits of tenpai hands."""
    none = np.zeros(0, np.intp)
    drawing, kinds, left = _useful_draws(hands.keys, copies_of(hands.keys), 0, wall, target)
    return Draws(hands=drawing, kinds=kinds, left=left, first_rest=none, rests=none)


def _walk(
    hands: KeyedHands, shanten: int, wall: Wall, roots: KeyedHands, target: Target
) -> tuple[Draws, KeyedHands]:
    """The draws of hands, and the hands of the next level; `roots` come first in it."""
    copies = copies_of(hands.keys)
    drawing, kinds, left = _useful_draws(hands.keys, copies, shanten, wall, target)
    useful = drawing, kinds, left * _sources(copies, wall)[drawing, kinds]
    return _with_discards(hands, copies, useful, shanten - 1, roots=roots, target=target)


def _with_discards(
    hands: KeyedHands,
    copies: Ints,
    draws: tuple[Ints, Ints, Ints | Floats],
    shanten: int,
    *,
    roots: KeyedHands,
    target: Target,
) -> tuple[Draws, KeyedHands]:
    """The draws with the discards that leave a shanten, or a lower one, and the hands then.

    `roots` come first among these.
    """
    drawing, kinds, left = draws
    drawn = hands.keys[drawing] + KIND_KEYS[kinds]
    copies = copies[drawing]
    copies[np.arange(len(kinds)), kinds] += 1
    draw, discard = np.nonzero(copies)
    after = changed_shantens(drawn, Changes(draw, discard, -1), target)
    nearest = np.flatnonzero(after <= shanten)
    draw = draw[nearest]
    discard = discard[nearest]
    # A red five leaves the hand last: only when no other copy of its kind is left.
    lost = np.where(copies[draw, discard] == 1, _RED_BIT[discard], 0)
    rests = KeyedHands(drawn[draw] - KIND_KEYS[discard], hands.reds[drawing[draw]] & ~lost)
    after_discard, index = _merged(roots, rests)
    first = np.searchsorted(draw, np.arange(len(kinds)))
    return Draws(drawing, kinds, left, first, index), after_discard


def _merged(roots: KeyedHands, rests: KeyedHands) -> tuple[KeyedHands, Ints]:
    """The roots, each once, and then the other rests; and the index there of each rest."""
    keys = np.concatenate((roots.keys, rests.keys))
    reds = np.concatenate((roots.reds, rests.reds))
    # A key of a suit has 21 bits. Three suits fill one number; the number of its value, the key of
    # the honours (17 bits) and the red fives (3) fill another: a name of the hand.
    wide = keys.astype(np.int64)  # also where an index is shorter
    _, suits = np.unique((wide[:, 0] << 42) | (wide[:, 1] << 21) | wide[:, 2], return_inverse=True)
    names = (suits.astype(np.int64) << 20) | (wide[:, 3] << 3) | reds
    _, first, number = np.unique(names, return_index=True, return_inverse=True)
    order = np.argsort(first)  # the order in which hands occur, so that the roots come first
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    occurs = first[order]
    return KeyedHands(keys[occurs], reds[occurs]), position[number][len(roots.reds) :]
