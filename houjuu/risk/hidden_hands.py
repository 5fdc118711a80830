"""Whole hidden hands: deals of the unseen tiles, drawn from what one seat sees.

Each opponent has a pool of hands, drawn apart (`HandSource`). Tilts of their weights (minimum
relative entropy) make P(shanten), P(wins on each kind) and the expected copies those of the other
answers of the estimator. A deal takes a hand of each pool: of many possible triples, some are
picked by the ways to deal them together (sampling, importance resampling; Rubin 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import COPIES, KINDS, format_tiles, kind_name
from houjuu.risk.answers import DIGITS, HandsAnswer
from houjuu.risk.unseen import OPPONENTS, UnseenTiles, balanced
from houjuu.util.arrays import Bools, Floats, Int8s, Ints, read_only
from houjuu.util.errors import Error

SHANTENS = 8
DEALS = 512
"""Deals behind the answers about several hands."""
POOL = 256
"""Hands of an opponent, without those that are added for rare waits."""
_CANDIDATES, _PER_DEAL, _TRIES = 4096, 8, 16
_RIDGES = (1e-13, 1e-9, 1e-7, 1e-5, 1e-4)
_JOINT_RIDGE, _LIKELY = 1e-4, 0.02
_NEWTON_STEPS = 80
_STEEPEST = 1e3
_LEAST_SHARE = 1e-3
_GAP = 1e-11
_FALL = 1e-4
_TINY = 1e-300
_FACTORIALS = np.array([1.0, 1.0, 2.0, 6.0, 24.0])
_N, _K = np.ogrid[: COPIES + 1, : COPIES + 1]
_LOG_WAYS = np.log(_FACTORIALS[_N] / _FACTORIALS[np.maximum(_N - _K, 0)] / _FACTORIALS[_K])
"""Of k of n copies, k at most n."""


TileNames = Callable[[Sequence[int]], list[str]]
"""Maps ids to their names."""


def format_names(tiles: Sequence[int]) -> list[str]:
    """The names of tiles in the notation of `houjuu.game.notation`."""
    return [format_tiles([tile]) for tile in tiles]


class HandPool(NamedTuple):
    """Hands of one opponent.

    Attributes
    ----------
    hands : (m, 34) array
    weights : (m,) array
        P(the hand is like this one); they sum to 1.
    shanten : (m,) array
    waits, wins : (m, 34) array of bool
        Kinds that complete the hand; those on which it wins by ron.
    """

    hands: Int8s
    weights: Floats
    shanten: Ints
    waits: Bools
    wins: Bools

    def take(self, rows: Ints) -> HandPool:
        """Some of the hands."""
        return HandPool._make(array[rows] for array in self)


class HandSource(Protocol):
    """The hands of one opponent given what the seat sees; see `houjuu.estimators.hand_model`.

    Attributes
    ----------
    n_tiles : int
        Concealed tiles between two turns.
    shanten : (8,) array
        P(shanten is 0–7).
    p_win : (34,) array
        P(wins on the kind); 0 where no hand can.
    """

    n_tiles: int
    shanten: Floats
    p_win: Floats

    def pool(self, n: int, rng: np.random.Generator) -> HandPool:
        """About n hands."""
        ...

    def log_likelihood(self, hands: Int8s) -> Floats:
        """Logarithm of P(hand), nats, (n,)."""
        ...

    def judged(self, hands: Int8s) -> HandPool:
        """Hands, (n, 34), with their shanten and waits; all weights are equal."""
        ...


class Shape(NamedTuple):
    """Hands that are alike.

    Attributes
    ----------
    share : float
        P(the hand is such a hand), 0–1.
    shanten : int
    waits : tuple of int
        The kinds that complete it, of a tenpai hand.
    blocks : str
        The tiles near its first wait in the likeliest of these hands; "" if not tenpai.
    example : (34,) array
        The likeliest of the drawn hands.
    """

    share: float
    shanten: int
    waits: tuple[int, ...]
    blocks: str
    example: Int8s


@dataclass(frozen=True, eq=False, repr=False)
class Deals:
    """Deals of the unseen tiles; all arrays are read-only.

    Attributes
    ----------
    hands : (n, 3, 34) array
        Copies in the concealed hands to the right, across and to the left.
    wall : (n, 34) array
        Copies in the wall, the dead wall included.
    weights : (n,) array
        Equal; they sum to 1.
    shanten : (n, 3) array
        Of a seat that is about to discard before its draw.
    waits, wins : (n, 3, 34) array of bool
        Kinds that complete a hand; those on which it wins by ron now.
    ids : tuple of tuples of int
        Ids of the unseen tiles of each kind.
    """

    hands: Int8s
    wall: Int8s
    weights: Floats
    shanten: Ints
    waits: Bools
    wins: Bools
    ids: tuple[tuple[int, ...], ...] = field(default=())

    def __repr__(self) -> str:
        """Number of deals."""
        return f"Deals({len(self)})"

    def __len__(self) -> int:
        """Number of deals."""
        return len(self.weights)

    def tiles(self, seed: int = 0) -> list[tuple[tuple[int, ...], ...]]:
        """Ids of each deal: three hands, the wall in random order; red fives fall evenly."""
        rng = np.random.default_rng(seed)
        deals = []
        for in_hands, in_wall in zip(self.hands.tolist(), self.wall.tolist(), strict=True):
            places: list[list[int]] = [[], [], [], []]
            for kind, ids in enumerate(self.ids):
                shuffled = iter(rng.permutation(ids).tolist())
                for place, copies in zip(places, (*in_hands, in_wall), strict=True):
                    place += [next(shuffled) for _ in range(copies[kind])]
            *hands, wall = places
            walls = tuple(rng.permutation(wall).tolist())
            deals.append((*map(tuple, map(sorted, hands)), walls))
        return deals


class HiddenHands:
    """The hidden hands of the three opponents and the wall.

    Parameters
    ----------
    sources : sequence of 3 HandSource
    unseen : UnseenTiles
    ids : tuple of tuples of int
        Ids of the unseen tiles of each kind.
    fitted : bool
        Whether a fitted model draws the hands; else they are counted, which `repr` mentions.

    Attributes
    ----------
    shanten : (3, 8) array
        P(shanten is 0–7); column 0 is `Estimator.tenpai` wherever such a hand is possible.
    """

    def __init__(
        self,
        sources: Sequence[HandSource],
        unseen: UnseenTiles,
        ids: tuple[tuple[int, ...], ...],
        *,
        fitted: bool,
    ) -> None:
        self._sources, self._unseen, self._ids, self.fitted = sources, unseen, ids, fitted
        self.shanten = read_only(np.array([source.shanten for source in sources]))

    def __repr__(self) -> str:
        """P(tenpai) by opponent, and where the hands come from."""
        tenpai = ", ".join(f"{100 * share:.1f}%" for share in self.shanten[:, 0])
        return f"HiddenHands(tenpai {tenpai}; {'fitted' if self.fitted else 'by counting'})"

    @cached_property
    def pools(self) -> tuple[HandPool, HandPool, HandPool]:
        """Hands of each opponent: right, across, left.

        Their weights are the nearest to those of the model, in relative entropy, that give
        P(shanten), P(wins on each kind) and the expected copies of the other answers.
        """
        rng = np.random.default_rng(0)
        right, across, left = (
            self._tilted(i, source.pool(POOL, rng)) for i, source in enumerate(self._sources)
        )
        return right, across, left

    def sample(self, n: int, seed: int = 0) -> Deals:
        """Draw equally likely deals from the pools; the same seed gives the same deals.

        Parameters
        ----------
        n : int
        seed : int, default=0
        """
        if n < 1 or seed < 0:
            raise Error(f"{n} deals of seed {seed}: the number is from 1 on, the seed from 0 on")
        rng = np.random.default_rng(seed)
        copies = self._unseen.copies
        rows = _possible_deals(self.pools, copies, n, rng)
        if len(rows):
            rows = rows[systematic(self._joint_weights(rows), n, rng)]
            dealt = [pool.take(row) for pool, row in zip(self.pools, rows.T, strict=True)]
        else:
            dealt = self._shuffled(n, rng)
        hands, _, shanten, waits, wins = (
            np.stack(of_3, axis=1) for of_3 in zip(*dealt, strict=True)
        )
        wall = (copies - hands.sum(axis=1)).astype(np.int8)
        for i, source in enumerate(self._sources):
            if self._unseen.sizes[i] > source.n_tiles:  # it is about to discard
                _draw_tile(hands[:, i], wall, rng)
        return Deals(
            hands=read_only(hands),
            wall=read_only(wall),
            weights=read_only(np.full(n, 1 / n)),
            shanten=read_only(shanten),
            waits=read_only(waits),
            wins=read_only(wins),
            ids=self._ids,
        )

    def _joint_weights(self, rows: Ints) -> Floats:
        """By the ways to deal three hands together, with tilts that keep the pools' means."""
        pools, copies = self.pools, self._unseen.copies
        logs = _log_joint(pools, rows, copies)
        start = np.exp(logs - logs.max())
        start /= start.sum()
        held = np.flatnonzero(copies)[1:]
        columns, targets = [], []
        for pool, row in zip(pools, rows.T, strict=True):
            likely = np.flatnonzero(pool.weights @ pool.wins > _LIKELY)
            parts = (pool.hands[:, held], pool.shanten[:, None] == 0, pool.wins[:, likely])
            features = np.hstack(parts).astype(np.float64)
            columns.append(features[row])
            targets.append(pool.weights @ features)
        weights = tilted(start, np.hstack(columns), np.concatenate(targets), _JOINT_RIDGE)
        return start if weights is None else weights

    @cached_property
    def deals(self) -> Deals:
        """The deals behind the answers about several hands: `sample(512)`."""
        return self.sample(DEALS)

    def expect(self, function: Callable[[Int8s], npt.ArrayLike]) -> Floats:
        """The mean of a function of hands over `deals`; it maps (n, 3, 34) to (n, …)."""
        values = np.asarray(function(self.deals.hands), np.float64)
        return np.asarray(np.tensordot(self.deals.weights, values, 1))

    def probability(self, predicate: Callable[[Int8s], npt.ArrayLike]) -> tuple[float, float]:
        """P(the hands are such hands), and its standard error by the number of deals."""
        weights = self.deals.weights
        holds = np.asarray(predicate(self.deals.hands), np.float64)
        share = float(weights @ holds)
        return share, float(np.sqrt(weights**2 @ (holds - share) ** 2))

    def log_likelihood(self, hands: Int8s) -> Floats:
        """Logarithm of P(hand) of each opponent, nats, (…, 3), from copies, (…, 3, 34).

        Each hand is judged apart, before the tilts of waits and copies; that of a seat that is
        about to discard without the tile that it drew.
        """
        by_opponent = [
            source.log_likelihood(np.reshape(hands[..., i, :], (-1, KINDS)))
            for i, source in enumerate(self._sources)
        ]
        return np.asarray(np.stack(by_opponent, axis=-1).reshape(hands.shape[:-1]))

    def likely(self, opponent: int, k: int = 3) -> list[Shape]:
        """The most likely shapes of a hand: tenpai hands by their wait, others by their shanten.

        Parameters
        ----------
        opponent : int
            0–2: right, across, left.
        k : int, default=3
            The most shapes.
        """
        pool = self.pools[opponent]
        keys: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for row, shanten in enumerate(pool.shanten.tolist()):
            waits = () if shanten else tuple(np.flatnonzero(pool.waits[row]).tolist())
            keys.setdefault((shanten, waits), []).append(row)
        shapes = []
        for (shanten, waits), rows in keys.items():
            best = max(rows, key=lambda row: float(pool.weights[row]))
            hand = pool.hands[best]
            blocks = waiting_tiles(hand, waits) if waits else ""
            shapes.append(Shape(float(pool.weights[rows].sum()), shanten, waits, blocks, hand))
        return sorted(shapes, key=lambda shape: -shape.share)[:k]

    def to_dict(self, n: int, seed: int = 0, name: TileNames = format_names) -> HandsAnswer:
        """The answer for `json.dumps`, with n deals; `name` maps ids to their names."""
        return {
            "fitted": self.fitted,
            "shanten": np.round(self.shanten, DIGITS).tolist(),
            "shapes": [
                [
                    {
                        "share": round(shape.share, DIGITS),
                        "shanten": shape.shanten,
                        "waits": list(map(kind_name, shape.waits)),
                        "blocks": shape.blocks,
                    }
                    for shape in self.likely(opponent)
                ]
                for opponent in range(OPPONENTS)
            ],
            "deals": [
                {"hands": [name(hand) for hand in hands], "wall": name(wall)}
                for *hands, wall in self.sample(n, seed).tiles(seed)
            ],
        }

    def _shuffled(self, n: int, rng: np.random.Generator) -> list[HandPool]:
        """Deals by counting, for pools that exclude each other."""
        tiles = np.repeat(np.arange(KINDS), self._unseen.copies)
        order = tiles[np.argsort(rng.random((n, len(tiles))), axis=1)]
        dealt, start = [], 0
        for source in self._sources:
            hands = np.zeros((n, KINDS), np.int8)
            for tile in order[:, start : start + source.n_tiles].T:
                hands[np.arange(n), tile] += 1
            dealt.append(source.judged(hands))
            start += source.n_tiles
        return dealt

    def _tilted(self, i: int, pool: HandPool) -> HandPool:
        """The pool with the weights nearest to its own that have the other answers' means."""
        source, unseen = self._sources[i], self._unseen
        possible = np.flatnonzero(np.bincount(pool.shanten, pool.weights, SHANTENS))
        shares = source.shanten[possible].copy()
        further = possible > 0
        shares[further] *= (1 - shares[~further].sum()) / max(shares[further].sum(), _TINY)
        kinds = np.flatnonzero(pool.wins.any(axis=0))
        columns = [pool.shanten[:, None] == possible[:-1], pool.wins[:, kinds]]
        targets = [shares[:-1], source.p_win[kinds]]
        if source.n_tiles > 1:  # a single tile is its own wait
            held = np.flatnonzero(unseen.copies)[1:]
            exact = balanced(unseen.chances, unseen.copies, unseen.sizes) * unseen.copies
            columns.append(pool.hands[:, held])
            targets.append(exact[i, held] * (source.n_tiles / unseen.sizes[i]))
        matrix, means = np.hstack(columns).astype(np.float64), np.concatenate(targets)
        for ridge in _RIDGES:
            weights = tilted(pool.weights, matrix, means, ridge)
            if weights is not None:
                return pool._replace(weights=read_only(weights))
        return pool


