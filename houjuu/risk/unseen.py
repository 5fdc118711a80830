"""Where the unseen tiles are: the answer of an estimator about hands and wall (山読み).

There are four locations: the concealed hands of the three opponents, and the wall. Each unseen copy
of a kind lies in one of them. `balanced` makes the chances agree with two certain facts: every copy
is somewhere, and every hand has its size.

One view through the steps. There are two kinds, of which 2 and 3 copies are unseen, two hands of
one tile each, and a wall of three. A weight of 1 for every copy in every location is counting; here
the first hand holds the first kind twice as readily:

>>> weights = np.array([[2.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
>>> copies, sizes = np.array([2, 3]), np.array([1, 1, 3])
>>> chances = balanced(weights, copies, sizes)

A column is the chances of one copy of a kind, and sums to 1. Times the copies, the rows sum to the
sizes of the locations:

>>> chances.round(3).tolist()
[[0.268, 0.155], [0.183, 0.211], [0.549, 0.634]]
>>> (chances * copies).sum(axis=1).round(3).tolist()
[1.0, 1.0, 3.0]

By counting each copy is in the wall with 3/5. With these weights it is .549 for the first kind and
.634 for the second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import lgamma

import numpy as np
import numpy.typing as npt

from houjuu.game.round_state import DEAD_WALL
from houjuu.game.tiles import COPIES, KIND, KINDS, TILES, Tile, kind_name, tile_id
from houjuu.game.view import View
from houjuu.reading.opponent import OpponentContext
from houjuu.risk.answers import DIGITS, UnseenAnswer
from houjuu.util.arrays import Floats, Ints, read_only
from houjuu.util.attributions import Attributions

OPPONENTS = 3
WALL = OPPONENTS
"""Index of the wall among the locations; the opponents come before it: right, across, left."""
LOCATIONS = OPPONENTS + 1

OTHER_TILES, COUNTING = "other tiles", "counting"
"""The parts of a chance that every model has, see `UnseenTiles.explain`."""

_SWEEPS = 2
_NEWTON_STEPS = 3
_LARGEST_STEP = 1.0  # of the logarithm of a factor
_MEAN_STEPS = 5
_LARGEST_SLOPE = 2.0
_TINY = 1e-12

_COUNTS = np.arange(COPIES + 1)
_LOG_FACTORIAL = np.array([lgamma(n + 1.0) for n in range(TILES + 1)])
_OUTSIDE = -1e9  # the logit of an impossible number of copies


def balanced(weights: Floats, copies: npt.NDArray[np.integer], sizes: Ints) -> Floats:
    """The chance of each location for one copy of each kind, (…, p, k); columns sum to 1.

    The weight of a copy times a factor for each location. Iterative proportional fitting (Deming &
    Stephan 1940) finds the factors roughly, and Newton's method exactly.

    Parameters
    ----------
    weights : (…, p, k) array
        For each copy of a kind in each location; positive.
    copies : (…, k) array
        Unseen copies.
    sizes : (…, p) array
        Tiles in each location, at least one. They sum to those of `copies`.

    Returns
    -------
    (…, p, k) array
        The copies in each location sum to its size, within .001.
    """
    factors = sizes[..., None].astype(np.float64)
    for _ in range(_SWEEPS):
        _, expected = _expected(factors, weights, copies)
        factors = factors * (sizes / expected.sum(axis=-1))[..., None]
    for _ in range(_NEWTON_STEPS):
        chances, expected = _expected(factors, weights, copies)
        in_location = expected.sum(axis=-1)
        gap = (sizes - in_location)[..., 1:]  # one factor is free
        slopes = -expected[..., 1:, :] @ np.swapaxes(chances[..., 1:, :], -1, -2)
        diagonal = np.arange(slopes.shape[-1])
        slopes[..., diagonal, diagonal] += in_location[..., 1:]
        step = np.linalg.solve(slopes, gap[..., None])
        factors[..., 1:, :] *= np.exp(np.clip(step, -_LARGEST_STEP, _LARGEST_STEP))
    return _expected(factors, weights, copies)[0]


def _expected(
    factors: Floats, weights: Floats, copies: npt.NDArray[np.integer]
) -> tuple[Floats, Floats]:
    """The chances, and the expected copies in each location, (…, p, k)."""
    chances = factors * weights
    chances /= chances.sum(axis=-2, keepdims=True)
    return chances, chances * copies[..., None, :]


def count_probabilities(
    chances: Floats, copies: npt.NDArray[np.integer], sizes: Ints, tilts: Floats | None = None
) -> Floats:
    """P(a location has 0–4 copies of a kind), (…, p, k, 5), with the means that the chances give.

    The tiles of a location are drawn without replacement (hypergeometric): a hand that has one copy
    has room for one tile less. The tilts change the spread.

    Parameters
    ----------
    chances, copies, sizes : arrays
        As in `balanced`.
    tilts : (…, p, k, 5) array, optional
        Logits that are added; without them tiles lie independently of each other.
    """
    n_copies = copies[..., None, :, None].astype(np.intp)
    n_locations = sizes[..., :, None, None].astype(np.intp)
    n_all = sizes.sum(axis=-1)[..., None, None, None].astype(np.intp)
    inside, outside = n_copies - _COUNTS, n_locations - _COUNTS
    rest = n_all - n_copies - outside
    possible = (inside >= 0) & (outside >= 0) & (rest >= 0)
    logits = -_LOG_FACTORIAL[_COUNTS] - _LOG_FACTORIAL[np.maximum(inside, 0)]
    logits = logits - _LOG_FACTORIAL[np.maximum(outside, 0)] - _LOG_FACTORIAL[np.maximum(rest, 0)]
    logits = np.where(possible, logits if tilts is None else logits + tilts, _OUTSIDE)
    by_counting = (sizes / sizes.sum(axis=-1, keepdims=True))[..., None]
    start = np.log(chances / by_counting) - np.log((1 - chances) / (1 - by_counting))
    return _with_mean(logits, chances * copies[..., None, :], start)


def _with_mean(logits: Floats, mean: Floats, slope: Floats) -> Floats:
    """The probabilities exp(logit + slope · count), whose slope gives a mean; Newton's method."""
    for step in range(_MEAN_STEPS + 1):
        exponents = logits + slope[..., None] * _COUNTS
        exponents -= exponents.max(axis=-1, keepdims=True)
        weights = np.exp(exponents)
        probabilities = weights / weights.sum(axis=-1, keepdims=True)
        if step == _MEAN_STEPS:
            break
        first = probabilities @ _COUNTS
        variance = probabilities @ _COUNTS**2 - first**2
        change = (mean - first) / np.maximum(variance, _TINY)
        slope = slope + np.clip(change, -_LARGEST_SLOPE, _LARGEST_SLOPE)
    return np.asarray(probabilities)


