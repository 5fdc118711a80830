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
    named,
)
from houjuu.game.yaku import _names as names_of
from houjuu.logs import mjlog
from houjuu.util.names import folded
from tests.kit import real

Kinds = Counter[int]


def test_number_is_index() -> None:
    assert [yaku.number for yaku in YAKU] == list(range(55))


def test_names_are_unique() -> None:
    assert len({yaku.romaji for yaku in YAKU}) == len({yaku.japanese for yaku in YAKU}) == 55


@pytest.mark.parametrize("yaku", YAKU, ids=lambda yaku: yaku.romaji)
@pytest.mark.parametrize("language", ["ja", "zh", "en"])
def test_each_name_finds_it(yaku: Yaku, language: str) -> None:
    assert named(yaku.name(language), 0, 0) is yaku


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (0, "Fully Concealed Hand|menzenchin_tsumoho|門前清自摸|门前清自摸和"),
        (1, "Riichi|Reach|リーチ"),
        (3, "Robbing a Kan|槍槓|搶槓|抢杠"),
        (5, "Under the Sea|海底摸月|haiteiraoyue"),
        (8, "All Simples|断么九|斷么九|tanyaochu"),
        (9, "Pure Double Sequence|Iipeikō|一杯口"),
        (18, "White Dragon|役牌:白|役牌：白|役牌白|Yakuhai (haku)"),
        (19, "Green Dragon|役牌 發|役牌 发"),
        (20, "Red Dragon|中"),
        (21, "Double Riichi|ダブル立直|両立直|double_reach|W立直"),
        (23, "Half Outside Hand|混全帯么九|chantaiyao"),
        (24, "Pure Straight|ikkitsukan|一气通贯"),
        (25, "Mixed Triple Sequence|sanshokudojun"),
        (28, "All Triplets|対々和|对对和|對對和|toitoiho"),
        (31, "All Terminals and Honors|混老頭"),
        (33, "Fully Outside Hand|純全帯么九"),
        (34, "Half Flush|honiso"),
        (40, "Four Concealed Triplets|四暗刻"),
        (41, "Single-wait Four Concealed Triplets|四暗刻単騎待ち|四暗刻單騎|Suu ankou tanki"),
        (44, "All Terminals"),
        (46, "True Nine Gates|純正九蓮宝燈"),
        (47, "Thirteen Orphans|国士无双"),
        (48, "国士無双十三面待ち|国士無双13面|Thirteen-wait Thirteen Orphans"),
        (49, "Four Big Winds|Big Four Winds"),
        (53, "Ura Dora|裏ドラ|uradora"),
        (54, "Red Five|赤ドラ|akadora|aka dora"),
    ],
)
def test_names_of_other_programs(number: int, names: str) -> None:
    for name in names.split("|"):
        assert named(name, 0, 0) is YAKU[number], name


def test_no_name_has_two_yaku() -> None:
    names = [name for yaku in YAKU for name in {folded(name) for name in names_of(yaku)}]
    assert [name for name, count in Counter(names).items() if count > 1] == []


@pytest.mark.parametrize("wind", range(4))
def test_a_wind_without_its_name_is_that_of_the_seat_or_the_round(wind: int) -> None:
    for name in ("役牌:自風牌", "Seat Wind", "自風", "门风牌", "jikaze"):
        assert named(name, wind, 0) is YAKU[SEAT_WIND + wind]
    for name in ("役牌:場風牌", "Prevalent Wind", "場風", "bakaze"):
        assert named(name, 0, wind) is YAKU[ROUND_WIND + wind]
    assert named("自風 西", wind, wind) is named("Seat Wind (West)", wind, wind) is YAKU[12]


def test_a_name_in_each_language() -> None:
    assert [YAKU[8].name(language) for language in ("en", "ja")] == ["tanyao", "断幺九"]
    assert [YAKU[3].name(language) for language in ("ja", "zh")] == ["槍槓", "抢杠"]
    assert len({yaku.chinese for yaku in YAKU}) == 55
    japanese = set("門発槍嶺両対気槓単緑蓮燈裏ドラ")
    assert not [yaku for yaku in YAKU if japanese & set(yaku.chinese)]


def test_unknown_names_are_none() -> None:
    for name in ("ローカル役", "Kita", "大車輪", "", "役牌", "yakuhai", "sangenpai"):
        assert named(name, 0, 0) is None


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
