"""Tiles: 136 ids, 34 kinds, red fives, and the notation "123m0p55z".

| | range | layout |
|---|---|---|
| id | 0–135 | ``4 * kind + copy``, as Tenhou numbers them |
| kind | 0–33 | 0–8 manzu, 9–17 pinzu, 18–26 souzu, 27–30 winds E S W N, 31–33 dragons P F C |
| suit | 0–3 | manzu, pinzu, souzu, honours |

The red fives are the first copies of their kind, the ids 16, 52 and 88.
"""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.errors import Error

TILES = 136
KINDS = 34
COPIES = 4
EAST, SOUTH, WEST, NORTH, HAKU, HATSU, CHUN = range(27, 34)
MANZU, PINZU, SOUZU, HONOURS = range(4)
RED_FIVES = (16, 52, 88)

SUIT_LETTERS = "mpsz"
SUIT = tuple(kind // 9 for kind in range(KINDS))
IS_HONOUR = tuple(kind >= EAST for kind in range(KINDS))
IS_YAOCHU = tuple(kind >= EAST or kind % 9 in (0, 8) for kind in range(KINDS))
"""Whether the kind is a terminal or an honour (幺九牌)."""

KIND = tuple(tile // COPIES for tile in range(TILES))
"""Kind of every tile id, (136,): the one conversion from ids to kinds."""

SUJI = tuple((9 * suit + low, 9 * suit + low + 3) for suit in range(3) for low in range(6))
"""The 18 suji (筋): the two kinds that each ryanmen wait wins on, 1-4, 2-5 … 6-9 of each suit."""

MJAI_NAMES = (
    *(f"{rank}{letter}" for letter in "mps" for rank in range(1, 10)),
    *("E", "S", "W", "N", "P", "F", "C"),
)
_KIND_OF_MJAI = {name: kind for kind, name in enumerate(MJAI_NAMES)}


def kind_name(kind: int) -> str:
    """The kind in notation.

    >>> kind_name(0), kind_name(13), kind_name(33)
    ('1m', '5p', '7z')
    """
    return f"{kind % 9 + 1}{SUIT_LETTERS[kind // 9]}"


def parse_kind(name: str) -> int:
    """The kind that a name such as "5p" or "7z" stands for; the red "0p" is a 5p.

    >>> parse_kind("1m"), parse_kind("0p"), parse_kind("7z")
    (0, 13, 33)
    """
    tiles = parse_tiles(name)
    if len(tiles) != 1:
        raise Error(f"{name!r} is not one tile")
    return tiles[0] // COPIES


def parse_tiles(text: str) -> tuple[int, ...]:
    """Ids of the tiles in a text such as "123m0p55z", in its order.

    The copies of a kind get their ids in order; 0 is the red five, and a plain 5 never is.

    >>> parse_tiles("11m50p")
    (0, 1, 53, 52)
    """
    ids: list[int] = []
    used: set[int] = set()
    ranks = ""
    for letter in text.replace(" ", ""):
        if letter.isascii() and letter.isdigit():
            ranks += letter
            continue
        if letter not in SUIT_LETTERS or not ranks:
            raise Error(f"{text!r} is not a list of tiles such as '123m0p55z'")
        for rank in ranks:
            tile = _free_copy(int(rank), SUIT_LETTERS.index(letter), used, text)
            used.add(tile)
            ids.append(tile)
        ranks = ""
    if ranks:
        raise Error(f"{text!r} ends in digits without a suit letter (m, p, s or z)")
    return tuple(ids)


def _free_copy(rank: int, suit: int, used: set[int], text: str) -> int:
    red = rank == 0
    kind = suit * 9 + (4 if red else rank - 1)
    if suit == HONOURS and not 1 <= rank <= 7:
        raise Error(f"{text!r} has an honour {rank}z; the honours are 1z to 7z")
    first = COPIES * kind
    copies = [first] if red else [t for t in range(first, first + COPIES) if t not in RED_FIVES]
    for tile in copies:
        if tile not in used:
            return tile
    raise Error(f"{text!r} has more {rank}{SUIT_LETTERS[suit]} than the {len(copies)} there are")


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
