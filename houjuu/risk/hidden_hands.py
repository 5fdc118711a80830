"""Whole hidden hands: deals of the unseen tiles, drawn from what one seat sees.

Each opponent has a pool of hands, drawn apart (`HandSource`). Tilts of their weights (minimum
relative entropy) make the pool agree with the other answers of the estimator, in this order:
P(tenpai) and P(wins on each kind) to 1e-9 wherever a hand can win so, then the expected copies,
exactly or as near as these allow (`Agreement`). A deal takes a hand of each pool: possible triples
have weights by the ways to deal them together, scaled to the pools (iterative proportional fitting,
Deming & Stephan 1940), and some of them are picked (importance resampling, Rubin 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from houjuu.game.tiles import KINDS, format_tiles, kind_name
from houjuu.hands.wait_decomposition import waits
from houjuu.hands.wait_types import HELD, HOLDS, WINS
from houjuu.hands.whole_hands import WAYS
from houjuu.risk.answers import DIGITS, HandsAnswer
from houjuu.risk.unseen import OPPONENTS, UnseenTiles
from houjuu.util.arrays import Bools, Floats, Int8s, Ints, read_only
from houjuu.util.errors import Error

SHANTENS = 8
DEALS = 512
"""Deals behind the answers about several hands."""
POOL = 256
"""Hands of an opponent, without those that are added for rare waits."""
_LARGER_POOLS = (1, 4, 16)  # where the first has no such weights
_CANDIDATES, _PER_DEAL, _TRIES, _SWEEPS = 4096, 8, 16, 12
_TIGHT, _SOFT = 1e-13, 1e-2  # P(wins) is off by its ridge times its slope, of up to some 1,000
_RIDGES = ((_TIGHT, 1e-3), (_TIGHT, 1e-6), (_TIGHT, _TIGHT))
"""Of P(wins), in its units, and of copies."""
_WINS_FIRST = ((_TIGHT, 1e3), (_TIGHT, 1.0), (_TIGHT, _SOFT), *_RIDGES)  # copies hardly count
_PLANS = (_RIDGES, ((_SOFT, _SOFT), (_TIGHT, _SOFT), *_RIDGES), _WINS_FIRST)
_AGREED = 1e-9
_NEWTON_STEPS, _LARGEST_STEP = 25, 20.0
_GAP, _ROUNDING = 1e-11, 1e-13
_TINY = 1e-300
_LOG_WAYS = np.log(np.maximum(WAYS, 1))
_NO_WAIT = "no hand of unseen tiles waits for it"
_NO_YAKU = "the hands that wait for it are furiten or have no yaku"

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
        P(the hand is like this one); they sum to 1, and those of each shanten to P(shanten).
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

    def joined(self, other: HandPool) -> HandPool:
        """These hands and others."""
        pairs: Iterator[tuple[Any, Any]] = zip(self, other, strict=True)
        return HandPool._make(map(np.concatenate, pairs))


class HandSource(Protocol):
    """The hands of one opponent given what the seat sees; see `houjuu.estimators.hand_model`.

    Attributes
    ----------
    n_tiles : int
        Concealed tiles between two turns.
    p_win : (34,) array
        P(wins on the kind); 0 where no hand can.
    """

    n_tiles: int
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


class Agreement(NamedTuple):
    """How far a pool agrees with the other answers about its opponent.

    Attributes
    ----------
    impossible : dict of int to str
        Kinds with a P(win) on which no hand wins, and why: no hand of unseen tiles waits for it, or
        all that were drawn are furiten or have no yaku.
    unheld : tuple of int
        Kinds that no hand holds, though the other answer expects some copies; such as an honour of
        which one copy is unseen, and which the opponent threw before its riichi.
    wins : float
        The greatest difference of P(wins) on the other kinds, below 1e-9 unless hands exclude it:
        every hand that wins on 9m wins on 6m, too, say, which the other answer has as less likely.
    copies : float
        The greatest difference of the expected copies of the other kinds, which have in proportion
        those of kinds that no hand holds.
    """

    impossible: dict[int, str]
    unheld: tuple[int, ...]
    wins: float
    copies: float


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
        The tiles that wait in the likeliest of these hands; "" if not tenpai, or for kokushi musou.
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

    def __repr__(self) -> str:
        """P(tenpai) by opponent, and where the hands come from."""
        tenpai = ", ".join(f"{100 * share:.1f}%" for share in self.shanten[:, 0])
        return f"HiddenHands(tenpai {tenpai}; {'fitted' if self.fitted else 'by counting'})"

    @cached_property
    def shanten(self) -> Floats:
        """P(shanten is 0–7), (3, 8), that of the pools: column 0 is `Estimator.tenpai`.

        Unless no hand, or every hand, of the unseen tiles is tenpai: then it is 0 or 1.
        """
        shares = [np.bincount(pool.shanten, pool.weights, SHANTENS) for pool in self.pools]
        return read_only(np.array(shares))

    @property
    def pools(self) -> tuple[HandPool, ...]:
        """Hands of each opponent: right, across, left.

        Their weights are the nearest to those of the model, in relative entropy, that agree with
        the other answers: see `agreement`.
        """
        return self._agreed[0]

    @property
    def agreement(self) -> tuple[Agreement, ...]:
        """How far the pools agree with the other answers."""
        return self._agreed[1]

    @cached_property
    def _agreed(self) -> tuple[tuple[HandPool, ...], tuple[Agreement, ...]]:
        rng = np.random.default_rng(0)
        pools, agreements = zip(*(self._tilted(i, rng) for i in range(OPPONENTS)), strict=True)
        return pools, agreements

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
            rows = rows[systematic(_joint_weights(self.pools, rows, copies), n, rng)]
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
        for array in (hands, wall, weights := np.full(n, 1 / n), shanten, waits, wins):
            array.flags.writeable = False
        return Deals(hands, wall, weights, shanten, waits, wins, self._ids)

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
            kinds = () if shanten else tuple(np.flatnonzero(pool.waits[row]).tolist())
            keys.setdefault((shanten, kinds), []).append(row)
        shapes = []
        for (shanten, kinds), rows in keys.items():
            best = max(rows, key=lambda row: float(pool.weights[row]))
            hand = pool.hands[best]
            blocks = " ".join(waiting_tiles(hand, kinds))
            shapes.append(Shape(float(pool.weights[rows].sum()), shanten, kinds, blocks, hand))
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
        ends = np.cumsum([source.n_tiles for source in self._sources])
        of_3 = np.split(np.eye(KINDS, dtype=np.int8)[order], ends, axis=1)
        return [
            source.judged(hands.sum(axis=1, dtype=np.int8))
            for source, hands in zip(self._sources, of_3, strict=False)
        ]

    def _tilted(self, i: int, rng: np.random.Generator) -> tuple[HandPool, Agreement]:
        """The pool of an opponent, larger where the targets lie outside a small one."""
        source, unseen = self._sources[i], self._unseen
        expected = unseen.expected[i] * (source.n_tiles / unseen.sizes[i])
        for times in _LARGER_POOLS:
            pool, agreement = agreeing(source, expected, source.pool(times * POOL, rng))
            exact = agreement.copies < _AGREED
            if agreement.wins < _AGREED and (exact or times > 1):
                break
        return pool, agreement


def agreeing(source: HandSource, expected: Floats, pool: HandPool) -> tuple[HandPool, Agreement]:
    """The pool with the weights nearest to its own that agree with the other answers.

    The strata keep P(shanten), that of the pool. Tilts give P(wins), further ones the expected
    copies, (34,): these are loose at first, and become tight as long as P(wins) can follow.
    """
    pool = pool.take(np.argsort(pool.shanten, kind="stable"))
    shares: Floats = np.bincount(pool.shanten, pool.weights).astype(np.float64)
    kinds, held = np.flatnonzero(pool.wins.any(axis=0)), np.flatnonzero(pool.hands.any(axis=0))
    goals = np.append(source.p_win[kinds], expected[held] * source.n_tiles / expected[held].sum())
    columns = np.hstack([pool.wins[:, kinds], pool.hands[:, held]]).astype(np.float64)
    centred = columns - goals  # of which the last follows from the other copies
    tilts, slopes, of_wins = pool.weights, np.zeros(len(goals) - 1), _SOFT
    for plan in _PLANS:
        for tried, of_copies in plan if of_wins == _SOFT else ():
            ridges = np.append(tried * goals[: len(kinds)], np.full(len(held) - 1, of_copies))
            found = tilted(pool.weights, (pool.shanten, shares), centred[:, :-1], slopes, ridges)
            if found is None:
                break
            of_wins, (tilts, slopes) = tried, found
    pool, gaps = pool._replace(weights=read_only(tilts)), np.abs(tilts @ centred)
    wins, waits = pool.wins.any(axis=0), np.asarray(pool.waits.any(axis=0))
    return pool, Agreement(
        impossible={
            kind: _NO_YAKU if waits[kind] else _NO_WAIT
            for kind in np.flatnonzero((source.p_win > 0) & ~wins).tolist()
        },
        unheld=tuple(np.flatnonzero((expected > 0) & ~pool.hands.any(axis=0)).tolist()),
        wins=float(gaps[: len(kinds)].max(initial=0.0)),
        copies=float(gaps[len(kinds) :].max()),
    )


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


def _joint_weights(pools: Sequence[HandPool], rows: Ints, copies: Ints) -> Floats:
    """Of triples, (n,): by the ways to deal them together, by those to deal each hand alone.

    Each pool keeps its weights, as far as triples are there.
    """
    logs = np.zeros(len(rows))
    left = np.tile(copies, (len(rows), 1))
    for pool, row in zip(pools, rows.T, strict=True):
        logs -= _LOG_WAYS[copies, pool.hands].sum(axis=1)[row]
        hands = pool.hands[row]
        logs += _LOG_WAYS[left, hands].sum(axis=1)
        left -= hands
    weights = np.exp(logs - logs.max())
    for _ in range(_SWEEPS):
        for pool, row in zip(pools, rows.T, strict=True):
            dealt = np.bincount(row, weights, len(pool.weights))
            weights = weights * (pool.weights / np.maximum(dealt, _TINY))[row]
    return np.asarray(weights)


def _draw_tile(hands: Int8s, wall: Int8s, rng: np.random.Generator) -> None:
    """Move a random tile of each wall to the hand, in place."""
    cumulative = np.cumsum(wall, axis=1)
    points = rng.random((len(wall), 1)) * cumulative[:, -1:]
    kinds = (points >= cumulative).sum(axis=1)
    rows = np.arange(len(wall))
    hands[rows, kinds] += 1
    wall[rows, kinds] -= 1


def tilted(
    start: Floats,
    strata: tuple[Ints, Floats],
    centred: Floats,
    slopes: Floats,
    ridges: Floats,
) -> tuple[Floats, Floats] | None:
    """The weights nearest to `start` in relative entropy with which the means of columns are 0.

    Newton's method on the dual, Σ share · log Σ start · exp(λ · column); each step is halved until
    the dual does not rise. None if there are no such weights.

    Parameters
    ----------
    start : (n,) array
        Positive weights, of which only the ratios within a stratum count.
    strata : tuple of arrays
        The stratum of each row, (n,), in ascending order, and what the weights of each stratum sum
        to, (strata,).
    centred : (n, k) array
        Columns, less the means that they shall have.
    slopes : (k,) array
        A first λ.
    ridges : (k,) array
        How far the means may be from 0, in units of λ.

    Returns
    -------
    tuple of arrays
        The weights, (n,), and λ, (k,).

    >>> columns = np.array([[0.0], [0], [1], [1]])
    >>> one = np.zeros(4, np.intp), np.ones(1)
    >>> weights, _ = tilted(np.ones(4), one, columns - 0.2, np.zeros(1), np.full(1, 1e-13))
    >>> weights.round(3).tolist()
    [0.4, 0.4, 0.1, 0.1]
    """
    keys, shares = strata
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    group = np.repeat(np.arange(len(first)), np.diff(first, append=len(keys)))
    shares = shares[keys[first]]

    def dual(slopes: Floats) -> tuple[float, Floats]:
        utility = logs + centred @ slopes
        top = np.maximum.reduceat(utility, first)
        weights = np.exp(utility - top[group])
        totals = np.add.reduceat(weights, first)
        value = shares @ (top + np.log(totals)) + ridges @ slopes**2 / 2
        return float(value), weights * (shares / totals)[group]

    logs = np.log(start)
    value, weights = dual(slopes)
    for _ in range(_NEWTON_STEPS):
        weighted = weights[:, None] * centred
        means = np.add.reduceat(weighted, first)
        slope = means.sum(axis=0) + ridges * slopes
        if np.abs(slope).max(initial=0.0) < _GAP:
            return weights, slopes
        curvature = centred.T @ weighted - means.T @ (means / shares[:, None])
        diagonal = np.diag_indices_from(curvature)
        curvature[diagonal] += ridges + _ROUNDING * curvature[diagonal].max()  # never singular
        step = -np.linalg.solve(curvature, slope)
        step *= min(1.0, _LARGEST_STEP / np.abs(step).max())
        after, moved = dual(slopes + step)
        while after > value + _ROUNDING and np.abs(step).max() > _GAP:
            step /= 2
            after, moved = dual(slopes + step)
        slopes, value, weights = slopes + step, after, moved
    return None


def waiting_tiles(hand: Int8s, kinds: Sequence[int]) -> list[str]:
    """The tiles of a tenpai hand that wait for some kinds: "7s" and "8s", or both of a pair.

    None for kokushi musou.
    """
    held = np.zeros(KINDS, np.int8)
    left = {*kinds}
    for wait in sorted(waits(hand.tolist())):  # ryanmen come first
        if left.intersection(WINS[wait].tolist()):
            held = np.maximum(held, np.bincount(HOLDS[wait, : HELD[wait]], minlength=KINDS))
            left.difference_update(WINS[wait].tolist())
    return [*map(kind_name, np.repeat(np.arange(KINDS), held).tolist())]
