"""The 55 yaku as Tenhou numbers them in ``AGARI yaku=`` and ``yakuman=``, and spells them.

`YAKU[number]` is a yaku. Winds and dragons have a number each, and the three sorts of dora are
among them though they are no yaku. 人和 (36) has a number but Tenhou does not score it.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

from houjuu.errors import Error

RIICHI, IPPATSU, TANYAO, DOUBLE_RIICHI = 1, 2, 8, 21
DORA, URADORA, AKADORA = 52, 53, 54

_NAMES = (
    ("menzen tsumo", "門前清自摸和"),
    ("riichi", "立直"),
    ("ippatsu", "一発"),
    ("chankan", "槍槓"),
    ("rinshan kaihou", "嶺上開花"),
    ("haitei raoyue", "海底摸月"),
    ("houtei raoyui", "河底撈魚"),
    ("pinfu", "平和"),
    ("tanyao", "断幺九"),
    ("iipeikou", "一盃口"),
    ("seat wind east", "自風 東"),
    ("seat wind south", "自風 南"),
    ("seat wind west", "自風 西"),
    ("seat wind north", "自風 北"),
    ("round wind east", "場風 東"),
    ("round wind south", "場風 南"),
    ("round wind west", "場風 西"),
    ("round wind north", "場風 北"),
    ("haku", "役牌 白"),
    ("hatsu", "役牌 發"),
    ("chun", "役牌 中"),
    ("double riichi", "両立直"),
    ("chiitoitsu", "七対子"),
    ("chanta", "混全帯幺九"),
    ("ittsuu", "一気通貫"),
    ("sanshoku doujun", "三色同順"),
    ("sanshoku doukou", "三色同刻"),
    ("sankantsu", "三槓子"),
    ("toitoi", "対々和"),
    ("sanankou", "三暗刻"),
    ("shousangen", "小三元"),
    ("honroutou", "混老頭"),
    ("ryanpeikou", "二盃口"),
    ("junchan", "純全帯幺九"),
    ("honitsu", "混一色"),
    ("chinitsu", "清一色"),
    ("renhou", "人和"),
    ("tenhou", "天和"),
    ("chiihou", "地和"),
    ("daisangen", "大三元"),
    ("suuankou", "四暗刻"),
    ("suuankou tanki", "四暗刻単騎"),
    ("tsuuiisou", "字一色"),
    ("ryuuiisou", "緑一色"),
    ("chinroutou", "清老頭"),
    ("chuuren poutou", "九蓮宝燈"),
    ("junsei chuuren poutou", "純正九蓮宝燈"),
    ("kokushi musou", "国士無双"),
    ("kokushi musou juusanmen", "国士無双１３面"),
    ("daisuushii", "大四喜"),
    ("shousuushii", "小四喜"),
    ("suukantsu", "四槓子"),
    ("dora", "ドラ"),
    ("uradora", "裏ドラ"),
    ("akadora", "赤ドラ"),
)


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
    """

    number: int
    romaji: str
    japanese: str

    @property
    def is_yakuman(self) -> bool:
        """Whether it is a yakuman: 天和 (37) to 四槓子 (51)."""
        return 37 <= self.number <= 51

    @property
    def is_dora(self) -> bool:
        """Whether it is a sort of dora: it adds han to a hand, but cannot win alone."""
        return self.number >= DORA


YAKU = tuple(Yaku(number, romaji, japanese) for number, (romaji, japanese) in enumerate(_NAMES))


def _folded(name: str) -> str:
    """The name with the width of digits and spaces evened out: 国士無双１３面 has two spellings."""
    return normalize("NFKC", name).strip()


_BY_JAPANESE = {_folded(yaku.japanese): yaku for yaku in YAKU}


def by_japanese(name: str) -> Yaku:
    """The yaku of a Japanese name.

    Raises
    ------
    Error
        Tenhou calls no yaku so.

    Examples
    --------
    >>> by_japanese("平和").number, by_japanese("国士無双13面").romaji
    (7, 'kokushi musou juusanmen')
    """
    yaku = _BY_JAPANESE.get(_folded(name))
    if yaku is None:
        raise Error(f"{name!r} is no yaku of Tenhou's")
    return yaku
