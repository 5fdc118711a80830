"""Exact sums over all hidden hands of an opponent, exact draws and likelihoods: no Markov chain.

The weight of a hand is a product over its kinds, by the number of copies, times a factor for the
pattern of each number suit. Shanten towards sets and a pair depends on a suit only by one of 130
rows (`houjuu.hands.shanten_tables`). So each suit is summed over its patterns by tiles and row, the
suits are joined two and two by `pairs`, and the two halves by `missing`.

With weights C(unseen copies, copies in the hand) the sum counts all hands. Of 20 unseen tiles there
are C(20, 4) hands of four:

>>> copies = np.zeros(KINDS, np.intp)
>>> copies[:5] = 4
>>> hands = WholeHands(count_weights(copies), 4)
>>> round(hands.mass.sum())
4845

Of them 3,720 are tenpai, the hands that lack one tile:

>>> round(hands.mass[1]), hands.draw([1, 1], np.random.default_rng(0)).sum(axis=1).tolist()
(3720, [4, 4])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import COPIES, HONOURS, KINDS, RANKS
from houjuu.hands.shanten_tables import ABSENT, FIRST_HONOUR_KEY, shanten_tables
from houjuu.util.arrays import Floats, Int8s, Ints

CAP = 10
"""The most tiles of a suit in a hand, see `cap_for`: with more a sum takes five times as long."""
MOST_TILES = 14
LACKING = ABSENT + 1
"""Numbers of missing tiles: 0 is a complete hand, 1 tenpai, shanten s is s + 1."""

_SUITS = tuple(slice(RANKS * suit, min(RANKS * (suit + 1), KINDS)) for suit in range(HONOURS + 1))
_N_ROWS, _N_PAIRS = 130, 180  # of `shanten_tables`
_COUNTS = np.arange(COPIES + 1)
WAYS = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]]
)
"""To take k of n copies, row n."""


def count_weights(copies: Ints) -> Floats:
    """Ways to take 0–4 of the unseen copies of each kind, (34, 5), from the copies, (34,)."""
    return WAYS[copies].astype(np.float64)


def cap_for(copies: Ints, n_tiles: int) -> int:
    """`CAP`, or `MOST_TILES` where few hands of the unseen copies, (34,), have so few of a suit."""
    by_suit = [int(copies[suit].sum()) for suit in _SUITS]
    return CAP if sum(min(tiles, CAP) for tiles in by_suit) >= 2 * n_tiles else MOST_TILES


class Patterns(NamedTuple):
    """All tiles of one suit that a hand can hold, sorted by class: the number of tiles and the row.

    Attributes
    ----------
    copies : (patterns, ranks) array
        Of each rank.
    low, high : (patterns,) array
        The keys of the lower and of the higher ranks.
    start : (classes + 1,) array
        First pattern of each class.
    tiles, row : (classes,) array
    by_key : (5**ranks,) array
        The pattern by its key; −1 if it has too many tiles.
    """

    copies: Int8s
    low: Ints
    high: Ints
    start: Ints
    tiles: Ints
    row: Ints
    by_key: npt.NDArray[np.int32]

    @property
    def split(self) -> int:
        """Number of the lower ranks."""
        return int(self.copies.shape[1]) // 2


@cache
def patterns(ranks: int, cap: int = CAP) -> Patterns:
    """The patterns of a number suit, or of the honours, of at most so many tiles."""
    keys, tiles = np.zeros(1, np.intp), np.zeros(1, np.intp)
    for rank in range(ranks):
        keys = (_COUNTS[:, None] * 5**rank + keys).ravel()
        tiles = (_COUNTS[:, None] + tiles).ravel()
        keys, tiles = keys[tiles <= cap], tiles[tiles <= cap]
    offset = 0 if ranks == RANKS else FIRST_HONOUR_KEY
    classes = tiles * _N_ROWS + shanten_tables().rows[keys + offset]
    order = np.lexsort((keys, classes))
    keys, classes = keys[order], classes[order]
    numbers, start = np.unique(classes, return_index=True)
    index = np.full(5**ranks, -1, np.int32)
    index[keys] = np.arange(len(keys))
    split = 5 ** (ranks // 2)
    return Patterns(
        copies=(keys[:, None] // 5 ** np.arange(ranks) % 5).astype(np.int8),
        low=keys % split,
        high=keys // split,
        start=np.append(start, len(keys)),
        tiles=numbers // _N_ROWS,
        row=numbers % _N_ROWS,
        by_key=index,
    )


class _Join(NamedTuple):
    """All pairs of classes of two groups of suits, sorted by the class of both together.

    `start` has one entry more than there are classes.
    """

    first: Ints
    second: Ints
    start: Ints
    tiles: Ints
    row: Ints

    def most(self, tiles: int) -> tuple[int, int]:
        """Number of classes with at most so many tiles, and of their pairs."""
        classes = int(np.searchsorted(self.tiles, tiles, side="right"))
        return classes, int(self.start[classes])


def _joined(first: Ints, second: Ints, tiles: Ints, row: Ints, rows: int) -> _Join:
    classes = tiles * rows + row
    order = np.argsort(classes, kind="stable")
    numbers, start = np.unique(classes[order], return_index=True)
    start = np.append(start, len(classes))
    return _Join(first[order], second[order], start, numbers // rows, numbers % rows)


@cache
def _suits_joined(second_ranks: int, cap: int) -> _Join:
    """A number suit and another suit."""
    one, other = patterns(RANKS, cap), patterns(second_ranks, cap)
    first = np.repeat(np.arange(len(one.tiles)), len(other.tiles))
    second = np.tile(np.arange(len(other.tiles)), len(one.tiles))
    tiles = one.tiles[first] + other.tiles[second]
    first, second, tiles = (array[tiles <= MOST_TILES] for array in (first, second, tiles))
    row = shanten_tables().pairs[one.row[first], other.row[second]]
    return _joined(first, second, tiles, row.astype(np.intp), _N_PAIRS)


@cache
def _halves_joined(n_tiles: int, cap: int) -> _Join:
    """All four suits, by missing tiles: `row`."""
    one, other = _suits_joined(RANKS, cap), _suits_joined(KINDS - _SUITS[-1].start, cap)
    wanted = [np.flatnonzero(other.tiles == n_tiles - tiles) for tiles in range(n_tiles + 1)]
    first = np.flatnonzero(one.tiles <= n_tiles)
    partners = [wanted[tiles] for tiles in one.tiles[first]]
    second = np.concatenate(partners)
    first = np.repeat(first, list(map(len, partners)))
    missing = shanten_tables().missing[n_tiles // 3][one.row[first], other.row[second]]
    return _joined(first, second, np.zeros_like(first), missing.astype(np.intp), LACKING)


def _half(weights: Floats, ranks: range) -> Floats:
    """Products of the weights of some ranks, by their key."""
    products = np.ones(1)
    for rank in ranks:
        products = (weights[rank][:, None] * products).ravel()
    return products


class _Summed(NamedTuple):
    """Weights in the order of their classes, and their sums."""

    cumulative: Floats
    totals: Floats

    @classmethod
    def by_class(cls, weights: Floats, start: Ints) -> _Summed:
        return cls(np.cumsum(weights), np.add.reduceat(weights, start) if len(start) else weights)

    def draw(self, first: Ints, end: Ints, rng: np.random.Generator) -> Ints:
        """A member of each of some classes, by weight; they begin at `first`, and end at `end`."""
        below = np.where(first > 0, self.cumulative[first - 1], 0.0)
        points = below + rng.random(len(first)) * (self.cumulative[end - 1] - below)
        return np.clip(np.searchsorted(self.cumulative, points, side="right"), first, end - 1)


class WholeHands:
    """All hands of one opponent.

    Parameters
    ----------
    weights : (34, 5) array
        Factor for 0–4 copies of each kind; see `count_weights`.
    n_tiles : int
        Tiles in the hand, 1–14.
    suit_weights : (patterns,) array, optional
        Factor for each of the `patterns` of a number suit with the same cap.
    cap : int, default=`CAP`
        The most tiles of a suit; hands with more have no weight.

    Attributes
    ----------
    mass : (15,) array
        Sums of the weights by missing tiles.
    """

    def __init__(
        self, weights: Floats, n_tiles: int, suit_weights: Floats | None = None, cap: int = CAP
    ) -> None:
        self.weights, self.n_tiles, self.suit_weights = weights, n_tiles, suit_weights
        self.cap = cap
        sums, suits = [], []
        for suit in _SUITS:
            summed = self._suit(weights[suit], None if suit == _SUITS[-1] else suit_weights)
            sums.append(summed)
            suits.append(summed.totals)
        self._sums = sums
        self._halves = [
            self._join(_suits_joined(ranks, self.cap), *suits[i : i + 2])
            for ranks, i in ((RANKS, 0), (KINDS - _SUITS[-1].start, 2))
        ]
        join = _halves_joined(n_tiles, self.cap)
        products = self._halves[0].totals[join.first] * self._halves[1].totals[join.second]
        self._whole = _Summed.by_class(products, join.start[:-1])
        self.mass = np.zeros(LACKING)
        self.mass[join.row] = self._whole.totals

    def _suit(self, weights: Floats, pattern_weights: Floats | None) -> _Summed:
        suit = patterns(len(weights), self.cap)
        classes = int(np.searchsorted(suit.tiles, self.n_tiles, side="right"))
        end = suit.start[classes]
        products = _half(weights, range(suit.split))[suit.low[:end]]
        products *= _half(weights, range(suit.split, len(weights)))[suit.high[:end]]
        if pattern_weights is not None:
            products *= pattern_weights[:end]
        summed = _Summed.by_class(products, suit.start[:classes])
        return summed._replace(totals=np.append(summed.totals, np.zeros(len(suit.tiles) - classes)))

    def _join(self, join: _Join, first: Floats, second: Floats) -> _Summed:
        classes, pairs = join.most(self.n_tiles)
        products = first[join.first[:pairs]] * second[join.second[:pairs]]
        return _Summed.by_class(products, join.start[:classes])

    def draw(self, missing: Sequence[int] | Ints, rng: np.random.Generator) -> Int8s:
        """Independent hands with such numbers of missing tiles, (n, 34); each has some mass."""
        join = _halves_joined(self.n_tiles, self.cap)
        classes = np.searchsorted(join.row, np.asarray(missing, np.intp))
        both = self._whole.draw(join.start[classes], join.start[classes + 1], rng)
        hands = np.zeros((len(classes), KINDS), np.int8)
        for half, ranks, i in (
            (join.first[both], RANKS, 0),
            (join.second[both], KINDS - _SUITS[-1].start, 2),
        ):
            of_half = _suits_joined(ranks, self.cap)
            pair = self._halves[i // 2].draw(of_half.start[half], of_half.start[half + 1], rng)
            for suit, of_suit in ((i, of_half.first[pair]), (i + 1, of_half.second[pair])):
                table = patterns(_SUITS[suit].stop - _SUITS[suit].start, self.cap)
                ends = table.start[of_suit], table.start[of_suit + 1]
                hands[:, _SUITS[suit]] = table.copies[self._sums[suit].draw(*ends, rng)]
        return hands

    def log_weights(self, hands: npt.NDArray[np.integer]) -> Floats:
        """Logarithms of the weights of hands, (n,); −inf for one that is impossible."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)[np.arange(KINDS), hands].sum(axis=1)
            if self.suit_weights is not None:
                for suit in _SUITS[:-1]:
                    index = pattern_index(hands[:, suit], self.cap)
                    logs += np.where(index < 0, -np.inf, np.log(self.suit_weights)[index])
        return np.asarray(logs)


