"""The models of how a round ends: the winner, the payer, the size, and the tenpai at a draw."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from houjuu.player.round_end import logit as choice
from houjuu.player.round_end import terms
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
    "endings": (len(terms.ENDING_TERMS),),
    "own_sizes": (len(SIZES), len(terms.OWN_SIZE_TERMS)),
    "opponent_sizes": (len(SIZES), len(terms.OPPONENT_SIZE_TERMS)),
    "own_tenpai": (len(terms.OWN_TENPAI_TERMS),),
    "opponent_tenpai": (len(terms.OPPONENT_TENPAI_TERMS),),
    "base_points": (len(SIZES),),
}
"""The shapes of the fitted arrays."""

NAMES = {
    "endings": terms.ENDING_TERMS,
    "own_sizes": terms.OWN_SIZE_TERMS,
    "opponent_sizes": terms.OPPONENT_SIZE_TERMS,
    "own_tenpai": terms.OWN_TENPAI_TERMS,
    "opponent_tenpai": terms.OPPONENT_TENPAI_TERMS,
}
"""The names of the terms of each array."""


@dataclass(frozen=True)
class RoundEndModel:
    """The fitted weights.

    Parameters
    ----------
    endings : (terms,) array
    own_sizes, opponent_sizes : (sizes, terms) arrays
    own_tenpai, opponent_tenpai : (terms,) arrays
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
            array, shape = getattr(self, field.name), SHAPES[field.name]
            if array.shape != shape:
                raise ParameterError(f"{field.name} has the shape {array.shape}, not {shape}")
            if field.name != "base_points":
                parameters.require_weights(field.name, array)
        if not ((self.base_points > 0) & (self.base_points <= 16_000)).all():
            raise ParameterError("base_points are not between 0 and 16,000")

    def predict_endings(self, states: States) -> Floats:
        """P(the round ends in each ending), (n, 17), given that it is not aborted."""
        return choice.probabilities(terms.of_endings(states), self.endings)

    def predict_sizes(self, states: States) -> Floats:
        """P(size | the round ends in that win), (n, 16, sizes)."""
        own, opponents = terms.of_sizes(states, tsumo=np.zeros(len(states.shanten), bool))
        of_rons = np.empty((len(own), 1 + OPPONENTS, len(SIZES)))
        of_rons[:, SELF] = own @ self.own_sizes.T
        of_rons[:, 1:] = opponents @ self.opponent_sizes.T
        by_tsumo = np.array([self.own_sizes[:, -1], *[self.opponent_sizes[:, -1]] * OPPONENTS])
        return softmax(of_rons[:, WINNER] + IS_TSUMO[:, None] * by_tsumo[WINNER])

    def predict_tenpai_at_draw(self, states: States) -> Floats:
        """P(tenpai | exhausted draw) of the four seats, (n, 4)."""
        own, opponents = terms.of_tenpai_at_draw(states)
        logits = np.column_stack((own @ self.own_tenpai, opponents @ self.opponent_tenpai))
        return sigmoid(logits)


FITTED = FittedModel(
    SHIPPED,
    from_part("round_ends", RoundEndModel),
    {"model": MODEL, "terms": {name: list(names) for name, names in NAMES.items()}},
)
load, from_parameters = FITTED.load, FITTED.from_parameters
