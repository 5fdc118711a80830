"""The notation of a position, as ``houjuu danger`` prints it and `houjuu.position` reads it.

| text | meaning |
|---|---|
| ``9m 1z' 5p* 8s~`` | a river; each tile in any notation of `houjuu.game.tiles.parse_name` |
| ``'`` ``*`` ``~`` | tsumogiri; declares riichi; called by another seat |
| ``chi 3~45m``, ``pon 7~77z from right`` | melds; ~ marks the called tile |
| ``ankan 1111z``, ``daiminkan 1~111z from left`` | kans |
| ``kakan 5~550m from right`` | an added kan; the last tile is the added one |
| ``self`` ``right`` ``across`` ``left`` | seats in playing order, from the asking one |
| ``0`` to ``3``; ``E S W N``; ``東南西北`` | seats, absolute; by their wind |
| ``E2``; ``E2.1``, ``東2局1本場``, ``East 2, 1 honba`` | East 2; East 2 with one honba |

A called tile stays in the river of its seat. `~` in a meld and its source may be left out where
the called discards leave one possibility.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from houjuu.game import limits
from houjuu.game.events import Meld, MeldKind
from houjuu.game.limits import MAX_HONBA
from houjuu.game.seat import RiverTile, Seat
from houjuu.game.tiles import (
    EAST,
    HONOUR_NAMES,
    SUIT_LETTERS,
    format_tiles,
    parse_name,
    split_tiles,
)
from houjuu.game.view import View
from houjuu.util.errors import Error, shown

SEAT_NAMES = ("self", "right", "across", "left")
"""The seats from the asking one, in playing order."""

_WIND_LETTERS = "ESWN"
_WIND_NAMES = (
    ("E", "East", "東", "东"),
    ("S", "South", "南"),
    ("W", "West", "西"),
    ("N", "North", "北"),
)
_NUMBER_OF_WIND = {name: number for number, names in enumerate(_WIND_NAMES) for name in names}
_TSUMOGIRI, _RIICHI, _CALLED = "'*~"
_ROUND = re.compile(
    rf"({'|'.join(_NUMBER_OF_WIND)})\s*([1-4])局?,?\s*(?:\.?(\d+)(?:本[場场]|\s*honba)?)?"
)
_MELD = re.compile(r"(chi|pon|daiminkan|ankan|kakan)\s+(\S+?)(?:\s+from\s+(\w+))?\s*(?:[\],;]|$)")
_MAX_DIGITS = 9  # of a number; Python refuses to read one of 5,000
_SEPARATORS = " []\t\n,;"

TileName = tuple[int, bool]
"""Kind, and whether it is a red five."""


@dataclass(frozen=True, slots=True)
class NamedDiscard:
    """A discard of a river in notation.

    Attributes
    ----------
    name : TileName
    tsumogiri, riichi, was_called : bool
        Its marks.
    """

    name: TileName
    tsumogiri: bool = False
    riichi: bool = False
    was_called: bool = False


@dataclass(frozen=True, slots=True)
class NamedMeld:
    """A meld in notation.

    Attributes
    ----------
    text : str
    kind : MeldKind
    names : tuple of TileName
        In the order of the text.
    called : int or None
        Index of the called tile, if the text marks it.
    source : int or None
        The seat that discarded it, absolute, if the text has one.
    """

    text: str
    kind: MeldKind
    names: tuple[TileName, ...]
    called: int | None = None
    source: int | None = None


def parse_river(text: str) -> tuple[NamedDiscard, ...]:
    """The discards of a river such as ``9m 1z' 5p* 8s~``.

    Raises
    ------
    Error
        A word is not a tile with marks, or two discards declare riichi.
    """
    discards = []
    for word in text.replace(",", " ").split():
        name = word.rstrip(_TSUMOGIRI + _RIICHI + _CALLED)
        marks = word[len(name) :]
        discards.append(
            NamedDiscard(parse_name(name), _TSUMOGIRI in marks, _RIICHI in marks, _CALLED in marks)
        )
    if sum(discard.riichi for discard in discards) > 1:
        raise Error(f"the river {text!r} declares riichi twice")
    return tuple(discards)


def format_river(seat: Seat, *, red_fives: bool = True) -> str:
    """The river of a seat in notation."""
    return " ".join(_format_discard(discard, red_fives) for discard in seat.river)


def _format_discard(discard: RiverTile, red_fives: bool) -> str:
    name = format_tiles([discard.tile], red_fives=red_fives)
    called = discard.called_by is not None
    return name + _TSUMOGIRI * discard.tsumogiri + _RIICHI * discard.riichi + _CALLED * called


def parse_melds(text: str, seat_of: Callable[[str], int]) -> tuple[NamedMeld, ...]:
    """The melds of a seat, such as ``[chi 3~45m] [pon 777z]``; brackets or commas part them.

    Parameters
    ----------
    text : str
    seat_of : callable
        Maps the name of a seat to its number.

    Raises
    ------
    Error
        A part is not a meld, or does not have three tiles, or four for a kan.
    """
    melds = []
    rest = text.strip(_SEPARATORS)
    while rest:
        match = _MELD.match(rest)
        if match is None:
            examples = "'chi 3~45m', 'pon 777z from right' or 'ankan 1111z'"
            raise Error(f"{rest!r} is not a meld such as {examples}")
        source = None if match[3] is None else seat_of(match[3])
        melds.append(_parse_meld(match[0].strip(_SEPARATORS), match[1], match[2], source))
        rest = rest[match.end() :].strip(_SEPARATORS)
    return tuple(melds)


def _parse_meld(text: str, kind: str, tiles: str, source: int | None) -> NamedMeld:
    before, mark, _ = tiles.partition(_CALLED)
    n_before = sum(letter.isdigit() or letter in HONOUR_NAMES for letter in before)
    called = n_before - 1 if mark else None
    names = tuple(parse_name(name) for name in split_tiles(tiles.replace(_CALLED, "", 1)))
    meld = NamedMeld(text=text, kind=MeldKind(kind), names=names, called=called, source=source)
    size = 3 if meld.kind in (MeldKind.CHI, MeldKind.PON) else 4
    if len(names) != size or called == -1:
        raise Error(f"{text!r} is not a meld of {size} tiles with ~ behind the called one")
    kinds = sorted(kind for kind, _ in names)
    steps = {kind - kinds[0] for kind in kinds}
    is_run = steps == {0, 1, 2} and kinds[-1] < EAST and kinds[0] // 9 == kinds[-1] // 9
    if not (is_run if meld.kind is MeldKind.CHI else steps == {0}):
        what = "a run" if meld.kind is MeldKind.CHI else "of one kind"
        raise Error(f"{text!r} is not {what}")
    if meld.kind is MeldKind.ANKAN and (mark or source is not None):
        raise Error(f"{text!r} is a closed kan, which calls no tile")
    return meld


def format_meld(view: View, meld: Meld) -> str:
    """A meld in notation, with the source that it has for the asking seat."""
    ordered = [tile for tile in meld.tiles if tile not in (meld.called, meld.added)]
    if meld.called is not None:
        ordered.insert(0, meld.called)
    if meld.added is not None:
        ordered.append(meld.added)
    names = [format_tiles([tile], red_fives=view.rules.red_fives) for tile in ordered]
    ranks = [name[0] for name in names]
    if meld.called is not None:
        ranks[0] += _CALLED
    source = ""
    if meld.source is not None and meld.kind is not MeldKind.CHI:
        source = f" from {seat_name(view, meld.source)}"
    return f"{meld.kind} {''.join(ranks)}{names[0][1]}{source}"


def seat_name(view: View, seat: int) -> str:
    """The name of a seat for the asking one: self, right, across or left."""
    return SEAT_NAMES[(seat - view.seat) % 4]


def parse_seat(name: str | int, dealer: int, own: int | None = None) -> int:
    """The absolute seat, 0–3, of a name.

    Parameters
    ----------
    name : str or int
        0–3, also as a digit; a wind (``E``, ``東``); or, where `own` is given, ``self``,
        ``right``, ``across`` or ``left``.
    dealer : int
        The seat of East.
    own : int, optional
        The asking seat.

    Raises
    ------
    Error
        There is no such seat.
    """
    text = name.strip() if isinstance(name, str) else name
    with suppress(Error):
        return limits.seat(text)
    for number in range(4):
        if text in _WIND_NAMES[number]:
            return (dealer + number) % 4
        if own is not None and str(text).lower() == SEAT_NAMES[number]:
            return (own + number) % 4
    relative = "" if own is None else "self, right, across, left, "
    raise Error(f"{shown(name)} is not a seat; write {relative}a wind (E, S, W, N) or 0 to 3")


def parse_round(text: str) -> tuple[int, int | None]:
    """Round, 0 for East 1, and honba, if there is one, of a text such as ``E2.1``.

    >>> parse_round("E2.1"), parse_round("南3局 0本場"), parse_round("S4")
    ((1, 1), (6, 0), (7, None))
    >>> parse_round("East 2, 1 honba"), parse_round("东2局 1本场")
    ((1, 1), (1, 1))
    """
    match = _ROUND.fullmatch(text.strip())
    if match is None:
        raise Error(f"{text!r} is not a round; write E2 for East 2, or E2.1 with its honba")
    honba = None if match[3] is None else _honba(match[3])
    return 4 * _NUMBER_OF_WIND[match[1]] + int(match[2]) - 1, honba


def _honba(digits: str) -> int:
    if len(digits) > _MAX_DIGITS or int(digits) > MAX_HONBA:
        raise Error(f"{shown(digits)} is no number of honba from 0 to {MAX_HONBA}")
    return int(digits)


def format_round(round: int, honba: int) -> str:
    """The round in notation.

    >>> format_round(1, 1)
    'E2.1'
    """
    return f"{_WIND_LETTERS[round // 4 % 4]}{round % 4 + 1}.{honba}"


def tile_text(name: TileName) -> str:
    """The tile in notation, such as "5p" or "0p"."""
    kind, red = name
    return f"{0 if red else kind % 9 + 1}{SUIT_LETTERS[kind // 9]}"


def parse_hand(text: str) -> tuple[list[TileName], bool]:
    """The tiles of a hand such as ``123m0p + 5p``, and whether the last one is set apart by +."""
    concealed, plus, drawn = text.partition("+")
    names = [parse_name(name) for name in split_tiles(concealed)]
    last = [parse_name(name) for name in split_tiles(drawn)]
    if plus and len(last) != 1:
        raise Error(f"the hand {text!r} has {len(last)} tiles behind +, not the drawn one")
    return names + last, bool(plus)


def format_hand(view: View) -> str:
    """The hand of a view in notation; the drawn tile stands behind +."""
    red_fives = view.rules.red_fives
    undrawn = format_tiles((t for t in view.hand if t != view.drawn), red_fives=red_fives)
    if view.drawn is None:
        return undrawn
    return f"{undrawn} + {format_tiles([view.drawn], red_fives=red_fives)}"


def format_melds(view: View, seat: Seat) -> Iterator[str]:
    """Yield the melds of a seat in notation."""
    return (format_meld(view, meld) for meld in seat.melds)