Explainer = Callable[[int, int], Attributions]
"""Maps a location and a kind to the parts of the chance."""


@dataclass(frozen=True, repr=False, eq=False)
class UnseenTiles:
    """Where the unseen tiles are; all arrays are read-only.

    The locations are the concealed hands to the right, across and to the left, then the wall. The
    wall contains the dead wall without the visible indicators, and a hidden own hand.

    Attributes
    ----------
    copies : (34,) array
        Unseen copies of each kind, 0–4.
    sizes : (4,) array
        Tiles in each location.
    chances : (4, 34) array
        P(an unseen copy of the kind is in the location); columns sum to 1.
    tilts : (4, 34, 5) array or None
        As `count_probabilities` takes them.
    explainer : callable
        Maps a location and a kind to the parts of the chance.
    """

    copies: Ints
    sizes: Ints
    chances: Floats
    tilts: Floats | None
    explainer: Explainer

    def __repr__(self) -> str:
        """The number of tiles in each location."""
        right, across, left, wall = self.sizes.tolist()
        return f"UnseenTiles(hands of {right}, {across}, {left} tiles, wall of {wall})"

    @cached_property
    def expected(self) -> Floats:
        """Expected copies of each kind in each location, (4, 34).

        A column sums to the unseen copies, a row to the size of the location within .001.
        """
        return read_only(self.chances * self.copies)

    @cached_property
    def probabilities(self) -> Floats:
        """P(the location has 0–4 copies of the kind), (4, 34, 5); their mean is `expected`."""
        return read_only(count_probabilities(self.chances, self.copies, self.sizes, self.tilts))

    @cached_property
    def next_draw(self) -> Floats:
        """P(the next tile from the wall is of the kind), (34,); sums to 1 within .001."""
        return read_only(self.expected[WALL] / self.sizes[WALL])

    @cached_property
    def wall_weights(self) -> Floats:
        """How many times likelier than by counting a copy of each kind is in the wall, (34,).

        Times the unseen copies they sum to all unseen tiles, so that hands can count with them.
        """
        return read_only(self.chances[WALL] * (self.sizes.sum() / self.sizes[WALL]))

    def to_dict(self) -> dict[str, UnseenAnswer]:
        """The answer for `json.dumps`: each kind that has unseen copies, by its name."""
        expected, probabilities = self.expected, self.probabilities
        return {
            kind_name(kind): {
                "unseen": int(self.copies[kind]),
                "wall": round(float(expected[WALL, kind]), DIGITS),
                "hands": [round(copies, DIGITS) for copies in expected[:WALL, kind].tolist()],
                "none": round(float(probabilities[WALL, kind, 0]), DIGITS),
            }
            for kind in np.flatnonzero(self.copies).tolist()
        }

    def explain(self, tile: Tile, location: int = WALL) -> Attributions:
        """The parts of the expected copies of a tile's kind in a location; they add up to them.

        "counting" is the result of the numbers of unseen tiles alone, "other tiles" the effect of
        the other kinds, since every hand has its size. The other parts are those of the model.
        """
        kind = KIND[tile_id(tile)]
        copies = float(self.copies[kind])
        return {name: copies * part for name, part in self.explainer(location, kind).items()}


