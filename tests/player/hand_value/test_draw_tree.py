"""The walk over draws, against a plain recursion with the shanten of another library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("riichienv", reason="it works out shanten too")
from riichienv import calculate_shanten

from houjuu.game.tiles import COPIES, KIND, KINDS, RED_FIVES, parse_tiles
from houjuu.hands.shanten import CLOSED, Target, suit_keys
from houjuu.player.hand_value.draw_tree import (
    ANY_CALL,
    NEVER,
    PON,
    KeyedHands,
    Level,
    Wall,
    best_rests,
    fold,
    levels,
    useful_tiles,
)

REDS = sorted(RED_FIVES)
NEAR = ["2340m0p6p34s567s11z", "234m456p3457s22z9m", "11223344556m77p8p", "1112345678999m"]
NEAR += ["234m05p06789s11z7p", "234m678p0556s117z"]
"""Tenpai hands and one away, some with red fives, some with another five beside the red one."""

Name = tuple[tuple[int, ...], int]
"""The kinds of a hand in order, and its red fives as bits."""


def name_of(tiles: Sequence[int]) -> Name:
    reds = sum(1 << bit for bit, red in enumerate(REDS) if red in tiles)
    return tuple(sorted(KIND[tile] for tile in tiles)), reds


def away(kinds: Sequence[int]) -> int:
    """Shanten of the kinds."""
    copies: dict[int, int] = {}
    tiles = []
    for kind in kinds:
        copies[kind] = copies.get(kind, -1) + 1
        tiles.append(COPIES * kind + copies[kind])
    return int(calculate_shanten(tiles))


def sources(kinds: Sequence[int], kind: int, calls: int) -> int:
    """Players who may bring a kind: pon from everybody, chi from one, and the own draw."""
    if calls != NEVER and kinds.count(kind) >= 2:
        return 4
    runs = [range(low, low + 3) for low in range(kind - 2, kind + 1) if low >= 0]
    in_suit = [run for run in runs if run[0] // 9 == run[2] // 9 and kind < 27]
    joins = any(
        all(neighbour in kinds for neighbour in run if neighbour != kind) for run in in_suit
    )
    return 2 if calls == ANY_CALL and joins else 1


def wall_of(
    concealed: Sequence[int], seen: Sequence[int], calls: npt.NDArray[np.int64] | int = NEVER
) -> Wall:
    own = np.bincount([KIND[tile] for tile in concealed], minlength=KINDS)
    seen_copies = np.bincount([KIND[tile] for tile in seen], minlength=KINDS)
    unseen = np.maximum(COPIES - own - seen_copies, 0)
    return Wall(unseen, own, np.broadcast_to(np.array(calls), KINDS))


def plain(wall: Wall, tenpai_value: Callable[[Name], float]) -> Callable[[Name], float]:
    """The value of a hand by every line of draws and discards."""

    @cache
    def value(hand: Name) -> float:
        kinds, reds = hand
        before, total = away(kinds), 0.0
        if before == 0:
            return tenpai_value(hand)
        for kind in range(KINDS):
            own = kinds.count(kind)
            left = int(wall.unseen[kind]) - max(own - int(wall.in_hand[kind]), 0)
            if own == COPIES or left <= 0 or away([*kinds, kind]) >= before:
                continue
            after = sorted([*kinds, kind])
            best = 0.0
            for discard in set(after):
                rest = list(after)
                rest.remove(discard)
                if away(rest) < before:
                    lost = [bit for bit, red in enumerate(REDS) if KIND[red] == discard]
                    clears = sum(1 << bit for bit in lost if discard not in rest)
                    best = max(best, value((tuple(rest), reds & ~clears)))
            total += left * sources(kinds, kind, int(wall.calls[kind])) * best
        return total

    return value


def names_of(hands: KeyedHands) -> list[Name]:
    names = []
    for keys, reds in zip(hands.keys.tolist(), hands.reds.tolist(), strict=True):
        kinds = [
            9 * suit + rank
            for suit, key in enumerate(keys)
            for rank in range(9)
            for _ in range(key // 5**rank % 5)
        ]
        names.append((tuple(kinds), reds))
    return names


def an_odd_value(hand: Name) -> float:
    """Differs between hands, and between red fives."""
    kinds, reds = hand
    return (
        1.0 + sum(kind * position for position, kind in enumerate(kinds, start=1)) % 97 + 100 * reds
    )


def tree(hand: Sequence[int], wall: Wall) -> tuple[list[Level], list[float]]:
    """The levels of one hand, and the values of the hands of the highest."""
    kinds, reds = name_of(hand)
    root = KeyedHands(suit_keys(kinds)[None], np.array([reds]))
    none = KeyedHands(np.zeros((0, 4), np.int64), np.zeros(0, np.int64))
    by_level = levels([*[none] * away(kinds), root], wall, Target(4, CLOSED))
    values = np.array([an_odd_value(name) for name in names_of(by_level[0].hands)])
    for level in by_level[1:]:
        values = fold(level, values[best_rests(level, values)])
    return by_level, values.tolist()


near_hands = st.tuples(st.sampled_from(NEAR), st.lists(st.integers(0, 135), max_size=40))


@settings(max_examples=40, deadline=None)
@given(near_hands, st.lists(st.sampled_from([NEVER, PON, ANY_CALL]), min_size=34, max_size=34))
def test_the_walk_is_that_of_every_line(near: tuple[str, list[int]], calls: list[int]) -> None:
    """Some tile of a hand is another one, so that it is up to two away."""
    hand, seen = list(parse_tiles(near[0])), near[1]
    elsewhere = [tile for tile in seen if tile not in hand]
    hand[len(seen) % 13] = elsewhere[0] if elsewhere else hand[len(seen) % 13]
    wall = wall_of(hand, elsewhere, np.array(calls))
    by_level, values = tree(hand, wall)
    assert values == pytest.approx([plain(wall, an_odd_value)(name_of(hand))])
    for level in by_level:
        names = names_of(level.hands)
        assert len(set(names)) == len(names)


@given(
    st.lists(st.integers(0, 135), min_size=30, max_size=60, unique=True),
    st.lists(st.sampled_from([NEVER, PON, ANY_CALL]), min_size=34, max_size=34),
)
def test_useful_tiles_of_any_hands(tiles: list[int], calls: list[int]) -> None:
    hands = [tiles[:13], [*tiles[:12], tiles[13]]]
    wall = wall_of(hands[0], tiles[13:], np.array(calls))
    names = [name_of(hand)[0] for hand in hands]
    expected = []
    for kinds in names:
        left = wall.unseen - np.maximum(np.bincount(kinds, minlength=KINDS) - wall.in_hand, 0)
        useful = [
            kind
            for kind in range(KINDS)
            if kinds.count(kind) < COPIES and away([*kinds, kind]) < away(kinds)
        ]
        expected.append(
            sum(int(left[k]) * sources(kinds, k, calls[k]) for k in useful if left[k] > 0)
        )
    keys = np.array([suit_keys(kinds) for kinds in names])
    shanten = np.array([away(kinds) for kinds in names])
    assert useful_tiles(keys, shanten, wall, Target(4, CLOSED)).tolist() == expected


@pytest.mark.parametrize("calls", [NEVER, ANY_CALL])
def test_a_hand_without_a_useful_tile_left_is_worth_nothing(calls: int) -> None:
    """Two from tenpai with every useful tile seen: the levels below have no hands."""
    tiles = parse_tiles("13m57p19s1z")
    keys = np.array([suit_keys([KIND[tile] for tile in tiles])])
    in_hand = np.bincount([KIND[tile] for tile in tiles], minlength=KINDS)
    wall = Wall(np.zeros(KINDS, np.int64), in_hand, np.full(KINDS, calls))
    none = KeyedHands(np.zeros((0, 4), np.int64), np.zeros(0, np.int64))
    tree = levels([none, none, KeyedHands(keys, np.zeros(1, np.int64))], wall, Target(2, CLOSED))
    assert [len(level.hands.reds) for level in tree] == [0, 0, 1]
    below = fold(tree[1], np.zeros(0)[best_rests(tree[1], np.zeros(0))])
    assert fold(tree[2], below[best_rests(tree[2], below)]).tolist() == [0.0]
