from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from mahjong.hand_calculating import yaku_config

from houjuu.errors import Error
from houjuu.events import Deal, Rules, Win
from houjuu.logs import mjlog
from houjuu.tiles import COPIES, EAST, HAKU, IS_HONOUR, IS_YAOCHU, RED_FIVES, SUIT, dora_of
from houjuu.yaku import AKADORA, DORA, RIICHI, TANYAO, URADORA, YAKU, Yaku, by_japanese
from tests import real

Kinds = Counter[int]


def test_number_is_index() -> None:
    assert [yaku.number for yaku in YAKU] == list(range(55))


def test_names_are_unique() -> None:
    assert len({yaku.romaji for yaku in YAKU}) == len({yaku.japanese for yaku in YAKU}) == 55


@pytest.mark.parametrize("yaku", YAKU, ids=lambda yaku: yaku.romaji)
def test_japanese_name_finds_it(yaku: Yaku) -> None:
    assert by_japanese(yaku.japanese) is yaku


def test_width_of_digits_does_not_matter() -> None:
    assert by_japanese("国士無双13面") is by_japanese("国士無双１３面") is YAKU[48]


def test_unknown_name_is_refused() -> None:
    with pytest.raises(Error, match="is no yaku"):
        by_japanese("ローカル役")


def test_yakuman_and_dora() -> None:
    assert [yaku.japanese for yaku in YAKU if yaku.is_yakuman][::14] == ["天和", "四槓子"]
    assert [yaku.japanese for yaku in YAKU if yaku.is_dora] == ["ドラ", "裏ドラ", "赤ドラ"]


def _plain(romaji: str) -> str:
    """The name without what two ways of romanising differ in."""
    for old, new in (("yakuhai", ""), (" ", ""), ("(", ""), (")", ""), ("ou", "o"), ("uu", "u")):
        romaji = romaji.lower().replace(old, new)
    return romaji


def test_numbers_are_those_of_the_library_mahjong() -> None:
    other = {46: "Junsei Chuuren Poutou", 48: "Kokushi Musou Juusanmen", 23: "Chanta", 24: "Ittsuu"}
    config = vars(yaku_config)["YakuConfig"]()
    every = [getattr(config, name) for name in dir(config) if not name.startswith("_")]
    numbers = yaku_config.YAKU_ID_TO_TENHOU_ID
    names = {numbers[y.yaku_id]: y.name for y in every if getattr(y, "yaku_id", None) in numbers}
    assert len(names) == 55
    for number, name in {**names, **other}.items():
        assert _plain(name).rstrip("u") == _plain(YAKU[number].romaji).rstrip("u")


def _triplet(kind: int) -> Callable[[Kinds], bool]:
    return lambda kinds: kinds[kind] >= 3


SHAPES: dict[int, Callable[[Kinds], bool]] = {
    TANYAO: lambda kinds: not any(IS_YAOCHU[kind] for kind in kinds),
    22: lambda kinds: sorted(kinds.values()) == [2] * 7,
    23: lambda kinds: any(IS_HONOUR[kind] for kind in kinds),
    33: lambda kinds: not any(IS_HONOUR[kind] for kind in kinds),
    34: lambda kinds: len({SUIT[kind] for kind in kinds if kind < EAST}) == 1,
    35: lambda kinds: len({SUIT[kind] for kind in kinds}) == 1,
    28: lambda kinds: sum(count >= 3 for count in kinds.values()) == 4,
    31: lambda kinds: all(IS_YAOCHU[kind] for kind in kinds),
    30: lambda kinds: sorted(min(kinds[HAKU + i], 3) for i in range(3)) == [2, 3, 3],
    39: lambda kinds: all(kinds[HAKU + i] >= 3 for i in range(3)),
    47: lambda kinds: all(IS_YAOCHU[kind] for kind in kinds) and len(kinds) == 13,
    **{10 + i: _triplet(EAST + i) for i in range(4)},
    **{14 + i: _triplet(EAST + i) for i in range(4)},
    **{18 + i: _triplet(HAKU + i) for i in range(3)},
}


def _wins() -> Iterator[tuple[Rules, Deal, Win]]:
    for name, data in real.games("phoenix-tonpuu", 400):
        game = mjlog.parse(data, name)
        for event in game:
            if isinstance(event, Deal):
                deal = event
            elif isinstance(event, Win):
                yield game.rules, deal, event


def _tiles(win: Win) -> list[int]:
    return [*win.hand, *(tile for meld in win.melds for tile in meld.tiles)]


@pytest.mark.real_logs
def test_real_wins_have_what_their_yaku_say() -> None:
    seen = Counter[int]()
    for _, deal, win in _wins():
        kinds = Counter(tile // COPIES for tile in _tiles(win))
        numbers = {number for number, _ in win.yaku} | set(win.yakuman)
        seen.update(numbers)
        for number in numbers & SHAPES.keys():
            assert SHAPES[number](kinds), YAKU[number]
        assert numbers & set(range(10, 14)) <= {10 + (win.seat - deal.dealer) % 4}
        assert numbers & set(range(14, 18)) <= {14 + deal.round // 4}
        assert (RIICHI in numbers or 21 in numbers) == bool(win.ura_indicators) or win.yakuman
    assert len(seen) > 30


@pytest.mark.real_logs
def test_real_dora_are_counted() -> None:
    for rules, _, win in _wins():
        if win.yakuman:
            continue  # dora are not counted in one
        han, tiles = Counter(dict(win.yaku)), _tiles(win)
        kinds = Counter(tile // COPIES for tile in tiles)
        for number, indicators in ((DORA, win.dora_indicators), (URADORA, win.ura_indicators)):
            assert han[number] == sum(kinds[dora_of(tile // COPIES)] for tile in indicators)
        assert han[AKADORA] == rules.red_fives * len(set(tiles) & set(RED_FIVES))