def _possible_deals(
    pools: Sequence[HandPool], copies: Ints, n: int, rng: np.random.Generator
) -> Ints:
    """Indices of a hand of each pool, (m, 3), that leave no kind with too few copies."""
    found = np.zeros((0, OPPONENTS), np.intp)
    for _ in range(_TRIES):
        size = max(_CANDIDATES, _PER_DEAL * n)
        picks = np.stack([systematic(pool.weights, size, rng) for pool in pools], axis=1)
        held = sum(pool.hands[pick] for pool, pick in zip(pools, picks.T, strict=True))
        found = np.concatenate([found, picks[(held <= copies).all(axis=1)]])
        if len(found) >= _PER_DEAL * n:
            break
    return found


def systematic(chance: Floats, n: int, rng: np.random.Generator) -> Ints:
    """N indices, each within one of its share of them, in random order."""
    points = (np.arange(n) + rng.random()) / n
    rows = np.searchsorted(np.cumsum(chance), points * chance.sum())
    return rng.permutation(np.minimum(rows, len(chance) - 1))


def _log_joint(pools: Sequence[HandPool], rows: Ints, copies: Ints) -> Floats:
    """Logarithm of the ways to deal the hands together, by those to deal each alone, (n,)."""
    logs = np.zeros(len(rows))
    left = np.tile(copies, (len(rows), 1))
    for pool, row in zip(pools, rows.T, strict=True):
        alone = _LOG_WAYS[copies, pool.hands].sum(axis=1)
        hands = pool.hands[row]
        logs += _LOG_WAYS[left, hands].sum(axis=1) - alone[row]
        left -= hands
    return logs


