"""Names that programs spell differently: one form for all spellings of a name."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_SAME = (
    "幺么 槓杠 搶槍枪抢 発發发 単單单 対對对 帯帶带 気氣气 順顺 無无 双雙 門门 "
    "宝寶 灯燈 馬马 両兩两 盃杯 緑綠绿 蓮莲 国國 純纯 嶺岭 開开 場场 満滿满 "
    "貫贯 風风 連连 撈捞 摸模 数數 頭头 裏裡里 聴聽听 紅红 飜翻番 点點 断斷 荘莊庄 計计"
)
_VARIANTS = str.maketrans({other: same[0] for same in _SAME.split() for other in same[1:]})
"""Simplified, traditional and other forms of a character."""

_LONG_VOWELS = re.compile(r"ou|oo|uu|ii|oh(?![aeiou])")


def folded(name: str) -> str:
    """The name without case, width, spaces, punctuation, long vowels and forms of characters.

    Examples
    --------
    >>> folded("Suu-Kaikan"), folded("国士無双１３面"), folded("役牌：白")
    ('sukaikan', '国士無双13面', '役牌白')
    """
    letters = (letter for letter in normalize("NFKD", name) if not _is_accent(letter))
    text = normalize("NFKC", "".join(letters)).casefold().translate(_VARIANTS)
    text = "".join(filter(str.isalnum, text))
    return _LONG_VOWELS.sub(lambda match: match[0][0], text)


def _is_accent(letter: str) -> bool:
    """Whether a character is an accent of a Latin letter, not a voiced mark of kana."""
    return bool(combining(letter)) and letter < "\u0370"
