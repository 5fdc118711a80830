"""Fitting the preferences of strong players (`houjuu.player.preference.preferences`).

The fit is stochastic gradient descent on the log loss of the choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import pandas as pd

from features.action_rows import TERM_COLUMNS
from houjuu.player.preference.features import FEATURES
from houjuu.player.preference.preferences import MOST, PreferenceModel
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting.descent import NetworkFit, Weights
from models.fitting.shards import Shards, sums

Singles = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]

_LEAST_SCALE = 1e-3


class Choices(NamedTuple):
    """Some decisions, d, in order, with m actions.

    Attributes
    ----------
    columns : (m, i) array
        The features of each action; for a fit standardized, in half precision.
    value : (m,) array
        The value of each action, less than the best.
    phases : (d, 3) array
        What the weight of the value depends on (`houjuu.player.preference.features.phase`).
    sizes : (d,) array
        The number of actions of each decision.
    chosen : (d,) array
        The chosen action, counted from the first of its decision.
    """

    columns: npt.NDArray[Any]
    value: npt.NDArray[Any]
    phases: npt.NDArray[Any]
    sizes: Ints
    chosen: Ints

    @property
    def starts(self) -> Ints:
        """The index of the first action of each decision, (d,)."""
        return np.cumsum(self.sizes) - self.sizes


class DecisionBatch(NamedTuple):
    """Some decisions, each filled up to s actions, and decisions that do not count."""

    columns: Halves  # (b, s, i)
    value: Singles  # (b, s)
    phases: Singles  # (b, 3)
    is_action: Bools  # (b, s)
    chosen: Ints  # (b,)
    counts: Bools  # (b,)


@dataclass(kw_only=True, eq=False, repr=False)
class PreferenceFit(NetworkFit):
    """The preferences; parameters as those of `NetworkFit`, a sample is a decision."""

    stage: ClassVar[str] = "train_preferences"
    learning_rate: float = 0.003
    weight_decay: float = 0.01

    def fit(self, shards: Shards) -> Self:
        """Fit to rows of `features.action_rows.ACTIONS`, all in memory: half a megabyte a game."""
        n_actions, total, squares = sums(shards.map(_moments))
        center = total / max(n_actions, 1)
        variance = np.maximum(squares / max(n_actions, 1) - center**2, 0.0)
        scale = np.maximum(np.sqrt(variance), _LEAST_SCALE)
        of_shards = [*shards.map(partial(_choices, center, scale))]
        choices = Choices(*map(np.concatenate, zip(*of_shards, strict=True)))
        (weights,) = self.descend(len(choices.sizes), self._start, _loss, partial(batches, choices))
        self.weights_ = {"center": center, "scale": scale, **weights}
        return self

    def to_runtime(self) -> PreferenceModel:
        """The fitted model."""
        return PreferenceModel(**self.weights_)

    def _start(self, rng: np.random.Generator) -> dict[str, Floats]:
        """Random weights; the output begins with zeros, so that the values alone count at first."""
        n_inputs = len(FEATURES)
        return {
            "value": np.zeros(3),
            "hidden": rng.normal(0.0, n_inputs**-0.5, (n_inputs, self.units)),
            "bias": np.zeros(self.units),
            "output": np.zeros(self.units),
        }


def _loss(weights: Weights, batch: DecisionBatch) -> jax.Array:
    """Log loss of the choices of a batch, nats per decision."""
    columns = batch.columns.astype(jnp.float32)
    units = jax.nn.relu(columns @ weights["hidden"] + weights["bias"])
    logits = units @ weights["output"]
    logits += batch.value * jnp.exp(batch.phases @ weights["value"])[:, None]
    odds = jax.nn.log_softmax(jnp.where(batch.is_action, logits, -jnp.inf))
    n_decisions = len(batch.chosen)
    losses = -odds[jnp.arange(n_decisions), batch.chosen]
    total = (losses * batch.counts).sum()
    return jnp.asarray(total / n_decisions)


def batches(choices: Choices, size: int, rng: np.random.Generator) -> Iterator[DecisionBatch]:
    """Yield all decisions once, in random order; the last batch is filled up."""
    order, starts = rng.permutation(len(choices.sizes)), choices.starts
    width = int(choices.sizes.max(initial=1))
    position = np.arange(width)
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        counts = np.arange(size) < len(chosen)
        chosen = np.resize(chosen, size)
        is_action = position < choices.sizes[chosen][:, None]
        index = starts[chosen][:, None] + np.where(is_action, position, 0)
        yield DecisionBatch(
            columns=choices.columns[index],
            value=choices.value[index],
            phases=choices.phases[chosen],
            is_action=is_action,
            chosen=choices.chosen[chosen],
            counts=counts,
        )


def decisions(rows: pd.DataFrame) -> Choices:
    """The rows as decisions."""
    keys = list(zip(rows["game"], rows["decision"], strict=True))
    number, _ = pd.factorize(pd.Series(keys))
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    phases = rows[["facing_riichi", "last_round"]].to_numpy(np.float32)[starts]
    return Choices(
        columns=rows[TERM_COLUMNS].to_numpy(np.float32),
        value=rows["value"].to_numpy(np.float32),
        phases=np.insert(phases, 0, 1.0, axis=1),
        sizes=np.diff(starts, append=len(rows)),
        chosen=np.flatnonzero(rows["chosen"].to_numpy()) - starts,
    )


def _moments(rows: pd.DataFrame) -> tuple[int, Floats, Floats]:
    """The number of actions of a shard, and the sums of the features and of their squares."""
    terms = rows[TERM_COLUMNS].to_numpy(np.float64)
    return len(terms), terms.sum(axis=0), (terms**2).sum(axis=0)


def _choices(center: Floats, scale: Floats, rows: pd.DataFrame) -> Choices:
    """The decisions of a shard, with standardized features."""
    found = decisions(rows)
    standardized = np.clip((found.columns - center) / scale, -MOST, MOST)
    return found._replace(columns=standardized.astype(np.float16))


def logits(model: PreferenceModel, choices: Choices) -> tuple[Floats, Floats]:
    """The logits of the actions of `decisions`, and those of their values alone, (actions,)."""
    by_value = choices.value * np.repeat(model.value_weight(choices.phases), choices.sizes)
    return by_value + model.logits(choices.columns), by_value


def log_odds(logits: Floats, starts: Ints) -> Floats:
    """The log of P(action) in its decision, (actions,), by the logits and first actions."""
    logits = logits - _of_decision(np.maximum, logits, starts)
    total = _of_decision(np.add, np.exp(logits), starts)
    return np.asarray(logits - np.log(total))


def best(log_odds: Floats, starts: Ints) -> Ints:
    """The index of the likeliest action of each decision, (decisions,): of equals the first."""
    is_best = log_odds == _of_decision(np.maximum, log_odds, starts)
    candidates = np.where(is_best, np.arange(len(log_odds)), len(log_odds))
    return np.minimum.reduceat(candidates, starts)


def _of_decision(reduction: np.ufunc, values: Floats, starts: Ints) -> Floats:
    """The reduction of the values of a decision, for each of its actions, (actions,)."""
    sizes = np.diff(starts, append=len(values))
    return np.asarray(np.repeat(reduction.reduceat(values, starts), sizes))
