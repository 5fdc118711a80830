"""Fitting the model of whole hands, `houjuu.estimators.hand_model`.

A sample of the conditional logit is a true hand beside hands that the model so far draws with the
same number of missing tiles. In the limit of many draws the fit maximizes the likelihood of the
hand given its shanten: the weights with which the draws are made are an offset. All weights of a
type of opponent, those of the river included, are fitted together; each round draws again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from features.hidden_hand_rows import HandSample
from houjuu.estimators.hand_model import (
    N_KIND,
    SHANTEN_FEATURES,
    SHAPE_FEATURES,
    HandModel,
    HandQuery,
    kind_terms,
    missing_tiles,
    window_cells,
)
from houjuu.game.tiles import EAST, KINDS, RANKS
from houjuu.hands.whole_hands import CAP, pattern_index, six_pairs
from houjuu.player.round_end.logit import Block
from houjuu.reading.hand_features import NAMES, RIICHI, features, useful
from houjuu.risk.hidden_hands import SHANTENS
from houjuu.util.arrays import Floats, Int8s
from models.fitting import convex
from models.fitting.penalized_logit import LogitRows, derivatives, regression

Map = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
"""Maps a function over tasks, as `map` does; perhaps in other processes."""

_NEVER = -12.0
_NOT_IN_RIICHI = (NAMES.index("tenpai: furiten"),)
"""Features of the river that nobody in riichi has."""


@dataclass(eq=False, repr=False)
class HiddenHandLogit(BaseEstimator):  # type: ignore[misc]
    """The model of whole hands.

    Parameters
    ----------
    hands : int, default=1500
        The most hands of a type of opponent.
    draws : int, default=24
        Hands beside the true one.
    rounds : int, default=3
        Number of fits, each with draws by the last one.
    penalty : float, default=3.0
        L2 penalty on the weights of shapes, nats.
    chance_penalty : float, default=20.0
        The same of the factor of the answer about unseen tiles, towards 1.
    river_penalty : float, default=1.0
        The same of the weights of the river.
    shanten_penalty : float, default=1.0
        The same of P(shanten).
    seed : int, default=0

    Attributes
    ----------
    model_ : HandModel
    """

    hands: int = 1500
    draws: int = 24
    rounds: int = 3
    penalty: float = 3.0
    chance_penalty: float = 20.0
    river_penalty: float = 1.0
    shanten_penalty: float = 1.0
    seed: int = 0

    def fit(self, samples: Sequence[HandSample], map_: Map = map) -> Self:
        """Fit to samples of all types."""
        by_type: dict[int, list[HandSample]] = defaultdict(list)
        for sample in samples:
            by_type[sample.query.reading.hand_type].append(sample)
        model = HandModel.unfitted()
        shapes, river = model.shapes.copy(), model.river.copy()
        shapes[:, 0] = 1.0
        river[RIICHI, _NOT_IN_RIICHI] = _NEVER
        shanten, seven = model.shanten.copy(), model.seven_pairs.copy()
        for hand_type, of_type in by_type.items():
            shanten[hand_type] = self._shanten(of_type)
            seven[hand_type] = _seven_pairs(of_type)
        model = replace(model, shanten=shanten, seven_pairs=seven)
        for round_ in range(self.rounds):
            model = replace(model, shapes=shapes.copy(), river=river.copy())
            types = sorted(by_type)
            tasks = [(hand_type, self._chosen(by_type[hand_type])) for hand_type in types]
            fits = map_(partial(self._fitted, model, round_), tasks)
            for hand_type, weights in zip(types, fits, strict=True):
                shapes[hand_type], river[hand_type] = np.split(weights, [SHAPE_FEATURES])
        self.model_ = replace(model, shapes=shapes, river=river)
        return self

    def to_runtime(self) -> HandModel:
        """The fitted model as the runtime loads it."""
        return self.model_

    def _chosen(self, samples: Sequence[HandSample]) -> list[HandSample]:
        order = np.random.default_rng(self.seed).permutation(len(samples))
        return [samples[i] for i in order[: self.hands].tolist()]

    def _shanten(self, samples: Sequence[HandSample]) -> Floats:
        """Weights of P(shanten is 1–6 | not tenpai), (6, 7)."""
        terms, labels = [], []
        for sample in samples:
            shanten = int(useful(sample.hand[None], sample.query.reading.sets).shanten[0])
            if shanten:
                terms.append(sample.query.shanten_features())
                labels.append(shanten - 1)
        matrix = np.array(terms).reshape(-1, SHANTEN_FEATURES)
        return regression(matrix, np.array(labels), SHANTENS - 2, self.shanten_penalty)

    def _fitted(self, model: HandModel, round_: int, task: tuple[int, list[HandSample]]) -> Floats:
        """The weights of a type, shapes and river, from draws by a model."""
        hand_type, samples = task
        rng = np.random.default_rng((self.seed, round_, hand_type))
        every = [_terms(model, sample, self.draws, rng) for sample in samples]
        terms = [one for one in every if one is not None]
        n_weights = SHAPE_FEATURES + len(NAMES)
        start = np.append(np.append(model.shapes[hand_type], model.river[hand_type]), 1.0)
        if not terms:
            return start[:-1]
        counts = np.eye(self.draws + 1)
        blocks = [Block(slice(0, n_weights + 1), counts, np.stack(terms).astype(np.float64))]
        rows = LogitRows(blocks, np.zeros(len(terms), np.intp))
        penalty = np.full(n_weights + 1, self.penalty)
        penalty[0], penalty[SHAPE_FEATURES:] = self.chance_penalty, self.river_penalty
        centre = np.zeros(n_weights + 1)
        centre[0] = 1.0
        fixed = [n_weights]  # the offset
        if hand_type == RIICHI:
            fixed += [SHAPE_FEATURES + feature for feature in _NOT_IN_RIICHI]

        def penalized(weights: Floats) -> tuple[float, Floats, Floats]:
            loss, gradient, hessian = derivatives(rows, weights)
            away = weights - centre
            gradient, hessian = gradient + penalty * away, hessian + np.diag(penalty)
            gradient[fixed] = hessian[fixed] = hessian[:, fixed] = 0.0
            hessian[fixed, fixed] = 1.0
            return loss + float(penalty @ away**2) / 2, gradient, hessian

        return convex.newton(penalized, start)[:-1]


def _terms(
    model: HandModel, sample: HandSample, draws: int, rng: np.random.Generator
) -> Floats | None:
    """Features and offset of the true hand and of drawn ones, (draws + 1, features + 1).

    None of a hand whose shanten is that of chiitoitsu or kokushi musou, or that has too many tiles
    of a suit.
    """
    query, true = sample.query, sample.hand[None]
    reading = query.reading
    missing = int(missing_tiles(true, reading.sets)[0])
    most = max(true[0, suit : suit + 9].sum() for suit in (0, 9, 18))
    if six_pairs(true)[0] or most > CAP or (reading.hand_type == RIICHI and missing != 1):
        return None
    sums = model.hands(query).sums
    if sums.cap != CAP or not sums.mass[missing]:
        return None
    hands = np.concatenate([true, sums.draw(np.full(draws, missing), rng)])
    shapes = shape_features(hands, query)
    river = features(hands, reading, query.wait_shares)
    offset = -shapes @ model.shapes[reading.hand_type]
    return np.column_stack([shapes, river, offset - offset[0]]).astype(np.float32)


def shape_features(hands: Int8s, query: HandQuery) -> Floats:
    """The features of hands that are summed exactly, (n, `SHAPE_FEATURES`)."""
    features = np.zeros((len(hands), SHAPE_FEATURES))
    features[:, :N_KIND] = kind_terms(query)[np.arange(KINDS), hands].sum(axis=1)
    rows = np.arange(len(hands))[:, None]
    for suit in range(0, EAST, RANKS):
        cells = window_cells(CAP)[pattern_index(hands[:, suit : suit + RANKS])]
        np.add.at(features, (rows, N_KIND + cells), 1.0)
    return features


def _seven_pairs(samples: Sequence[HandSample]) -> float:
    """The share of chiitoitsu among tenpai hands."""
    hands = np.array([sample.hand for sample in samples])
    if samples[0].query.reading.n_tiles != 13:
        return 0.0
    pairs = six_pairs(hands)
    tenpai = missing_tiles(hands[~pairs], 4) == 1
    return float(pairs.sum() / (pairs.sum() + tenpai.sum() + 1))
