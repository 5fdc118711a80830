"""Look-ahead search: a move is rated by the positions that the next moves lead to, in any game.

KMIソフトウェア, 深読み, written for ぷよぷよ: n1 is the value of the position after a move, n2 the
value after the best next move, n3 the value after the best third move. The weights of these numbers
depend on how near the end of the game is, and so does the reading. An optimistic reading assumes
that the awaited tile comes. A realistic one uses certain moves, or weighs by probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from operator import itemgetter, mul
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

P = TypeVar("P")
"""A position."""
M = TypeVar("M")
"""A move."""
Reading = Literal["optimistic", "realistic"]


class Danger(StrEnum):
    """How near the end of the game is: `RED1` is nearest."""

    NORMAL = "normal"
    RED3 = "red3"
    RED2 = "red2"
    RED1 = "red1"


class Chance(NamedTuple, Generic[P, M]):
    """An event that may come next: its probability, and the moves after it with their positions."""

    probability: float
    moves: Sequence[tuple[M, P]]


class SearchGame(Protocol[P, M]):
    """The interface of a game; results for several positions, or none, are in their order."""

    def danger(self, position: P) -> Danger:
        """How near the end of the game is."""

    def chances(self, positions: Sequence[P]) -> Sequence[Sequence[Chance[P, M]]]:
        """The chances in each position: one where the next event is certain, none at the end."""

    def values(self, positions: Sequence[P], reading: Reading) -> Sequence[float]:
        """Values of positions, 0 or more, just after the move that led to them."""

    def hopeless(self, position: P, danger: Danger) -> str | None:
        """The reason to leave out a move to a position, as a short text; None to keep it."""


class Row(NamedTuple):
    """How n1, n2, … are combined: the function, the weights, and the reading of each number."""

    joined: Callable[[Iterable[float]], float]
    weights: tuple[float, ...]
    readings: tuple[Reading, ...]


Formula = Mapping[Danger, Row]
_O: Reading = "optimistic"
_R: Reading = "realistic"

FORMULAS: Mapping[str, Formula] = {
    "rensa-yomi-4": dict.fromkeys(Danger, Row(max, (1, 1), (_O, _O))),
    "rensa-yomi-6": {
        Danger.NORMAL: Row(sum, (1 / 2, 1), (_O, _O)),
        Danger.RED3: Row(sum, (1 / 4, 1 / 2, 1), (_R, _O, _O)),
        Danger.RED2: Row(sum, (1 / 2, 1), (_R, _R)),
        Danger.RED1: Row(sum, (1,), (_R,)),
    },
    "rensa-yomi-7": {
        Danger.NORMAL: Row(max, (1, 1), (_O, _O)),
        Danger.RED3: Row(max, (1, 1), (_R, _O)),
        Danger.RED2: Row(max, (1, 1), (_R, _R)),
        Danger.RED1: Row(max, (1,), (_R,)),
    },
}
"""The tables of the source. It states readings for 6 alone; 7 uses the same."""


class RatedMove(NamedTuple, Generic[M]):
    """A move, its value, and the numbers n1, n2, … that the value combines."""

    move: M
    value: float
    numbers: tuple[float, ...]


class Ranking(NamedTuple, Generic[M]):
    """Moves, best first with ties in their order; the row used; counts of the reasons for cuts."""

    moves: tuple[RatedMove[M], ...]
    danger: Danger
    row: Row
    cut: Counter[str]


_Node = tuple[int, float, P]
"""The index of a first move, the probability that it leads to a position, and the position."""


def rank(game: SearchGame[P, M], position: P, formula: Formula) -> Ranking[M]:
    """Rate the moves of a position; hopeless moves only where there are no others."""
    danger = game.danger(position)
    row, cut = formula[danger], Counter[str]()

    def kept(moves: Sequence[tuple[M, P]]) -> list[tuple[M, P]]:
        reasons = [game.hopeless(after, danger) for _, after in moves]
        cut.update(filter(None, reasons))
        return [move for move, reason in zip(moves, reasons, strict=True) if reason is None]

    def replies(nodes: Sequence[_Node[P]]) -> Iterator[list[_Node[P]]]:
        following = game.chances([position for _, _, position in nodes])
        for (first, likely, _), chances in zip(nodes, following, strict=True):
            for probability, moves in chances:
                yield [(first, likely * probability, after) for _, after in kept(moves)]

    moves = [move for chance in game.chances([position])[0] for move in chance.moves]
    moves = kept(moves) or moves
    options = iter([[(first, 1.0, after)] for first, (_, after) in enumerate(moves)])
    numbers = []
    for reading in row.readings:
        best = _best(game, list(filter(None, options)), reading)
        numbers.append([0.0] * len(moves))
        for value, (first, likely, _) in best:
            numbers[-1][first] += likely * value
        options = replies([node for _, node in best])
    rated = [
        RatedMove(move, row.joined(map(mul, row.weights, n)), n)
        for (move, _), n in zip(moves, zip(*numbers, strict=True), strict=True)
    ]
    return Ranking(tuple(sorted(rated, key=lambda move: -move.value)), danger, row, cut)


def _best(
    game: SearchGame[P, M], options: Sequence[Sequence[_Node[P]]], reading: Reading
) -> list[tuple[float, _Node[P]]]:
    """The best node of every choice; in an optimistic reading only the best for each first move."""
    values = iter(game.values([after for nodes in options for _, _, after in nodes], reading))
    best = [max(((next(values), node) for node in nodes), key=itemgetter(0)) for nodes in options]
    if reading == "realistic":
        return best
    by_first: dict[int, tuple[float, _Node[P]]] = {}
    for value, (first, _, after) in sorted(best, key=itemgetter(0), reverse=True):
        by_first.setdefault(first, (value, (first, 1.0, after)))
    return list(by_first.values())
