"""P(final rank): where each seat ends the game, from the scores at the start of a round.

An exploded logit (Beggs, Cardell & Hausman 1981): the first place is a choice among the four seats,
the second among those left, and the third. The logit of a seat is the sum of a block for each other
seat that is left, and of a block of its own. The block of a pair has the difference of their
scores, as lines between knots, ahead and behind, with further lines where one of them deals, and
the points on the table. The own block has lines of the score and of what it lacks to the target
that ends the game, the dealer, and the rounds to deal. Every place, and every phase of a game, has
weights of its own: the number of rounds left, in a hanchan or an East-only game.

The fit lets no line fall, so that more points never make the first place less likely: they raise
the own logit, and lower those of all others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from houjuu.game.events import SEATS
from houjuu.game.payments import HONBA, RIICHI_STICK
from houjuu.game.rules import LAST_ROUND, TENHOU
from houjuu.util import parameters
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.attributions import softmax
from houjuu.util.errors import ParameterError
from houjuu.util.features import Columns, Feature, columns_of, feature
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters

MODEL = "final-ranks"
SHIPPED = "fitted/player/final_ranks.npz"

PLACES = ("first", "second", "third")
"""The places that are chosen; the last one is left."""

ORDERS: Ints = np.array(list(permutations(range(SEATS))))
"""The seats from the first place to the last, (24, 4)."""

RANKS: Ints = np.argsort(ORDERS, axis=1)
"""The rank of each seat, 0–3, in each order, (24, 4)."""

_LEFT: Bools = np.array([place <= RANKS for place in range(len(PLACES))])
"""The seats among which each place is chosen, in each order, (3, 24, 4)."""

KNOTS = (0, 1000, 2000, 4000, 6000, 8000, 12000, 16000, 24000, inf)
DEALER_KNOTS = (0, 4000, 12000, inf)
"""Differences of two scores between which the features are lines, unit: points."""

SCORE_KNOTS = (0, 8000, 16000, 25000, 33000, 42000, inf)
"""Scores between which the features of a seat are lines, unit: points."""

TARGET_KNOTS = (0, 1000, 2000, 4000, 8000, inf)
"""The same for the points that a score lacks to the target."""

_SCALE = 1000.0  # unit: points
_TIE = 50.0  # points; the seat nearer to the first dealer wins a tie
_NEAR, MOST_POT = 1000.0, 2000.0
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
    """Ordered pairs of seats, the source of their features; all broadcast to (n, 4, 4).

    Attributes
    ----------
    difference : array
        The score of the first less that of the second; a tie is a lead of the one that is nearer to
        the first dealer. Unit: points.
    deals, other_deals : array
        1 where the first, or the second, deals, else 0.
    pot : array
        Points on the table: honba and riichi sticks.
    """

    difference: Floats
    deals: Floats
    other_deals: Floats
    pot: Floats | Ints


class SeatScores(NamedTuple):
    """The seats, the source of their own features; all are (n, 4).

    Attributes
    ----------
    score : array
    missing : array
        What the score lacks to the target of `RoundStarts`, at least 0. Unit: points.
    deals : array
        1 for the dealer, else 0.
    rounds : array
        Of the rounds that are left the number that the seat deals, this one included.
    """

    score: Floats
    missing: Floats
    deals: Floats
    rounds: Floats


def _names(knots: tuple[float, ...], *lines: str) -> list[str]:
    return [f"{line} from {knot:,}" for line in lines for knot in knots[:-1]]


@feature(*_names(KNOTS, "ahead", "behind"))
def by_difference(pairs: ScorePairs) -> Floats:
    """Thousands of points of the lead in each segment; behind negative."""
    return _both_sides(pairs.difference, KNOTS)


@feature(*_names(DEALER_KNOTS, "ahead", "behind"))
def by_difference_of_dealers(pairs: ScorePairs) -> Floats:
    """The same between fewer knots."""
    return _both_sides(pairs.difference, DEALER_KNOTS)


@feature("difference × points on the table")
def near_the_pot(pairs: ScorePairs) -> Floats:
    """The difference, at most 1,000, times the points on the table; unit: thousands of each."""
    pot = np.minimum(pairs.pot, MOST_POT)
    return np.asarray(np.clip(pairs.difference, -_NEAR, _NEAR) * pot / _SCALE**2)


@feature(*_names(SCORE_KNOTS, "score"))
def by_score(seats: SeatScores) -> Floats:
    """Thousands of points of the score in each segment."""
    return _segments(seats.score, SCORE_KNOTS)


@feature(*_names(TARGET_KNOTS, "lacks"))
def by_missing(seats: SeatScores) -> Floats:
    """Thousands of points that a seat lacks to the target in each segment, negative."""
    return -_segments(seats.missing, TARGET_KNOTS)


_row = Feature[Any].row
_OF_PAIRS = Columns(
    by_difference,
    by_difference_of_dealers & _row("deals", "0/1", lambda pairs: pairs.deals),
    by_difference_of_dealers & _row("the other deals", "0/1", lambda pairs: pairs.other_deals),
    near_the_pot,
)
_OF_SEATS = Columns(
    by_score,
    by_missing,
    _row("is dealer", "0/1", lambda seats: seats.deals),
    _row("rounds to deal", "0–2 rounds", lambda seats: seats.rounds),
)

COLUMNS = (*_OF_PAIRS.names, *_OF_SEATS.names)
"""Names of the features of a place: those of a pair, then those of a seat."""

FEATURES = tuple(f"{place}: {name}" for place in PLACES for name in COLUMNS)
"""Names of the features, one for each weight."""

LINES = tuple(re.sub(r"[\d,]+", "", name) for name in FEATURES)
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
    target : (n,) array or int, default=30_000
        Points that end the game from the last round on, 0 where no extra round follows it.
    """

    hanchan: Ints
    round: Ints
    honba: Ints
    riichi_sticks: Ints
    scores: Ints
    target: Ints | int = TENHOU.target


