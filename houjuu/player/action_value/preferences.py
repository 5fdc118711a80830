"""The preferences of phoenix players beyond the values of the models.

The models see hands after the choices of good players: hands were opened when it was good to open
them, for reasons that shanten, useful tiles and points do not show. A conditional logit of the
choices themselves corrects for that. Its logit of an action is a weight times the value plus a few
terms and that of a network; divided by that weight, they are points too, and one more part of the
value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from houjuu import parameters
from houjuu.arrays import Floats
from houjuu.errors import ParameterError
from houjuu.player.action_value.decision import Option, Situation
from houjuu.player.action_value.preference_inputs import INPUTS, inputs
from houjuu.player.action_value.preference_network import PreferenceNetwork
from houjuu.player.action_value.preference_terms import TERMS, UNIT, VALUES, terms
from houjuu.player.fitted import FittedModel

MODEL = "preferences"
SHIPPED = "fitted/player/preferences.npz"


@dataclass(frozen=True)
class PreferenceModel:
    """The fitted weights.

    Parameters
    ----------
    weights : (terms,) array
    network : PreferenceNetwork, optional
        Without it the terms alone count.

    Raises
    ------
    ParameterError
        The shape is wrong, a weight is absurd, or the value has no positive weight.
    """

    weights: Floats
    network: PreferenceNetwork | None = None

    def __post_init__(self) -> None:
        if self.weights.shape != (len(TERMS),):
            found = self.weights.shape
            raise ParameterError(f"the weights of preferences have the shape {found}")
        parameters.require_weights("the weights of preferences", self.weights)
        if self.weights[0] <= 0 or self.weights[: len(VALUES)].sum() <= 0:
            raise ParameterError("the weight of the value in the preferences is not positive")

    def logits(self, of_terms: Floats, of_inputs: Floats) -> Floats:
        """The logits of n actions, (n,), by their (n, terms) and (n, inputs)."""
        return of_terms @ self.weights + self._of_network(of_terms, of_inputs)

    def points(self, situation: Situation, options: Sequence[Option]) -> Floats:
        """The worth of an action beside its value, (n,), at most 0, unit: points."""
        n_values, of_terms = len(VALUES), terms(situation, options)
        beyond = of_terms[:, n_values:] @ self.weights[n_values:]
        if self.network is not None:
            beyond += self._of_network(of_terms, inputs(situation, options))
        of_value = self.weights[0] + self.weights[1] * situation.facing_riichi
        return np.asarray(UNIT * (beyond - beyond.max()) / of_value)

    def _of_network(self, of_terms: Floats, of_inputs: Floats) -> Floats:
        if self.network is None:
            return np.zeros(len(of_terms))
        return self.network.logits(np.column_stack((of_terms[:, len(VALUES) :], of_inputs)))


def _made(*, weights: Floats, **network: Floats) -> PreferenceModel:
    return PreferenceModel(weights, PreferenceNetwork(**network))


HEADER = {"terms": list(TERMS), "inputs": list(INPUTS)}
FITTED = FittedModel(MODEL, "preferences", SHIPPED, HEADER, _made)
load, from_parameters = FITTED.load, FITTED.from_parameters
