"""The puyo example: its rules, compared with known positions and a naive implementation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.lookahead.reading_ahead import Danger
from examples.puyo import field, report
from examples.puyo.__main__ import main
from examples.puyo.field import COLUMNS, NAMES, ROWS, VISIBLE_ROWS, Boards
from examples.puyo.game import (
    CHOKES,
    PLACEMENTS,
    TOO_SOON,
    Piece,
    Placement,
    Position,
    Puyo,
    longest,
    reachable,
)
from examples.puyo.players import PLAYERS, Game, Turn, pieces, play
from houjuu.util.errors import Error

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


@pytest.mark.parametrize(
    ("text", "links", "left"),
    [
        ("", 0, ""),
        ("RRR...", 0, "RRR..."),
        ("RRRR..", 1, ""),
        ("R..... RRR...", 1, ""),
        ("B..... R..... R..... R..... RBBB..", 2, ""),
        ("RRRRGG GGBBBB", 1, "GG..GG"),
        ("G..... " + STAIRS, 6, ""),
        (STAIRS, 1, ".BYRG. .GBYRG .GBYRG .GBYRG"),
    ],
)
def test_chains_of_known_fields(text: str, links: int, left: str) -> None:
    after, counted = field.settle(board(text))
    assert counted.tolist() == [links]
    assert columns(after) == columns(board(left))


def test_the_hidden_row_does_not_vanish_but_falls() -> None:
    stacks = ["GBGBGBGBGBGBR", "", "", "", "", ""]
    assert field.settle(stacked([*stacks[:1], "BGBGBGBGBGBRR", *stacks[2:]]))[1] == [0]
    three = stacked(["GBGBGBGBGBRRR", "BGBGBGBGBGBRY", "", "", "", ""])
    assert field.settle(three)[1] == [0]
    four = stacked(["GBGBGBGBGBRRY", "BGBGBGBGBGRRY", "", "", "", ""])
    after, links = field.settle(four)
    assert links == [1]
    assert columns(after)[:2] == ["GBGBGBGBGBY", "BGBGBGBGBGY"]


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("R.....  ......", "empty cell below"),
        ("RRR", "not a row of 6"),
        ("RRRXRR", "not a row of 6"),
        ("...... " * 14, "14 rows"),
    ],
)
def test_malformed_fields_are_refused(text: str, message: str) -> None:
    with pytest.raises(Error, match=message):
        board(text)


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


def test_a_trigger_made_by_hand() -> None:
    assert longest(board("G..... R..... RGGG..")).tolist() == [2]
    assert longest(board("R.G.B.")).tolist() == [0]


def test_there_are_22_placements_and_11_of_a_piece_of_one_colour() -> None:
    two, one = Puyo().chances([position([""] * COLUMNS, piece) for piece in ((R, G), (B, B))])
    assert [move for move, _ in two[0].moves] == list(PLACEMENTS)
    assert len(set(PLACEMENTS)) == 22
    assert len(one[0].moves) == 11


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


def test_the_realistic_player_reads_realistically() -> None:
    rows = PLAYERS["realistic"]
    assert {reading for row in rows.values() for reading in row.readings} == {"realistic"}
    assert [row.weights for row in rows.values()] == [
        row.weights for row in PLAYERS["rensa-yomi-6"].values()
    ]


def test_values_are_optimistic_or_realistic() -> None:
    fields = [position(["RRG", "G", "G", "G", "", ""])._replace(fired=5)]
    assert 2 <= Puyo().values(fields, "optimistic")[0] < 2.1
    assert 5 <= Puyo().values(fields, "realistic")[0] < 5.1
    assert Puyo().values([fields[0]._replace(choked=True)], "optimistic") == [0]
    assert Puyo().values([], "optimistic") == []


def test_a_full_column_blocks_the_way() -> None:
    stacks = ["", tall(12)[1], "R", "", tall(12)[4], ""]
    assert reachable(stacked(stacks))[:, 0].tolist() == [False, False, True, True, False, False]


def test_a_game_is_lost_when_the_third_column_is_full() -> None:
    full = position(["", "", tall(12)[2], "", "", ""], (R, G))._replace(choked=True)
    assert [list(chance.moves) for chance in Puyo().chances([full])[0]] == [[]]


@pytest.mark.parametrize("player", PLAYERS)
def test_the_same_seed_is_the_same_game(player: str) -> None:
    one, other = (play(player, pieces(7, 3, 42)) for _ in range(2))
    assert one.turns == other.turns
    assert len(one.turns) == 40 or one.choked


def test_pieces_depend_on_seed_and_game_alone() -> None:
    assert pieces(1, 0, 50)[:20] == pieces(1, 0, 20)
    assert len({tuple(pieces(seed, game, 20)) for seed in (1, 2) for game in (0, 1)}) == 4
    counts = np.bincount(np.ravel(pieces(1, 0, 4000)))
    assert (abs(counts - 2000) < 200).all()


def test_players_with_the_same_formula_choose_alike() -> None:
    questions = play("rensa-yomi-6", pieces(1, 5, 42), range(40)).questions
    answers = dict(zip(PLAYERS, zip(*(q.answers for q in questions), strict=True), strict=True))
    calm = [q.danger is Danger.NORMAL for q in questions]
    assert any(calm)
    assert not all(calm)
    four, seven = answers["rensa-yomi-4-2"], answers["rensa-yomi-7"]
    assert all(a == b for a, b, same in zip(four, seven, calm, strict=True) if same)
    assert four != seven


def test_the_command_prints_the_same_with_any_number_of_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = []
    for jobs in (1, 2):
        main(f"--games 2 --pieces 6 --seed 3 --jobs {jobs}".split())
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "rensa-yomi-7" in printed[0]


def game_of(*fired: int, choked: bool = False) -> Game:
    turns = tuple(Turn(Danger.RED1, links) for links in fired)
    return Game(turns, choked, Counter(), ())


def test_intervals_count_games_and_differences_pair_pieces() -> None:
    greedy = [game_of(2, 4, 0), game_of(6), game_of(1, 2)]
    games = {"greedy": greedy, "better": [game_of(5), game_of(7, 1), game_of(3, choked=True)]}
    head, _, first, second = report.chains(games).splitlines()
    assert first == "| greedy | 4.00 ± 2.26 | 0.0% [0.0%, 56.1%] |  |"
    assert second == "| better | 5.00 ± 2.26 | 33.3% [6.1%, 79.2%] | +1.00 ± 0.00 |"
    assert head.count("|") == first.count("|")
