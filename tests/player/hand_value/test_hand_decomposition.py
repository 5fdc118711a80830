from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import COPIES, EAST, KIND, KINDS, parse_tiles
from houjuu.player.hand_value import hand_decomposition
from houjuu.player.hand_value.hand_decomposition import CLASSES, SHAPES
from tests.kit.real import SHARED

YAKUHAI = (27, 28, 31, 32, 33)
"""Of a south seat in an east round."""

SOURCE = SHARED / "seeds" / "001_1334038aa03c89e8.txt"

# The source's list: its number of the class, and tiles of it.
OF_THE_SOURCE = {
    1: "234m 345m 456p 567s 678s",
    2: "123m 789p",
    3: "222m 555p 888s",
    4: "111m 999p 333z 555z",
    5: "22m 55p 88s",
    6: "11m 99s 33z 44z",
    7: "11z 22z 55z 66z 77z",
    8: "34m 45m 56p 67s",
    9: "23m 78s",
    10: "246m 468p",
    11: "135m 579s",
    12: "35m 46p 57s",
    13: "24m 68p",
    14: "13m 79s",
    15: "12m 89p",
    16: "4m 5p 6s",
    17: "3m 7s",
    18: "2m 8s",
    19: "1m 9p",
    20: "3z 4z",
    21: "1z 2z 5z 6z 7z",
}


def counts_of(text: str) -> list[int]:
    copies = Counter(KIND[tile] for tile in parse_tiles(text))
    return [copies[kind] for kind in range(KINDS)]


def named(counts: npt.NDArray[Any]) -> dict[int, int]:
    """The source's numbers of the classes, and how many there are of each."""
    return {int(index) + 1: int(counts[index]) for index in counts.nonzero()[0]}


def all_splits(text: str) -> list[dict[int, int]]:
    return [
        named(row)
        for row in hand_decomposition.sums(hand_decomposition.hand_splits(counts_of(text), YAKUHAI))
    ]


@pytest.mark.parametrize(("number", "tiles"), OF_THE_SOURCE.items())
def test_a_class_is_the_sources(number: int, tiles: str) -> None:
    for text in tiles.split():
        assert {number: 1} in all_splits(text), text


@pytest.mark.skipif(not SOURCE.exists(), reason="the source is not beside the project")
def test_shapes_are_spelt_as_in_the_source() -> None:
    listed = re.findall(r"^  (\d+)\. (.+)$", SOURCE.read_text(), re.MULTILINE)
    assert [int(number) for number, _ in listed] == list(range(1, 22))
    for (_, line), (_, shapes) in zip(listed, SHAPES, strict=True):
        if spelt := re.match(r"[\d/]+", line):
            assert spelt.group().split("/") == shapes.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("357s", [{12: 1, 17: 1}]),  # no class of the source's
        ("2222z", [{4: 1, 21: 1}, {7: 2}]),
        ("3333z", [{4: 1, 20: 1}, {6: 2}]),
    ],
)
def test_ways_of_a_few_tiles(text: str, expected: list[dict[int, int]]) -> None:
    splits = all_splits(text)
    assert len(splits) == len(expected)
    assert all(split in expected for split in splits)


def plain_class(ranks: tuple[int, ...]) -> int | None:
    """The source's number of the class of a group of tiles of a suit, ranks 1–9 ascending."""
    first, last = ranks[0], ranks[-1]
    steps = [high - low for low, high in pairwise(ranks)]
    ends = first == 1 or last == 9
    if not steps:
        return {1: 19, 2: 18, 3: 17}.get(min(first, 10 - first), 16)
    if set(steps) == {0}:
        return {2: 6 if ends else 5, 3: 4 if ends else 3}.get(len(ranks))
    if steps == [1, 1]:
        return 2 if ends else 1
    if steps == [2, 2]:
        return None if first == 3 else 10 if first % 2 == 0 else 11
    if steps == [1]:
        return 15 if ends else 9 if first == 2 or last == 8 else 8
    if steps == [2]:
        return 14 if ends else 13 if first == 2 or last == 8 else 12
    return None


