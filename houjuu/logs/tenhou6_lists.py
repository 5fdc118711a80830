"""The draw and discard lists of a tenhou.net/6 round, and the order of turns they leave out.

Each seat has a list of what it took (draws, and calls of another's discard) and one, in step with
it, of what it gave (discards, and kans of its own). Who acted when is not written: it is found by
walking from seat to seat, and going astray wherever a seat's next entry is a call that fits.

| cell | in | means |
|---|---|---|
| 11–47, 51–53 | both | suit and rank; 51, 52, 53 are the red fives |
| 60 | discards | the tile just drawn (tsumogiri) |
| "r60", "r24" | discards | the discard that declares riichi |
| 0 | discards | nothing: after an open kan comes another draw |
| "c275226" | draws | chi; the letter stands before the called tile |
| "12p1212", "121212m12" | draws | pon, open kan; its place says whom it was called from |
| "12k121212", "121212a12" | discards | added kan (the added tile after the letter), closed kan |
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from houjuu.errors import LogError
from houjuu.events import MeldKind
from houjuu.tiles import COPIES, KINDS, RED_FIVES, kind_name

MAX_STEPS = 2000  # a round of real play takes at most 80 or so; confusing calls double some
_TSUMOGIRI, _NOTHING = 60, 0
_MELD = re.compile(r"((?:\d\d)*)([cpmka])((?:\d\d)+)")
_MELDS = {
    "c": (MeldKind.CHI, 3),
    "p": (MeldKind.PON, 3),
    "m": (MeldKind.DAIMINKAN, 4),
    "k": (MeldKind.KAKAN, 4),
    "a": (MeldKind.ANKAN, 4),
}
_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxstring, _SHORT.maxother = 2, 8, 60, 60
_SOURCES = (3, 2, 1, 1)  # seats from the caller; Tenhou puts a kan from the right at 3, others at 2


class Face(NamedTuple):
    """A tile as its front shows it."""

    kind: int
    red: bool

    def __str__(self) -> str:
        """Name it as in the notation of `houjuu.tiles`."""
        return kind_name(self.kind).replace("5", "0") if self.red else kind_name(self.kind)


_FACES = {
    **{10 * (kind // 9 + 1) + kind % 9 + 1: Face(kind, False) for kind in range(KINDS)},
    **{51 + suit: Face(tile // COPIES, True) for suit, tile in enumerate(RED_FIVES)},
}


class Shown(NamedTuple):
    """A meld; `marked` is the tile behind the letter, `source` counts seats from the caller."""

    kind: MeldKind
    faces: tuple[Face, ...]
    marked: Face
    source: int


class Given(NamedTuple):
    """A discard."""

    face: Face
    tsumogiri: bool
    riichi: bool


class Turn(NamedTuple):
    """What a seat takes and then gives; it gives None when that ends the round or is a 0."""

    seat: int
    take: Face | Shown
    give: Given | Shown | None
    again: bool  # the seat draws once more
    number: int
    cells: tuple[Any, ...]

    @property
    def place(self) -> str:
        """Name it, for a message."""
        return f"seat {self.seat}, turn {self.number} ({' → '.join(map(clipped, self.cells))})"


def face(cell: Any) -> Face:
    """The tile that a number of tenhou.net/6 stands for.

    >>> str(face(17)), str(face(52)), str(face(47))
    ('7m', '0p', '7z')
    """
    found = _FACES.get(cell) if type(cell) is int else None
    if found is not None:
        return found
    raise LogError("is no tile", element=clipped(cell))


def turns(seat: int, draws: Any, discards: Any) -> list[Turn]:
    """Pair the two lists of a seat; raises LogError when they are not in step."""
    if not isinstance(draws, list) or not isinstance(discards, list):
        raise LogError("has no list of draws and of discards", element=f"seat {seat}")
    if not 0 <= len(draws) - len(discards) <= 1:
        reason = f"has {len(draws)} draws but {len(discards)} discards"
        raise LogError(reason, element=f"seat {seat}")
    return [
        _turn(seat, index, (draw, *discards[index : index + 1])) for index, draw in enumerate(draws)
    ]


def _turn(seat: int, index: int, cells: tuple[Any, ...]) -> Turn:
    try:
        return Turn(seat, *_take_and_give(*cells), index, cells)
    except LogError as problem:
        place = Turn(seat, Face(0, False), None, False, index, cells).place
        raise LogError(f"{problem.element} {problem.reason}", element=place) from None


def _take_and_give(draw: Any, *given: Any) -> tuple[Face | Shown, Given | Shown | None, bool]:
    """What is taken, what is given, and whether the seat draws again."""
    take = _meld(draw, "cpm") if isinstance(draw, str) else face(draw)
    is_kan = isinstance(take, Shown) and take.kind is MeldKind.DAIMINKAN
    if is_kan or given == (_NOTHING,):
        if not is_kan or given not in ((), (_NOTHING,)):
            raise LogError("must stand after an open kan, and nowhere else", element="a 0")
        return take, None, True
    if not given:
        return take, None, False
    give = _given(given[0], take)
    return take, give, isinstance(give, Shown)


def _given(cell: Any, take: Face | Shown) -> Given | Shown:
    if isinstance(cell, str) and not cell.startswith("r"):
        return _meld(cell, "ka")
    riichi = isinstance(cell, str)
    if riichi and not re.fullmatch(r"r\d\d", cell, re.ASCII):
        raise LogError("is no discard", element=clipped(cell))
    number = int(cell[1:]) if riichi else cell
    if type(number) is not int or number != _TSUMOGIRI:
        return Given(face(number), False, riichi)
    if isinstance(take, Shown):
        raise LogError("discards the tile drawn where none was", element=clipped(cell))
    return Given(take, True, riichi)


def _meld(cell: str, letters: str) -> Shown:
    match = _MELD.fullmatch(cell) if cell.isascii() else None
    if match is None or match[2] not in letters:
        raise LogError("is no call that may stand here", element=clipped(cell))
    kind, size = _MELDS[match[2]]
    digits = match[1] + match[3]
    faces = tuple(face(int(digits[i : i + 2])) for i in range(0, len(digits), 2))
    place = len(match[1]) // 2
    if len(faces) != size or (kind is MeldKind.CHI and place):
        raise LogError(f"is no {kind}", element=clipped(cell))
    source = 0 if kind is MeldKind.ANKAN else _SOURCES[place]
    return Shown(kind, faces, faces[place], source)


def orders(seats: Sequence[list[Turn]], dealer: int) -> Iterator[list[Turn]]:
    """Yield the orders of turns in which all lists come out even, the likeliest first.

    When a seat discards the same tile twice before another gets to draw, a call may fit either;
    the first is then tried first, and a pon before a chi. After `MAX_STEPS` the walk gives up.

    Raises
    ------
    LogError
        There is no such order; the message names the last turn that could be reached.
    """
    ends = tuple(len(turns) for turns in seats)
    stack = [_Walk((0, 0, 0, 0), dealer, False, ())]
    furthest, steps, found = stack[0], 0, False
    while stack and steps < MAX_STEPS:
        walk = stack.pop()
        steps += 1
        furthest = max(furthest, walk, key=lambda walk: sum(walk.at))
        if walk.at == ends:
            found = True
            yield walk.order()
        elif walk.at[walk.seat] < ends[walk.seat]:
            stack += reversed(_onward(seats, walk))
    if not found:
        last = furthest.path[1].place if furthest.path else None
        raise LogError("no turn of another seat fits after this one", element=last)


class _Walk(NamedTuple):
    """How far each list is read, whose turn is next, and the turns so far, the last outermost."""

    at: tuple[int, ...]
    seat: int
    calls: bool
    path: tuple[Any, ...]

    def order(self) -> list[Turn]:
        """The turns so far, the first one first."""
        found, path = [], self.path
        while path:
            path, turn = path
            found.append(turn)
        return found[::-1]


def _onward(seats: Sequence[list[Turn]], walk: _Walk) -> list[_Walk]:
    """Take the next turn; the walks that may go on from there, the likeliest first."""
    seat, at = walk.seat, list(walk.at)
    turn = seats[seat][at[seat]]
    if isinstance(turn.take, Shown) is not walk.calls:
        return []
    at[seat] += 1
    here = tuple(at), (walk.path, turn)
    if turn.again or turn.give is None:
        return [_Walk(here[0], seat, False, here[1])]
    callers = [other for other in range(4) if other != seat and _calls(seats, other, at, turn)]
    callers.sort(key=lambda caller: _is_chi(seats[caller][at[caller]]))
    onward = [_Walk(here[0], caller, True, here[1]) for caller in callers]
    return [*onward, _Walk(here[0], (seat + 1) % 4, False, here[1])]


def _calls(seats: Sequence[list[Turn]], seat: int, at: list[int], discard: Turn) -> bool:
    """Whether the next entry of a seat calls this discard."""
    if at[seat] == len(seats[seat]) or not isinstance(discard.give, Given):
        return False
    take = seats[seat][at[seat]].take
    if not isinstance(take, Shown):
        return False
    return take.marked == discard.give.face and (seat + take.source) % 4 == discard.seat


def _is_chi(turn: Turn) -> bool:
    return isinstance(turn.take, Shown) and turn.take.kind is MeldKind.CHI


def clipped(cell: Any) -> str:
    """The cell as it stands, cut short where it is long or deep, for a message."""
    return _SHORT.repr(cell)
