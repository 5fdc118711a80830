"""Sums over the hands that an open opponent may hold, without any fitted number.

The enumerated hands of Kurita & Hoki 2017 (section 5.2) depend on fitted numbers in two places
alone: the weights of two classes of hands, and P(colour). Both are factors of sums over the ways to
draw the hands, by colour of the hand, form of wait and yaku. A row stores these sums; a fit or a
report multiplies them by the numbers of a model (`models.paper.hand_prior`).

An example: an opponent has two pons, and its hands of several colours win on 3s in 120 ways, 90 of
them with a good wait. With the weight w of other forms, the numerator of P(3s) is 90 + 30 w for
that colour; the row has the 90 and the 120.

Hands are built once for all queries with equal melds, dora and winds, so that the queries of many
games are gathered first and answered together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from houjuu.game.table import View
from houjuu.hands.enumeration import tenpai_hands
from houjuu.hands.hand_cache import CONCEALED_SETS
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.suit_ways import Reds, reds_unseen
from houjuu.hands.tenpai_hands import COLOURS, HAND_CLASSES, TenpaiHands
from houjuu.util.arrays import Floats, Int8s

Result = TypeVar("Result")


class HandSums(NamedTuple):
    """The sums of the ways to draw the hands of n opponents.

    Attributes
    ----------
    by_class : (n, 5, 4) array
        By colour and class of the hand.
    good : (n, 5, m) array
        By colour and alternative (a kind won on, or a han), of hands with a good wait.
    all : (n, 5, m) array
        The same of all hands.
    """

    by_class: Floats
    good: Floats
    all: Floats

    def to_bytes(self) -> bytes:
        """The sums of one opponent (n is 1) as a cell of a table."""
        joined = np.concatenate([self.by_class, self.good, self.all], axis=2)
        return joined.astype(np.float32).tobytes()

    @classmethod
    def from_cells(cls, cells: npt.ArrayLike, alternatives: int) -> HandSums:
        """The sums of n opponents, from the cells of a column; an empty cell has zeros."""
        width = HAND_CLASSES + 2 * alternatives
        empty = bytes(4 * COLOURS * width)
        joined = b"".join(cell or empty for cell in np.asarray(cells, object))
        sums = np.frombuffer(joined, np.float32).reshape(-1, COLOURS, width).astype(np.float64)
        return cls(*np.split(sums, [HAND_CLASSES, HAND_CLASSES + alternatives], axis=2))


@dataclass(frozen=True, slots=True, eq=False)
class HandQuery:
    """An open opponent in a view, as far as its hands depend on it.

    Attributes
    ----------
    context : ScoringContext
    unseen : (34,) array
    reds : three bools
    furiten : int
    """

    context: ScoringContext
    unseen: Int8s
    reds: Reds
    furiten: int

    @classmethod
    def from_view(cls, view: View, seat: int) -> HandQuery:
        """The query of a seat in a view."""
        return cls(
            ScoringContext.from_view(view, seat),
            view.unseen(),
            reds_unseen(view.visible(), view.rules),
            view.furiten(seat),
        )

    def by_class(self, hands: TenpaiHands, true_hand: tuple[Int8s, Reds] | None = None) -> Floats:
        """Sums by colour and class of the hand, (5, 4): of all hands, or of the true hand alone."""
        unseen, reds = true_hand or (self.unseen, self.reds)
        return hands.weights(unseen, reds, self.furiten).by_class

    def sums(self, hands: TenpaiHands, reduce: Callable[[Floats], Floats]) -> HandSums:
        """The sums of this opponent, n = 1.

        Parameters
        ----------
        hands : TenpaiHands
            Those of the context.
        reduce : callable
            Maps the sums by colour, kind and score code, (c, 34, 224), to alternatives, (c, m).
        """
        weights = hands.weights(self.unseen, self.reds, self.furiten)
        good = reduce(hands.weights(self.unseen, self.reds, self.furiten, 0.0).by_score)
        both = np.zeros((2, COLOURS, good.shape[1]))
        both[0, weights.colours] = good
        both[1, weights.colours] = reduce(weights.by_score)
        return HandSums(weights.by_class[None], *both[:, None])


@dataclass(slots=True)
class HandQueries:
    """Gathers queries, and answers them in the order of their hands.

    ``ask`` returns a list that is empty until ``answer`` appends the result.
    """

    _asked: dict[ScoringContext, list[tuple[Callable[[TenpaiHands], Any], list[Any]]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def ask(self, context: ScoringContext, result: Callable[[TenpaiHands], Any]) -> list[Any]:
        """Gather a query: the result is a function of the hands of the context."""
        answer: list[Any] = []
        self._asked[context].append((result, answer))
        return answer

    def answer(self) -> None:
        """Build the hands of each context once, and answer all queries."""
        for context in sorted(self._asked, key=_order):
            hands = tenpai_hands(context, CONCEALED_SETS[len(context.melds)])
            for result, answer in self._asked[context]:
                answer.append(result(hands))
        self._asked.clear()


def answered(ask: Callable[[HandQueries], Result]) -> Result:
    """The rows that a function gathers with its queries, after all of them are answered."""
    queries = HandQueries()
    rows = ask(queries)
    queries.answer()
    return rows


def _order(context: ScoringContext) -> tuple[str, str]:
    """Contexts that differ in the dora alone follow each other: they share most of the work."""
    return repr(replace(context, dora=())), repr(context.dora)


def by_kind(by_score: Floats) -> Floats:
    """Sums by kind, (c, 34), of those by kind and score code."""
    return np.asarray(by_score.sum(axis=2))
