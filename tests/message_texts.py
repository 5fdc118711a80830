"""Messages with numbers and tiles, as the program and the page write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from houjuu.util.languages import translate

PLACEHOLDER = re.compile(r"\{(\w*)(?::[^{}|]*\|[^{}|]*)?\}")

NUMBERS = {
    *("discards", "files", "games", "han", "fu", "high", "kinds", "limit", "low", "made", "n"),
    *("number", "of_deal_ins", "pairs", "points", "rejected", "rons", "rounds", "shanten", "turn"),
    *("first", "last", "price", "value"),
}
"""Placeholders for whole numbers; some messages have a name or a share in them."""

WRITTEN = {0: "0", 1: "1", 2: "2", 1_234: "1,234", -1_234: "−1,234"}
NOTATION = re.compile(r"\b\d+z\b|\b\d*0\d*[mps]\b")
"""Tiles as programs read them: honours, and groups with a red five."""

TILE_NAMES = {
    "2z": ("South", "南", "南"),
    "0p": ("red 5p", "赤5p", "赤5p"),
    "666z": ("hatsu", "發", "发"),
    "05s": ("red 5s 5s", "赤5s5s", "赤5s5s"),
    "40m": ("4m red 5m", "4m赤5m", "4m赤5m"),
    "55p": ("55p", "55p", "55p"),
    "34m": ("34m", "34m", "34m"),
}
"""Names of tiles in notation, in the order of the languages."""


def number_texts(
    package: str, language: str
) -> Iterator[tuple[str, int, dict[str, int | str], str]]:
    """Yield key, number, values and text of each message with numbers, for each of `WRITTEN`."""
    catalogue = translate(language, package)
    for key in catalogue.messages:
        names = set(PLACEHOLDER.findall(catalogue.messages[key]))
        if names & NUMBERS:
            for number in WRITTEN:
                values = {name: number if name in NUMBERS else "X" for name in names}
                yield key, number, values, catalogue(key, **values)
