"""Reading ahead, on trees made by hand and at random."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.lookahead import reading_ahead
from examples.lookahead.reading_ahead import (
    FORMULAS,
    Chance,
    Danger,
    Ranking,
    Reading,
    Row,
    rank,
)
from tests.test_package import imported_modules


@dataclass(frozen=True)
class Node:
    """A position of a game that is written down in full; a move is the name of where it leads."""

    name: str
    optimistic: float = 0.0
    realistic: float = 0.0
    likely: tuple[float, ...] = ()
    after: tuple[tuple[Node, ...], ...] = ()
    hopeless: str | None = None


class Written:
    """The game that the nodes describe."""

    def __init__(self, danger: Danger = Danger.NORMAL) -> None:
        self.level = danger

    def danger(self, position: Node) -> Danger:
        return self.level

    def chances(self, positions: Sequence[Node]) -> Sequence[Sequence[Chance[Node, str]]]:
        return [
            [
                Chance(likely, [(node.name, node) for node in nodes])
                for likely, nodes in zip(position.likely, position.after, strict=True)
            ]
            for position in positions
        ]

    def values(self, positions: Sequence[Node], reading: Reading) -> Sequence[float]:
        return [getattr(position, reading) for position in positions]

    def hopeless(self, position: Node, danger: Danger) -> str | None:
        return position.hopeless


def node(name: str, optimistic: float, realistic: float, *after: Node) -> Node:
    """One whose next moves are known."""
    return Node(name, optimistic, realistic, (1.0,) * bool(after), (after,) * bool(after))


def judge(root: Node, formula: str, danger: Danger = Danger.NORMAL) -> Ranking[str]:
    return rank(Written(danger), root, FORMULAS[formula])


def numbers(ranking: Ranking[str]) -> dict[str, tuple[float, ...]]:
    return {move.move: move.numbers for move in ranking.moves}


# The position after "a" has the optimistic value 3 and the realistic value 5, and so on. The best
# second move is "d" by the optimistic and "c" by the realistic reading. The third moves after "c"
# are better than those after "d".
TREE = node(
    "root",
    0,
    0,
    node("a", 3, 5, node("c", 4, 9, node("g", 20, 30)), node("d", 6, 2, node("h", 8, 1))),
    node("b", 5, 1, node("e", 2, 2), node("f", 1, 3, node("i", 50, 50))),
)


@pytest.mark.parametrize(
    ("formula", "danger", "values"),
    [
        *(("rensa-yomi-4", danger, {"a": 6, "b": 5}) for danger in Danger),
        ("rensa-yomi-6", Danger.NORMAL, {"a": 6 + 3 / 2, "b": 2 + 5 / 2}),
        ("rensa-yomi-6", Danger.RED3, {"a": 8 + 6 / 2 + 5 / 4, "b": 0 + 2 / 2 + 1 / 4}),
        ("rensa-yomi-6", Danger.RED2, {"a": 9 + 5 / 2, "b": 3 + 1 / 2}),
        ("rensa-yomi-6", Danger.RED1, {"a": 5, "b": 1}),
        ("rensa-yomi-7", Danger.NORMAL, {"a": 6, "b": 5}),
        ("rensa-yomi-7", Danger.RED3, {"a": 6, "b": 2}),
        ("rensa-yomi-7", Danger.RED2, {"a": 9, "b": 3}),
        ("rensa-yomi-7", Danger.RED1, {"a": 5, "b": 1}),
    ],
)
def test_formulas_on_a_tree_made_by_hand(
    formula: str, danger: Danger, values: dict[str, float]
) -> None:
    ranking = judge(TREE, formula, danger)
    assert {move.move: move.value for move in ranking.moves} == values
    assert [move.move for move in ranking.moves] == ["a", "b"]
    assert ranking.danger is danger
    assert ranking.row is FORMULAS[formula][danger]


DRAWS = Node(
    "root",
    likely=(1.0,),
    after=(
        (
            Node(
                "keep",
                likely=(0.1, 0.5),
                after=(
                    (Node("x", 8, 8, (0.5, 0.5), ((Node("x1", 6, 6),), (Node("x2", 2, 2),))),),
                    (node("y", 4, 4, Node("y1", 10, 10)), Node("z", 3, 3)),
                ),
            ),
        ),
    ),
)


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("optimistic", (0, 8, 6)),
        ("realistic", (0, 0.1 * 8 + 0.5 * 4, 0.1 * (0.5 * 6 + 0.5 * 2) + 0.5 * 10)),
    ],
)
def test_what_is_not_known_comes_or_is_weighed(
    reading: Reading, expected: tuple[float, ...]
) -> None:
    formula = dict.fromkeys(Danger, Row(sum, (1, 1, 1), (reading,) * 3))
    assert numbers(rank(Written(), DRAWS, formula))["keep"] == pytest.approx(expected)


def test_the_engine_needs_python_alone() -> None:
    tops = {name.split(".")[0] for name in imported_modules(Path(reading_ahead.__file__))}
    assert tops <= sys.stdlib_module_names


def test_of_equals_the_earlier_comes_first() -> None:
    root = node("root", 0, 0, *(node(name, 1, 1) for name in "cab"))
    assert [move.move for move in judge(root, "rensa-yomi-4").moves] == ["c", "a", "b"]


def test_what_is_cut_is_counted_at_every_depth() -> None:
    dead, burnt = replace(node("x", 9, 9), hopeless="chokes"), replace(TREE, hopeless="fires")
    root = node("root", 0, 0, dead, burnt, node("a", 1, 1, dead, burnt, node("b", 2, 2), dead))
    ranking = judge(root, "rensa-yomi-4")
    assert ranking.cut == {"chokes": 3, "fires": 2}
    assert numbers(ranking) == {"a": (1, 2)}


def test_where_all_is_hopeless_something_is_chosen_all_the_same() -> None:
    root = node("root", 0, 0, *(replace(node(n, ord(n), 0), hopeless="chokes") for n in "abc"))
    ranking = judge(root, "rensa-yomi-4")
    assert [move.move for move in ranking.moves] == ["c", "b", "a"]
    assert ranking.cut == {"chokes": 3}


def test_a_game_that_is_over_has_no_moves() -> None:
    assert judge(Node("root"), "rensa-yomi-6").moves == ()


worth = st.integers(0, 9).map(float)
reason = st.sampled_from([None, None, "chokes", "fires too soon"])


def trees(depth: int) -> st.SearchStrategy[Node]:
    """Trees whose moves from any position have different names, and can be hopeless."""

    def named(after: Sequence[Node]) -> tuple[Node, ...]:
        return tuple(replace(node, name=str(number)) for number, node in enumerate(after))

    def grown(optimistic: float, realistic: float, why: str | None, after: list[Node]) -> Node:
        return replace(node("", optimistic, realistic, *named(after)), hopeless=why)

    below = st.lists(trees(depth - 1), max_size=3) if depth else st.just([])
    return st.builds(grown, worth, worth, reason, below)


def pruned(root: Node, keep: Callable[[Node], bool]) -> Node:
    """The tree without the moves that are not to be kept, and with nothing hopeless in it."""
    after = [pruned(node, keep) for node in (root.after[0] if root.after else ()) if keep(node)]
    return replace(node(root.name, root.optimistic, root.realistic, *after))


cases = st.tuples(trees(3), st.sampled_from(sorted(FORMULAS)), st.sampled_from(list(Danger)))


@given(cases)
def test_cutting_is_as_if_what_is_cut_were_no_move(case: tuple[Node, str, Danger]) -> None:
    root, formula, danger = case
    alive = pruned(root, lambda node: node.hopeless is None)
    if alive.after:
        assert judge(root, formula, danger).moves == judge(alive, formula, danger).moves