def pattern_index(copies: npt.NDArray[np.integer], cap: int = CAP) -> Ints:
    """The index in `patterns` of the tiles of a suit in each hand, (n,), from (n, ranks)."""
    ranks = copies.shape[1]
    keys = copies.astype(np.intp) @ 5 ** np.arange(ranks)
    return np.asarray(patterns(ranks, cap).by_key[keys], np.intp)


class SevenPairs:
    """All hands of six pairs and a single tile: those that wait for chiitoitsu.

    Parameters
    ----------
    weights : (34, 5) array
        As of `WholeHands`.

    Attributes
    ----------
    mass : float
        Sum of the weights.
    """

    PAIRS = 6

    def __init__(self, weights: Floats) -> None:
        self._pair, self._single, none = weights[:, 2], weights[:, 1], weights[:, 0]
        # By number of kinds so far, pairs and single tiles.
        sums = np.zeros((KINDS + 1, self.PAIRS + 1, 2))
        sums[0, 0, 0] = 1.0
        for kind in range(KINDS):
            before = sums[kind]
            sums[kind + 1] = none[kind] * before
            sums[kind + 1, 1:] += self._pair[kind] * before[:-1]
            sums[kind + 1, :, 1] += self._single[kind] * before[:, 0]
        self._none, self._sums = none, sums
        self.mass = float(sums[-1, -1, 1])

    def draw(self, n: int, rng: np.random.Generator) -> Int8s:
        """Independent hands, (n, 34)."""
        hands = np.zeros((n, KINDS), np.int8)
        pairs, singles = np.full(n, self.PAIRS), np.ones(n, np.intp)
        for kind in reversed(range(KINDS)):
            before = self._sums[kind]
            points = rng.random(n) * self._sums[kind + 1][pairs, singles]
            none = self._none[kind] * before[pairs, singles]
            two = np.where(pairs > 0, self._pair[kind] * before[pairs - 1, singles], 0.0)
            is_pair = (points >= none) & (points < none + two)
            is_single = (points >= none + two) & (singles > 0)
            hands[is_pair, kind], hands[is_single, kind] = 2, 1
            pairs, singles = pairs - is_pair, singles - is_single
        return hands


def six_pairs(hands: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Which hands wait for chiitoitsu, (n,)."""
    return np.asarray(((hands == 2).sum(axis=1) == SevenPairs.PAIRS) & (hands.sum(axis=1) == 13))
