"""The network of preferences: one hidden layer, which combines the features of the logit.

For an action with the inputs x, its preferences (`features.PREFERENCES`) and then `inputs.TABLE`,
the network adds to the logit

    Σ_h w_h · max(b_h + Σ_i V_ih · z_i, 0),    z_i = (x_i − m_i) / s_i, at most 6 from 0
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from houjuu.player.preference.features import PREFERENCES
from houjuu.player.preference.inputs import INPUTS
from houjuu.util.arrays import Floats
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import require_weights

NAMES = (*PREFERENCES, *INPUTS)
"""Names of the inputs x of a new fit."""

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
        inputs = self.hidden.shape[:1]
        units = self.output.shape
        shapes = {"center": inputs, "scale": inputs, "hidden": inputs + units, "bias": units}
        for name, shape in (*shapes.items(), ("output", units)):
            weights = getattr(self, name)
            if weights.shape != shape or len(units) != 1:
                raise ParameterError(f"the {name} of the network of preferences has a wrong shape")
            require_weights(f"the {name} of the network of preferences", weights)
        if not (self.scale > 0).all():
            raise ParameterError("a scale of the network of preferences is not positive")

    def logits(self, columns: Floats) -> Floats:
        """The output of the network for n actions with these inputs, (n, i) → (n,)."""
        units = np.maximum(self._standardized(columns) @ self.hidden + self.bias, 0.0)
        return np.asarray(units @ self.output)

    def parts(self, columns: Floats) -> Floats:
        """The parts of the output by input, (n, i) → (n, i).

        They add up to the difference between the output and that of mean inputs. All inputs grow
        together from their means (Aumann & Shapley 1974, as in `houjuu.util.attributions`), and a
        unit counts for the share of the way on which it is not 0.
        """
        standardized = self._standardized(columns)
        shares = _positive_share(self.bias, standardized @ self.hidden)
        return np.asarray(standardized * ((shares * self.output) @ self.hidden.T))

    def _standardized(self, columns: Floats) -> Floats:
        return np.clip((columns - self.center) / self.scale, -MOST, MOST)


def _positive_share(start: Floats, change: Floats) -> Floats:
    """The share of the way from `start` to `start + change` that is above 0, (n, h)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.clip(-start / change, 0.0, 1.0)
    moving = np.where(change > 0, 1.0 - crossing, crossing)
    return np.where(change == 0, start > 0, moving)
