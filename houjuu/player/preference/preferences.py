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

from houjuu.player.preference.decision import Option, Situation
from houjuu.player.preference.inputs import INPUTS, inputs
from houjuu.player.preference.network import NAMES, PreferenceNetwork
from houjuu.player.preference.terms import TERMS, UNIT, VALUES, terms
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
        logits = of_terms @ self.weights
        if self.network is not None:
            logits += _of_network(self.network, of_terms, of_inputs)
        return np.asarray(logits)

    def points(self, situation: Situation, options: Sequence[Option]) -> Floats:
        """The worth of an action beside its value, (n,), at most 0, unit: points."""
        of_terms = terms(situation, options)
        beyond = of_terms[:, len(VALUES) :] @ self.weights[len(VALUES) :]
        if self.network is not None:
            beyond += _of_network(self.network, of_terms, inputs(situation, options))
        return np.asarray((beyond - beyond.max()) * self._point_of_logit(situation))

    def explain(self, situation: Situation, options: Sequence[Option]) -> list[Attributions]:
        """The parts of the points of each action by term and input; they add up to its points.

        A part is the difference to that of the preferred action, which has 0 points.
        """
        of_terms = terms(situation, options)[:, len(VALUES) :]
        columns = np.column_stack((of_terms, inputs(situation, options)))
        parts = np.zeros_like(columns) if self.network is None else self.network.parts(columns)
        parts[:, : of_terms.shape[1]] += of_terms * self.weights[len(VALUES) :]
        parts -= parts[parts.sum(axis=1).argmax()]
        return [grouped(NAMES, row) for row in parts * self._point_of_logit(situation)]

    def _point_of_logit(self, situation: Situation) -> float:
        return float(UNIT / (self.weights[0] + self.weights[1] * situation.facing_riichi))


def _of_network(network: PreferenceNetwork, of_terms: Floats, of_inputs: Floats) -> Floats:
    """Its term, (n,), by the (n, terms) and (n, inputs) of n actions."""
    return network.logits(np.column_stack((of_terms[:, len(VALUES) :], of_inputs)))


def _made(*, weights: Floats, **network: Floats) -> PreferenceModel:
    return PreferenceModel(weights, PreferenceNetwork(**network))


HEADER = {"terms": list(TERMS), "inputs": list(INPUTS)}
FITTED = FittedModel(SHIPPED, from_part("preferences", _made), {"model": MODEL, **HEADER})
load, from_parameters = FITTED.load, FITTED.from_parameters
