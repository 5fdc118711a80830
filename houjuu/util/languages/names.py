"""The names of tiles and rounds in a language, as people write them: 赤5p, South 2, 東4局2本場."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce

from houjuu.util.languages import Catalogue

_SUIT = re.compile(r"(\d+)([mpsz])")
_TILES = re.compile(r"0|[1-9]+")  # a red five, or ranks of one suit


def tile_names(catalogue: Catalogue, notation: str) -> str:
    """Tiles in notation such as ``0p55z``; copies of an honour are named once.

    >>> from houjuu.util.languages import translate
    >>> [tile_names(translate("en"), notation) for notation in ("40m", "2z", "05p", "666z")]
    ['4m red 5m', 'South', 'red 5p 5p', 'hatsu']
    >>> [tile_names(translate("ja"), notation) for notation in ("40m", "2z", "05p", "55s")]
    ['4m赤5m', '南', '赤5p5p', '55s']
    """

    def joined(before: str, tile: str) -> str:
        return catalogue("tile.next", before=before, tile=tile)

    return reduce(joined, _names(catalogue, notation))


def _names(catalogue: Catalogue, notation: str) -> Iterator[str]:
    for ranks, suit in _SUIT.findall(notation):
        if suit == "z":
            yield from (catalogue(f"tile.{rank}z") for rank in dict.fromkeys(ranks))
            continue
        for tiles in _TILES.findall(ranks):
            is_red = tiles == "0"
            name = catalogue(f"tile.{suit}", rank="5" if is_red else tiles)
            yield catalogue("tile.red", name=name) if is_red else name


def round_name(catalogue: Catalogue, round: int, honba: int) -> str:
    """A round, from 0 for East 1, with its honba if there are any.

    >>> from houjuu.util.languages import translate
    >>> round_name(translate("en"), 4, 0), round_name(translate("ja"), 3, 2)
    ('South 1', '東4局2本場')
    """
    wind = catalogue(f"wind.{round // 4 % 4}")
    name = catalogue("round.name", wind=wind, number=round % 4 + 1)
    if not honba:
        return name
    return catalogue("round.with_honba", round=name, honba=catalogue("round.honba", n=honba))
