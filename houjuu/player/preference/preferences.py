"""The preferences of phoenix players beyond the values of the models.

The models see hands after the choices of good players: hands were opened when it was good to open
them, for reasons that shanten, useful tiles and points do not show. A conditional logit of the
choices themselves corrects for that. Its logit of an action is a weight times the value plus the
output of a network with one hidden layer:

    Σ_h w_h · max(b_h + Σ_i V_ih · z_i, 0),    z_i = (x_i − m_i) / s_i

where z is at most 6 from 0. Divided by the weight of the value, the output is points too, and one
more part of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from houjuu.player.preference.features import (
    UNIT,
    ValuedDecision,
    feature_names,
    features,
    phase,
)
from houjuu.util import parameters
from houjuu.util.arrays import Floats, Ints
from houjuu.util.errors import ParameterError
from houjuu.util.features import columns_of, take
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters

MODEL = "preferences"
SHIPPED = "fitted/player/preferences.npz"

MOST = 6.0
"""A standardized feature is at most this far from 0."""


@dataclass(frozen=True)
class PreferenceModel:
    """The fitted weights, for i features and h units.

    Parameters
    ----------
    value : (3,) array
        The log of the weight of the value, and what a riichi of an opponent and the last round add.
    center, scale : (i,) arrays
        Mean m and standard deviation s of each feature.
    hidden : (i, h) array
    bias, output : (h,) arrays
    names : sequence of str, default=all features of the code

    Raises
    ------
    ParameterError
        A feature is unknown, a shape is wrong, a weight is absurd, or a scale is not positive.
    """

    value: Floats
    center: Floats
    scale: Floats
    hidden: Floats
    bias: Floats
    output: Floats
    names: Sequence[str] = field(default_factory=feature_names)

    def __post_init__(self) -> None:
        _ = self._columns
        inputs, units = (len(self.names),), self.output.shape
        shapes = {"value": (3,), "hidden": inputs + units, "bias": units, "output": units[:1]}
        for name in ("value", "center", "scale", "hidden", "bias", "output"):
            weights = getattr(self, name)
            if weights.shape != shapes.get(name, inputs):
                raise ParameterError(f"the {name} of the preferences has a wrong shape")
            parameters.require_weights(f"the {name} of the preferences", weights)
        if not (self.scale > 0).all():
            raise ParameterError("a scale of the preferences is not positive")

    @cached_property
    def _columns(self) -> Ints | None:
        return columns_of(self.names, feature_names(), "the model of preferences")

    def logits(self, features: Floats) -> Floats:
        """The logits of n actions beyond their values, (n,), by all features of the code."""
        chosen = take(features, self._columns)
        standardized = np.clip((chosen - self.center) / self.scale, -MOST, MOST)
        units = np.maximum(standardized @ self.hidden + self.bias, 0.0)
        return np.asarray(units @ self.output)

    def value_weight(self, phases: Floats) -> Floats:
        """The weight of a value of `UNIT` in the logit, (n, 3) → (n,), or (3,) → ()."""
        return np.exp(phases @ self.value)

    def points(self, decision: ValuedDecision) -> Floats:
        """The worth of every action beside its value, at most 0, unit: points; 0 in riichi."""
        if decision.declared:
            return np.zeros(len(decision.every))
        logits = self.logits(features(decision))
        points = (logits - logits.max()) * float(UNIT / self.value_weight(phase(decision)))
        return np.asarray(points[decision.row])


def _made(fitted: Parameters) -> PreferenceModel:
    return PreferenceModel(**fitted.part("preferences"), names=fitted.header["terms"])


FITTED = FittedModel(SHIPPED, _made, {"model": MODEL})
load = FITTED.load
from_parameters = FITTED.from_parameters
