from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from mahjong.hand_calculating import yaku_config

from houjuu.game.events import Deal, Rules, Win
from houjuu.game.tiles import EAST, HAKU, IS_HONOUR, IS_YAOCHU, KIND, RED_FIVES, SUIT, dora_of
from houjuu.game.yaku import (
    AKADORA,
    CHANTA,
    CHIITOITSU,
    CHINITSU,
    DORA,
    DRAGON,
    HONITSU,
    HONROUTOU,
    JUNCHAN,
    KOKUSHI_MUSOU,
    RIICHI,
    ROUND_WIND,
    SEAT_WIND,
    SHOUSANGEN,
    TANYAO,
    TOITOI,
    URADORA,
    YAKU,
    Yaku,
    by_japanese,
)
from houjuu.logs import mjlog
from houjuu.util.errors import Error
from tests import real

Kinds = Counter[int]


def test_number_is_index() -> None:
    assert [yaku.number for yaku in YAKU] == list(range(55))


def test_names_are_unique() -> None:
    assert len({yaku.romaji for yaku in YAKU}) == len({yaku.japanese for yaku in YAKU}) == 55


@pytest.mark.parametrize("yaku", YAKU, ids=lambda yaku: yaku.romaji)
def test_japanese_name_finds_it(yaku: Yaku) -> None:
    assert by_japanese(yaku.japanese) is yaku


def test_a_name_in_each_language() -> None:
    assert [YAKU[8].name(language) for language in ("en", "ja")] == ["tanyao", "断幺九"]
    assert [YAKU[3].name(language) for language in ("ja", "zh")] == ["槍槓", "抢杠"]
    assert len({yaku.chinese for yaku in YAKU}) == 55
    japanese = set("門発槍嶺両対気槓単緑蓮燈裏ドラ")
    assert not [yaku for yaku in YAKU if japanese & set(yaku.chinese)]


def test_width_of_digits_does_not_matter() -> None:
    assert by_japanese("国士無双13面") is by_japanese("国士無双１３面") is YAKU[48]


def test_unknown_name_is_refused() -> None:
    with pytest.raises(Error, match="is not a yaku"):
        by_japanese("ローカル役")


def test_yakuman() -> None:
    assert [yaku.japanese for yaku in YAKU if yaku.is_yakuman][::14] == ["天和", "四槓子"]


def _plain(romaji: str) -> str:
    """The name without the differences between two romanisations."""
    for old, new in (("yakuhai", ""), (" ", ""), ("(", ""), (")", ""), ("ou", "o"), ("uu", "u")):
        romaji = romaji.lower().replace(old, new)
    return romaji


def test_numbers_are_those_of_the_library_mahjong() -> None:
    other = {46: "Junsei Chuuren Poutou", 48: "Kokushi Musou Juusanmen", 23: "Chanta", 24: "Ittsuu"}
    config = vars(yaku_config)["YakuConfig"]()
    yaku = [getattr(config, name) for name in dir(config) if not name.startswith("_")]
    numbers = yaku_config.YAKU_ID_TO_TENHOU_ID
    names = {numbers[y.yaku_id]: y.name for y in yaku if getattr(y, "yaku_id", None) in numbers}
    assert len(names) == 55
    for number, name in {**names, **other}.items():
        assert _plain(name).rstrip("u") == _plain(YAKU[number].romaji).rstrip("u")


def _triplet(kind: int) -> Callable[[Kinds], bool]:
    return lambda kinds: kinds[kind] >= 3


CONDITIONS: dict[int, Callable[[Kinds], bool]] = {
    TANYAO: lambda kinds: not any(IS_YAOCHU[kind] for kind in kinds),
    CHIITOITSU: lambda kinds: sorted(kinds.values()) == [2] * 7,
    CHANTA: lambda kinds: any(IS_HONOUR[kind] for kind in kinds),
    JUNCHAN: lambda kinds: not any(IS_HONOUR[kind] for kind in kinds),
    HONITSU: lambda kinds: len({SUIT[kind] for kind in kinds if kind < EAST}) == 1,
    CHINITSU: lambda kinds: len({SUIT[kind] for kind in kinds}) == 1,
    TOITOI: lambda kinds: sum(count >= 3 for count in kinds.values()) == 4,
    HONROUTOU: lambda kinds: all(IS_YAOCHU[kind] for kind in kinds),
    SHOUSANGEN: lambda kinds: sorted(min(kinds[HAKU + i], 3) for i in range(3)) == [2, 3, 3],
    39: lambda kinds: all(kinds[HAKU + i] >= 3 for i in range(3)),
    KOKUSHI_MUSOU: lambda kinds: all(IS_YAOCHU[kind] for kind in kinds) and len(kinds) == 13,
    **{SEAT_WIND + i: _triplet(EAST + i) for i in range(4)},
    **{ROUND_WIND + i: _triplet(EAST + i) for i in range(4)},
    **{DRAGON + i: _triplet(HAKU + i) for i in range(3)},
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
def test_real_wins_fulfil_their_yaku() -> None:
    seen = Counter[int]()
    for _, deal, win in _wins():
        kinds = Counter(KIND[tile] for tile in _tiles(win))
        numbers = {number for number, _ in win.yaku} | set(win.yakuman)
        seen.update(numbers)
        for number in numbers & CONDITIONS.keys():
            assert CONDITIONS[number](kinds), YAKU[number]
        assert numbers & set(range(SEAT_WIND, SEAT_WIND + 4)) <= {
            SEAT_WIND + (win.seat - deal.dealer) % 4
        }
        assert numbers & set(range(ROUND_WIND, ROUND_WIND + 4)) <= {ROUND_WIND + deal.round // 4}
        assert (RIICHI in numbers or 21 in numbers) == bool(win.ura_indicators) or win.yakuman
    assert len(seen) > 30


@pytest.mark.real_logs
def test_real_dora_are_counted() -> None:
    compared = 0
    for rules, _, win in _wins():
        if win.yakuman:
            continue  # a yakuman has no dora
        compared += 1
        han, tiles = Counter(dict(win.yaku)), _tiles(win)
        kinds = Counter(KIND[tile] for tile in tiles)
        for number, indicators in ((DORA, win.dora_indicators), (URADORA, win.ura_indicators)):
            assert han[number] == sum(kinds[dora_of(KIND[tile])] for tile in indicators or ())
        assert han[AKADORA] == rules.red_fives * len(set(tiles) & set(RED_FIVES))
    assert compared > 1000
