"""The preferences of phoenix players beyond the values of the models.

The models see hands after the choices of good players: hands were opened when it was good to open
them, for reasons that shanten, useful tiles and points do not show. A conditional logit of the
choices themselves corrects for that. Its logit of an action is a weight times the value plus a few
features and the output of a network. Divided by that weight, these are points too, and one more
part of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from houjuu.player.preference.decision import DecisionContext, Option
from houjuu.player.preference.features import FEATURES, UNIT, VALUES, features
from houjuu.player.preference.inputs import INPUTS, inputs
from houjuu.player.preference.network import NAMES, PreferenceNetwork
from houjuu.util import parameters
from houjuu.util.arrays import Floats
from houjuu.util.attributions import Attributions, grouped
from houjuu.util.errors import ParameterError
from houjuu.util.fitted import FittedModel, from_part

MODEL = "preferences"
SHIPPED = "fitted/player/preferences.npz"


@dataclass(frozen=True)
class PreferenceModel:
    """The fitted weights.

    Parameters
    ----------
    weights : (features,) array
    network : PreferenceNetwork, optional
        Without it the features alone count.

    Raises
    ------
    ParameterError
        The shape is wrong, a weight is absurd, or the value has no positive weight.
    """

    weights: Floats
    network: PreferenceNetwork | None = None

    def __post_init__(self) -> None:
        if self.weights.shape != (len(FEATURES),):
            raise ParameterError(f"the weights of preferences have the shape {self.weights.shape}")
        parameters.require_weights("the weights of preferences", self.weights)
        if least_value(self.weights) <= 0:
            raise ParameterError("the weight of the value in the preferences is not positive")

    def logits(self, features: Floats, inputs: Floats) -> Floats:
        """The logits of n actions, (n,), by their (n, features) and (n, inputs)."""
        logits = features @ self.weights
        if self.network is not None:
            logits += self.network.logits(_columns(features, inputs))
        return np.asarray(logits)

    def points(self, context: DecisionContext, options: Sequence[Option]) -> Floats:
        """The worth of an action beside its value, (n,), at most 0, unit: points."""
        rows = features(context, options)
        logits = rows[:, len(VALUES) :] @ self._preference_weights
        if self.network is not None:
            logits += self.network.logits(_columns(rows, inputs(context, options)))
        return np.asarray((logits - logits.max()) * self._logit_points(context))

    def explain(self, context: DecisionContext, options: Sequence[Option]) -> list[Attributions]:
        """The parts of the points of each action by feature and input; they add up to its points.

        A part is the difference to that of the preferred action, which has 0 points.
        """
        columns = _columns(features(context, options), inputs(context, options))
        parts = np.zeros_like(columns) if self.network is None else self.network.parts(columns)
        weights = self._preference_weights
        parts[:, : len(weights)] += columns[:, : len(weights)] * weights
        parts -= parts[parts.sum(axis=1).argmax()]
        parts *= self._logit_points(context)
        return [grouped(NAMES, row) for row in parts]

    @property
    def _preference_weights(self) -> Floats:
        return self.weights[len(VALUES) :]

    def _logit_points(self, context: DecisionContext) -> float:
        """The points that a unit of the logit is worth."""
        value, facing_riichi, last_round = self.weights[: len(VALUES)]
        value += facing_riichi * context.facing_riichi + last_round * context.last_round
        return float(UNIT / value)


def least_value(weights: Floats) -> float:
    """The least weight that the value has in any phase."""
    value, *phases = weights[: len(VALUES)].tolist()
    return float(value + sum(min(phase, 0.0) for phase in phases))


def _columns(features: Floats, inputs: Floats) -> Floats:
    """The inputs of the network, (n, `NAMES`), by the (n, features) and (n, inputs) of actions."""
    return np.column_stack((features[:, len(VALUES) :], inputs))


def _made(*, weights: Floats, **network: Floats) -> PreferenceModel:
    return PreferenceModel(weights, PreferenceNetwork(**network))


HEADER = {"terms": list(FEATURES), "inputs": list(INPUTS)}
FITTED = FittedModel(SHIPPED, from_part("preferences", _made), {"model": MODEL, **HEADER})
load = FITTED.load
from_parameters = FITTED.from_parameters