def phases(hanchan: Ints, round: Ints) -> Ints:
    """The index in `PHASES` of each start, (n,)."""
    last = np.where(hanchan, LAST_ROUND[True], LAST_ROUND[False])
    left = np.maximum(last - round, -1)
    return np.asarray(left + 1 + np.where(hanchan, _EAST_ONLY_PHASES, 0))


def features(starts: RoundStarts) -> tuple[Floats, Floats]:
    """The features of the pairs, (n, 4, 4, features), and of the seats, (n, 4, features)."""
    scores = np.asarray(starts.scores, np.float64)
    seat = np.arange(SEATS)
    deals = ((starts.round % SEATS)[:, None] == seat).astype(np.float64)
    pot = HONBA * starts.honba + RIICHI_STICK * starts.riichi_sticks
    pairs = ScorePairs(
        difference=scores[:, :, None] - scores[:, None] + _TIE * np.sign(seat - seat[:, None]),
        deals=deals[:, :, None],
        other_deals=deals[:, None],
        pot=pot[:, None, None],
    )
    missing = np.maximum(np.asarray(starts.target)[..., None] - scores, 0.0)
    seats = SeatScores(scores, missing, deals, _rounds_to_deal(starts))
    return pair_features(pairs), _matrix(_OF_SEATS, seats, scores.shape)


def pair_features(pairs: ScorePairs) -> Floats:
    """The features of pairs, (*shape of the differences, features)."""
    return _matrix(_OF_PAIRS, pairs, pairs.difference.shape)


def _matrix(columns: Columns[Any], source: Any, shape: tuple[int, ...]) -> Floats:
    return columns.matrix({one: one.compute(source) for one in columns.inputs}, shape)


def _segments(points: Floats, knots: tuple[float, ...]) -> Floats:
    """How far points reach into each segment between the knots; negative ones into the first."""
    low, high = np.array(knots[:-1], np.float64), np.array(knots[1:])
    least = np.where(low > 0, 0.0, -inf)
    return np.asarray(np.clip(points[..., None] - low, least, high - low) / _SCALE)


def _both_sides(difference: Floats, knots: tuple[float, ...]) -> Floats:
    """The segments of a lead, then those of being behind, which are negative."""
    ahead, behind = (_segments(np.maximum(one, 0.0), knots) for one in (difference, -difference))
    return np.concatenate([ahead, -behind], axis=-1)


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
        shape = (len(PHASES), len(self.terms))
        if self.weights.shape != shape:
            raise ParameterError(
                f"the weights of final ranks have the shape {self.weights.shape}, not {shape}"
            )
        parameters.require_weights("the weights of final ranks", self.weights)
        _ = self._weights

    @cached_property
    def _weights(self) -> Floats:
        """The weights by place, (phases, 3, columns); 0 of features that the file lacks."""
        columns = columns_of(self.terms, FEATURES, "the model of final ranks")
        weights = np.zeros((len(PHASES), len(FEATURES)))
        weights[:, slice(None) if columns is None else columns] = self.weights
        return weights.reshape(len(PHASES), len(PLACES), -1)

    def orders(self, starts: RoundStarts) -> Floats:
        """P(the seats end in each order of `ORDERS`), (n, 24)."""
        weights = self._weights[phases(starts.hanchan, starts.round)]
        of_pairs, of_seats = features(starts)
        n_pairs = of_pairs.shape[-1]
        over = np.einsum("nijk,npk->npij", of_pairs, weights[..., :n_pairs])
        alone = np.einsum("nik,npk->npi", of_seats, weights[..., n_pairs:])
        chances = np.ones((len(weights), len(ORDERS)))
        for place, left in enumerate(_LEFT):
            logits = np.einsum("nij,oj->noi", over[:, place], left) + alone[:, place, None]
            of_seat = softmax(np.where(left, logits, -inf))
            chances *= of_seat[:, np.arange(len(ORDERS)), ORDERS[:, place]]
        return chances

    def predict(self, starts: RoundStarts) -> Floats:
        """P(the seat ends in the rank), (n, seats, ranks); rows and columns sum to 1."""
        return np.asarray(np.einsum("no,osr->nsr", self.orders(starts), np.eye(SEATS)[RANKS]))


def _made(fitted: Parameters) -> FinalRankModel:
    return FinalRankModel(**fitted.part("final_ranks"), terms=fitted.header["terms"])


FITTED = FittedModel(SHIPPED, _made, {"model": MODEL, "phases": list(PHASES)})
load = FITTED.load
from_parameters = FITTED.from_parameters
