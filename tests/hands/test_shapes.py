"""The shapes are all tenpai shapes, each once, with the right waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations
from math import factorial

import numpy as np
import pytest
import riichienv

from houjuu.game.tiles import COPIES, KIND, KINDS, format_tiles, kind_name, parse_tiles
from houjuu.hands.completions import KANCHAN_PENCHAN, RYANMEN, SHANPON, TANKI
from tests.hands.random_hands import win_shapes
from tests.hands.shapes import Shapes, shapes

COUNTS = {1: 34, 4: 3_756, 7: 148_809}
SIZES = tuple(COUNTS)


def shanten(kinds: tuple[int, ...]) -> int:
    nth: Counter[int] = Counter()
    ids = []
    for kind in kinds:
        ids.append(COPIES * kind + nth[kind])
        nth[kind] += 1
    return int(riichienv.calculate_shanten(ids))


def waits_by_oracle(kinds: tuple[int, ...]) -> list[int]:
    """The kinds that complete a hand, except as a fifth copy."""
    if shanten(kinds) > 0:
        return []
    counts = Counter(kinds)
    return [kind for kind in range(KINDS) if counts[kind] < 4 and shanten((*kinds, kind)) < 0]


def waits_of(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if mask >> kind & 1]


def index_of(all_shapes: Shapes) -> dict[bytes, int]:
    return {row.tobytes(): i for i, row in enumerate(all_shapes.counts())}


def key(kinds: tuple[int, ...]) -> bytes:
    return np.bincount(kinds, minlength=KINDS).astype(np.uint8).tobytes()


def shape(hand: str) -> tuple[Shapes, int]:
    kinds = tuple(KIND[tile] for tile in parse_tiles(hand))
    all_shapes = shapes(len(kinds))
    return all_shapes, index_of(all_shapes)[key(kinds)]


def hands_up_to_symmetry(tiles: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each hand up to a permutation of suits and honours, and the number of hands it represents."""
    by_size = [_patterns(size) for size in range(tiles + 1)]
    honours_by_size = [list(_honours(size)) for size in range(tiles + 1)]
    for sizes in combinations_with_replacement(range(tiles + 1), 3):
        if sum(sizes) > tiles:
            continue
        for m in by_size[sizes[0]]:
            for p in by_size[sizes[1]]:
                for s in by_size[sizes[2]]:
                    if (sizes[0] == sizes[1] and m > p) or (sizes[1] == sizes[2] and p > s):
                        continue
                    suits = len(set(permutations((m, p, s))))
                    in_suits = (*m, *(9 + r for r in p), *(18 + r for r in s))
                    for honours, ways in honours_by_size[tiles - sum(sizes)]:
                        yield (*in_suits, *honours), suits * ways


def _patterns(size: int) -> list[tuple[int, ...]]:
    candidates = combinations_with_replacement(range(9), size)
    return [ranks for ranks in candidates if max(Counter(ranks).values(), default=0) <= 4]


