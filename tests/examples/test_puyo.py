"""The puyo example: its rules, compared with known positions and a naive implementation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.lookahead.reading_ahead import Danger
from examples.puyo import field
from examples.puyo.__main__ import PLAYERS, main, pieces, play
from examples.puyo.field import COLUMNS, NAMES, ROWS, VISIBLE_ROWS, Boards
from examples.puyo.game import (
    CHOKES,
    TOO_SOON,
    Piece,
    Placement,
    Position,
    Puyo,
    longest,
)

R, G, B, Y = range(4)

pytestmark = pytest.mark.deep


STAIRS = "RBYRG. RGBYRG RGBYRG RGBYRG"
"""A staircase (階段積み) of five columns; firing the first one starts a chain of five."""


def board(text: str) -> Boards:
    return field.parse(text)


def columns(shown: Boards) -> list[str]:
    """Each column, from the lowest cell up."""
    rows = field.show(shown).split()[::-1]
    return ["".join(row[x] for row in rows).rstrip(".") for x in range(COLUMNS)]


def naive(stacks: Sequence[str]) -> tuple[int, list[str]]:
    """Links and remaining columns, with groups found by flood fill."""
    stacks, links = list(stacks), 0
    while True:
        cells = {(x, y): c for x, s in enumerate(stacks) for y, c in enumerate(s[:VISIBLE_ROWS])}
        gone = {cell for cell in cells if len(group(cells, cell)) >= 4}
        if not gone:
            return links, stacks
        links += 1
        stacks = [
            "".join(c for y, c in enumerate(s) if (x, y) not in gone) for x, s in enumerate(stacks)
        ]


def group(cells: dict[tuple[int, int], str], start: tuple[int, int]) -> set[tuple[int, int]]:
    cells_of_group, todo = {start}, [start]
    while todo:
        x, y = todo.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near not in cells_of_group and cells.get(near) == cells[start]:
                cells_of_group.add(near)
                todo.append(near)
    return cells_of_group


stacks = st.lists(st.text("RG", max_size=ROWS), min_size=COLUMNS, max_size=COLUMNS) | st.lists(
    st.text(NAMES, max_size=ROWS), min_size=COLUMNS, max_size=COLUMNS
)


def stacked(stacks: Sequence[str]) -> Boards:
    rows = ("".join(s[row : row + 1] or "." for s in stacks) for row in reversed(range(ROWS)))
    return board(" ".join(rows))


@given(st.lists(stacks, min_size=1, max_size=5))
def test_chains_are_those_counted_cell_by_cell(fields: list[list[str]]) -> None:
    boards = np.concatenate([stacked(columns) for columns in fields], axis=-1)
    after, links = field.settle(boards)
    for index, expected in enumerate(fields):
        one = slice(index, index + 1)
        assert (links[index], columns(after[..., one])) == naive(expected)
        frames = list(field.film(boards[..., one]))
        assert len(frames) == links[index] + 1
        assert np.array_equal(frames[-1][0], after[..., one])


@given(stacks)
def test_shown_fields_can_be_parsed_back(each: list[str]) -> None:
    assert np.array_equal(board(field.show(stacked(each))), stacked(each))


def position(stacks: Sequence[str], *known: Piece) -> Position:
    return Position(stacked(stacks)[..., 0], known)


def possible(stacks: Sequence[str]) -> set[int]:
    """The columns that are reachable from the third without passing a full one."""
    free = [len(stack) < VISIBLE_ROWS for stack in stacks]
    return {x for x in range(COLUMNS) if all(free[min(x, 2) : max(x, 2) + 1])}


def add(stacks: Sequence[str], *dropped: tuple[int, int]) -> list[str]:
    after = list(stacks)
    for x, colour in dropped:
        after[x] += NAMES[colour]
    return after


@given(stacks, st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_placements_are_all_that_can_be_made(each: list[str], piece: Piece) -> None:
    _, before = naive(each)
    free, (first, second) = possible(before), piece
    upright = [((x, a), (x, b)) for x in free for a, b in (piece, piece[::-1])]
    flat = [((x, first), (y, second)) for x in free for y in free if abs(x - y) == 1]
    expected = {
        (links, tuple(left))
        for move in upright + flat
        for links, left in [naive(add(before, *move))]
    }
    (chances,) = Puyo().chances([position(before, piece)])
    positions = [after for _, after in chances[0].moves]
    assert {(p.fired, tuple(columns(p.field[..., None]))) for p in positions} == expected
    assert len(positions) == len(upright + flat) // (1 + (first == second))
    assert all(p.choked == (len(columns(p.field[..., None])[2]) >= VISIBLE_ROWS) for p in positions)


@given(stacks)
def test_the_longest_chain_is_that_of_the_best_trigger(each: list[str]) -> None:
    _, before = naive(each)
    chains = [
        naive(add(before, (x, colour), (x, colour)))[0]
        for x in possible(before)
        for colour in range(4)
    ]
    assert longest(stacked(before)).tolist() == [max(chains, default=0)]


def test_the_first_cell_of_an_upright_piece_is_below_unless_turned() -> None:
    ((chance,),) = Puyo().chances([position([""] * COLUMNS, (R, G))])
    after = {move: columns(position.field[..., None]) for move, position in chance.moves}
    assert after[Placement(1, 1)][1] == "RG"
    assert after[Placement(1, 1, turned=True)][1] == "GR"
    assert after[Placement(4, 3)][3:5] == ["G", "R"]


def tall(height: int) -> list[str]:
    return [("RGBY" * 4)[x : x + height] for x in (0, 1, 2, 0, 1, 2)]


@pytest.mark.parametrize(
    ("height", "danger"),
    [
        (0, Danger.NORMAL),
        (7, Danger.NORMAL),
        (8, Danger.RED3),
        (9, Danger.RED2),
        (10, Danger.RED1),
        (12, Danger.RED1),
    ],
)
def test_danger_goes_by_free_rows(height: int, danger: Danger) -> None:
    assert Puyo().danger(position(tall(height))) is danger


def test_lost_positions_and_early_chains_are_pruned() -> None:
    puyo, calm = Puyo(), position(tall(3))
    assert puyo.hopeless(calm._replace(choked=True), Danger.RED1) == CHOKES
    assert puyo.hopeless(calm._replace(fired=1), Danger.NORMAL) == TOO_SOON
    assert puyo.hopeless(calm._replace(fired=1), Danger.RED3) is None
    assert puyo.hopeless(calm, Danger.NORMAL) is None
    assert Puyo(cuts={}).hopeless(calm._replace(choked=True, fired=1), Danger.NORMAL) is None


def test_rensa_yomi_4_has_no_cuts_and_4_2_has() -> None:
    uncut, cut = (play(f"rensa-yomi-4{name}", pieces(1, 5, 42)).cut for name in ("", "-2"))
    assert not uncut
    assert cut[TOO_SOON] > 0


@pytest.mark.parametrize("player", PLAYERS)
def test_the_same_seed_is_the_same_game(player: str) -> None:
    one, other = (play(player, pieces(7, 3, 42)) for _ in range(2))
    assert one.turns == other.turns
    assert len(one.turns) == 40 or one.choked


def test_the_command_prints_the_same_with_any_number_of_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = []
    for jobs in (1, 2):
        main(f"--games 2 --pieces 6 --seed 3 --jobs {jobs}".split())
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "rensa-yomi-7" in printed[0]