def _draw_tile(hands: Int8s, wall: Int8s, rng: np.random.Generator) -> None:
    """Move a random tile of each wall to the hand, in place."""
    cumulative = np.cumsum(wall, axis=1)
    points = rng.random((len(wall), 1)) * cumulative[:, -1:]
    kinds = (points >= cumulative).sum(axis=1)
    rows = np.arange(len(wall))
    hands[rows, kinds] += 1
    wall[rows, kinds] -= 1


def tilted(
    start: Floats, columns: Floats, targets: Floats, ridge: float = _RIDGES[0]
) -> Floats | None:
    """The weights nearest to `start` in relative entropy with which the columns have some means.

    Newton's method on the dual, log Σ start · exp(λ · (column − target)); each step is halved until
    the dual falls. None if it finds no such weights.

    Parameters
    ----------
    start : (n,) array
    columns : (n, k) array
    targets : (k,) array
    ridge : float
        How far the means may be from the targets, in units of λ, which is at most 1,000.

    >>> columns = np.array([[0.0], [0], [1], [1]])
    >>> tilted(np.full(4, 0.25), columns, np.array([0.2])).round(3).tolist()
    [0.4, 0.4, 0.1, 0.1]
    """
    rows = start > 0
    centred = columns[rows] - targets
    logs = np.log(start[rows])
    slopes = np.zeros(len(targets))
    dual, weights = _dual(logs, centred, slopes, ridge)
    for _ in range(_NEWTON_STEPS):
        mean = weights @ centred
        slope = mean + ridge * slopes
        if np.abs(slope).max(initial=0.0) < _GAP:
            if np.abs(slopes).max(initial=0.0) > _STEEPEST:
                return None  # the ridge alone holds the slopes
            result = np.zeros(len(start))
            result[rows] = weights
            return result
        curvature = centred.T @ (weights[:, None] * centred) - np.outer(mean, mean)
        curvature[np.diag_indices_from(curvature)] += ridge
        step = -np.linalg.solve(curvature, slope)
        share, after, moved = 1.0, *_dual(logs, centred, slopes + step, ridge)
        while after > dual + _FALL * share * float(slope @ step) and share > _LEAST_SHARE:
            share /= 2
            after, moved = _dual(logs, centred, slopes + share * step, ridge)
        slopes, dual, weights = slopes + share * step, after, moved
    return None


def _dual(logs: Floats, centred: Floats, slopes: Floats, ridge: float) -> tuple[float, Floats]:
    utility = logs + centred @ slopes
    top = utility.max()
    weights = np.exp(utility - top)
    total = weights.sum()
    return float(top + np.log(total) + ridge * slopes @ slopes / 2), weights / total


def waiting_tiles(hand: Int8s, waits: Sequence[int]) -> str:
    """The tiles of a tenpai hand within two ranks of its first wait, such as "7s 8s"."""
    near = [
        kind
        for kind in np.flatnonzero(hand).tolist()
        if kind // 9 == waits[0] // 9
        and (kind == waits[0] or (kind < 27 and abs(kind - waits[0]) <= 2))
    ]
    return " ".join(kind_name(kind) for kind in near)
