"""Yaku that melds exclude, and the suits of a flush."""

from __future__ import annotations

import pytest

from houjuu.game.tiles import KIND, parse_tiles
from houjuu.game.yaku import (
    CHANTA,
    CHIITOITSU,
    CHINITSU,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    JUNCHAN,
    KOKUSHI_MUSOU,
    PINFU,
    SANANKOU,
    TANYAO,
    TOITOI,
)
from houjuu.hands.open_yaku import (
    DEPENDENT,
    flush_suits,
    has_yakuhai,
    meld_suits,
    possible_yaku,
)
from tests.kit.positions import melds

CLOSED_ONLY = {PINFU, CHIITOITSU, KOKUSHI_MUSOU}


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("", set()),
        ("345m", {IIPEIKOU, CHANTA, JUNCHAN, TOITOI, HONROUTOU}),
        ("123m", {IIPEIKOU, TANYAO, TOITOI, HONROUTOU}),
        ("111m", {IIPEIKOU, TANYAO}),
        ("222m", {IIPEIKOU, CHANTA, JUNCHAN, HONROUTOU}),
        ("555z", {IIPEIKOU, TANYAO, JUNCHAN, CHINITSU}),
        ("111m 999p", {IIPEIKOU, TANYAO, SANANKOU, HONITSU, CHINITSU}),
        ("111m 555z", {IIPEIKOU, TANYAO, SANANKOU, JUNCHAN, CHINITSU}),
        ("(1111m)", {TANYAO}),
        ("(1111m) (9999m)", {TANYAO}),
        ("(1111m) (9999m) (1111z)", {TANYAO, IIPEIKOU, JUNCHAN, CHINITSU}),
        ("(1111m) 999m (1111z)", {TANYAO, IIPEIKOU, JUNCHAN, CHINITSU}),
    ],
)
def test_melds_exclude_yaku(text: str, excluded: set[int]) -> None:
    if text:
        excluded |= CLOSED_ONLY
    assert possible_yaku(melds(text)) == DEPENDENT - excluded


def test_open_tanyao_is_a_rule() -> None:
    assert TANYAO in possible_yaku(melds("345m"))
    assert TANYAO not in possible_yaku(melds("345m"), open_tanyao=False)
    assert TANYAO in possible_yaku(melds("(2222m)"), open_tanyao=False)


@pytest.mark.parametrize(
    ("text", "suits", "flushes"),
    [
        ("", set(), (0, 1, 2)),
        ("555z", set(), (0, 1, 2)),
        ("345p", {1}, (1,)),
        ("345p 555z (9999p)", {1}, (1,)),
        ("345p 999s", {1, 2}, ()),
    ],
)
def test_suits(text: str, suits: set[int], flushes: tuple[int, ...]) -> None:
    assert meld_suits(melds(text)) == suits
    assert flush_suits(melds(text)) == flushes


def test_yakuhai() -> None:
    haku, east = KIND[parse_tiles("5z")[0]], KIND[parse_tiles("1z")[0]]
    assert has_yakuhai(melds("345p 555z"), [haku])
    assert not has_yakuhai(melds("345p 555z"), [east])
    assert not has_yakuhai((), [haku, east])
