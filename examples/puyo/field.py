"""The field of ぷよぷよ: six columns of thirteen rows, with vanishing, falling and chains.

Many fields are stored together as boards: an array (COLUMNS, COLOURS, n) of bit masks, in which bit
r is the cell of row r, 0 the lowest. The top row is hidden: its cells do not vanish.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from houjuu.util import Error

Boards = npt.NDArray[np.uint16]
Bits = npt.NDArray[np.uint16]
Ints = npt.NDArray[np.int64]

COLUMNS, ROWS, COLOURS = 6, 13, 4
VISIBLE_ROWS = ROWS - 1
NAMES = "RGBY"
EMPTY = "."

_ONE = np.uint16(1)
_VISIBLE = np.uint16((1 << VISIBLE_ROWS) - 1)


def empty() -> Boards:
    """One empty field, (COLUMNS, COLOURS, 1)."""
    return np.zeros((COLUMNS, COLOURS, 1), np.uint16)


def parse(text: str) -> Boards:
    """One field, (COLUMNS, COLOURS, 1), from its rows, the lowest last, separated by blanks.

    >>> print(show(parse("R..... RG...."))[-13:])
    R.....
    RG....

    Raises
    ------
    Error
        A row is malformed, there are too many rows, or a cell has an empty cell below.
    """
    field = empty()
    rows = text.split()
    if len(rows) > ROWS:
        raise Error(f"{len(rows)} rows, but a field has {ROWS}")
    for height, row in enumerate(reversed(rows)):
        if len(row) != COLUMNS or set(row) - {*NAMES, EMPTY}:
            raise Error(f"{row!r} is not a row of {COLUMNS} out of {NAMES}{EMPTY}")
        for column, name in enumerate(row):
            if name != EMPTY:
                field[column, NAMES.index(name), 0] |= _ONE << np.uint16(height)
    if (occupied(field) & (occupied(field) + _ONE)).any():
        raise Error("a cell has an empty cell below")
    return field


def show(field: Boards) -> str:
    """The rows of one field, (COLUMNS, COLOURS, 1), the highest first."""
    return "\n".join(
        "".join(_name(field[column, :, 0], row) for column in range(COLUMNS))
        for row in reversed(range(ROWS))
    )


def _name(colours: Bits, row: int) -> str:
    colour = np.flatnonzero(colours >> row & 1)
    return NAMES[colour[0]] if len(colour) else EMPTY


def occupied(boards: Boards) -> Bits:
    """The cells that are not empty, (COLUMNS, n)."""
    return np.asarray(np.bitwise_or.reduce(boards, axis=1))


def heights(boards: Boards) -> Ints:
    """Number of cells in each column, (COLUMNS, n)."""
    return np.bitwise_count(occupied(boards)).astype(np.int64)


def neighbours(boards: Boards) -> tuple[Boards, Boards, Boards, Boards]:
    """The cells whose neighbour below, above, on the left and on the right is in the boards."""
    left, right = np.empty_like(boards), np.empty_like(boards)
    left[1:], right[:-1] = boards[:-1], boards[1:]
    left[0] = right[-1] = 0
    return boards << _ONE, boards >> _ONE, left, right


def vanishing(boards: Boards) -> Boards:
    """The cells in groups of four or more of a colour.

    Such a group, and no smaller one, has a cell with three neighbours, or two adjacent cells with
    two neighbours each. Every cell of the group is one of these or adjacent to one.
    """
    own: Boards = boards & _VISIBLE
    below, above, left, right = neighbours(own)
    column: Boards = own & below & above
    row: Boards = own & left & right
    either_column: Boards = own & (below | above)
    either_row: Boards = own & (left | right)
    two: Boards = column | row | (either_column & either_row)
    core: Boards = (column & either_row) | (row & either_column)
    for near in neighbours(two):
        core = core | near & two
    groups = core
    for near in neighbours(core):
        groups = groups | near & own
    return groups


def fall(boards: Boards, gone: Boards) -> Boards:
    """Remove cells, and let the cells above them fall."""
    remaining = np.bitwise_or.reduce(gone, axis=1)
    while remaining.any():
        lowest = remaining & -remaining
        below = (lowest - _ONE)[:, None]
        boards = (boards & below) | (boards >> _ONE & ~below)
        remaining = (remaining ^ lowest) >> _ONE
    return boards


def settle(boards: Boards) -> tuple[Boards, Ints]:
    """The boards after their chains, and the number of links, (n,); 0 where nothing vanishes."""
    boards = boards.copy()
    links = np.zeros(boards.shape[-1], np.int64)
    active, rest = np.arange(len(links)), boards
    while len(active):
        gone = vanishing(rest)
        fires = gone.any(axis=(0, 1))
        active = active[fires]
        rest = fall(rest[:, :, fires], gone[:, :, fires])
        boards[:, :, active] = rest
        links[active] += 1
    return boards, links


def film(board: Boards) -> Iterator[tuple[Boards, Boards]]:
    """Yield one field and its vanishing cells before each link of its chain and after the last."""
    while (gone := vanishing(board)).any():
        yield board, gone
        board = fall(board, gone)
    yield board, gone
