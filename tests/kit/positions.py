"""Rivers and melds in a short notation, for tests that a reader can check by eye."""

from __future__ import annotations

import dataclasses
from typing import Any

from houjuu.game.events import Meld, MeldKind, Rules
from houjuu.game.moment import NOTHING
from houjuu.game.seat import RiverTile, Seat
from houjuu.game.tiles import KIND, parse_tiles
from houjuu.game.view import View, unchecked_view


def seat(river: str = "", *, melds: tuple[Meld, ...] = (), **marks: bool) -> Seat:
    """A seat with a river: "1m 5p' 7z* 9s!" is 1m tedashi, 5p tsumogiri, 7z riichi, and 9s tedashi
    while another seat is in riichi.
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


def melds(text: str) -> tuple[Meld, ...]:
    """Melds such as "123m 555z 6666z (7777p)": called from the left, closed kans in brackets."""
    return tuple(map(_meld, text.split()))


def _meld(text: str) -> Meld:
    tiles = tuple(sorted(parse_tiles(text.strip("()"))))
    if text[0] == "(":
        return Meld(MeldKind.ANKAN, tiles)
    same = len({KIND[tile] for tile in tiles}) == 1
    kind = MeldKind.DAIMINKAN if len(tiles) == 4 else MeldKind.PON if same else MeldKind.CHI
    return Meld(kind, tiles, tiles[0], 3)


def view_of(*rivers: str, dora: str = "1z", **changes: Any) -> View:
    """The view of seat 0 with these rivers of the seats 0 to 3.

    It shows only what a test is about and need not be consistent.
    """
    seats = []
    for index in range(4):
        plain = seat(rivers[index] if index < len(rivers) else "")
        river = tuple(tile._replace(order=4 * i + index) for i, tile in enumerate(plain.river))
        riichi = has_riichi(river)
        seats.append(
            dataclasses.replace(plain, seat=index, river=river, declared=riichi, in_riichi=riichi)
        )
    everything: dict[str, Any] = {
        "seat": 0,
        "hand": (),
        "drawn": None,
        "seats": tuple(seats),
        "passed": (0, 0, 0, 0),
        "round": 2,
        "dealer": 2,
        "honba": 0,
        "riichi_sticks": 0,
        "tiles_left": 30,
        "scores": (25000, 31000, 24000, 20000),
        "dora_indicators": parse_tiles(dora),
        "rules": Rules(),
        "moment": NOTHING,
    }
    return unchecked_view(**(everything | changes))


def changed(view: View, **changes: Any) -> View:
    """The view with other fields, which need not be consistent."""
    values = {entry.name: getattr(view, entry.name) for entry in dataclasses.fields(view)}
    return unchecked_view(**(values | changes))


def has_riichi(river: tuple[RiverTile, ...]) -> bool:
    return any(tile.riichi for tile in river)
