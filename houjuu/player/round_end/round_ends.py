"""The models of how a round ends: the winner, the payer, the size, and the tenpai at a draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from houjuu.player.round_end import features, logit
from houjuu.player.round_end.endings import DRAW, IS_TSUMO, SELF, SIZES, WINNER
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

NAMES = features.feature_names()
"""The names of the features of each array."""


def shapes(names: Mapping[str, Sequence[str]]) -> dict[str, tuple[int, ...]]:
    """The shapes of the fitted arrays, by the names of their features."""
    sizes = {"own_sizes", "opponent_sizes"}
    return {
        **{
            array: (len(SIZES), len(of_array)) if array in sizes else (len(of_array),)
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
    own_sizes, opponent_sizes : (sizes, features) arrays
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
        probabilities[states.table.tiles_left <= 0] = np.arange(DRAW + 1) == DRAW
        return probabilities

    def predict_sizes(self, states: States) -> Floats:
        """P(size | the round ends in that win), (n, 16, sizes)."""
        tsumo = np.ones(len(states), np.bool_)
        own, opponents = features.size_features(states, tsumo=~tsumo)
        by_ron = self._size_logits(own, opponents)
        features.mark_tsumo(own, opponents, states, tsumo)
        by_tsumo = self._size_logits(own, opponents)
        return softmax(np.where(IS_TSUMO[:, None], by_tsumo[:, WINNER], by_ron[:, WINNER]))

    def _size_logits(self, own: Floats, opponents: Floats) -> Floats:
        """The logits of the sizes of a win of each seat, (n, 4, sizes), by `size_features`."""
        of_opponents = self._logits(opponents, "opponent_sizes")
        return np.concatenate((self._logits(own, "own_sizes")[:, None], of_opponents), axis=1)

    def predict_tenpai_at_draw(self, states: States) -> Floats:
        """P(tenpai | exhausted draw) of the four seats, (n, 4).

        That of the seat is 0 or 1 without a draw left: the hand shows it, with or without a yaku.
        """
        own, opponents = features.tenpai_features(states)
        of_seats = self._logits(own, "own_tenpai"), self._logits(opponents, "opponent_tenpai")
        tenpai = sigmoid(np.column_stack(of_seats))
        last = states.table.draws <= 0
        tenpai[last, SELF] = states.hands.tenpai_shanten[last] == 0
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
