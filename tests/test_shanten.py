"""Shanten and useful kinds, against two libraries."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mahjong.shanten import Shanten

pytest.importorskip("numba", reason="shanten are compiled")
pytest.importorskip("riichienv", reason="it works out shanten too")
import riichienv

from houjuu.player.shanten import ABSENT, after_discard, keys, ranks_of, shanten, useful
from houjuu.tiles import COPIES, KINDS

NARROW = [
    tile for tile in range(136) if tile // COPIES in (*range(9), 9, 17, 18, 26, *range(27, 34))
]
"""One suit, the other terminals, honours: flushes, 国士無双, four of a kind."""
sizes = st.sampled_from([1, 2, 4, 5, 7, 8, 10, 11, 13, 14])


@st.composite
def hands(draw: st.DrawFn, least: int = 1, most: int = 14) -> list[int]:
    size = draw(sizes.filter(lambda size: least <= size <= most))
    pool = draw(st.sampled_from([list(range(136)), NARROW]))
    return draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True))


def kinds(hand: Sequence[int]) -> list[int]:
    return [tile // COPIES for tile in hand]


@settings(max_examples=1000)
@given(hands())
def test_as_riichienv_has_it(hand: list[int]) -> None:
    assert shanten(kinds(hand)) == riichienv.calculate_shanten(hand)


@given(hands(13))
def test_as_mahjong_has_it(hand: list[int]) -> None:
    counts = [kinds(hand).count(kind) for kind in range(KINDS)]
    assert shanten(kinds(hand)) == Shanten().calculate_shanten(counts)


@given(hands(most=13).filter(lambda hand: len(hand) % 3 == 1))
def test_useful_kinds_are_those_that_lower_the_shanten(hand: list[int]) -> None:
    held, now = kinds(hand), shanten(kinds(hand))
    expected = [
        kind
        for kind in range(KINDS)
        if held.count(kind) < COPIES and riichienv.calculate_shanten(added(hand, kind)) < now
    ]
    assert useful(held) == expected


def added(hand: Sequence[int], kind: int) -> list[int]:
    free = (COPIES * kind + copy for copy in range(COPIES))
    return [*hand, next(tile for tile in free if tile not in hand)]


@given(hands(2).filter(lambda hand: len(hand) % 3 == 2))
def test_discards_leave_what_they_leave(hand: list[int]) -> None:
    found = after_discard(kinds(hand))
    for tile in hand:
        rest = [other for other in hand if other != tile]
        assert found[tile // COPIES] == riichienv.calculate_shanten(rest)
    assert all(found[kind] == ABSENT for kind in range(KINDS) if kind not in kinds(hand))


@given(hands())
def test_keys_keep_the_hand(hand: list[int]) -> None:
    found = [
        9 * suit + rank for suit, key in enumerate(keys(kinds(hand))) for rank in ranks_of(key)
    ]
    assert found == sorted(kinds(hand))
