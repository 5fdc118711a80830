"""Fitting the network of preferences (`houjuu.player.preference.network`).

Its term is added to the logit of the terms, which stays as it is. The fit is stochastic gradient
descent on the log loss of the choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple, Self

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from houjuu.player.preference.features import VALUES
from houjuu.player.preference.network import MOST, NAMES, PreferenceNetwork
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting.descent import Descent, Weights
from models.fitting.parts import Arrays, Parts
from models.player.preferences import decisions

Singles = npt.NDArray[np.float32]

_LEAST_SCALE = 1e-3


class Choices(NamedTuple):
    """All decisions of a fit, d, with m actions.

    Attributes
    ----------
    columns : (m, i) array
        The inputs of each action.
    offset : (m,) array
        The logit of the terms.
    starts, sizes : (d,) arrays
        First action and number of actions of each decision.
    chosen : (d,) array
        The chosen action, counted from the first of its decision.
    """

    columns: Singles
    offset: Singles
    starts: Ints
    sizes: Ints
    chosen: Ints


class Batch(NamedTuple):
    """Some decisions, each filled up to s actions, and decisions that do not count."""

    columns: Singles  # (b, s, i)
    offset: Singles  # (b, s)
    is_action: Bools  # (b, s)
    chosen: Ints  # (b,)
    counts: Bools  # (b,)


class PreferenceNetworkFit(BaseEstimator):  # type: ignore[misc]
    """The network of preferences.

    Parameters
    ----------
    units : int, default=64
    epochs : int, default=4
    batch : int, default=256
        Number of decisions of a step.
    learning_rate : float, default=0.003
        The largest; it rises at first and falls along a cosine.
    weight_decay : float, default=0.01
    seed : int, default=0

    Attributes
    ----------
    weights_ : dict of arrays
    """

    def __init__(
        self,
        *,
        units: int = 64,
        epochs: int = 4,
        batch: int = 256,
        learning_rate: float = 0.003,
        weight_decay: float = 0.01,
        seed: int = 0,
    ) -> None:
        self.units = units
        self.epochs = epochs
        self.batch = batch
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.seed = seed

    def fit(self, parts: Parts, terms: Floats) -> Self:
        """Fit to rows of `features.action_rows.ACTIONS`, all in memory: a megabyte a game.

        Parameters
        ----------
        parts : Parts
        terms : (terms,) array
            The weights of `models.player.preferences.PreferenceRegression`.
        """
        arrays = list(parts.map(decisions))
        columns = np.concatenate([_columns(part) for part in arrays])
        center = columns.mean(axis=0, dtype=np.float64)
        scale = np.maximum(columns.std(axis=0, dtype=np.float64), _LEAST_SCALE)
        choices = _choices(arrays, _standardized(columns, center, scale), terms)
        self.weights_ = {"center": center, "scale": scale} | self._descended(choices)
        return self

    def to_runtime(self) -> PreferenceNetwork:
        """The fitted network."""
        return PreferenceNetwork(**self.weights_)

    def _descended(self, choices: Choices) -> dict[str, Floats]:
        rng = np.random.default_rng(self.seed)
        starts, steps_of_epoch = self._start(rng), -(-len(choices.starts) // self.batch)
        rates = self.learning_rate, self.weight_decay
        descent = Descent("train_preferences", self.epochs, steps_of_epoch, *rates)
        return descent.fitted(starts, _loss, partial(batches, choices, self.batch, rng))

    def _start(self, rng: np.random.Generator) -> dict[str, Floats]:
        """Random weights; the output begins with zeros, so that the terms alone count at first."""
        hidden = rng.normal(0.0, len(NAMES) ** -0.5, (len(NAMES), self.units))
        return {"hidden": hidden, "bias": np.zeros(self.units), "output": np.zeros(self.units)}


def _loss(weights: Weights, batch: Batch) -> jax.Array:
    """Log loss of the choices of a batch, nats per decision."""
    units = jax.nn.relu(batch.columns @ weights["hidden"] + weights["bias"])
    logits = batch.offset + units @ weights["output"]
    odds = jax.nn.log_softmax(jnp.where(batch.is_action, logits, -jnp.inf))
    losses = -odds[jnp.arange(len(batch.chosen)), batch.chosen]
    return jnp.asarray((losses * batch.counts).sum() / len(batch.chosen))


def batches(choices: Choices, size: int, rng: np.random.Generator) -> Iterator[Batch]:
    """Yield all decisions once, in random order; the last batch is filled up."""
    order = rng.permutation(len(choices.starts))
    place = np.arange(choices.sizes.max(initial=1))
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        counts = np.arange(size) < len(chosen)
        chosen = np.resize(chosen, size)
        is_action = place < choices.sizes[chosen][:, None]
        index = choices.starts[chosen][:, None] + np.where(is_action, place, 0)
        columns, offset = choices.columns[index], choices.offset[index]
        yield Batch(columns, offset, is_action, choices.chosen[chosen], counts)


def _columns(arrays: Arrays) -> Singles:
    """The inputs of the actions, (m, i)."""
    terms = arrays["terms"][:, len(VALUES) :]
    return np.column_stack((terms, arrays["inputs"])).astype(np.float32)


def _standardized(columns: Singles, center: Floats, scale: Floats) -> Singles:
    standardized = (columns - center.astype(np.float32)) / scale.astype(np.float32)
    return np.clip(standardized, -MOST, MOST).astype(np.float32)


def _choices(arrays: list[Arrays], columns: Singles, terms: Floats) -> Choices:
    sizes = [np.diff(part["starts"], append=len(part["terms"])) for part in arrays]
    chosen = [part["chosen"] - part["starts"] for part in arrays]
    offset = np.concatenate([part["terms"] @ terms for part in arrays]).astype(np.float32)
    joined = np.concatenate(sizes)
    starts = np.cumsum(joined) - joined
    return Choices(columns, offset, starts, joined, np.concatenate(chosen))
