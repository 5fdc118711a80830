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
from operator import itemgetter, mul
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

P = TypeVar("P")  # a position
M = TypeVar("M")  # a move
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
    """What a game tells; asked about many positions, or none, it answers in their order."""

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
    """Moves, the best first, of equals the earlier; how they were read; what was cut, and why."""

    moves: tuple[Judged[M], ...]
    danger: Danger
    row: Row
    cut: Counter[str]


_Node = tuple[int, float, P]
"""The place of a first move, how likely it leads to a position, and that."""


def rank(game: Game[P, M], position: P, formula: Formula) -> Ranking[M]:
    """Judge the moves of a position, even the hopeless where there are no others."""
    danger = game.danger(position)
    row, cut = formula[danger], Counter[str]()

    def kept(moves: Sequence[tuple[M, P]]) -> list[tuple[M, P]]:
        reasons = [game.hopeless(after, danger) for _, after in moves]
        cut.update(filter(None, reasons))
        return [move for move, reason in zip(moves, reasons, strict=True) if reason is None]

    def replies(nodes: Sequence[_Node[P]]) -> Iterator[list[_Node[P]]]:
        following = game.chances([position for _, _, position in nodes])
        for (place, likely, _), chances in zip(nodes, following, strict=True):
            for probability, moves in chances:
                yield [(place, likely * probability, after) for _, after in kept(moves)]

    moves = [move for chance in game.chances([position])[0] for move in chance.moves]
    moves = kept(moves) or moves
    options = iter([[(place, 1.0, after)] for place, (_, after) in enumerate(moves)])
    numbers = []
    for reading in row.readings:
        best = _best(game, list(filter(None, options)), reading)
        numbers.append([0.0] * len(moves))
        for worth, (place, likely, _) in best:
            numbers[-1][place] += likely * worth
        options = replies([node for _, node in best])
    judged = [
        Judged(move, row.joined(map(mul, row.weights, n)), n)
        for (move, _), n in zip(moves, zip(*numbers, strict=True), strict=True)
    ]
    return Ranking(tuple(sorted(judged, key=lambda move: -move.worth)), danger, row, cut)


def _best(
    game: Game[P, M], options: Sequence[Sequence[_Node[P]]], reading: Reading
) -> list[tuple[float, _Node[P]]]:
    """What is worth most of each choice; of each move, where what is worth most of all comes."""
    worths = iter(game.worths([after for nodes in options for _, _, after in nodes], reading))
    best = [max(((next(worths), node) for node in nodes), key=itemgetter(0)) for nodes in options]
    if reading == "realistic":
        return best
    come: dict[int, tuple[float, _Node[P]]] = {}
    for worth, (place, _, after) in sorted(best, key=itemgetter(0), reverse=True):
        come.setdefault(place, (worth, (place, 1.0, after)))
    return list(come.values())
