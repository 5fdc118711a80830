"""The models of how a round ends: the winner, the payer, the size, and the tenpai at a draw."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from houjuu.player.round_end import features, logit
from houjuu.player.round_end.endings import IS_TSUMO, SELF, SIZES, WINNER
from houjuu.player.states import OPPONENTS, States
from houjuu.util import parameters
from houjuu.util.arrays import Floats, sigmoid
from houjuu.util.attributions import softmax
from houjuu.util.errors import ParameterError
from houjuu.util.fitted import FittedModel, from_part

MODEL = "round-ends"
SHIPPED = "fitted/player/round_ends.npz"

SHAPES = {
    "endings": (len(features.ENDING_FEATURES),),
    "own_sizes": (len(SIZES), len(features.OWN_SIZE_FEATURES)),
    "opponent_sizes": (len(SIZES), len(features.OPPONENT_SIZE_FEATURES)),
    "own_tenpai": (len(features.OWN_TENPAI_FEATURES),),
    "opponent_tenpai": (len(features.OPPONENT_TENPAI_FEATURES),),
    "base_points": (len(SIZES),),
}
"""The shapes of the fitted arrays."""

NAMES = {
    "endings": features.ENDING_FEATURES,
    "own_sizes": features.OWN_SIZE_FEATURES,
    "opponent_sizes": features.OPPONENT_SIZE_FEATURES,
    "own_tenpai": features.OWN_TENPAI_FEATURES,
    "opponent_tenpai": features.OPPONENT_TENPAI_FEATURES,
}
"""The names of the features of each array."""


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

    Raises
    ------
    ParameterError
        A shape is wrong, or a weight is absurd.
    """

    endings: Floats
    own_sizes: Floats
    opponent_sizes: Floats
    own_tenpai: Floats
    opponent_tenpai: Floats
    base_points: Floats

    def __post_init__(self) -> None:
        for field in fields(self):
            array = getattr(self, field.name)
            shape = SHAPES[field.name]
            if array.shape != shape:
                raise ParameterError(f"{field.name} has the shape {array.shape}, not {shape}")
            if field.name != "base_points":
                parameters.require_weights(field.name, array)
        if not ((self.base_points > 0) & (self.base_points <= 16_000)).all():
            raise ParameterError("base_points are not between 0 and 16,000")

    def predict_endings(self, states: States) -> Floats:
        """P(the round ends in each ending), (n, 17), given that it is not aborted."""
        return logit.probabilities(features.ending_blocks(states), self.endings)

    def predict_sizes(self, states: States) -> Floats:
        """P(size | the round ends in that win), (n, 16, sizes)."""
        own, opponents = features.size_features(states, tsumo=np.zeros(len(states), bool))
        by_ron = np.empty((len(own), 1 + OPPONENTS, len(SIZES)))
        by_ron[:, SELF] = own @ self.own_sizes.T
        by_ron[:, 1:] = opponents @ self.opponent_sizes.T
        by_tsumo = np.array([self.own_sizes[:, -1], *[self.opponent_sizes[:, -1]] * OPPONENTS])
        return softmax(by_ron[:, WINNER] + IS_TSUMO[:, None] * by_tsumo[WINNER])

    def predict_tenpai_at_draw(self, states: States) -> Floats:
        """P(tenpai | exhausted draw) of the four seats, (n, 4)."""
        own, opponents = features.tenpai_features(states)
        logits = np.column_stack((own @ self.own_tenpai, opponents @ self.opponent_tenpai))
        return sigmoid(logits)


FITTED = FittedModel(
    SHIPPED,
    from_part("round_ends", RoundEndModel),
    {"model": MODEL, "terms": {name: list(names) for name, names in NAMES.items()}},
)
load = FITTED.load
from_parameters = FITTED.from_parameters
