"""Tiles: 136 ids, 34 kinds, red fives, and the notation "123m0p55z".

| | range | layout |
|---|---|---|
| id | 0–135 | ``4 * kind + copy``, as Tenhou numbers them |
| kind | 0–33 | 0–8 manzu, 9–17 pinzu, 18–26 souzu, 27–30 winds E S W N, 31–33 dragons P F C |
| suit | 0–3 | manzu, pinzu, souzu, honours |

The red fives are the first copies of their kind, the ids 16, 52 and 88.

A query takes a tile by its name or its id (`Tile`, which `tile_id` reads). A number is always an
id. A kind is the index of the arrays of an answer; a query takes the name of its plain tile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from houjuu.game.limits import is_whole
from houjuu.util.arrays import Ints
from houjuu.util.errors import Error, shown

Tile: TypeAlias = str | int
"""A tile in a query: its name, in any notation of `parse_name`, or its id, 0–135."""

TILES = 136
KINDS = 34
COPIES = 4
"""Tiles of each kind."""
RANKS = 9
EAST, SOUTH, WEST, NORTH, HAKU, HATSU, CHUN = range(27, 34)
DRAGONS = (HAKU, HATSU, CHUN)
MANZU, PINZU, SOUZU, HONOURS = range(4)
RED_FIVES = (16, 52, 88)

SUIT_LETTERS = "mpsz"
SUIT = tuple(kind // 9 for kind in range(KINDS))
IS_HONOUR = tuple(kind >= EAST for kind in range(KINDS))
IS_YAOCHU = tuple(kind >= EAST or kind % 9 in (0, 8) for kind in range(KINDS))
"""Whether the kind is a terminal or an honour (幺九牌)."""
YAOCHU = tuple(kind for kind in range(KINDS) if IS_YAOCHU[kind])
"""The terminals and honours."""

AROUND = tuple(
    tuple(k for k in range(kind - 2, kind + 3) if k != kind and k >= 0 and SUIT[k] == SUIT[kind])
    if not IS_HONOUR[kind]
    else ()
    for kind in range(KINDS)
)
"""The other kinds of the suit within two ranks of each kind; none for an honour."""

KIND = tuple(tile // COPIES for tile in range(TILES))
"""Kind of every tile id, (136,): the one conversion from ids to kinds."""
KIND_OF_TILE: Ints = np.array(KIND)
"""`KIND` as an array, to convert many ids at once."""

SUJI = tuple((9 * suit + low, 9 * suit + low + 3) for suit in range(3) for low in range(6))
"""The 18 suji (筋): the two kinds that each ryanmen wait wins on, 1-4, 2-5 … 6-9 of each suit."""

MJAI_NAMES = (
    *(f"{rank}{letter}" for letter in "mps" for rank in range(1, 10)),
    *("E", "S", "W", "N", "P", "F", "C"),
)
_KIND_OF_MJAI = {name: kind for kind, name in enumerate(MJAI_NAMES)}
_NAMES = {
    name: (kind, False)
    for kind, mjai in enumerate(MJAI_NAMES)
    for name in (mjai, f"{kind % 9 + 1}{SUIT_LETTERS[kind // 9]}", f"{kind // 9 + 1}{kind % 9 + 1}")
}
_NAMES |= {name: (EAST + i, False) for i, name in enumerate("東南西北白發中")} | {
    "発": (HATSU, False)
}
_NAMES |= {
    name: (RED_FIVES[suit] // COPIES, True)
    for suit, letter in enumerate("mps")
    for name in (f"0{letter}", f"5{letter}r", f"5{suit + 1}")
}


HONOUR_NAMES = "".join((*MJAI_NAMES[EAST:], "東南西北白發発中"))
"""A letter for each name of an honour."""

_TILES = re.compile(rf"([0-9]+)([mpsz])((?<=5[mps])r)?|([{HONOUR_NAMES}])")


def without_reds(tiles: Iterable[int]) -> tuple[int, ...]:
    """The ids with the next copies for the red fives, of rules without them.

    >>> without_reds([16, 20, 52])
    (17, 20, 53)
    """
    return tuple(tile + (tile in RED_FIVES) for tile in tiles)


def kind_name(kind: int) -> str:
    """The kind in notation.

    >>> kind_name(0), kind_name(13), kind_name(33)
    ('1m', '5p', '7z')
    """
    return f"{kind % 9 + 1}{SUIT_LETTERS[kind // 9]}"


def parse_kind(name: str) -> int:
    """The kind of a tile in any notation of `parse_name`; a red five is a five.

    >>> parse_kind("1m"), parse_kind("0p"), parse_kind("C")
    (0, 13, 33)
    """
    return parse_name(name)[0]


def parse_name(name: str) -> tuple[int, bool]:
    """Kind, and whether it is a red five, of a tile in any notation that logs use.

    These are "5p" and "1z"; "0p" or mjai's "5pr" for a red five; mjai's "E" to "C"; 東 to 中; and
    the numbers of tenhou.net/6, such as 25 for 5p and 52 for the red one.

    >>> parse_name("5p"), parse_name("5pr"), parse_name("52"), parse_name("東")
    ((13, False), (13, True), (13, True), (27, False))
    """
    named = _NAMES.get(name.strip())
    if named is None:
        raise Error(f"{name!r} is not one tile; write 5p, the red 0p or 5pr, and 1z, E or 東")
    return named


def tile_id(tile: Tile, *, red_fives: bool = True) -> int:
    """The id of a tile in a query.

    Parameters
    ----------
    tile : str or int
        A name, in any notation of `parse_name`: "5p" is a plain five, "0p" the red one. Or an id,
        0–135. A number is never a kind, and text is never an id.
    red_fives : bool, default=True
        Whether one five of each suit is red. Without them, the ids 16, 52 and 88 are plain fives.

    Raises
    ------
    Error
        There is no such tile, or no red five in this game.

    >>> tile_id("1m"), tile_id("5p"), tile_id("0p"), tile_id(52)
    (3, 55, 52, 52)
    >>> tile_id(136)
    Traceback (most recent call last):
    houjuu.util.errors.Error: 136 is not one tile; write its name, such as 5p, 0p for the red ...
    """
    if isinstance(tile, str) and not tile.strip().isdigit() and tile.strip() in _NAMES:
        kind, red = _NAMES[tile.strip()]
        if red and not red_fives:
            raise Error(f"{tile!r} is a red five, and this game has none")
        return COPIES * kind if red else COPIES * kind + COPIES - 1
    if is_whole(tile, TILES - 1):
        return int(tile) + (not red_fives and tile in RED_FIVES)  # the next copy is a plain five
    raise Error(
        f"{shown(tile)} is not one tile; write its name, such as 5p, 0p for the red five and 1z, "
        f"or its id, 0 to {TILES - 1}"
    )


def parse_tiles(text: str) -> tuple[int, ...]:
    """Ids of the tiles in a text such as "123m0p55z", in its order.

    The copies of a kind get their ids in order; 0 is the red five, and a plain 5 never is.

    >>> parse_tiles("11m50p")
    (0, 1, 53, 52)
    """
    copies = Copies()
    return tuple(copies.take(*parse_name(name), repr(text)) for name in split_tiles(text))


def split_tiles(text: str) -> list[str]:
    """The names of the tiles in a text such as "123m0p55z", in its order.

    Tiles may have the names of mjai too.

    >>> split_tiles("12m0p"), split_tiles("5pr EE 白")
    (['1m', '2m', '0p'], ['0p', 'E', 'E', '白'])
    """
    names: list[str] = []
    rest = text.replace(" ", "")
    while rest:
        match = _TILES.match(rest)
        if match is None:
            if rest.isascii() and rest.isdigit():
                raise Error(f"{text!r} ends in digits without a suit letter (m, p, s or z)")
            raise Error(f"{text!r} is not a list of tiles such as '123m0p55z', or '5pr EE'")
        ranks, letter, red, honour = match.groups()
        if honour is not None:
            names.append(honour)
        else:
            if letter == "z" and (wrong := [rank for rank in ranks if not "1" <= rank <= "7"]):
                raise Error(f"{text!r} has an honour {wrong[0]}z; the honours are 1z to 7z")
            names += [rank + letter for rank in (ranks[:-1] + "0" if red else ranks)]
        rest = rest[match.end() :]
    return names


class Copies:
    """The tiles that are left of a set of 136; each can be taken once.

    Parameters
    ----------
    red_fives : bool, default=True
        Whether one five of each suit is red.
    """

    def __init__(self, *, red_fives: bool = True) -> None:
        self._red_fives = red_fives
        self._left: dict[tuple[int, bool], list[int]] = {}
        for tile in reversed(range(TILES)):
            red = red_fives and tile in RED_FIVES
            self._left.setdefault((tile // COPIES, red), []).append(tile)

    def take(self, kind: int, red: bool, source: str) -> int:
        """The lowest id that is left of a kind; raises Error with the source if none is."""
        left = self._left.get((kind, red))
        if left:
            return left.pop()
        name = kind_name(kind)
        is_five = 4 * kind in RED_FIVES
        if red:
            most = f"is one red {name}" if self._red_fives else "are no red fives in this game"
        else:
            most = f"are three {name} beside the red one"
            most = most if self._red_fives and is_five else f"are only four {name}"
        raise Error(f"{source} has one tile too many: there {most}")


def format_tiles(tiles: Iterable[int], *, red_fives: bool = True) -> str:
    """The tiles in notation, sorted by kind, red fives as 0.

    >>> format_tiles(parse_tiles("55z0p321m"))
    '123m0p55z'
    """
    ranks: list[list[str]] = [[], [], [], []]
    for tile in sorted(tiles):
        kind = tile // COPIES
        red = red_fives and tile in RED_FIVES
        ranks[kind // 9].append("0" if red else str(kind % 9 + 1))
    return "".join("".join(r) + letter for r, letter in zip(ranks, SUIT_LETTERS, strict=True) if r)


def mjai_name(tile: int, *, red_fives: bool = True) -> str:
    """The tile as mjai writes it: "1m", "5mr" for a red five, "E" … "C" for honours.

    >>> mjai_name(16), mjai_name(135)
    ('5mr', 'C')
    """
    name = MJAI_NAMES[tile // COPIES]
    return name + "r" if red_fives and tile in RED_FIVES else name


def parse_mjai(name: str) -> tuple[int, bool]:
    """Kind, and whether it is a red five, of a tile that mjai names.

    >>> parse_mjai("5sr"), parse_mjai("N")
    ((22, True), (30, False))
    """
    red = name in ("5mr", "5pr", "5sr")
    kind = _KIND_OF_MJAI.get(name[:2] if red else name)
    if kind is None:
        raise Error(f"{name!r} is no tile of mjai")
    return kind, red


def yakuhai_kinds(round_wind: int, seat_wind: int) -> tuple[int, ...]:
    """Kinds of which a triplet is a yaku for a seat, in order.

    >>> [kind_name(kind) for kind in yakuhai_kinds(parse_kind("1z"), parse_kind("3z"))]
    ['1z', '3z', '5z', '6z', '7z']
    """
    return (*sorted({round_wind, seat_wind}), *range(HAKU, KINDS))


def yakuhai_han(round_wind: int, seat_wind: int) -> tuple[int, ...]:
    """Han of a triplet of each kind for a seat, 34 numbers: 0, 1, or 2 for a double wind.

    >>> yakuhai_han(EAST, EAST)[EAST], yakuhai_han(EAST, SOUTH)[CHUN]
    (2, 1)
    """
    return tuple(
        (kind == round_wind) + (kind == seat_wind) + (kind >= HAKU) for kind in range(KINDS)
    )


def kind_counts(tiles: Sequence[int]) -> Ints:
    """Copies of every kind among some tiles (ids), (34,)."""
    return np.bincount(KIND_OF_TILE[list(tiles)], minlength=KINDS)


def dora_of(indicator: int) -> int:
    """The kind that an indicator of this kind makes dora.

    >>> kind_name(dora_of(parse_kind("9p"))), kind_name(dora_of(parse_kind("4z")))
    ('1p', '1z')
    """
    if indicator < EAST:
        return indicator // 9 * 9 + (indicator % 9 + 1) % 9
    if indicator <= NORTH:
        return EAST + (indicator - EAST + 1) % 4
    return HAKU + (indicator - HAKU + 1) % 3
