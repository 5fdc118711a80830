"""P(final rank): where each seat ends the game, from the scores at the start of a round.

A conditional logit over the 24 orders in which four seats can end (McFadden 1974): the logit of an
order is the sum of a block for each pair of seats, for the seat that ends above the other, and of
blocks for the seats in the first, third and last place. The block of a pair is an odd function of
the difference of their scores, a line between knots, with further features for the dealer, the
rounds that each will still deal, and the points on the table. Those of a place are lines between
knots of the seat's score. Every phase of a game has weights of its own: the number of rounds left,
in a hanchan or an East-only game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from houjuu.game.events import SEATS
from houjuu.game.payments import HONBA, RIICHI_STICK
from houjuu.game.rules import LAST_ROUND
from houjuu.util import parameters
from houjuu.util.arrays import Floats, Ints
from houjuu.util.attributions import softmax
from houjuu.util.errors import ParameterError
from houjuu.util.features import Columns, Feature, columns_of, feature, take
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters

MODEL = "final-ranks"
SHIPPED = "fitted/player/final_ranks.npz"

ORDERS: Ints = np.array(list(permutations(range(SEATS))))
"""The seats from the first place to the last, (24, 4)."""

RANKS: Ints = np.argsort(ORDERS, axis=1)
"""The rank of each seat, 0–3, in each order, (24, 4)."""

PLACES = {"first place": 0, "third place": 2, "last place": 3}
"""The places with features of their own, from 0; the second is what they are compared with."""

_FIRST, _SECOND = np.array(list(combinations(range(SEATS), 2))).T
COUNTS: Floats = np.column_stack(
    [
        np.where(RANKS[:, _FIRST] < RANKS[:, _SECOND], 0.5, -0.5),
        *(place == RANKS for place in PLACES.values()),
    ]
).T
"""How each block counts in the logit of each order, (18, 24): for the six pairs of seats ½ where
the first ends above the second, else −½; then for each of `PLACES` 1 for the seat that ends there.
"""

KNOTS = (0, 1000, 2000, 4000, 6000, 8000, 12000, 16000, 24000, 40000)
DEALER_KNOTS = (0, 4000, 12000, 40000)
"""Differences of two scores between which the features are lines, unit: points."""

SCORE_KNOTS = (0, 8000, 16000, 25000, 33000, 42000, 60000)
"""Scores between which the features of a place are lines, unit: points."""

_SCALE = 1000.0  # unit: points
_TIE = 50.0  # points; the seat nearer to the first dealer wins a tie
_NEAR, _POT = 1000.0, 2000.0
"""The difference and the points on the table beyond which their feature is constant, unit: points.