def plain_splits(ranks: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to split some tiles, joinable or not: the first goes with none, one or two."""
    if not ranks:
        yield ()
        return
    for more in range(3):
        for partners in combinations(range(1, len(ranks)), more):
            group = (ranks[0], *(ranks[index] for index in partners))
            rest = tuple(r for index, r in enumerate(ranks) if index and index not in partners)
            if plain_class(group):
                yield from ((group, *way) for way in plain_splits(rest))


def joinable(way: tuple[tuple[int, ...], ...]) -> bool:
    return any(plain_class(tuple(sorted(first + second))) for first, second in combinations(way, 2))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([r for r in range(1, 10) for _ in range(4)]), max_size=8))
def test_every_split_is_found(drawn: list[int]) -> None:
    ranks = tuple(sorted(rank for rank in drawn))
    copies = Counter(ranks)
    ranks = tuple(rank for rank in sorted(copies) for _ in range(min(copies[rank], COPIES)))
    wanted = {
        tuple(sorted(Counter(plain_class(group) for group in way).items()))
        for way in plain_splits(ranks)
        if not joinable(way)
    }
    rows = hand_decomposition.suit_splits(tuple(ranks.count(rank) for rank in range(1, 10)))
    assert {tuple(sorted(named(row).items())) for row in rows} == wanted
    assert len(rows) == len(wanted)


SIZES = np.array([3, 3, 3, 3, 2, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1])
"""Tiles of a group of each class."""


@given(st.permutations([kind for kind in range(KINDS) for _ in range(COPIES)]))
def test_splits_hold_all_tiles_and_know_no_suit(deck: list[int]) -> None:
    copies = Counter(deck[:13])
    counts = [copies[kind] for kind in range(KINDS)]
    rows = hand_decomposition.sums(hand_decomposition.hand_splits(counts, YAKUHAI))
    assert (rows @ SIZES == 13).all()
    turned = [*counts[9:27], *counts[:9], *counts[27:]]
    mirrored = [counts[9 * (kind // 9) + 8 - kind % 9] for kind in range(EAST)] + counts[EAST:]
    for changed in (turned, mirrored):
        again = hand_decomposition.sums(hand_decomposition.hand_splits(changed, YAKUHAI))
        assert set(map(tuple, again.tolist())) == set(map(tuple, rows.tolist()))


def test_sets_on_the_table() -> None:
    def meld(kind: MeldKind, text: str) -> Meld:
        tiles = parse_tiles(text)
        return Meld(kind, tiles, called=tiles[0], source=1)

    melds = [
        meld(MeldKind.CHI, "234m"),
        meld(MeldKind.CHI, "789s"),
        meld(MeldKind.DAIMINKAN, "5550p"),
        meld(MeldKind.PON, "333z"),
    ]
    assert named(hand_decomposition.meld_counts(melds)) == {1: 1, 2: 1, 3: 1, 4: 1}
    assert not hand_decomposition.meld_counts([]).any()


@pytest.mark.parametrize(
    ("text", "seven_pairs", "kokushi"),
    [
        ("1199m2255p3399s6z", {6: 3, 5: 3, 21: 1}, {19: 3, 21: 1, 6: 1}),
        ("19m19p19s1234567z", {19: 6, 20: 2, 21: 5}, {19: 6, 20: 2, 21: 5}),
        ("111m2222p33z4z567s", {6: 2, 5: 1, 20: 1, 16: 2, 17: 1}, {19: 1, 20: 2, 6: 1}),
        ("11z22z5z", {7: 2, 21: 1}, {21: 3, 7: 1}),
    ],
)
def test_other_forms(text: str, seven_pairs: dict[int, int], kokushi: dict[int, int]) -> None:
    counts = counts_of(text)
    assert named(hand_decomposition.seven_pairs_counts(counts, YAKUHAI)) == seven_pairs
    assert named(hand_decomposition.kokushi_counts(counts, YAKUHAI)) == kokushi


def test_classes_have_names_of_their_own() -> None:
    assert len(set(CLASSES)) == len(CLASSES) == 21
