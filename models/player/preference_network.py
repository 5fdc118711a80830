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
import pandas as pd

from houjuu.player.preference.features import VALUES
from houjuu.player.preference.network import MOST, NAMES, PreferenceNetwork
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting.descent import NetworkFit, Weights
from models.fitting.shards import Arrays, Shards, sums
from models.player.preferences import decisions, padded

Singles = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]

_LEAST_SCALE = 1e-3


class Choices(NamedTuple):
    """All decisions of a fit, d, with m actions.

    Attributes
    ----------
    columns : (m, i) array
        The standardized inputs of each action, in half precision.
    offset : (m,) array
        The logit of the terms.
    starts, sizes : (d,) arrays
        First action and number of actions of each decision.
    chosen : (d,) array
        The chosen action, counted from the first of its decision.
    """

    columns: Halves
    offset: Singles
    starts: Ints
    sizes: Ints
    chosen: Ints


class DecisionBatch(NamedTuple):
    """Some decisions, each filled up to s actions, and decisions that do not count."""

    columns: Halves  # (b, s, i)
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
        """Fit to rows of `features.action_rows.ACTIONS`, all in memory: half a megabyte a game.

        Parameters
        ----------
        shards : Shards
        terms : (terms,) array
            The weights of `models.player.preferences.PreferenceRegression`.
        """
        n_actions, total, squares = sums(shards.map(_moments))
        center = total / n_actions
        variance = np.maximum(squares / n_actions - center**2, 0.0)
        scale = np.maximum(np.sqrt(variance), _LEAST_SCALE)
        of_shards = [*shards.map(partial(_choices, terms, center, scale))]
        choices = Choices(*map(np.concatenate, zip(*of_shards, strict=True)))
        choices = choices._replace(starts=np.cumsum(choices.sizes) - choices.sizes)
        n_decisions = len(choices.starts)
        (weights,) = self.descend(n_decisions, self._start, _loss, partial(batches, choices))
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
    columns = batch.columns.astype(jnp.float32)
    units = jax.nn.relu(columns @ weights["hidden"] + weights["bias"])
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


def _moments(rows: pd.DataFrame) -> tuple[int, Floats, Floats]:
    """The number of actions of a shard, and the sums of the inputs and of their squares."""
    columns = _columns(decisions(rows)).astype(np.float64)
    return len(columns), columns.sum(axis=0), (columns**2).sum(axis=0)


def _choices(terms: Floats, center: Floats, scale: Floats, rows: pd.DataFrame) -> Choices:
    """The decisions of a shard; their first actions are counted in it."""
    arrays = decisions(rows)
    standardized = (_columns(arrays) - center) / scale
    starts = arrays["starts"]
    return Choices(
        columns=np.clip(standardized, -MOST, MOST).astype(np.float16),
        offset=(arrays["terms"] @ terms).astype(np.float32),
        starts=starts,
        sizes=np.diff(starts, append=len(standardized)),
        chosen=arrays["chosen"] - starts,
    )


def _columns(arrays: Arrays) -> Singles:
    """The inputs of the actions, (m, i)."""
    return np.column_stack((arrays["terms"][:, len(VALUES) :], arrays["inputs"]))
