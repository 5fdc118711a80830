"""The draw and discard lists of a tenhou.net/6 round, and the order of the turns.

Each seat has two parallel lists: incoming tiles (draws, and calls of other discards) and outgoing
tiles (discards, and own kans). The format does not contain the order of the turns. It is found by a
search from seat to seat, which branches where the next entry of another seat is a matching call.

| cell | in | means |
|---|---|---|
| 11–47, 51–53 | both | suit and rank; 51, 52, 53 are the red fives |
| 60 | discards | the tile just drawn (tsumogiri) |
| "r60", "r24" | discards | the discard that declares riichi |
| 0 | discards | no discard: after an open kan follows another draw |
| "c275226" | draws | chi; the called tile follows the letter |
| "12p1212", "121212m12" | draws | pon, open kan; the place of the letter gives the source |
| "12k121212", "121212a12" | discards | added kan (the added tile after the letter), closed kan |
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from houjuu.game.events import MeldKind
from houjuu.game.tiles import KIND, KINDS, RED_FIVES, kind_name
from houjuu.util.errors import LogError

MAX_STEPS = 2000  # a round has at most about 80 turns; ambiguous calls double some
_TSUMOGIRI = 60
_NO_DISCARD = 0
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
_SOURCES = (3, 2, 1, 1)  # seats from the caller; a kan from the right: 3 (Tenhou), 2 (others)


class TileType(NamedTuple):
    """A tile without an id: its kind, and whether it is a red five."""

    kind: int
    red: bool

    def __str__(self) -> str:
        """Name in the notation of `houjuu.game.tiles`."""
        return kind_name(self.kind).replace("5", "0") if self.red else kind_name(self.kind)


_TILE_TYPES = {
    **{10 * (kind // 9 + 1) + kind % 9 + 1: TileType(kind, False) for kind in range(KINDS)},
    **{51 + suit: TileType(KIND[tile], True) for suit, tile in enumerate(RED_FIVES)},
}


class MeldCell(NamedTuple):
    """A meld; `marked` is the tile after the letter, `source` counts seats from the caller."""

    kind: MeldKind
    tile_types: tuple[TileType, ...]
    marked: TileType
    source: int


class DiscardCell(NamedTuple):
    """A discard."""

    tile_type: TileType
    tsumogiri: bool
    riichi: bool


class Turn(NamedTuple):
    """An incoming and an outgoing tile or meld; `outgoing` is None at the end and for a 0."""

    seat: int
    incoming: TileType | MeldCell
    outgoing: DiscardCell | MeldCell | None
    draws_again: bool
    number: int
    cells: tuple[Any, ...]

    @property
    def description(self) -> str:
        """Seat, number and cells for error messages."""
        return f"seat {self.seat}, turn {self.number} ({' → '.join(map(shorten, self.cells))})"


def parse_tile(cell: Any) -> TileType:
    """The tile of a number of tenhou.net/6; raises LogError if there is none.

    >>> str(parse_tile(17)), str(parse_tile(52)), str(parse_tile(47))
    ('7m', '0p', '7z')
    """
    tile_type = _TILE_TYPES.get(cell) if type(cell) is int else None
    if tile_type is not None:
        return tile_type
    raise LogError("is not a tile", element=shorten(cell))


def has_red_five(entry: Any) -> bool:
    """Whether the indicators, hands, draws or discards of a round contain 51, 52 or 53."""
    lists = entry[2:16] if isinstance(entry, list) else []
    return any(_is_red(cell) for cells in lists if isinstance(cells, list) for cell in cells)


def _is_red(cell: Any) -> bool:
    if isinstance(cell, str):
        digits = re.sub(r"\D", "", cell)
        return any(digits[at : at + 2] in ("51", "52", "53") for at in range(0, len(digits), 2))
    return type(cell) is int and cell in (51, 52, 53)


def parse_turns(seat: int, draws: Any, discards: Any) -> list[Turn]:
    """Pair the two lists of a seat; raises LogError if they do not match."""
    if not isinstance(draws, list) or not isinstance(discards, list):
        raise LogError("has no list of draws or of discards", element=f"seat {seat}")
    if not 0 <= len(draws) - len(discards) <= 1:
        reason = f"has {len(draws)} draws but {len(discards)} discards; they must match"
        raise LogError(reason, element=f"seat {seat}")
    return [
        _turn(seat, index, (draw, *discards[index : index + 1])) for index, draw in enumerate(draws)
    ]


def _turn(seat: int, index: int, cells: tuple[Any, ...]) -> Turn:
    try:
        return Turn(seat, *_parse_cells(*cells), index, cells)
    except LogError as problem:
        turn = Turn(
            seat=seat,
            incoming=TileType(0, False),
            outgoing=None,
            draws_again=False,
            number=index,
            cells=cells,
        )
        reason = f"{problem.element} {problem.reason}"
        raise LogError(reason, element=turn.description) from None


def _parse_cells(
    draw: Any, *discards: Any
) -> tuple[TileType | MeldCell, DiscardCell | MeldCell | None, bool]:
    """Incoming and outgoing part of a turn, and whether the seat draws again."""
    incoming = _parse_meld(draw, "cpm") if isinstance(draw, str) else parse_tile(draw)
    is_kan = isinstance(incoming, MeldCell) and incoming.kind is MeldKind.DAIMINKAN
    if is_kan or discards == (_NO_DISCARD,):
        if not is_kan or discards not in ((), (_NO_DISCARD,)):
            raise LogError("must follow an open kan, and only an open kan", element="a 0")
        return incoming, None, True
    if not discards:
        return incoming, None, False
    outgoing = _parse_discard(discards[0], incoming)
    return incoming, outgoing, isinstance(outgoing, MeldCell)


def _parse_discard(cell: Any, incoming: TileType | MeldCell) -> DiscardCell | MeldCell:
    if isinstance(cell, str) and not cell.startswith("r"):
        return _parse_meld(cell, "ka")
    riichi = isinstance(cell, str)
    if riichi and not re.fullmatch(r"r\d\d", cell, re.ASCII):
        raise LogError("is not a discard", element=shorten(cell))
    number = int(cell[1:]) if riichi else cell
    if type(number) is not int or number != _TSUMOGIRI:
        return DiscardCell(parse_tile(number), False, riichi)
    if isinstance(incoming, MeldCell):
        raise LogError("is a tsumogiri, but no tile was drawn", element=shorten(cell))
    return DiscardCell(incoming, True, riichi)


def _parse_meld(cell: str, letters: str) -> MeldCell:
    match = _MELD.fullmatch(cell) if cell.isascii() else None
    if match is None or match[2] not in letters:
        raise LogError("is not a call allowed in this list", element=shorten(cell))
    kind, size = _MELDS[match[2]]
    digits = match[1] + match[3]
    tile_types = tuple(parse_tile(int(digits[i : i + 2])) for i in range(0, len(digits), 2))
    index = len(match[1]) // 2
    if len(tile_types) != size or (kind is MeldKind.CHI and index):
        raise LogError(f"is not a valid {kind}", element=shorten(cell))
    source = 0 if kind is MeldKind.ANKAN else _SOURCES[index]
    return MeldCell(kind, tile_types, tile_types[index], source)


def turn_orders(turns: Sequence[list[Turn]], dealer: int) -> Iterator[list[Turn]]:
    """Yield the orders that use all turns of all seats, the most likely order first.

    If a seat discards the same tile twice before another seat draws, a call may match both. The
    search then tries the first discard first, and a pon before a chi. It stops after `MAX_STEPS`.

    Raises
    ------
    LogError
        There is no such order; the message names the last turn that was reached.
    """
    ends = tuple(len(seat_turns) for seat_turns in turns)
    stack = [_SearchState((0, 0, 0, 0), dealer, False, ())]
    furthest = stack[0]
    steps = 0
    any_order = False
    while stack and steps < MAX_STEPS:
        state = stack.pop()
        steps += 1
        furthest = max(furthest, state, key=lambda state: sum(state.positions))
        if state.positions == ends:
            any_order = True
            yield state.order()
        elif state.positions[state.seat] < ends[state.seat]:
            stack += reversed(_next_states(turns, state))
    if not any_order:
        last = furthest.path[1].description if furthest.path else None
        raise LogError("no turn of another seat can follow this one", element=last)


class _SearchState(NamedTuple):
    """Position in each list, next seat, whether it calls, and the turns so far, last outermost."""

    positions: tuple[int, ...]
    seat: int
    is_call: bool
    path: tuple[Any, ...]

    def order(self) -> list[Turn]:
        """The turns so far, the first one first."""
        turns = []
        path = self.path
        while path:
            path, turn = path
            turns.append(turn)
        return turns[::-1]


def _next_states(turns: Sequence[list[Turn]], state: _SearchState) -> list[_SearchState]:
    """The possible states after the next turn, the most likely first."""
    seat = state.seat
    positions = list(state.positions)
    turn = turns[seat][positions[seat]]
    if isinstance(turn.incoming, MeldCell) is not state.is_call:
        return []
    positions[seat] += 1
    after = tuple(positions)
    path = (state.path, turn)
    if turn.draws_again or turn.outgoing is None:
        return [_SearchState(after, seat, False, path)]
    others = (other for other in range(4) if other != seat)
    callers = [other for other in others if _calls(turns, other, positions, turn)]
    callers.sort(key=lambda caller: _is_chi(turns[caller][positions[caller]]))
    calls = [_SearchState(after, caller, True, path) for caller in callers]
    return [*calls, _SearchState(after, (seat + 1) % 4, False, path)]


def _calls(turns: Sequence[list[Turn]], seat: int, positions: list[int], discard: Turn) -> bool:
    """Whether the next entry of a seat calls this discard."""
    at_end = positions[seat] == len(turns[seat])
    if at_end or not isinstance(discard.outgoing, DiscardCell):
        return False
    call = turns[seat][positions[seat]].incoming
    if not isinstance(call, MeldCell):
        return False
    is_source = (seat + call.source) % 4 == discard.seat
    return is_source and call.marked == discard.outgoing.tile_type


def _is_chi(turn: Turn) -> bool:
    return isinstance(turn.incoming, MeldCell) and turn.incoming.kind is MeldKind.CHI


def shorten(cell: Any) -> str:
    """The cell as text for error messages, shortened if it is long or deep."""
    return _SHORT.repr(cell)
