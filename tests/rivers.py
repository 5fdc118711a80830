"""Rivers and melds in a few letters, for tests that a person can check by eye."""

from __future__ import annotations

from houjuu.events import Meld, MeldKind
from houjuu.table import RiverTile, Seat
from houjuu.tiles import parse_tiles


def seat(river: str = "", *, melds: tuple[Meld, ...] = (), **marks: bool) -> Seat:
    """A seat with such a river: "1m 5p' 7z* 9s!" is 1m tedashi, 5p tsumogiri, 7z riichi, and 9s
    tedashi while somebody else is in riichi.
    """
    discards = []
    for order, word in enumerate(river.split()):
        (tile,) = parse_tiles(word.rstrip("'*!"))
        discards.append(RiverTile(tile, "'" in word, "*" in word, order, int("!" in word)))
    return Seat(0, tuple(discards), melds, **marks)


def pon(tiles: str) -> Meld:
    """An open triplet, called from the seat across."""
    ids = parse_tiles(tiles)
    return Meld(MeldKind.PON, ids, called=ids[0], source=2)


def chi(tiles: str) -> Meld:
    """An open run, called from the left."""
    ids = tuple(sorted(parse_tiles(tiles)))
    return Meld(MeldKind.CHI, ids, called=ids[0], source=3)


def ankan(tiles: str) -> Meld:
    """A closed kan."""
    return Meld(MeldKind.ANKAN, tuple(sorted(parse_tiles(tiles))))