A difference up to 8,000, and a pot of any size, made more points rank lower by .2 of a rank.
"""

_EAST_ONLY_PHASES = 5


class Phase(NamedTuple):
    """A phase of a game.

    Attributes
    ----------
    hanchan : bool
    rounds_left : int
        After this one; −1 in extra rounds.
    """

    hanchan: bool
    rounds_left: int

    @property
    def label(self) -> str:
        """The name of the phase in parameter files."""
        length = "hanchan" if self.hanchan else "East-only"
        return f"{length}: {self.rounds_left} rounds left".replace("-1 rounds left", "extra rounds")


class ScorePairs(NamedTuple):
    """The differences of the pairs of seats, the source of their features; all are (n, 6).

    Attributes
    ----------
    difference : array
        Of the scores, unit: points.
    dealer : array
        1 where the first seat deals, −1 where the second does, else 0.
    deals : array
        Of the rounds that each seat still deals.
    pot : (n, 1) array
        Points on the table: honba and riichi sticks.
    """

    difference: Floats
    dealer: Floats
    deals: Floats
    pot: Ints


def _names(line: str, knots: tuple[int, ...]) -> list[str]:
    return [line.format(f"{knot:,}") for knot in knots[:-1]]


@feature(*_names("difference from {}", KNOTS))
def by_difference(pairs: ScorePairs) -> Floats:
    """Thousands of points of the difference in each segment, with its sign."""
    return _segments(pairs.difference, KNOTS)


@feature(*_names("difference from {}, one is dealer", DEALER_KNOTS))
def by_difference_to_the_dealer(pairs: ScorePairs) -> Floats:
    """The same where one of the two deals, else 0."""
    return _segments(pairs.difference, DEALER_KNOTS) * np.abs(pairs.dealer)[..., None]


@feature("difference × points on the table")
def near_the_pot(pairs: ScorePairs) -> Floats:
    """The difference, at most 1,000, times the points on the table; unit: thousands of each."""
    pot = np.minimum(pairs.pot, _POT)
    return np.asarray(np.clip(pairs.difference, -_NEAR, _NEAR) * pot / _SCALE**2)


def by_score(scores: Floats) -> Floats:
    """Thousands of points of the score of a seat in each segment."""
    return _segments(scores, SCORE_KNOTS)


_row = Feature[ScorePairs].row
_OF_PAIRS = Columns(
    by_difference,
    by_difference_to_the_dealer,
    near_the_pot,
    _row("is dealer", "−1, 0 or 1, see `ScorePairs`", lambda pairs: pairs.dealer),
    _row(
        "rounds still to deal",
        "−2 to 2, rounds that the first seat deals more than the second",
        lambda pairs: pairs.deals,
    ),
)
_OF_PLACES = [
    feature(*_names(f"{place}, score from {{}}", SCORE_KNOTS))(by_score) for place in PLACES
]
_LINES: tuple[Feature[Any], ...] = (*_OF_PAIRS.features, *_OF_PLACES)

FEATURES = tuple(name for line in _LINES for name in line.names)
"""Names of the features, one for each weight: those of a pair, then those of the places."""

LINES = tuple(index for index, line in enumerate(_LINES) for _ in line.names)
"""The line that each of `FEATURES` is a segment of."""

PHASE_KEYS = tuple(
    Phase(hanchan, left)
    for hanchan, rounds in ((False, 3), (True, 7))
    for left in range(-1, rounds + 1)
)
"""The phases, in the order of the weights."""

PHASES = tuple(phase.label for phase in PHASE_KEYS)
"""Names of the phases."""


class RoundStarts(NamedTuple):
    """Starts of rounds.

    Attributes
    ----------
    hanchan : (n,) array of bool
        False for East-only games.
    round : (n,) array
        0 for East 1, 4 for South 1 and so on.
    honba, riichi_sticks : (n,) arrays
    scores : (n, 4) array
        By seat, 0 the first dealer, unit: points.
    """

    hanchan: Ints
    round: Ints
    honba: Ints
    riichi_sticks: Ints
    scores: Ints


def phases(hanchan: Ints, round: Ints) -> Ints:
    """The index in `PHASES` of each start, (n,)."""
    last = np.where(hanchan, LAST_ROUND[True], LAST_ROUND[False])
    left = np.maximum(last - round, -1)
    return np.asarray(left + 1 + np.where(hanchan, _EAST_ONLY_PHASES, 0))


def features(starts: RoundStarts) -> Floats:
    """The features of every block of `COUNTS`, (n, 18, features)."""
    scores = np.asarray(starts.scores, np.float64)
    dealer = (starts.round % SEATS)[:, None] == np.arange(SEATS)
    deals = _rounds_to_deal(starts)
    pairs = ScorePairs(
        difference=scores[:, _FIRST] - scores[:, _SECOND] + _TIE,
        dealer=dealer[:, _FIRST].astype(float) - dealer[:, _SECOND],
        deals=deals[:, _FIRST] - deals[:, _SECOND],
        pot=(HONBA * starts.honba + RIICHI_STICK * starts.riichi_sticks)[:, None],
    )
    blocks = np.zeros((len(scores), len(COUNTS), len(FEATURES)))
    row, column = pairs.difference.shape[1], len(_OF_PAIRS.names)
    values = {one: one.compute(pairs) for one in _OF_PAIRS.inputs}
    blocks[:, :row, :column] = _OF_PAIRS.matrix(values, pairs.difference.shape)
    for line in _OF_PLACES:
        width = len(line.names)
        blocks[:, row : row + SEATS, column : column + width] = line.compute(scores)
        row, column = row + SEATS, column + width
    return blocks


def _segments(difference: Floats, knots: tuple[int, ...]) -> Floats:
    """How far the difference reaches into each segment between the knots, with its sign."""
    low = np.array(knots[:-1])
    high = np.array(knots[1:])
    reach = np.clip(np.abs(difference)[..., None] - low, 0.0, high - low)
    return np.asarray(np.sign(difference)[..., None] * reach / _SCALE)


def _rounds_to_deal(starts: RoundStarts) -> Floats:
    """How many of the rounds that are left each seat deals, this one included, (n, 4)."""
    last = np.where(starts.hanchan, LAST_ROUND[True], LAST_ROUND[False])
    last = np.maximum(last, starts.round)
    seats = np.arange(SEATS)

    def dealt_before(round: Ints) -> Ints:
        return np.asarray((round[:, None] - seats + SEATS - 1) // SEATS)

    return (dealt_before(last + 1) - dealt_before(starts.round)).astype(float)


@dataclass(frozen=True)
class FinalRankModel:
    """The fitted weights.

    Parameters
    ----------
    weights : (phases, features) array
    terms : sequence of str, default=all features of the code

    Raises
    ------
    ParameterError
        A feature is unknown, the shape is wrong, or a weight is not between -100 and 100.
    """

    weights: Floats
    terms: Sequence[str] = field(default_factory=lambda: FEATURES)

    def __post_init__(self) -> None:
        _ = self._columns
        shape = (len(PHASES), len(self.terms))
        if self.weights.shape != shape:
            raise ParameterError(
                f"the weights of final ranks have the shape {self.weights.shape}, not {shape}"
            )
        parameters.require_weights("the weights of final ranks", self.weights)

    @cached_property
    def _columns(self) -> Ints | None:
        return columns_of(self.terms, FEATURES, "the model of final ranks")

    def orders(self, starts: RoundStarts) -> Floats:
        """P(the seats end in each order of `ORDERS`), (n, 24)."""
        weights = self.weights[phases(starts.hanchan, starts.round)]
        blocks = np.einsum("npf,nf->np", take(features(starts), self._columns), weights)
        return softmax(blocks @ COUNTS)

    def predict(self, starts: RoundStarts) -> Floats:
        """P(the seat ends in the rank), (n, seats, ranks); rows and columns sum to 1."""
        return np.asarray(np.einsum("no,osr->nsr", self.orders(starts), np.eye(SEATS)[RANKS]))


def _made(fitted: Parameters) -> FinalRankModel:
    return FinalRankModel(**fitted.part("final_ranks"), terms=fitted.header["terms"])


FITTED = FittedModel(SHIPPED, _made, {"model": MODEL, "phases": list(PHASES)})
load = FITTED.load
from_parameters = FITTED.from_parameters
