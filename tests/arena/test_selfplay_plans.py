"""Plans of the self-play bots: shanten by hand, draws and discards, and the plans that are left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("riichienv", reason="the arena is played on it")
from houjuu.arena.selfplay import (
    FLUSHES,
    IMPOSSIBLE,
    PLAIN,
    TANYAO,
    TOITOI,
    Plan,
    after_discard,
    after_draw,
    nearby,
    open_plans,
    shanten,
)
from houjuu.game.tiles import COPIES, EAST, KIND, KINDS, kind_name, parse_kind, parse_tiles
from tests.kit.positions import chi, pon

PLANS = (PLAIN, TANYAO, *FLUSHES, TOITOI)


def kinds_of(text: str) -> list[int]:
    return [KIND[tile] for tile in parse_tiles(text)]


@pytest.mark.parametrize(
    ("hand", "plan", "expected"),
    [
        ("234m456p3457s", PLAIN, 0),
        ("234m456p3457s", TANYAO, 0),
        ("123m456p3457s", TANYAO, 1),  # the two usable tiles of 123m are a partial set
        ("234567m123z99m11p", FLUSHES[0], 3),
        ("222m444p666s8p", TOITOI, 0),
        ("223344m445566p8s", TOITOI, 3),
        ("1111222m", TOITOI, 1),
        ("1234m", FLUSHES[1], 2),
        ("123456789m1234p", FLUSHES[1], IMPOSSIBLE),
    ],
)
def test_shanten_on_a_plan(hand: str, plan: Plan, expected: int) -> None:
    assert shanten(kinds_of(hand), plan) == expected


hands = st.sampled_from([1, 2, 4, 5, 7, 8, 10, 11, 13, 14]).flatmap(
    lambda size: st.lists(st.integers(0, 135), min_size=size, max_size=size, unique=True)
)


@given(hands, st.sampled_from(PLANS))
def test_draws_and_discards_are_single_shantens(hand: list[int], plan: Plan) -> None:
    kinds = [KIND[tile] for tile in hand]
    if len(kinds) % 3 == 1:
        changed = after_draw(kinds, plan)
        for kind in range(KINDS):
            if kinds.count(kind) < COPIES:
                assert changed[kind] == shanten([*kinds, kind], plan), kind_name(kind)
    else:
        changed = after_discard(kinds, plan)
        for kind in kinds:
            rest = list(kinds)
            rest.remove(kind)
            assert changed[kind] == shanten(rest, plan), kind_name(kind)


def names(hand: str, *melds: str) -> list[str]:
    sets = tuple(pon(text) if text[0] == text[1] else chi(text) for text in melds)
    yakuhai = kinds_of("12567z")
    kinds = kinds_of(hand)
    unseen = [COPIES - kinds.count(kind) for kind in range(KINDS)]
    return [plan.name for plan in open_plans(kinds, sets, yakuhai, unseen)]


def test_the_plans_that_melds_leave() -> None:
    assert names("234m456p3457s", "678p") == ["tanyao", "honitsu"]
    assert names("234m456p3457s", "789p") == ["honitsu"]
    assert names("234m456p3457s", "999p") == ["honitsu", "toitoi"]
    assert names("234m456p3457s", "555z") == ["yakuhai", "honitsu", "honitsu", "honitsu", "toitoi"]
    assert names("234m456p55z34s", "789p") == ["yakuhai", "honitsu"]
    assert names("234m456p33z34s", "789p") == ["honitsu"]
    assert names("234m4s", "789p", "123m") == []


def test_nearby_kinds() -> None:
    assert [kind_name(kind) for kind in nearby([parse_kind("1m"), parse_kind("9p"), EAST])] == [
        *("1m", "2m", "3m", "7p", "8p", "9p", "1z")
    ]