def unseen_tiles(
    contexts: Sequence[OpponentContext],
    weights: Floats | None = None,
    tilts: Floats | None = None,
    explainers: Sequence[Callable[[Ints, Floats, int, int], Attributions]] | None = None,
) -> list[UnseenTiles]:
    """The answers for v views, from the contexts of their 3 v opponents.

    Parameters
    ----------
    contexts : sequence of OpponentContext
        To the right, across and to the left, view after view.
    weights : (v, 3, 34) array, optional
        Of a copy of a kind in each hand, that in the wall being 1; without them all are 1.
    tilts : (v, 4, 34, 5) array, optional
        As `count_probabilities` takes them.
    explainers : sequence of v callables, optional
        Map the sizes, the chances, a location and a kind to the parts of the chance.
    """
    first = contexts[::OPPONENTS]
    copies = np.array([context.tiles.unseen for context in first]).reshape(-1, KINDS)
    n_unseen = copies.sum(axis=1).tolist()
    views = [context.view for context in first]
    sizes = np.array([*map(location_sizes, views, n_unseen)]).reshape(-1, LOCATIONS)
    by_location = np.ones((len(first), LOCATIONS, KINDS))
    if weights is not None:
        by_location[:, :WALL] = weights
    chances = balanced(by_location, copies, sizes)
    explainers = explainers or [_by_counting] * len(first)
    return [
        UnseenTiles(
            copies=read_only(copies[i]),
            sizes=read_only(sizes[i]),
            chances=read_only(chances[i]),
            tilts=None if tilts is None else read_only(tilts[i]),
            explainer=partial(explainers[i], sizes[i], chances[i]),
        )
        for i in range(len(first))
    ]


def _by_counting(sizes: Ints, chances: Floats, location: int, kind: int) -> Attributions:
    return {COUNTING: float(chances[location, kind])}


def location_sizes(view: View, n_unseen: int) -> list[int]:
    """Tiles in the hands to the right, across and to the left, and in the wall.

    A seat that is about to discard holds one more.

    Parameters
    ----------
    view : View
    n_unseen : int
        Number of tiles that the asking seat does not see.
    """
    sizes = [opponent.n_concealed for opponent in view.opponents]
    sizes.append(view.tiles_left + DEAD_WALL - len(view.dora_indicators))
    if not view.hand:
        sizes[WALL] += view.seats[view.seat].n_concealed
    n_drawn = n_unseen - sum(sizes)
    if n_drawn:  # the location before the first opponent is the last one, which has the hidden hand
        sizes[(_seat_to_act(view) - view.seat) % LOCATIONS - 1] += n_drawn
    return sizes


def _seat_to_act(view: View) -> int:
    """The seat that discards next; the one that has won or drawn last at the end of a round."""
    discards = [(seat.river[-1], seat.seat) for seat in view.seats if seat.river]
    if not discards:
        return view.dealer
    last, seat = max(discards, key=lambda discard: discard[0].order)
    return (seat + 1) % LOCATIONS if last.called_by is None else last.called_by
