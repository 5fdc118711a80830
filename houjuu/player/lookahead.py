"""Reading ahead: a move is judged by what the next ones make of it, in any game.

KMIソフトウェア, 深読み, written for ぷよぷよ: n1 is what the position after a move is worth, n2 the
most that the best next move makes of it, n3 the most that a third makes of that. How they are
weighed goes by how near the end is, and so does how they are read: optimistically, supposing that
what one waits for comes, or realistically, by what is certain or, where nothing is, by how likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

P = TypeVar("P")
"""A position."""
M = TypeVar("M")
"""A move."""

Reading = Literal["optimistic", "realistic"]


class Danger(StrEnum):
    """How near the end is: `RED1` is next to it."""

    NORMAL = "normal"
    RED3 = "red3"
    RED2 = "red2"
    RED1 = "red1"


class Chance(NamedTuple, Generic[P, M]):
    """What may come next: how likely, and the moves it leaves with the positions after them."""

    probability: float
    moves: Sequence[tuple[M, P]]


class Game(Protocol[P, M]):
    """What a game tells; where it is asked about many positions it answers in their order."""

    def danger(self, position: P) -> Danger:
        """How near the end is."""

    def chances(self, positions: Sequence[P]) -> Sequence[Sequence[Chance[P, M]]]:
        """What may come in each position: one chance where it is known, none at an end."""

    def worths(self, positions: Sequence[P], reading: Reading) -> Sequence[float]:
        """What positions are worth, 0 or more, just after the move that led to them."""

    def hopeless(self, position: P, danger: Danger) -> str | None:
        """Why a move to here need not be read, in a word or two; None where it should be."""


class Row(NamedTuple):
    """How numbers become one: the weights of n1, n2, … and the readings of each."""

    joined: Callable[[Iterable[float]], float]
    weights: tuple[float, ...]
    readings: tuple[Reading, ...]

    def of(self, numbers: Iterable[float]) -> float:
        """The worth of a move."""
        return self.joined(w * n for w, n in zip(self.weights, numbers, strict=True))


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
"""The source's tables; it tells the readings of 6 alone, which 7 takes over."""


class Judged(NamedTuple, Generic[M]):
    """A move, what it is worth, and n1, n2, … behind that."""

    move: M
    worth: float
    numbers: tuple[float, ...]


class Ranking(NamedTuple, Generic[M]):
    """Moves, the best first and of equals the earlier, and the way they were read.

    ``cut`` counts what was not read on, by reason; if that is every move, all are ranked.
    """

    moves: tuple[Judged[M], ...]
    danger: Danger
    row: Row
    cut: Counter[str]


class _Node(NamedTuple, Generic[P]):
    """A position that the move in some place may lead to, and how likely."""

    place: int
    probability: float
    position: P


def rank(game: Game[P, M], position: P, formula: Formula) -> Ranking[M]:
    """Judge the moves of a position; there are none where the game is over."""
    danger = game.danger(position)
    row = formula[danger]
    reader = _Reader(game, danger)
    moves = [move for chance in game.chances([position])[0] for move in chance.moves]
    moves = reader.kept(moves) or moves
    numbers = zip(*reader.numbers([after for _, after in moves], row.readings), strict=True)
    judged = [Judged(move, row.of(n), n) for (move, _), n in zip(moves, numbers, strict=True)]
    judged.sort(key=lambda move: -move.worth)
    return Ranking(tuple(judged), danger, row, reader.cut)


class _Reader(Generic[P, M]):
    """Reads on from moves, level by level, and counts what it cuts."""

    def __init__(self, game: Game[P, M], danger: Danger) -> None:
        self.game, self.danger = game, danger
        self.cut = Counter[str]()

    def kept(self, moves: Sequence[tuple[M, P]]) -> list[tuple[M, P]]:
        """The moves that are not hopeless."""
        reasons = [self.game.hopeless(after, self.danger) for _, after in moves]
        self.cut.update(filter(None, reasons))
        return [move for move, reason in zip(moves, reasons, strict=True) if reason is None]

    def numbers(
        self, positions: Sequence[P], readings: Sequence[Reading]
    ) -> Iterator[Sequence[float]]:
        """Yield n1 of all moves, then n2, and so on; 0 where nothing can follow."""
        nodes = [_Node(place, 1.0, after) for place, after in enumerate(positions)]
        options = [[node] for node in nodes]
        for depth, reading in enumerate(readings):
            if depth:
                options = list(filter(None, self._replies(nodes)))
            best = self._best(options, reading)
            if reading == "optimistic":
                best = _come_true(best)
            found = [0.0] * len(positions)
            for worth, node in best:
                found[node.place] += node.probability * worth
            nodes = [node for _, node in best]
            yield found

    def _replies(self, nodes: Sequence[_Node[P]]) -> Iterator[list[_Node[P]]]:
        """Yield the positions that the player can choose from, for each thing that may come."""
        following = self.game.chances([node.position for node in nodes])
        for node, chances in zip(nodes, following, strict=True):
            for chance in chances:
                likely = node.probability * chance.probability
                yield [_Node(node.place, likely, after) for _, after in self.kept(chance.moves)]

    def _best(
        self, options: Sequence[Sequence[_Node[P]]], reading: Reading
    ) -> list[tuple[float, _Node[P]]]:
        """What is worth most of each choice."""
        positions = [node.position for choice in options for node in choice]
        worths = iter(self.game.worths(positions, reading))
        return [
            max(((next(worths), node) for node in choice), key=lambda option: option[0])
            for choice in options
        ]


def _come_true(best: Iterable[tuple[float, _Node[P]]]) -> list[tuple[float, _Node[P]]]:
    """For each move what is worth most of all that may come, as if it came."""
    most: dict[int, tuple[float, _Node[P]]] = {}
    for worth, node in best:
        if node.place not in most or worth > most[node.place][0]:
            most[node.place] = worth, node._replace(probability=1.0)
    return list(most.values())
