"""Fitting the network of preferences (`houjuu.player.preference.network`).

Its term is added to the logit of the terms, which stays as it is. The fit is stochastic gradient
descent on the log loss of the choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple, Self

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from houjuu.player.preference.features import VALUES
from houjuu.player.preference.network import MOST, NAMES, PreferenceNetwork
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting.descent import NetworkFit, Weights
from models.fitting.shards import Arrays, Shards
from models.player.preferences import decisions, padded

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


class DecisionBatch(NamedTuple):
    """Some decisions, each filled up to s actions, and decisions that do not count."""

    columns: Singles  # (b, s, i)
    offset: Singles  # (b, s)
    is_action: Bools  # (b, s)
    chosen: Ints  # (b,)
    counts: Bools  # (b,)


@dataclass(kw_only=True, eq=False, repr=False)
class PreferenceNetworkFit(NetworkFit):
    """The network of preferences; parameters as those of `NetworkFit`, a sample is a decision."""

    stage: ClassVar[str] = "train_preferences"
    learning_rate: float = 0.003
    weight_decay: float = 0.01

    def fit(self, shards: Shards, terms: Floats) -> Self:
        """Fit to rows of `features.action_rows.ACTIONS`, all in memory: a megabyte a game.

        Parameters
        ----------
        shards : Shards
        terms : (terms,) array
            The weights of `models.player.preferences.PreferenceRegression`.
        """
        arrays = list(shards.map(decisions))
        columns = np.concatenate([_columns(shard) for shard in arrays])
        center = columns.mean(axis=0, dtype=np.float64)
        scale = np.maximum(columns.std(axis=0, dtype=np.float64), _LEAST_SCALE)
        standardized = _standardized(columns, center, scale)
        choices = _choices(arrays, standardized, terms)
        n_decisions = len(choices.starts)
        weights = self.descend(n_decisions, self._start, _loss, partial(batches, choices))
        self.weights_ = {"center": center, "scale": scale, **weights}
        return self

    def to_runtime(self) -> PreferenceNetwork:
        """The fitted network."""
        return PreferenceNetwork(**self.weights_)

    def _start(self, rng: np.random.Generator) -> dict[str, Floats]:
        """Random weights; the output begins with zeros, so that the terms alone count at first."""
        n_inputs = len(NAMES)
        return {
            "hidden": rng.normal(0.0, n_inputs**-0.5, (n_inputs, self.units)),
            "bias": np.zeros(self.units),
            "output": np.zeros(self.units),
        }


def _loss(weights: Weights, batch: DecisionBatch) -> jax.Array:
    """Log loss of the choices of a batch, nats per decision."""
    units = jax.nn.relu(batch.columns @ weights["hidden"] + weights["bias"])
    logits = batch.offset + units @ weights["output"]
    possible_logits = jnp.where(batch.is_action, logits, -jnp.inf)
    odds = jax.nn.log_softmax(possible_logits)
    n_decisions = len(batch.chosen)
    losses = -odds[jnp.arange(n_decisions), batch.chosen]
    total = (losses * batch.counts).sum()
    return jnp.asarray(total / n_decisions)


def batches(choices: Choices, size: int, rng: np.random.Generator) -> Iterator[DecisionBatch]:
    """Yield all decisions once, in random order; the last batch is filled up."""
    order = rng.permutation(len(choices.starts))
    width = int(choices.sizes.max(initial=1))
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        counts = np.arange(size) < len(chosen)
        chosen = np.resize(chosen, size)
        index, is_action = padded(choices.starts[chosen], choices.sizes[chosen], width)
        yield DecisionBatch(
            columns=choices.columns[index],
            offset=choices.offset[index],
            is_action=is_action,
            chosen=choices.chosen[chosen],
            counts=counts,
        )


def _columns(arrays: Arrays) -> Singles:
    """The inputs of the actions, (m, i)."""
    terms = arrays["terms"][:, len(VALUES) :]
    return np.column_stack((terms, arrays["inputs"])).astype(np.float32)


def _standardized(columns: Singles, center: Floats, scale: Floats) -> Singles:
    standardized = (columns - center.astype(np.float32)) / scale.astype(np.float32)
    return np.clip(standardized, -MOST, MOST).astype(np.float32)


def _choices(arrays: list[Arrays], columns: Singles, terms: Floats) -> Choices:
    by_shard = [np.diff(shard["starts"], append=len(shard["terms"])) for shard in arrays]
    sizes = np.concatenate(by_shard)
    chosen = [shard["chosen"] - shard["starts"] for shard in arrays]
    offset = np.concatenate([shard["terms"] @ terms for shard in arrays])
    return Choices(
        columns=columns,
        offset=offset.astype(np.float32),
        starts=np.cumsum(sizes) - sizes,
        sizes=sizes,
        chosen=np.concatenate(chosen),
    )
