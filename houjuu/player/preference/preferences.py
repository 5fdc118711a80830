"""The preferences of phoenix players beyond the values of the models.

The models see hands after the choices of good players: hands were opened when it was good to open
them, for reasons that shanten, useful tiles and points do not show. A conditional logit of the
choices themselves corrects for that. Its logit of an action is a weight times the value plus a few
features and the output of a network. Divided by that weight, these are points too, and one more
part of the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from houjuu.player.preference.decision import DecisionContext
from houjuu.player.preference.features import FEATURES, UNIT, VALUES, feature_names, features
from houjuu.player.preference.inputs import INPUTS, input_names, inputs
from houjuu.player.preference.network import PreferenceNetwork
from houjuu.player.values.outcome import Outcome
from houjuu.util import parameters
from houjuu.util.arrays import Floats, Ints
from houjuu.util.attributions import Attributions, grouped
from houjuu.util.errors import ParameterError
from houjuu.util.features import columns_of, take
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters

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
    terms, inputs : sequence of str, default=all of the code
        The names of the features, first `VALUES`, and of the inputs of the network.

    Raises
    ------
    ParameterError
        A feature is unknown, a shape is wrong, a weight is absurd, or the value has no positive
        weight.
    """

    weights: Floats
    network: PreferenceNetwork | None = None
    terms: Sequence[str] = field(default_factory=feature_names)
    inputs: Sequence[str] = field(default_factory=input_names)

    def __post_init__(self) -> None:
        _ = self._term_columns, self._input_columns
        if tuple(self.terms[: len(VALUES)]) != VALUES:
            raise ParameterError("the features of the value are not the first of the preferences")
        if self.weights.shape != (len(self.terms),):
            raise ParameterError(f"the weights of preferences have the shape {self.weights.shape}")
        if self.network is not None and len(self.network.center) != len(self._names):
            raise ParameterError("the network of preferences does not fit its inputs")
        parameters.require_weights("the weights of preferences", self.weights)
        if least_value(self.weights) <= 0:
            raise ParameterError("the weight of the value in the preferences is not positive")

    @cached_property
    def _term_columns(self) -> Ints | None:
        return columns_of(self.terms, feature_names(), "the model of preferences")

    @cached_property
    def _input_columns(self) -> Ints | None:
        return columns_of(self.inputs, input_names(), "the network of preferences")

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The names of the inputs of the network."""
        return (*self.terms[len(VALUES) :], *self.inputs)

    def logits(self, features: Floats, inputs: Floats) -> Floats:
        """The logits of n actions, (n,), by their (n, features) and (n, inputs)."""
        terms = self._terms(features)
        logits = terms @ self.weights
        if self.network is not None:
            logits += self.network.logits(self._columns(terms, inputs))
        return np.asarray(logits)

    def points(self, context: DecisionContext, outcomes: Sequence[Outcome]) -> Floats:
        """The worth of an action beside its value, (n,), at most 0, unit: points."""
        terms = self._terms(features(context, outcomes))
        logits = terms[:, len(VALUES) :] @ self._preference_weights
        if self.network is not None:
            logits += self.network.logits(self._columns(terms, inputs(context, outcomes)))
        return np.asarray((logits - logits.max()) * self._logit_points(context))

    def explain(self, context: DecisionContext, outcomes: Sequence[Outcome]) -> list[Attributions]:
        """The parts of the points of each action by feature and input; they add up to its points.

        A part is the difference to that of the preferred action, which has 0 points.
        """
        terms = self._terms(features(context, outcomes))
        columns = self._columns(terms, inputs(context, outcomes))
        parts = np.zeros_like(columns) if self.network is None else self.network.parts(columns)
        weights = self._preference_weights
        parts[:, : len(weights)] += columns[:, : len(weights)] * weights
        parts -= parts[parts.sum(axis=1).argmax()]
        parts *= self._logit_points(context)
        return [grouped(self._names, row) for row in parts]

    def _terms(self, features: Floats) -> Floats:
        """The features of the model, from those of the code."""
        return take(features, self._term_columns)

    def _columns(self, terms: Floats, inputs: Floats) -> Floats:
        """The inputs of the network, by the terms and all inputs of the code."""
        return np.column_stack((terms[:, len(VALUES) :], take(inputs, self._input_columns)))

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


def _made(fitted: Parameters) -> PreferenceModel:
    network = fitted.part("preferences")
    weights = network.pop("weights")
    names = {name: fitted.header[name] for name in HEADER}
    return PreferenceModel(weights, PreferenceNetwork(**network), **names)


HEADER = {"terms": list(FEATURES), "inputs": list(INPUTS)}
"""The names in the header of a new fit."""

FITTED = FittedModel(SHIPPED, _made, {"model": MODEL})
load = FITTED.load
from_parameters = FITTED.from_parameters