def _honours(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Honours by descending counts, and the number of ways to assign the counts to kinds."""
    for counts in combinations_with_replacement(range(4, -1, -1), 7):
        if sum(counts) == size:
            ways = factorial(7)
            for same in Counter(counts).values():
                ways //= factorial(same)
            yield tuple(27 + i for i, n in enumerate(counts) for _ in range(n)), ways


@pytest.mark.parametrize("tiles", [1, 4, pytest.param(7, marks=pytest.mark.deep)])
def test_every_hand_agrees_with_the_oracle(tiles: int) -> None:
    all_shapes = shapes(tiles)
    index = index_of(all_shapes)
    n_tenpai = 0
    for kinds, ways in hands_up_to_symmetry(tiles):
        row = index.get(key(kinds))
        expected = waits_by_oracle(kinds)
        assert (waits_of(int(all_shapes.waits[row])) if row is not None else []) == expected, kinds
        n_tenpai += ways * bool(expected)
    assert n_tenpai == len(all_shapes) == COUNTS[tiles]


def test_random_hands_of_7_tiles_agree_with_the_oracle() -> None:
    all_shapes = shapes(7)
    index = index_of(all_shapes)
    rng = np.random.default_rng(7)
    for low, high in [(0, 9), (0, 18), (22, 34)] * 1000:  # few kinds: often near tenpai
        ids = rng.choice(np.arange(4 * low, 4 * high), 7, replace=False)
        kinds = tuple(sorted(KIND[int(tile)] for tile in ids))
        row = index.get(key(kinds))
        waits = waits_of(int(all_shapes.waits[row])) if row is not None else []
        assert waits == waits_by_oracle(kinds), format_tiles(sorted(ids.tolist()))


@pytest.mark.parametrize("tiles", SIZES)
def test_shapes_are_different_and_closed_under_a_change_of_suits(tiles: int) -> None:
    counts = shapes(tiles).counts()
    suits = [counts[:, 9 * suit : 9 * suit + 9] for suit in range(3)]
    honours = counts[:, 27:]
    turned = np.hstack([suits[1], suits[2], suits[0], honours])
    swapped = np.hstack([suits[1], suits[0], suits[2], honours[:, ::-1]])
    rolled = np.hstack([*suits, np.roll(honours, 1, axis=1)])
    rows = {row.tobytes() for row in counts}
    assert len(rows) == len(counts) == COUNTS[tiles]
    for other in (turned, swapped, rolled):
        assert {row.tobytes() for row in other} == rows


@pytest.mark.parametrize("tiles", SIZES)
def test_arrays_are_consistent(tiles: int) -> None:
    all_shapes = shapes(tiles)
    counts = all_shapes.counts()
    win_shape = win_shapes(all_shapes)
    assert (counts.sum(axis=1) == tiles).all()
    assert counts.max() <= 4
    waits = np.zeros(len(all_shapes), np.uint64)
    np.bitwise_or.at(waits, win_shape, np.uint64(1) << all_shapes.win_kind.astype(np.uint64))
    assert np.array_equal(waits, all_shapes.waits)
    assert np.array_equal(win_shape[all_shapes.first_win], np.arange(len(all_shapes)))
    assert all_shapes.forms.all()
    for suit, columns in enumerate((slice(0, 9), slice(9, 18), slice(18, 27), slice(27, 34))):
        assert np.array_equal(all_shapes.suits >> suit & 1, counts[:, columns].any(axis=1))


@pytest.mark.parametrize(
    ("hand", "waits", "forms"),
    [
        ("5z", "5z", TANKI),
        ("23m99p", "1m4m", RYANMEN),
        ("4567m", "4m7m", RYANMEN),
        ("89s11z", "7s", KANCHAN_PENCHAN),
        ("24s11z", "3s", KANCHAN_PENCHAN),
        ("11z22z", "1z2z", SHANPON),
        ("789p1z", "1z", TANKI),
        ("3334p", "2p4p5p", RYANMEN | TANKI),
        ("4445556s", "4s5s6s7s", RYANMEN | KANCHAN_PENCHAN | SHANPON | TANKI),
        ("2345678p", "2p5p8p", RYANMEN),
        ("1112345m", "2m3m5m6m", RYANMEN | KANCHAN_PENCHAN),
        ("111123m9p", "9p", TANKI),
        ("1111234s", "4s", RYANMEN),  # 1s has no fifth copy
        ("1123s111z", "1s4s", RYANMEN | TANKI),
    ],
)
def test_waits_and_forms(hand: str, waits: str, forms: int) -> None:
    all_shapes, row = shape(hand)
    assert "".join(map(kind_name, waits_of(int(all_shapes.waits[row])))) == waits
    assert all_shapes.forms[row] == forms


def test_a_wait_only_on_a_fifth_copy_is_not_tenpai() -> None:
    assert key((0, 0, 0, 0)) not in index_of(shapes(4))
    assert key((0, 0, 0, 0, 1, 1, 1)) in index_of(shapes(7))  # waits for 3m
