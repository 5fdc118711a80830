"""The models of how a round ends: the winner, the payer, the size, and the tenpai at a draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from houjuu.player.hand_value.scores import HAN_MORE, around, raised
from houjuu.player.round_end import features, logit
from houjuu.player.round_end.endings import DRAW, SELF, SIZES
from houjuu.player.round_end.features import FeatureRange
from houjuu.player.states import States
from houjuu.util import parameters
from houjuu.util.arrays import Floats, Ints, sigmoid
from houjuu.util.attributions import softmax
from houjuu.util.errors import ParameterError
from houjuu.util.features import columns_of, take
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters

MODEL = "round-ends"
SHIPPED = "fitted/player/round_ends.npz"

HAN = (*HAN_MORE, None)
"""What is unknown of an own win up to 2 from tenpai: the han beyond those that are counted; None:
another hand wins."""

NAMES = features.feature_names()
"""The names of the features of each array."""


def shapes(names: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """The shapes of the fitted arrays, by the names of their features."""
    classes = {"own_han": len(HAN), "own_sizes": len(SIZES), "opponent_sizes": len(SIZES)}
    return {
        **{
            array: (classes[array], len(of_array)) if array in classes else (len(of_array),)
            for array, of_array in names.items()
        },
        "base_points": (len(SIZES),),
    }


SHAPES = shapes(NAMES)
"""The shapes of arrays with all features of the code, as a fit makes them."""


@dataclass(frozen=True)
class RoundEndModel:
    """The fitted weights.

    Parameters
    ----------
    endings : (features,) array
    own_han : (`HAN`, features) array
    own_sizes, opponent_sizes : (sizes, features) arrays
        The own ones are those of hands whose wins are not counted.
    own_tenpai, opponent_tenpai : (features,) arrays
    base_points : (sizes,) array
        Mean base points (基本点) of a win of each size.
    names : mapping, default=all features of the code
        The features of each array.
    ranges : mapping, optional
        The range of the features of each array. A state beyond it is answered as at its edge:
        the fit knows nothing there.

    Raises
    ------
    ParameterError
        A feature is unknown, a shape is wrong, or a weight is absurd.
    """

    endings: Floats
    own_han: Floats
    own_sizes: Floats
    opponent_sizes: Floats
    own_tenpai: Floats
    opponent_tenpai: Floats
    base_points: Floats
    names: Mapping[str, Sequence[str]] = field(default_factory=features.feature_names)
    ranges: Mapping[str, FeatureRange] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, shape in shapes(self.names).items():
            array = getattr(self, name)
            if array.shape != shape:
                raise ParameterError(f"{name} has the shape {array.shape}, not {shape}")
            if name != "base_points":
                parameters.require_weights(name, array)
        for name, limits in self.ranges.items():
            wrong = any(edge.shape != (len(self.names[name]),) for edge in limits)
            if wrong or not (limits.least <= limits.greatest).all():
                raise ParameterError(f"the range of {name} is not one of its features")
        _ = self._ending_columns, self._columns
        if not ((self.base_points > 0) & (self.base_points <= 16_000)).all():
            raise ParameterError("base_points are not between 0 and 16,000")

    @cached_property
    def _ending_columns(self) -> features.EndingColumns:
        return features.ending_columns(self.names["endings"])

    @cached_property
    def _columns(self) -> dict[str, Ints | None]:
        """The columns of the features of the other arrays among those of the code."""
        known = features.feature_names()
        return {
            array: columns_of(self.names[array], known[array], f"the model {array!r} of round ends")
            for array in known
            if array != "endings"
        }

    def predict_endings(self, states: States) -> Floats:
        """P(the round ends in each ending), (n, 17), given that it is not aborted.

        After the last discard that is a draw: nobody draws or calls.
        """
        limits = self.ranges.get("endings")
        blocks = features.ending_blocks(states, self._ending_columns, limits)
        probabilities = logit.probabilities(blocks, self.endings)
        probabilities[states.tiles_left <= 0] = np.arange(DRAW + 1) == DRAW
        return probabilities

    def predict_sizes(self, states: States) -> Floats:
        """P(size | the opponent wins so), (n, 3, 2, sizes): by ron and by tsumo."""
        return np.stack([softmax(logits) for logits in self._by_way("opponent_sizes", states)], 2)

    def predict_scores(self, states: States) -> Floats:
        """P(score | the seat wins so), (n, 2, scores): by ron and by tsumo.

        Counted are the waits of a tenpai hand, and those that the draws of a hand 1 or 2 from
        tenpai lead to. Their scores gain or lose han by ura dora, ippatsu and further draws.
        """
        by_size = np.stack([softmax(logits) for logits in self._by_way("own_sizes", states)], 1)
        uncounted = by_size @ around(self.base_points)
        counted = np.stack((states.by_ron, states.by_tsumo), axis=1)
        has_count = counted.any(axis=2, keepdims=True)
        han = np.stack([softmax(logits) for logits in self._by_way("own_han", states)], 1)
        total = sum(
            share[..., None] * (uncounted if more is None else raised(counted, more))
            for more, share in zip(HAN, np.moveaxis(han, 2, 0), strict=True)
        )
        return np.where(has_count, total, uncounted)

    def _by_way(self, array: str, states: States) -> Iterator[Floats]:
        """The logits of a model of wins, (n, classes) or (n, 3, classes): by ron, and by tsumo."""
        for tsumo in (0.0, 1.0):
            yield self._logits(features.win_features(array, states, tsumo), array)

    def predict_tenpai_at_draw(self, states: States) -> Floats:
        """P(tenpai | exhausted draw) of the four seats, (n, 4).

        That of the seat is 0 or 1 without a draw left: the hand shows it, with or without a yaku.
        """
        own, opponents = features.tenpai_features(states)
        of_seats = self._logits(own, "own_tenpai"), self._logits(opponents, "opponent_tenpai")
        tenpai = sigmoid(np.column_stack(of_seats))
        last = states.draws <= 0
        tenpai[last, SELF] = states.tenpai_shanten[last] == 0
        return tenpai

    def _logits(self, features: Floats, array: str) -> Floats:
        """The products of an array with its features, chosen from those of the code."""
        chosen = take(features, self._columns[array])
        limits = self.ranges.get(array)
        chosen = chosen if limits is None else limits.edge(chosen)
        return np.asarray(chosen @ getattr(self, array).T)


def _made(fitted: Parameters) -> RoundEndModel:
    ranges = {name: FeatureRange(*edges) for name, edges in fitted.part("ranges").items()}
    return RoundEndModel(**fitted.part("round_ends"), names=fitted.header["terms"], ranges=ranges)


FITTED = FittedModel(SHIPPED, _made, {"model": MODEL})
load = FITTED.load
from_parameters = FITTED.from_parameters
