"""The one table of yaku: Tenhou's number, names, and han in a closed and in an open hand.

`YAKU[number]` is a yaku, numbered as in ``AGARI yaku=`` and ``yakuman=``. Each wind and each dragon
has a number of its own: the winds follow `SEAT_WIND` and `ROUND_WIND` from East on, the dragons
`DRAGON` from haku on. The table also contains the three types of dora, which are not yaku. Tenhou
numbers renhou (36) but does not score it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from houjuu.util.names import folded

RIICHI = 1
PINFU = 7
TANYAO = 8
IIPEIKOU = 9
SEAT_WIND = 10
ROUND_WIND = 14
DRAGON = 18
CHIITOITSU, CHANTA, ITTSUU, SANSHOKU_DOUJUN, SANSHOKU_DOUKOU, SANKANTSU = range(22, 28)
TOITOI, SANANKOU, SHOUSANGEN, HONROUTOU = range(28, 32)
JUNCHAN, HONITSU, CHINITSU = range(33, 36)
SUUANKOU_TANKI = 41
JUNSEI_CHUUREN_POUTOU = 46
KOKUSHI_MUSOU = 47
KOKUSHI_MUSOU_13 = 48
DAISUUSHII = 49
DORA = 52
URADORA = 53
AKADORA = 54
INDICATED_DORA = frozenset({DORA, URADORA})
ALL_DORA = INDICATED_DORA | {AKADORA}

DOUBLE_YAKUMAN = frozenset({SUUANKOU_TANKI, JUNSEI_CHUUREN_POUTOU, KOKUSHI_MUSOU_13, DAISUUSHII})
"""The yakuman that some rules count twice."""

_TABLE = (
    ("menzen tsumo", "門前清自摸和", "门前清自摸和", 1, 0),
    ("riichi", "立直", "立直", 1, 0),
    ("ippatsu", "一発", "一发", 1, 0),
    ("chankan", "槍槓", "抢杠", 1, 1),
    ("rinshan kaihou", "嶺上開花", "岭上开花", 1, 1),
    ("haitei raoyue", "海底摸月", "海底摸月", 1, 1),
    ("houtei raoyui", "河底撈魚", "河底捞鱼", 1, 1),
    ("pinfu", "平和", "平和", 1, 0),
    ("tanyao", "断幺九", "断幺九", 1, 1),
    ("iipeikou", "一盃口", "一杯口", 1, 0),
    ("seat wind east", "自風 東", "自风 东", 1, 1),
    ("seat wind south", "自風 南", "自风 南", 1, 1),
    ("seat wind west", "自風 西", "自风 西", 1, 1),
    ("seat wind north", "自風 北", "自风 北", 1, 1),
    ("round wind east", "場風 東", "场风 东", 1, 1),
    ("round wind south", "場風 南", "场风 南", 1, 1),
    ("round wind west", "場風 西", "场风 西", 1, 1),
    ("round wind north", "場風 北", "场风 北", 1, 1),
    ("haku", "役牌 白", "役牌 白", 1, 1),
    ("hatsu", "役牌 發", "役牌 发", 1, 1),
    ("chun", "役牌 中", "役牌 中", 1, 1),
    ("double riichi", "両立直", "两立直", 2, 0),
    ("chiitoitsu", "七対子", "七对子", 2, 0),
    ("chanta", "混全帯幺九", "混全带幺九", 2, 1),
    ("ittsuu", "一気通貫", "一气通贯", 2, 1),
    ("sanshoku doujun", "三色同順", "三色同顺", 2, 1),
    ("sanshoku doukou", "三色同刻", "三色同刻", 2, 2),
    ("sankantsu", "三槓子", "三杠子", 2, 2),
    ("toitoi", "対々和", "对对和", 2, 2),
    ("sanankou", "三暗刻", "三暗刻", 2, 2),
    ("shousangen", "小三元", "小三元", 2, 2),
    ("honroutou", "混老頭", "混老头", 2, 2),
    ("ryanpeikou", "二盃口", "二杯口", 3, 0),
    ("junchan", "純全帯幺九", "纯全带幺九", 3, 2),
    ("honitsu", "混一色", "混一色", 3, 2),
    ("chinitsu", "清一色", "清一色", 6, 5),
    ("renhou", "人和", "人和", 0, 0),
    ("tenhou", "天和", "天和", 13, 0),
    ("chiihou", "地和", "地和", 13, 0),
    ("daisangen", "大三元", "大三元", 13, 13),
    ("suuankou", "四暗刻", "四暗刻", 13, 0),
    ("suuankou tanki", "四暗刻単騎", "四暗刻单骑", 13, 0),
    ("tsuuiisou", "字一色", "字一色", 13, 13),
    ("ryuuiisou", "緑一色", "绿一色", 13, 13),
    ("chinroutou", "清老頭", "清老头", 13, 13),
    ("chuuren poutou", "九蓮宝燈", "九莲宝灯", 13, 0),
    ("junsei chuuren poutou", "純正九蓮宝燈", "纯正九莲宝灯", 13, 0),
    ("kokushi musou", "国士無双", "国士无双", 13, 0),
    ("kokushi musou juusanmen", "国士無双１３面", "国士无双十三面", 13, 0),
    ("daisuushii", "大四喜", "大四喜", 13, 13),
    ("shousuushii", "小四喜", "小四喜", 13, 13),
    ("suukantsu", "四槓子", "四杠子", 13, 13),
    ("dora", "ドラ", "宝牌", 1, 1),
    ("uradora", "裏ドラ", "里宝牌", 1, 1),
    ("akadora", "赤ドラ", "赤宝牌", 1, 1),
)
"""Romaji, Japanese and Chinese name, han closed and han open."""


@dataclass(frozen=True, slots=True)
class Yaku:
    """A yaku.

    Attributes
    ----------
    number : int
        Tenhou's number, 0–54, which is also its index in `YAKU`.
    romaji : str
    japanese : str
        As Tenhou spells it.
    chinese : str
        In simplified characters.
    han_closed, han_open : int
        Han in a closed and in an open hand; 0 where the hand cannot have it, 13 for a yakuman.
        For a type of dora, han a tile.
    """

    number: int
    romaji: str
    japanese: str
    chinese: str
    han_closed: int
    han_open: int

    def han(self, *, closed: bool) -> int:
        """Han in a closed or in an open hand."""
        return self.han_closed if closed else self.han_open

    def name(self, language: str) -> str:
        """The name in a language of `houjuu.util.languages`: romaji in English."""
        return {"ja": self.japanese, "zh": self.chinese}.get(language, self.romaji)

    @property
    def is_yakuman(self) -> bool:
        """Whether it is a yakuman: 天和 (37) to 四槓子 (51)."""
        return 37 <= self.number <= 51


YAKU = tuple(Yaku(number, *entry) for number, entry in enumerate(_TABLE))
"""All yaku; the index is the number that Tenhou uses."""


_OTHER_NAMES: dict[int, str] = {
    0: "Fully Concealed Hand, Menzenchin Tsumohou, Menzen Tsumohou, Tsumo, Self Draw, "
    "門前自摸, 門前清自摸, 門清自摸, 自摸, ツモ, メンゼンツモ, 面前清自摸和",
    1: "Reach, Ready, Ready Hand, リーチ",
    2: "One Shot, イッパツ",
    3: "Robbing a Kan, Robbing the Kan, Robbing a Quad, Chan Kan",
    4: "After a Kan, After a Quad, Rinshan, Rinshan Kaiho, Rinshankaihoh, Dead Wall Draw, 嶺上",
    5: "Under the Sea, Haitei, Haitei Mouyue, Haitei Moyue, Last Tile Draw, 海底, 海底撈月",
    6: "Under the River, Houtei, Houtei Raoyue, Last Tile Claim, ホウテイ, 河底",
    7: "Pin Fu, All Sequences, ピンフ",
    8: "All Simples, Tanyaochuu, Tanyao Chuu, 断幺, タンヤオ",
    9: "Pure Double Sequence, Pure Double Chow, Pure Double Chi, Iipeiko, Ippeiko, 一盃口, "
    "イーペーコー",
    18: "White Dragon, 白, 白板, Yakuhai White",
    19: "Green Dragon, 發, 緑發, Yakuhai Green",
    20: "Red Dragon, 中, 紅中, Yakuhai Red",
    21: "Double Reach, Daburu Riichi, Daburu Reach, Daburii, ダブル立直, ダブルリーチ, ダブリー, "
    "W立直, 双立直",
    22: "Seven Pairs, Chiitoi, Chitoi, チートイツ, 七対",
    23: "Half Outside Hand, Mixed Outside Hand, Outside Hand, Honchantaiyaochuu, Chantaiyao, "
    "Chantaiyaochuu, チャンタ, 全帯幺九, 全帯幺, 混全帯幺",
    24: "Pure Straight, Full Straight, Ittsu, Itsu, Ikkitsuukan, Ikki Tsuukan, 一通, イッツー",
    25: "Mixed Triple Sequence, Mixed Triple Chow, Mixed Triple Chi, Three Colour Straight, "
    "Three Color Straight, Sanshoku, 三色",
    26: "Triple Triplets, Triple Pung, Triple Pon, Three Color Triplets, Sanshoku Dokou",
    27: "Three Quads, Three Kans, San Kantsu",
    28: "All Triplets, All Pungs, All Pons, Toitoihou, Toitoiho, 対対和, 対対, 碰碰和, トイトイ",
    29: "Three Concealed Triplets, Three Concealed Pungs, San Ankou",
    30: "Little Three Dragons, Small Three Dragons, Shou Sangen",
    31: "All Terminals and Honors, All Terminals and Honours, Honrouto",
    32: "Twice Pure Double Sequence, Twice Pure Double Chow, Twice Pure Double Chi, Ryanpeiko, "
    "両盃口, リャンペーコー",
    33: "Fully Outside Hand, Pure Outside Hand, Terminals in All Sets, Junchantaiyaochuu, "
    "Junchan Taiyao, Junchantaiyao, Junchanta, 純全帯幺, 純チャン, ジュンチャン",
    34: "Half Flush, Honiisou, Honitsu, Hon Itsu, ホンイツ, 混一",
    35: "Full Flush, Chiniisou, Chin Itsu, チンイツ, 清一",
    36: "Hand of Man, Blessing of Man, Renho",
    37: "Blessing of Heaven, Hand of Heaven, Heavenly Hand, Tenho",
    38: "Blessing of Earth, Hand of Earth, Earthly Hand, Chiho",
    39: "Big Three Dragons",
    40: "Four Concealed Triplets, Four Concealed Pungs, Suu Ankou",
    41: "Single Wait Four Concealed Triplets, Four Concealed Triplets Single Wait, "
    "Four Concealed Triplets 1 Tile Wait, Suu Ankou Tanki, Suuankou Tanki Machi, "
    "Suu Ankou Tanki Machi, 四暗刻単騎待ち, 四暗刻単騎待",
    42: "All Honors, All Honours, Tsuuiiso",
    43: "All Green, Ryuuiso",
    44: "All Terminals, Chinroto",
    45: "Nine Gates, Chuuren Poutou, Chuurenpooto",
    46: "True Nine Gates, Pure Nine Gates, Nine Gates 9 Tile Wait, Junsei Chuuren, "
    "Chuuren Poutou Kyuumen Machi, 九蓮宝燈九面待ち, 純正九蓮宝灯九面待ち",
    47: "Thirteen Orphans, Kokushi, Kokushimusou",
    48: "Thirteen Wait Thirteen Orphans, Thirteen Orphans 13 Wait, Thirteen Orphans 13 Sided Wait, "
    "Thirteen Orphans 13 Tile Wait, Kokushi Musou 13, Kokushi Musou Juusanmen Machi, "
    "Kokushi Musou Juusan Menmachi, 国士無双十三面待ち, 国士無双十三面待, 国士無双十三面, "
    "国士無双13面待ち, 国士十三面",
    49: "Four Big Winds, Big Four Winds, Daisuushi",
    50: "Four Little Winds, Little Four Winds, Small Four Winds, Shousuushi",
    51: "Four Quads, Four Kans, Suu Kantsu",
    52: "宝牌, どら",
    53: "Ura Dora, Hidden Dora, Underside Dora, 裏どら, 裏宝牌",
    54: "Red Five, Red Fives, Red Dora, Aka Dora, Aka, 赤, 赤どら, 紅宝牌",
}
"""Further names, separated by commas: of Mahjong Soul, its downloaders, books and programs."""

_ANY_WIND = {
    SEAT_WIND: "Seat Wind, Wind of Place, Player Wind, Jikaze, Menfon, Menfonpai, 自風, 自風牌, "
    "門風, 門風牌",
    ROUND_WIND: "Round Wind, Wind of Round, Prevalent Wind, Prevailing Wind, Table Wind, Bakaze, "
    "Chanfon, Chanfonpai, 場風, 場風牌, 圏風",
}
"""Names of a pon of the seat or round wind that do not name the wind."""

_WINDS = ("East, Ton, 東, 东", "South, Nan, 南", "West, Shaa, Sha, Xia, 西", "North, Pei, Pe, 北")
_HONOUR = re.compile(r"^(?:yakuhai|fanpai|役牌|飜牌)(?=.)")  # before the name of the honour
_ANY_WIND_BY_NAME = {
    folded(name): first for first, names in _ANY_WIND.items() for name in names.split(",")
}


def _names(yaku: Yaku) -> list[str]:
    names = [yaku.romaji, yaku.japanese, yaku.chinese]
    names += filter(None, _OTHER_NAMES.get(yaku.number, "").split(","))
    for first, any_wind in _ANY_WIND.items():
        if first <= yaku.number < first + len(_WINDS):
            winds = _WINDS[yaku.number - first].split(",")
            names += [one + wind for one in any_wind.split(",") for wind in winds]
            names += [wind + one for one in any_wind.split(",") for wind in winds]
    return names


_BY_NAME = {folded(name): yaku for yaku in YAKU for name in _names(yaku)}


def named(name: str, seat_wind: int, round_wind: int) -> Yaku | None:
    """The yaku of a name in any language that logs use; None for an unknown name.

    Parameters
    ----------
    name : str
        In Japanese, Chinese, romaji or English. Case, width, spaces and punctuation do not matter.
    seat_wind, round_wind : int
        0 for East to 3 for North, for names such as 役牌:自風牌 that do not name the wind.

    Examples
    --------
    >>> named("国士無双13面", 0, 0).number, named("Half Flush", 0, 0).romaji
    (48, 'honitsu')
    >>> named("役牌:自風牌", 1, 0).japanese, named("ローカル役", 1, 0)
    ('自風 南', None)
    """
    text = folded(name)
    for key in (text, _HONOUR.sub("", text)):
        if key in _BY_NAME:
            return _BY_NAME[key]
        if key in _ANY_WIND_BY_NAME:
            first = _ANY_WIND_BY_NAME[key]
            return YAKU[first + (seat_wind if first == SEAT_WIND else round_wind)]
    return None
