"""ぷよぷよ for the search: legal placements, values of positions, and pruning.

A piece has two of four colours. Three pieces are known: the one to be placed (NEXT in the source),
NEXT2 and NEXT3. A column is reachable if neither it nor a column between it and the third, where
pieces enter, is filled to the last visible row. The game is over when the third column is filled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, islice, repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from examples.lookahead.reading_ahead import Chance, Danger, Reading
from examples.puyo import field
from examples.puyo.field import COLUMNS, ROWS, VISIBLE_ROWS, Boards, Ints

Piece = tuple[int, int]
"""The two colours."""

ENTRY = 2
"""The column where pieces enter."""

ROOM: Mapping[Danger, float] = {Danger.RED1: 2, Danger.RED2: 3, Danger.RED3: 4}
"""Most free rows, averaged over the columns, at each level of danger, the nearest end first."""

CHOKES, TOO_SOON = "chokes", "fires too soon"
CUTS: Mapping[str, Collection[Danger]] = {CHOKES: tuple(Danger), TOO_SOON: (Danger.NORMAL,)}
"""The levels of danger at which the search leaves out moves, by reason."""

SHAPE = 0.1
"""Upper bound of the value of a shape, unit: links of a chain."""


class Placement(NamedTuple):
    """The columns of a piece's first and second, and whether the second lies under the first."""

    first: int
    second: int
    turned: bool = False


PLACEMENTS: tuple[Placement, ...] = (
    *(Placement(column, column) for column in range(COLUMNS)),
    *(Placement(column, column + 1) for column in range(COLUMNS - 1)),
    *(Placement(column, column, turned=True) for column in range(COLUMNS)),
    *(Placement(column + 1, column) for column in range(COLUMNS - 1)),
)
"""All 22. For a piece of one colour the first 11 equal the others."""


class Position(NamedTuple):
    """A field (COLUMNS, COLOURS), the known pieces, the links just fired, whether it is lost."""

    field: Boards
    pieces: tuple[Piece, ...]
    fired: int = 0
    choked: bool = False


class Puyo:
    """The game as a `examples.lookahead.reading_ahead.SearchGame`.

    Parameters
    ----------
    cuts : mapping of str to collection of Danger, default=CUTS
        Levels at which moves are hopeless for a reason; a reason left out never applies.
    """

    def __init__(self, cuts: Mapping[str, Collection[Danger]] = CUTS) -> None:
        self._cuts = cuts

    def danger(self, position: Position) -> Danger:
        """The level of danger, by the free rows."""
        free = VISIBLE_ROWS - int(field.heights(position.field[..., None]).sum()) / COLUMNS
        return next((danger for danger, room in ROOM.items() if free <= room), Danger.NORMAL)

    def hopeless(self, position: Position, danger: Danger) -> str | None:
        """The reason to prune a position: it is lost, or it fires a chain without danger."""
        for reason, applies in ((CHOKES, position.choked), (TOO_SOON, position.fired > 0)):
            if applies and danger in self._cuts.get(reason, ()):
                return reason
        return None

    def chances(
        self, positions: Sequence[Position]
    ) -> Sequence[Sequence[Chance[Position, Placement]]]:
        """The placements of the next known piece."""
        return [
            [Chance(1.0, moves)]
            for pieces, same_pieces in groupby(positions, key=lambda position: position.pieces)
            for moves in _moves(list(same_pieces), pieces)
        ]

    def values(self, positions: Sequence[Position], reading: Reading) -> Sequence[float]:
        """Links of a chain, plus a small value for the shape that breaks ties.

        Optimistic: the longest chain that can be fired. Realistic: the chain just fired.
        """
        if not positions:
            return []
        boards = _stacked(positions)
        if reading == "optimistic":
            links = longest(boards)
        else:
            links = np.array([position.fired for position in positions])
        alive = np.array([not position.choked for position in positions])
        values: list[float] = (alive * (links + shape(boards))).tolist()
        return values


