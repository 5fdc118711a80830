"""Hostile names, and a search for hostile characters in a text."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Iterator

_PIECES = (
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    "\x1b[31mred",
    "\x1b]0;title\x07",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x9b31m",
    "\r\nhoujuu: all is well",
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029",
    *"\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\u2800\u3164\ufeff\uffa0",
    *"\ud800\udc80\udfff\ufffe\U000e0041\U0010ffff",
    "=HYPERLINK(1)",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "＝1",
    " =1",
    "\t=1",
    "</title><script>alert(1)</script>",
    "<svg/onload=alert(1)>",
    '" onmouseover="alert(1)',
    "{{ 7 * 7 }}",
    "%s%n",
    "{name}",
    "|a|b|",
    "[x](javascript:alert(1))",
    "`x`",
    "*_x_*",
    "../../evil",
    "..\\evil",
    "CON",
    ",",
    '"',
    "'",
    "e\u0301" * 3,
    "e" + "\u0301\u0316" * 20,
    "が",
    "か\u3099",
    "\u0958",
    "東南西北",
    "x" * 1000,
    "名",
    "A",
    " ",
)


def hostile_names(number: int, seed: int = 1) -> Iterator[str]:
    """Yield the pieces alone, then random sequences of them."""
    rng = random.Random(seed)
    yield from _PIECES[:number]
    for _ in range(number - len(_PIECES)):
        yield "".join(rng.choices(_PIECES, k=rng.randint(1, 6)))


def unsafe(text: str, allowed: str = "\n") -> set[str]:
    """The characters of a text that are commands, turn its direction or are not seen."""
    return {
        character
        for character in set(text) - set(allowed)
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }
