"""ぷよぷよ for the engine: where a piece can be placed, what a position is worth, what is hopeless.

Pieces are two of four colours. Three are known: the one to be placed (NEXT, as the source counts),
NEXT2 and NEXT3. A column can be reached that is not filled to the last visible row, with none such
between it and the third, into which pieces come; the game is over when the third is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice, repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from examples.puyo import field
from examples.puyo.field import COLUMNS, ROWS, VISIBLE_ROWS, Boards, Ints
from houjuu.player.lookahead import Chance, Danger, Reading

Piece = tuple[int, int]
"""The two colours."""

ENTRY = 2
"""The column into which pieces come."""

ROOM: tuple[tuple[int, Danger], ...] = (
    (2, Danger.RED1),
    (3, Danger.RED2),
    (4, Danger.RED3),
)
"""Up to how many free rows, on average over the columns, a field is in danger."""

CHOKES, TOO_SOON = "chokes", "fires too soon"
SHAPE = 0.1
"""More than all that the shape of a field can count, unit: links of a chain."""


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
"""All 22; two of one colour are the same in the first 11 as in the others."""


class Position(NamedTuple):
    """A field (COLUMNS, COLOURS), the known pieces, the chain just fired, whether it is over."""

    field: Boards
    pieces: tuple[Piece, ...]
    fired: int = 0
    choked: bool = False


class Puyo:
    """The game, as `houjuu.player.lookahead.Game` wants it."""

    def danger(self, position: Position) -> Danger:
        """By the free rows."""
        free = VISIBLE_ROWS - int(field.heights(position.field[..., None]).sum()) / COLUMNS
        return next((danger for room, danger in ROOM if free <= room), Danger.NORMAL)

    def hopeless(self, position: Position, danger: Danger) -> str | None:
        """What chokes, and while there is no danger what fires."""
        if position.choked:
            return CHOKES
        return TOO_SOON if position.fired and danger is Danger.NORMAL else None

    def chances(
        self, positions: Sequence[Position]
    ) -> Sequence[Sequence[Chance[Position, Placement]]]:
        """The placements of the next known piece."""
        return [
            [Chance(1.0, moves)]
            for known, alike in groupby(positions, key=lambda position: position.pieces)
            for moves in _moves(list(alike), known)
        ]

    def worths(self, positions: Sequence[Position], reading: Reading) -> Sequence[float]:
        """Links of a chain, and a little for the shape, by which equals are told apart.

        Optimistically of the longest chain that can be fired; realistically of that just fired.
        """
        if not positions:
            return []
        boards = _stacked(positions)
        if reading == "optimistic":
            links = longest(boards)
        else:
            links = np.array([position.fired for position in positions])
        alive = np.array([not position.choked for position in positions])
        worths: list[float] = (alive * (links + shape(boards))).tolist()
        return worths


def _stacked(positions: Sequence[Position]) -> Boards:
    return np.stack([position.field for position in positions], axis=-1)


def _moves(
    positions: Sequence[Position], known: tuple[Piece, ...]
) -> Iterator[list[tuple[Placement, Position]]]:
    """Yield for each position how the first of the known pieces can be placed."""
    piece, rest = known[0], known[1:]
    placements = PLACEMENTS[: len(PLACEMENTS) // 2] if piece[0] == piece[1] else PLACEMENTS
    boards = _stacked(positions)
    free = reachable(boards)
    possible = np.array([free[placed.first] & free[placed.second] for placed in placements])
    where, which = np.nonzero(possible.T)
    after, links = field.settle(dropped(boards[:, :, where], which, piece))
    over = lost(after).tolist()
    moves = zip(
        [placements[place] for place in which.tolist()],
        map(Position, np.moveaxis(after, -1, 0), repeat(rest), links.tolist(), over),
        strict=True,
    )
    for count in possible.sum(axis=0).tolist():
        yield list(islice(moves, count))


def dropped(boards: Boards, placements: Ints, piece: Piece) -> Boards:
    """Fields after a piece is placed, each as one of `PLACEMENTS`; nothing vanishes yet."""
    every = np.arange(len(placements))
    first, second, turned = np.array(PLACEMENTS)[placements].T
    lowest = field.heights(boards)
    upright = first == second
    boards = boards.copy()
    for column, colour, above in (
        (first, piece[0], upright & (turned == 1)),
        (second, piece[1], upright & (turned == 0)),
    ):
        boards[column, colour, every] |= _bits(lowest[column, every] + above)
    return boards


def _bits(rows: Ints) -> field.Bits:
    return np.left_shift(1, rows).astype(np.uint16)


def lost(boards: Boards) -> npt.NDArray[np.bool_]:
    """Whether the third column is full, which ends the game, (n,)."""
    return np.asarray(field.heights(boards)[ENTRY] >= VISIBLE_ROWS)


def reachable(boards: Boards) -> npt.NDArray[np.bool_]:
    """The columns into which something can be placed, (COLUMNS, n)."""
    free = field.heights(boards) < VISIBLE_ROWS
    for column in range(ENTRY + 1, COLUMNS):
        free[column] &= free[column - 1]
    for column in reversed(range(ENTRY)):
        free[column] &= free[column + 1]
    return free


def longest(boards: Boards) -> Ints:
    """Links of the longest chain that can be fired in each field, (n,).

    A place to fire (発火候補点) is a column and a colour: two of the colour, which is the piece one
    waits for, standing in the column, vanish with others that they touch. For that they touch two,
    or one that touches another.
    """
    two = np.where(reachable(boards), 3 << field.heights(boards), 0).astype(np.uint16)[:, None]
    below, above, left, right = field.neighbours(boards)
    touched = np.bitwise_count(np.stack([two & below, two & left, two & right])).sum(axis=0)
    joined = field.neighbours(boards & (below | above | left | right))
    column, colour, which = np.nonzero((touched > 1) | (two & np.bitwise_or.reduce(joined) > 0))
    fired = boards[:, :, which]
    fired[column, colour, np.arange(len(which))] |= two[column, 0, which]
    found = np.zeros(boards.shape[-1], np.int64)
    np.maximum.at(found, which, field.settle(fired)[1])
    return found


def shape(boards: Boards) -> npt.NDArray[np.float64]:
    """How well joined and how even fields are, (n,), from 0 to below `SHAPE`."""
    below, _, left, _ = field.neighbours(boards)
    joined = np.bitwise_count(np.stack([boards & below, boards & left])).sum(axis=(0, 1, 2))
    uneven = np.abs(np.diff(field.heights(boards), axis=0)).sum(axis=0)
    steps = ROWS * (COLUMNS - 1)
    return np.asarray(SHAPE * (joined + steps - uneven) / (2 * ROWS * COLUMNS + steps))
