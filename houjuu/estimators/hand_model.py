"""Whole hands of one opponent: energies, strata by shanten, and draws.

P(hand) = P(shanten) · P(hand | shanten). The second factor is log-linear: by copies of each kind
(the answer about unseen tiles, sets and yakuhai), by windows of three neighbouring ranks, and by
the river (`houjuu.reading.hand_features`). All but the river is summed exactly over all hands
(`houjuu.hands.whole_hands`). Hands that are drawn so have weights by the river.

P(tenpai) is the estimator's. P(shanten) of the other hands is a small logit of its own. Chiitoitsu
tenpai has a fitted share of tenpai; other shapes of chiitoitsu and kokushi musou are drawn as the
sets and pairs that they contain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from houjuu.estimators.protocol import Estimator
from houjuu.game.tiles import COPIES, EAST, KINDS, RANKS
from houjuu.game.view import View
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.score import has_yaku
from houjuu.hands.shanten import CLOSED, KIND_KEYS, SETS_AND_PAIR, Goal, Goals, Target, shantens
from houjuu.hands.whole_hands import (
    LACKING,
    MOST_TILES,
    SevenPairs,
    WholeHands,
    cap_for,
    count_weights,
    patterns,
    six_pairs,
)
from houjuu.reading import hand_features
from houjuu.reading.hand_features import (
    HAND_TYPES,
    NAMES,
    RIICHI,
    HandReading,
    Useful,
    useful,
)
from houjuu.reading.opponent import OpponentContext
from houjuu.risk.hidden_hands import SHANTENS, HandPool
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.errors import Error
from houjuu.util.features import columns_of
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters, other_features, require_range, require_weights

PART = "hidden_hands"
"""Name of the part in a parameter file."""
MODEL = "hidden-hands"
"""Name of the file of the part alone."""

_RANK_CLASSES = 5
_CELLS = 27
"""Windows of three ranks: none, one, or more copies of each."""
_WINDOWS = (RANKS - 2 + 1) // 2
N_KIND, N_WINDOW = 1 + 3 * _RANK_CLASSES + 6, _WINDOWS * _CELLS
SHAPE_FEATURES = N_KIND + N_WINDOW
SHANTEN_FEATURES = 7
_COUNTS = np.arange(COPIES + 1)
_TINY, _LEAST = 1e-6, 1e-300
_SETS: Goals = (Goal(form=SETS_AND_PAIR),)
_LEAST_TENPAI = 0.25  # of the hands that are drawn
_LEAST_HANDS = 4
_IN_RIICHI = 2  # times as many hands: all of them have a wait
_OF_WINNERS, _WINNERS, _COMPLETE_HANDS, _CANDIDATES, _OF_RARE = 25, 10, 100, 4, 40

_RANK_CLASS = np.minimum(np.arange(EAST) % RANKS, RANKS - 1 - np.arange(EAST) % RANKS)
_NUMBER_STEPS = np.stack([_COUNTS, _COUNTS >= 3, _COUNTS == COPIES], axis=1)
_HONOUR_STEPS = np.stack([_COUNTS, _COUNTS >= 2, _COUNTS >= 3], axis=1)
_STEPS = np.repeat(np.stack([_NUMBER_STEPS, _HONOUR_STEPS]), (EAST, KINDS - EAST), axis=0)
"""By copies, (34, 5, 3): the copies; of numbers a triplet and four, of honours two and three."""
_COLUMNS_TO_NEXT = np.repeat([_RANK_CLASSES, 1], (EAST, KINDS - EAST))


class HandQuery(NamedTuple):
    """The estimator's other answers about an opponent, beside the reading of its river.

    Attributes
    ----------
    reading : HandReading
    chances : (34,) array
        P(an unseen copy of the kind is in the hand).
    tenpai : float
        P(tenpai).
    p_win : (34,) array
        P(wins on the kind).
    score : ScoringContext
        Of a ron.
    """

    reading: HandReading
    chances: Floats
    tenpai: float
    p_win: Floats
    score: ScoringContext

    @classmethod
    def of(
        cls, answers: Estimator, view: View, contexts: Sequence[OpponentContext]
    ) -> list[HandQuery]:
        """What a model answers about the opponents of a view, whose contexts these are."""
        unseen, risk = answers.unseen(view), answers.deal_in(view)
        return [
            cls(
                reading=HandReading.from_context(context),
                chances=chances,
                tenpai=float(tenpai),
                p_win=p_win,
                score=ScoringContext.from_view(view, context.seat.seat),
            )
            for context, chances, tenpai, p_win in zip(
                contexts, unseen.chances[:-1], risk.tenpai, risk.by_opponent, strict=True
            )
        ]

    @property
    def copy_logits(self) -> Floats:
        """Logits of a copy in the hand, (34,)."""
        chances = np.clip(self.chances, _TINY, 1 - _TINY)
        return np.asarray(np.log(chances) - np.log1p(-chances))

    @property
    def wait_shares(self) -> Floats:
        """P(wins on the kind | tenpai), (34,)."""
        return self.p_win / max(self.tenpai, 1e-4)

    def shanten_features(self) -> Floats:
        """Of P(shanten) without tenpai, (7,)."""
        tenpai = min(max(self.tenpai, 1e-4), 1 - 1e-4)
        logit = (np.log(tenpai) - np.log1p(-tenpai)) / 4
        discards, left = self.reading.numbers
        turn, left = discards / 10, left / 70
        return np.array([1.0, logit, logit**2, turn, turn**2, left, logit * left])


@cache
def window_cells(cap: int) -> Ints:
    """The window features of each pattern of a number suit, (patterns, 7)."""
    two = np.minimum(patterns(RANKS, cap).copies, 2).astype(np.intp)
    cells = []
    for first in range(RANKS - 2):
        low, middle, high = two[:, first : first + 3].T
        mirrored = first >= _WINDOWS
        if mirrored:
            low, high = high, low
        window = RANKS - 3 - first if mirrored else first
        cells.append(window * _CELLS + 9 * low + 3 * middle + high)
    return np.stack(cells, axis=1)


def kind_terms(query: HandQuery) -> Floats:
    """The features of 0–4 copies of each kind in the hand, (34, 5, N_KIND)."""
    terms = np.zeros((KINDS, COPIES + 1, N_KIND))
    terms[:, :, 0] = query.copy_logits[:, None] * _COUNTS
    columns = np.append(1 + _RANK_CLASS, 16 + 3 * ~query.reading.yakuhai[EAST:])
    for steps in np.moveaxis(_STEPS, 2, 0):
        terms[np.arange(KINDS), :, columns] = steps
        columns = columns + _COLUMNS_TO_NEXT
    return terms


@dataclass(frozen=True, eq=False)
class HandModel:
    """The fitted model.

    Parameters
    ----------
    shapes : (7, 130) array
        By type of opponent: weights of `kind_terms`, then of `window_cells`.
    river : (7, n) array
        Weights of features of `houjuu.reading.hand_features.NAMES`.
    shanten : (7, 6, 7) array
        Weights of `HandQuery.shanten_features` for shanten 1–6.
    seven_pairs : (7,) array
        P(chiitoitsu | tenpai) of the type.
    names : (n,) array of str
        The names of the features of the river.

    Raises
    ------
    ParameterError
        A feature is unknown, a shape is wrong, or a number is out of range.
    """

    shapes: Floats
    river: Floats
    shanten: Floats
    seven_pairs: Floats
    names: npt.NDArray[np.str_]

    def __post_init__(self) -> None:
        types = len(HAND_TYPES)
        for name, shape in (
            ("shapes", (types, SHAPE_FEATURES)),
            ("river", (types, len(self.names))),
            ("shanten", (types, SHANTENS - 2, SHANTEN_FEATURES)),
            ("seven_pairs", (types,)),
        ):
            array = getattr(self, name)
            if array.shape != shape:
                raise other_features(
                    f"the {name} of hidden hands have shape {array.shape}, not {shape}"
                )
            require_weights(f"the {name} of hidden hands", array)
        require_range("the shares of chiitoitsu", self.seven_pairs, 0.0, 0.5)
        columns_of(self.names.tolist(), NAMES, "the model of hidden hands")

    @classmethod
    def from_parameters(cls, parameters: Parameters) -> Self | None:
        """The part of a parameter file; None of a file without it."""
        return cls(**parameters.part(PART)) if parameters.has(PART) else None

    @classmethod
    def unfitted(cls) -> Self:
        """No weights but the chances of each copy: tiles lie independently within P(tenpai)."""
        types = len(HAND_TYPES)
        shanten = np.zeros((types, SHANTENS - 2, SHANTEN_FEATURES))
        shapes, river = np.zeros((types, SHAPE_FEATURES)), np.zeros((types, len(NAMES)))
        shapes[:, 0] = 1.0
        return cls(shapes, river, shanten, np.zeros(types), np.array(NAMES))

    @cached_property
    def river_weights(self) -> Floats:
        """Weights of all features of the river, (7, 23); 0 for those that the file lacks."""
        weights = np.zeros((len(self.river), len(NAMES)))
        weights[:, [NAMES.index(name) for name in self.names.tolist()]] = self.river
        return weights

    @cached_property
    def fitted(self) -> bool:
        """Whether any weight is fitted."""
        return bool(self.shapes[:, 1:].any())

    @cache  # noqa: B019 (a few models in a process)
    def suit_weights(self, hand_type: int, cap: int) -> Floats | None:
        """Factors of the patterns of a number suit."""
        weights = self.shapes[hand_type, N_KIND:]
        return np.exp(weights[window_cells(cap)].sum(axis=1)) if weights.any() else None

    def kind_weights(self, query: HandQuery) -> Floats:
        """Factors of 0–4 copies of each kind in the hand, (34, 5)."""
        return np.exp(kind_terms(query) @ self.shapes[query.reading.hand_type, :N_KIND])

    def hands(self, query: HandQuery) -> OpponentHands:
        """The hands of an opponent."""
        return OpponentHands(self, query)


class OpponentHands:
    """A `houjuu.risk.hidden_hands.HandSource`.

    Parameters
    ----------
    model : HandModel
    query : HandQuery
    cap : int, optional
        The most tiles of a suit in a hand; default: `cap_for`.
    """

    def __init__(self, model: HandModel, query: HandQuery, cap: int | None = None) -> None:
        self._model, self._query = model, query
        reading = query.reading
        self._type, self.n_tiles = reading.hand_type, reading.n_tiles
        self._cap = cap or cap_for(reading.copies, self.n_tiles)
        self._weights = count_weights(reading.copies) * model.kind_weights(query)
        self.sums = self._summed(self._weights, self.n_tiles)
        self._seven = SevenPairs(self._weights) if self.n_tiles == 13 else None
        self.p_win = query.p_win
        self.shanten = self._shanten()

    def _summed(self, weights: Floats, n_tiles: int) -> WholeHands:
        suit_weights = self._model.suit_weights(self._type, self._cap)
        return WholeHands(weights, n_tiles, suit_weights, self._cap)

    def _shanten(self) -> Floats:
        """P(shanten is 0–7): 1 to 6 by a logit, where such hands have some mass."""
        model, query, mass = self._model, self._query, self.sums.mass
        logits = model.shanten[self._type] @ query.shanten_features()
        if not model.fitted:
            logits = np.log(np.maximum(mass[2:SHANTENS], _LEAST))
        further = np.where(mass[2:SHANTENS] > 0, np.exp(logits - logits.max()), 0.0)
        tenpai = float(query.tenpai)
        if not mass[1] and not self._seven_share:
            tenpai = 0.0
        elif not further.any():
            tenpai = 1.0
        shares = np.zeros(SHANTENS)
        shares[0], shares[1:-1] = tenpai, (1 - tenpai) * further / max(further.sum(), _LEAST)
        if not shares.any():  # nothing but hands that are still farther
            shares[-1] = 1.0
        return shares

    @property
    def _seven_share(self) -> float:
        """P(chiitoitsu | tenpai)."""
        if self._seven is None or not self._seven.mass:
            return 0.0
        return float(self._model.seven_pairs[self._type]) if self.sums.mass[1] else 1.0

    # The draws.

    def pool(self, n: int, rng: np.random.Generator) -> HandPool:
        """About n hands; see `HandSource.pool`."""
        n = _IN_RIICHI * n if self._type == RIICHI else n
        pool, usefuls = self._judged(*self._with_every_kind(*self._drawn(n, rng), rng))
        weights = pool.weights * self._river(pool.hands, usefuls)
        if self._type == RIICHI:
            furiten = (pool.waits & self._query.reading.furiten).any(axis=1)
            weights = np.where(furiten & ~furiten.all(), 0.0, weights)
        pool = pool._replace(weights=weights).take(np.flatnonzero(weights))
        pool = pool.joined(self._winners(pool, n // _OF_WINNERS, rng))
        drawn = np.bincount(pool.shanten, pool.weights, SHANTENS)
        shares = np.where(drawn > 0, self.shanten, 0.0)
        shares[1:] *= (1 - shares[0]) / max(shares[1:].sum(), _LEAST)
        shares = shares if shares.any() else drawn
        weights = pool.weights * (shares / shares.sum() / np.maximum(drawn, _LEAST))[pool.shanten]
        return pool._replace(weights=weights).take(np.flatnonzero(weights))

    def _drawn(self, n: int, rng: np.random.Generator) -> tuple[Int8s, Floats]:
        """Hands by stratum of sets and pairs, and their share of P(hand) before the river."""
        mass, shares = self.sums.mass, self.shanten
        numbers = _allotted(shares, n)
        seven = self._seven_share
        n_seven = int(np.ceil(numbers[0] * seven))
        of_strata = shares.copy()
        of_strata[0] *= 1 - seven
        numbers[0] -= n_seven
        missing = np.repeat(np.arange(1, SHANTENS + 1), numbers)
        importance = np.repeat(of_strata / np.maximum(numbers, 1), numbers)
        if not mass[missing].all() or not len(missing) + n_seven:  # see `_shanten`
            missing = np.full(n, np.flatnonzero(mass)[0])
            importance = np.full(n, 1 / n)
        hands = self.sums.draw(missing, rng)
        importance = np.where(six_pairs(hands), 0.0, importance)
        if n_seven and self._seven is not None:
            hands = np.concatenate([hands, self._seven.draw(n_seven, rng)])
            importance = np.append(importance, np.full(n_seven, shares[0] * seven / n_seven))
        drawn = np.bincount(missing_tiles(hands, self.n_tiles // 3, CLOSED), minlength=LACKING)
        for lacking in 1 + np.flatnonzero((shares > 0) & (mass[1:9] > 0) & (drawn[1:9] == 0)):
            more = self.sums.draw(np.full(n, lacking), rng)  # many are nearer to chiitoitsu
            more = more[missing_tiles(more, self.n_tiles // 3, CLOSED) == lacking][:_LEAST_HANDS]
            hands = np.concatenate([hands, more])
            share = shares[lacking - 1] / max(len(more), 1)
            importance = np.append(importance, np.full(len(more), share))
        return hands, importance

    def _with_every_kind(
        self, hands: Int8s, weights: Floats, rng: np.random.Generator
    ) -> tuple[Int8s, Floats]:
        """The draws, and hands with a copy of each kind that none of them has."""
        expected = self._query.chances * self._query.reading.copies
        for kind in np.flatnonzero((expected > _TINY) & ~hands.any(axis=0)).tolist():
            sums = self._holding(kind, self._weights, self.n_tiles)
            chances = (sums.mass / np.maximum(self.sums.mass, _LEAST))[1 : SHANTENS + 1]
            missing = 1 + int(np.argmax(chances * self.shanten))
            if sums.mass[missing]:
                more = sums.draw(np.full(_LEAST_HANDS, missing), rng)
                hands = np.concatenate([hands, more])
                weights = np.append(weights, np.full(len(more), expected[kind] / len(more)))
        return hands, weights

    def _holding(self, kind: int, weights: Floats, n_tiles: int) -> WholeHands:
        """The hands that have a copy of a kind."""
        weights = weights.copy()
        weights[kind, 0] = 0.0
        return self._summed(weights, n_tiles)

    def _winners(self, pool: HandPool, least: int, rng: np.random.Generator) -> HandPool:
        """Hands that win on kinds on which few of a pool do: complete hands less a tile.

        Some shall win on nothing else: P(wins) on a kind may be far from that on its suji.
        """
        query, n_tiles = self._query, self.n_tiles + 1
        ways = count_weights(np.minimum(query.reading.copies + 1, COPIES))
        ways *= self._model.kind_weights(query)
        complete = self._summed(ways, n_tiles)
        found = pool.take(np.zeros(0, np.intp))
        if not self.shanten[0] or not complete.mass[0]:
            return found
        drawn = complete.draw(np.zeros(_COMPLETE_HANDS * least, np.intp), rng)
        alone = least // _WINNERS
        found = self._completed_by(
            self._lacking(pool.wins, least, alone), drawn, least, _CANDIDATES
        )
        wins = np.concatenate([pool.wins, found.wins])
        kinds, more = self._lacking(wins, alone, alone if alone > 1 else 0), [drawn[:0]]
        for kind in kinds:
            sums = self._holding(kind, ways, n_tiles)
            n = _OF_RARE * least if sums.mass[0] else 0
            more.append(sums.draw(np.zeros(n, np.intp), rng))
        found = found.joined(self._completed_by(kinds, np.concatenate(more), least, _OF_RARE))
        tenpai = pool.weights[pool.shanten == 0].sum()
        return found._replace(weights=found.weights * (tenpai or 1.0))

    def _lacking(self, wins: Bools, least: int, alone: int) -> list[int]:
        """Kinds with a P(win) on which few hands win, or few win on nothing else."""
        few = wins.sum(axis=0) < least
        few |= wins[wins.sum(axis=1) == 1].sum(axis=0) < alone
        return np.flatnonzero(few & (self._query.p_win > 0)).tolist()

    def _completed_by(self, kinds: list[int], complete: Int8s, most: int, tries: int) -> HandPool:
        """Hands that a tile of each kind completes, some that win, from complete ones that have it.

        A hand that waits for the kind is there even if none wins on it, but not in riichi.
        """
        excess = complete > self._query.reading.copies
        possible = (complete[:, kinds] > 0) & (excess.sum(axis=1)[:, None] == excess[:, kinds])
        possible &= np.cumsum(possible, axis=0) <= tries * most
        column, row = np.nonzero(possible.T)
        hands, won = complete[row], np.array(kinds, np.intp)[column]
        hands[np.arange(len(won)), won] -= 1
        kept = np.diff(won, prepend=-1) > 0
        kept |= _first(self._scores(hands, won), won, 2 * most)
        pool, won = self.judged(hands[kept]), won[kept]
        wins = (pool.wins if self._type == RIICHI else pool.waits)[np.arange(len(won)), won]
        kept = _first(wins, won, most) | _first(wins & (pool.wins.sum(axis=1) == 1), won, most)
        pool, won = pool.take(np.flatnonzero(kept)), won[kept]
        weights = self._query.wait_shares[won] / np.bincount(won, minlength=KINDS)[won]
        return pool._replace(weights=np.clip(weights, _TINY, 1.0))

    def judged(self, hands: Int8s) -> HandPool:
        """Shanten, waits and wins of hands; all weights are equal."""
        return self._judged(hands, np.full(len(hands), 1 / max(len(hands), 1)))[0]

    def _judged(self, hands: Int8s, weights: Floats) -> tuple[HandPool, Useful]:
        reading = self._query.reading
        usefuls = useful(hands, reading.sets)
        waits = usefuls.waits & (hands + reading.melds < COPIES)
        wins = waits & (self._query.p_win > 0)
        wins &= ~np.any(waits & reading.furiten, axis=1, keepdims=True)
        rows, won = np.nonzero(wins)
        wins[rows, won] = self._scores(hands[rows], won)
        return HandPool(hands, weights, usefuls.shanten, waits, wins), usefuls

    def _scores(self, hands: Int8s, won: Ints) -> Bools:
        """Whether rons on kinds have a yaku, (n,)."""
        if self._type == RIICHI or self._query.score.extra_yaku:
            return np.ones(len(hands), np.bool_)
        return has_yaku(hands, won, self._query.score)

    # The likelihood.

    def _river(self, hands: Int8s, usefuls: Useful) -> Floats:
        """Factors by the river, (m,)."""
        query, weights = self._query, self._model.river_weights[self._type]
        features = hand_features.features(hands, query.reading, query.wait_shares, usefuls)
        return np.asarray(np.exp(features @ weights))

    @cached_property
    def _normalizers(self) -> Floats:
        """Sum of the factors by the river of the hands of each shanten, times P(shanten), (8,)."""
        hands, importance = self._drawn(512, np.random.default_rng(0))
        usefuls = useful(hands, self._query.reading.sets)
        factors = importance * self._river(hands, usefuls)
        return np.asarray(np.bincount(usefuls.shanten, factors, SHANTENS), np.float64)

    def log_likelihood(self, hands: Int8s) -> Floats:
        """Logarithm of P(hand), nats, (n,); −inf for an impossible one."""
        if (hands.sum(axis=1) != self.n_tiles).any():
            raise Error(f"a hand of this opponent has {self.n_tiles} concealed tiles")
        by_suit = np.add.reduceat(hands, range(0, KINDS, RANKS), axis=1)[:, :-1]
        if self._cap < MOST_TILES and by_suit.max(initial=0) > self._cap:
            return OpponentHands(self._model, self._query, MOST_TILES).log_likelihood(hands)
        usefuls = useful(hands, self._query.reading.sets)
        missing = missing_tiles(hands, self._query.reading.sets)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.log(self.shanten[np.minimum(missing - 1, SHANTENS - 1)])
            seven = self._seven_share
            shares = shares + np.where(missing == 1, np.log1p(-seven) if seven < 1 else -np.inf, 0)
            logs = shares + self.sums.log_weights(hands) - np.log(self.sums.mass[missing])
            if self._seven is not None:
                own = np.log(self.shanten[0] * seven) - np.log(self._seven.mass)
                own += np.log(self._weights)[np.arange(KINDS), hands].sum(axis=1)
                logs = np.where(six_pairs(hands), own, logs)
            normalizers = self._normalizers[usefuls.shanten]
            strata = np.log(self.shanten[usefuls.shanten]) - np.log(normalizers)
            logs += np.log(self._river(hands, usefuls)) + np.where(normalizers > 0, strata, 0.0)
        return np.asarray(np.where(np.isnan(logs), -np.inf, logs))


def missing_tiles(hands: Int8s, sets: int, goals: Goals = _SETS) -> Ints:
    """Tiles that hands lack for some goals, (n,); by default for sets and a pair."""
    return shantens(hands.astype(np.intp) @ KIND_KEYS, Target(sets, goals)) + 1


def _first(mask: Bools, groups: Ints, most: int) -> Bools:
    """The first rows of a mask in each group, (n,), whose rows lie side by side."""
    before: Ints = np.cumsum(mask) - mask
    start = np.flatnonzero(np.diff(groups, prepend=-1))
    of_group: Ints = np.repeat(before[start], np.diff(start, append=len(groups)))
    return np.asarray(mask & (before - of_group < most))


def _allotted(shares: Floats, n: int) -> Ints:
    """Numbers of hands by shanten: near n · share, some at least of each that is possible.

    Tenpai, where it is uncertain, has a quarter at least.
    """
    tenpai = float(shares[0])
    if 0 < tenpai < _LEAST_TENPAI:
        shares = shares * (1 - _LEAST_TENPAI) / (1 - tenpai)
        shares[0] = _LEAST_TENPAI
    return np.where(shares > 0, np.maximum(np.ceil(n * shares), _LEAST_HANDS), 0).astype(np.intp)


def _shipped(parameters: Parameters) -> HandModel:
    return HandModel(**parameters.part(PART))


FITTED = FittedModel("fitted/hands/hidden_hands.npz", _shipped, {"model": MODEL})
SHIPPED = FITTED.shipped
from_parameters = FITTED.from_parameters


@cache
def shipped() -> HandModel:
    """The model that ships."""
    return FITTED.load()
