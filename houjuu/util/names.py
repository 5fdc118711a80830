"""Names: how those of players are shown and compared, and one form for all spellings of a term."""

from __future__ import annotations

import re
from unicodedata import category, combining, normalize

from houjuu.util.errors import printable

MAX_NAME = 64
"""Characters of a name that are shown; Tenhou allows 8."""

_READ = 4 * MAX_NAME  # to normalize a flood of combining characters takes its length squared
_FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]")
_MOST_MARKS = 4  # on one character: Vietnamese has two, Hebrew three

_SAME = (
    "幺么 槓杠 搶槍枪抢 発發发 単單单 対對对 帯帶带 気氣气 順顺 無无 双雙 門门 "
    "宝寶 灯燈 馬马 両兩两 盃杯 緑綠绿 蓮莲 国國 純纯 嶺岭 開开 場场 満滿满 "
    "貫贯 風风 連连 撈捞 摸模 数數 頭头 裏裡里 聴聽听 紅红 飜翻番 点點 断斷 荘莊庄 計计"
)
_VARIANTS = str.maketrans({other: same[0] for same in _SAME.split() for other in same[1:]})
"""Simplified, traditional and other forms of a character."""

_LONG_VOWELS = re.compile(r"ou|oo|uu|ii|oh(?![aeiou])")


def shown_name(name: str) -> str:
    r"""A name as people see it: on one line, in NFC, of visible characters, and not long.

    Names are compared in this form, too: two that look the same are the same. White space becomes
    a space; other characters of control or format, lone surrogates, fillers and more than four
    combining marks become U+FFFD. A longer name than `MAX_NAME` is cut.

    >>> shown_name("\x1b[31mred"), shown_name("\u202eevil")
    ('�[31mred', '�evil')
    """
    text = normalize("NFC", name[:_READ])
    if len(text) > MAX_NAME or len(name) > _READ:
        text = text[:MAX_NAME] + "…"
    return _few_marks(_FILLERS.sub("\N{REPLACEMENT CHARACTER}", printable(text)))


def _few_marks(text: str) -> str:
    if text.isascii():
        return text
    shown: list[str] = []
    n_marks = 0
    for character in text:
        n_marks = n_marks + 1 if category(character)[0] == "M" else 0
        if n_marks <= _MOST_MARKS:
            shown.append(character)
        elif n_marks == _MOST_MARKS + 1:
            shown.append("\N{REPLACEMENT CHARACTER}")
    return "".join(shown)


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
