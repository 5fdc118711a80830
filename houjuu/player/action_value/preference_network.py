"""The network of preferences: one hidden layer, which combines the terms of the logit.

For an action with the inputs x, its preferences (`preference_terms.PREFERENCES`) and then
`preference_inputs.INPUTS`, the term of the logit is

    Σ_h w_h · max(b_h + Σ_i V_ih · z_i, 0),    z_i = (x_i − m_i) / s_i, at most 6 from 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houjuu.arrays import Floats
from houjuu.errors import ParameterError
from houjuu.parameters import require_weights
from houjuu.player.action_value.preference_inputs import INPUTS
from houjuu.player.action_value.preference_terms import PREFERENCES

NAMES = (*PREFERENCES, *INPUTS)
"""Names of the inputs x."""

MOST = 6.0
"""A standardized input is at most this far from 0."""


@dataclass(frozen=True)
class PreferenceNetwork:
    """The fitted weights, for h units.

    Parameters
    ----------
    center, scale : (i,) arrays
        Mean m and standard deviation s of each input.
    hidden : (i, h) array
    bias, output : (h,) arrays

    Raises
    ------
    ParameterError
        The shapes do not fit together, a weight is absurd, or a scale is not positive.
    """

    center: Floats
    scale: Floats
    hidden: Floats
    bias: Floats
    output: Floats

    def __post_init__(self) -> None:
        inputs, units = (len(NAMES),), self.output.shape
        shapes = {"center": inputs, "scale": inputs, "hidden": inputs + units, "bias": units}
        for name, shape in (*shapes.items(), ("output", units)):
            weights = getattr(self, name)
            if weights.shape != shape or len(units) != 1:
                raise ParameterError(f"the {name} of the network of preferences has a wrong shape")
            require_weights(f"the {name} of the network of preferences", weights)
        if not (self.scale > 0).all():
            raise ParameterError("a scale of the network of preferences is not positive")

    def logits(self, columns: Floats) -> Floats:
        """The term of n actions with these inputs, (n, i) → (n,)."""
        standardized = np.clip((columns - self.center) / self.scale, -MOST, MOST)
        units = np.maximum(standardized @ self.hidden + self.bias, 0.0)
        return np.asarray(units @ self.output)