def _stacked(positions: Sequence[Position]) -> Boards:
    return np.stack([position.field for position in positions], axis=-1)


def _moves(
    positions: Sequence[Position], pieces: tuple[Piece, ...]
) -> Iterator[list[tuple[Placement, Position]]]:
    """Yield the placements of the first known piece for each position."""
    piece, rest = pieces[0], pieces[1:]
    placements = PLACEMENTS[: len(PLACEMENTS) // 2] if piece[0] == piece[1] else PLACEMENTS
    boards = _stacked(positions)
    free = reachable(boards)
    possible = np.array([free[move.first] & free[move.second] for move in placements])
    board_index, placement_index = np.nonzero(possible.T)
    after, links = field.settle(dropped(boards[:, :, board_index], placement_index, piece))
    over = lost(after).tolist()
    moves = zip(
        [placements[index] for index in placement_index.tolist()],
        map(Position, np.moveaxis(after, -1, 0), repeat(rest), links.tolist(), over),
        strict=True,
    )
    for count in possible.sum(axis=0).tolist():
        yield list(islice(moves, count))


def dropped(boards: Boards, placements: Ints, piece: Piece) -> Boards:
    """Fields after a placement each, as an index of `PLACEMENTS`, before any cell vanishes."""
    index = np.arange(len(placements))
    first, second, turned = np.array(PLACEMENTS)[placements].T
    lowest = field.heights(boards)
    upright = first == second
    boards = boards.copy()
    for column, colour, above in (
        (first, piece[0], upright & (turned == 1)),
        (second, piece[1], upright & (turned == 0)),
    ):
        boards[column, colour, index] |= _bits(lowest[column, index] + above)
    return boards


def _bits(rows: Ints) -> field.Bits:
    return np.left_shift(1, rows).astype(np.uint16)


def lost(boards: Boards) -> npt.NDArray[np.bool_]:
    """Whether the third column is full, which ends the game, (n,)."""
    return np.asarray(field.heights(boards)[ENTRY] >= VISIBLE_ROWS)


def reachable(boards: Boards) -> npt.NDArray[np.bool_]:
    """Whether a piece can be placed in each column, (COLUMNS, n)."""
    free = field.heights(boards) < VISIBLE_ROWS
    for column in range(ENTRY + 1, COLUMNS):
        free[column] &= free[column - 1]
    for column in reversed(range(ENTRY)):
        free[column] &= free[column + 1]
    return free


def longest(boards: Boards) -> Ints:
    """Links of the longest chain that can be fired in each field, (n,).

    A trigger (発火候補点) is a column and a colour: an upright piece of two cells of the colour
    vanishes there, together with adjacent cells. They must touch two cells, or one that touches
    another.
    """
    two = np.where(reachable(boards), 3 << field.heights(boards), 0).astype(np.uint16)[:, None]
    below, above, left, right = field.neighbours(boards)
    touched = np.bitwise_count(np.stack([two & below, two & left, two & right])).sum(axis=0)
    joined = field.neighbours(boards & (below | above | left | right))
    column, colour, board_index = np.nonzero(
        (touched > 1) | (two & np.bitwise_or.reduce(joined) > 0)
    )
    fired = boards[:, :, board_index]
    fired[column, colour, np.arange(len(board_index))] |= two[column, 0, board_index]
    links = np.zeros(boards.shape[-1], np.int64)
    np.maximum.at(links, board_index, field.settle(fired)[1])
    return links


def shape(boards: Boards) -> npt.NDArray[np.float64]:
    """Value of connected cells and even heights, (n,), from 0 to below `SHAPE`."""
    below, _, left, _ = field.neighbours(boards)
    joined = np.bitwise_count(np.stack([boards & below, boards & left])).sum(axis=(0, 1, 2))
    uneven = np.abs(np.diff(field.heights(boards), axis=0)).sum(axis=0)
    steps = ROWS * (COLUMNS - 1)
    return np.asarray(SHAPE * (joined + steps - uneven) / (2 * ROWS * COLUMNS + steps))
