"""The one table of yaku: Tenhou's number, names, and han in a closed and in an open hand.

`YAKU[number]` is a yaku, numbered as in ``AGARI yaku=`` and ``yakuman=``. Each wind and each dragon
has a number of its own: the winds follow `SEAT_WIND` and `ROUND_WIND` from East on, the dragons
`DRAGON` from haku on. The table also contains the three types of dora, which are not yaku. Tenhou
numbers renhou (36) but does not score it.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

from houjuu.util.errors import Error

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
KOKUSHI_MUSOU = 47
KOKUSHI_MUSOU_13 = 48
DORA = 52
URADORA = 53
AKADORA = 54
INDICATED_DORA = frozenset({DORA, URADORA})
ALL_DORA = INDICATED_DORA | {AKADORA}

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


def _folded(name: str) -> str:
    """Normalize the width of digits and spaces: 国士無双１３面 has two spellings."""
    return normalize("NFKC", name).strip()


_BY_JAPANESE = {_folded(yaku.japanese): yaku for yaku in YAKU}


def by_japanese(name: str) -> Yaku:
    """The yaku of a Japanese name.

    Raises
    ------
    Error
        There is no such yaku.

    Examples
    --------
    >>> by_japanese("平和").number, by_japanese("国士無双13面").romaji
    (7, 'kokushi musou juusanmen')
    """
    yaku = _BY_JAPANESE.get(_folded(name))
    if yaku is None:
        raise Error(f"{name!r} is not a yaku of Tenhou")
    return yaku
