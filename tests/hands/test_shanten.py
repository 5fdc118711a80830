"""Shanten and useful kinds, against two libraries."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mahjong.shanten import Shanten

pytest.importorskip("riichienv", reason="it works out shanten too")
import riichienv

from houjuu.game.tiles import COPIES, IS_YAOCHU, KIND, KINDS, SUIT
from houjuu.hands.shanten import (
    ALL,
    ALL_BUT,
    ANY_FORM,
    CLOSED,
    NONE,
    SETS_AND_PAIR,
    SIMPLES,
    TRIPLETS_AND_PAIR,
    Changes,
    Goal,
    Target,
    after_discard,
    changed_shantens,
    ranks_of,
    shanten,
    shanten_of_tiles,
    shantens,
    suit_keys,
    useful,
)
from houjuu.hands.shanten_tables import ABSENT
from houjuu.player.hand_value.value import open_hand_goals
from houjuu.util.errors import Error
from tests.kit.positions import chi, pon

NARROW = [tile for tile in range(136) if KIND[tile] in (*range(9), 9, 17, 18, 26, *range(27, 34))]
"""One suit, the other terminals, honours: flushes, 国士無双, four of a kind."""
sizes = st.sampled_from([1, 2, 4, 5, 7, 8, 10, 11, 13, 14])


@st.composite
def hands(draw: st.DrawFn, least: int = 1, most: int = 14) -> list[int]:
    size = draw(sizes.filter(lambda size: least <= size <= most))
    pool = draw(st.sampled_from([list(range(136)), NARROW]))
    return draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size, unique=True))


def kinds(hand: Sequence[int]) -> list[int]:
    return [KIND[tile] for tile in hand]


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
    expected = [
        kind
        for kind in range(KINDS)
        if kinds(hand).count(kind) < COPIES
        and riichienv.calculate_shanten(added(hand, kind)) < shanten(kinds(hand))
    ]
    assert useful(kinds(hand)) == expected


def added(hand: Sequence[int], kind: int) -> list[int]:
    free = (COPIES * kind + copy for copy in range(COPIES))
    return [*hand, next(tile for tile in free if tile not in hand)]


@given(hands(2).filter(lambda hand: len(hand) % 3 == 2))
def test_discards_leave_what_they_leave(hand: list[int]) -> None:
    after = after_discard(kinds(hand))
    for tile in hand:
        rest = [kept for kept in hand if kept != tile]
        assert after[KIND[tile]] == riichienv.calculate_shanten(rest)
    assert all(after[kind] == ABSENT for kind in range(KINDS) if kind not in kinds(hand))


@given(hands())
def test_keys_keep_the_hand(hand: list[int]) -> None:
    decoded = [
        9 * suit + rank for suit, key in enumerate(suit_keys(kinds(hand))) for rank in ranks_of(key)
    ]
    assert decoded == sorted(kinds(hand))


DRAGONS = (31, 32, 33)
ONE = np.eye(KINDS, dtype=int)
TRIPLETS = 3 * ONE
RUNS = np.array([ONE[low : low + 3].sum(0) for low in range(27) if low % 9 < 7])
Hands = npt.NDArray[np.int64]


@cache
def complete(sets: int) -> tuple[Hands, npt.NDArray[np.bool_], Hands]:
    """All hands of some sets and a pair: tiles, whether they have no runs, their triplets."""
    tiles, plain, triplets = [], [], []
    for chosen in combinations_with_replacement(range(len(TRIPLETS) + len(RUNS)), sets):
        in_sets = sum(TRIPLETS[c] if c < KINDS else RUNS[c - KINDS] for c in chosen)
        its_triplets = sum((ONE[c] for c in chosen if c < KINDS), np.zeros(KINDS, dtype=int))
        tiles.append(in_sets + 2 * ONE)
        plain += [all(c < KINDS for c in chosen)] * KINDS
        triplets += [its_triplets] * KINDS
    hands = np.concatenate(tiles)
    valid = hands.max(1) <= COPIES
    return hands[valid], np.array(plain)[valid], np.array(triplets)[valid]


@settings(max_examples=150)
@given(
    hands(4, 7).filter(lambda hand: len(hand) % 3 == 1), st.sampled_from(["222m", "999p", "345s"])
)
def test_open_hands_are_as_far_as_the_nearest_with_a_yaku(hand: list[int], called: str) -> None:
    meld = chi(called) if called == "345s" else pon(called)
    shown = [KIND[tile] for tile in meld.tiles]
    copies = np.bincount(kinds(hand), minlength=KINDS)
    tiles, plain, triplets = complete(len(hand) // 3)
    have = tiles > 0
    yaochu, suits = np.array(IS_YAOCHU), np.array(SUIT)
    yaku = np.zeros(len(tiles), dtype=bool)
    if not any(IS_YAOCHU[kind] for kind in shown):
        yaku |= ~have[:, yaochu].any(1)
    yaku |= ~have[:, (suits != SUIT[shown[0]]) & (suits != 3)].any(1)
    if len(set(shown)) == 1:
        yaku |= plain
    yaku |= triplets[:, [kind for kind in DRAGONS if copies[kind] >= 2]].any(1)
    expected = np.maximum(tiles[yaku] - copies, 0).sum(1).min() - 1
    goals = open_hand_goals(copies.tolist(), [meld], DRAGONS, (COPIES - copies).tolist())
    assert shanten(kinds(hand), goals) == expected


goals = st.lists(
    st.builds(
        Goal,
        st.tuples(
            *[st.sampled_from([ALL, NONE, SIMPLES])] * 3, st.sampled_from([ALL, NONE, ALL_BUT + 4])
        ),
        st.sampled_from([-1, 4]),
        st.sampled_from([ANY_FORM, SETS_AND_PAIR, TRIPLETS_AND_PAIR]),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=300)
@given(hands(4, 14), hands(4, 14), goals)
def test_a_changed_hand_is_as_far_as_the_hand_that_it_becomes(
    first: list[int], second: list[int], goals: list[Goal]
) -> None:
    target = Target(len(first) // 3, tuple(goals))
    copies = [np.bincount(kinds(hand), minlength=KINDS) for hand in (first, second)]
    keys = np.array([suit_keys(kinds(hand)) for hand in (first, second)])
    for step, possible in ((1, np.array(copies) < COPIES), (-1, np.array(copies) > 0)):
        changed_hands, changed_kinds = np.nonzero(possible)
        changes = Changes(changed_hands, changed_kinds, step)
        changed = [
            suit_keys(np.repeat(np.arange(KINDS), copies[hand] + step * ONE[kind]).tolist())
            for hand, kind in zip(changes.hands, changes.kinds, strict=True)
        ]
        expected = shantens(np.array(changed), target)
        assert changed_shantens(keys, changes, target).tolist() == expected.tolist()


def test_no_triplet_without_a_set() -> None:
    """After four melds no tiles are left for it."""
    triplet = (Goal((ALL, ALL, ALL, ALL_BUT + 4), 4, SETS_AND_PAIR),)
    for kind in (30, 31):
        assert shanten([kind, kind], triplet) == ABSENT
        assert shanten([kind] * 2 + [1, 2, 3], triplet) < ABSENT


def test_what_a_hand_is_after() -> None:
    """役牌 of which a copy is left, or that stand open; else anything that its melds allow."""
    dragons, left = [0] * KINDS, [4] * KINDS
    dragons[31] = 2
    assert open_hand_goals(dragons, [], DRAGONS, left) is CLOSED
    assert len(open_hand_goals(dragons, [pon("999m")], DRAGONS, left)) == 3  # a flush, triplets, 白
    left[31] = 0
    assert len(open_hand_goals(dragons, [pon("999m")], DRAGONS, left)) == 2
    assert open_hand_goals(dragons, [pon("777z")], DRAGONS, left) == (Goal(form=SETS_AND_PAIR),)
    mixed = [chi("123m"), chi("789p")]
    assert open_hand_goals([0] * KINDS, mixed, DRAGONS, left) == (Goal(form=SETS_AND_PAIR),)


@pytest.mark.parametrize("hand", [[34], [135, 0, 4, 8], [0] * 17])
def test_tile_ids_are_no_kinds(hand: list[int]) -> None:
    for ask in (shanten, after_discard, useful, lambda kinds: shanten(kinds, open_goals())):
        with pytest.raises(Error, match="take KIND"):
            ask(hand)
    assert shanten_of_tiles((0, 4, 8, 12)) == shanten([0, 1, 2, 3])


def open_goals() -> tuple[Goal, ...]:
    return (Goal((SIMPLES, SIMPLES, SIMPLES, NONE), form=SETS_AND_PAIR),)
