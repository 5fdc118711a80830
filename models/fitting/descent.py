"""The fit of a network: stochastic gradient descent by Adam (Kingma & Ba 2015)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax
from sklearn.base import BaseEstimator
from tqdm import tqdm

from houjuu.util.arrays import Floats

Weights = dict[str, jax.Array]
Batch = TypeVar("Batch")

_WARM_UP = 0.025  # share of all steps


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkFit(BaseEstimator):  # type: ignore[misc]
    """The settings of a network's fit, and its training loop.

    Parameters
    ----------
    units : int, default=64
    epochs : int, default=4
    batch : int, default=256
        Number of samples of a step.
    learning_rate : float
        The largest; it rises at first and falls along a cosine.
    weight_decay : float
    seed : int, default=0

    Attributes
    ----------
    weights_ : dict of arrays
    losses_ : list of float
        The mean loss of the batches of each epoch, each before its step.
    """

    stage: ClassVar[str]
    """The name that the progress shows."""
    gradient_norm: ClassVar[float] = np.inf
    """A longer gradient of a step is shortened to this."""

    units: int = 64
    epochs: int = 4
    batch: int = 256
    learning_rate: float
    weight_decay: float
    seed: int = 0

    def steps_of_epoch(self, n_samples: int) -> int:
        """Number of steps in which an epoch passes over all samples."""
        return -(-n_samples // self.batch)

    def descend(
        self,
        n_samples: int,
        start: Callable[[np.random.Generator], dict[str, Floats]],
        loss: Callable[[Weights, Batch], jax.Array],
        batches: Callable[[int, np.random.Generator], Iterable[Batch]],
        networks: int = 1,
    ) -> list[dict[str, Floats]]:
        """The weights of each network after all epochs; what they compile, they compile once.

        Parameters
        ----------
        n_samples : int
        start : callable
            Draws the weights at first.
        loss : callable
            The loss of a batch by the weights.
        batches : callable
            Draws the batches of an epoch, from their size: arrays of the same shapes in each.
        networks : int, default=1
            Number of networks, with the seed and those after it; their losses are averaged.
        """
        n_steps = self.epochs * self.steps_of_epoch(n_samples)
        optimizer = self._optimizer(n_steps)

        @jax.jit
        def step(weights: Weights, state: Any, batch: Batch) -> tuple[Weights, Any, jax.Array]:
            value, gradient = jax.value_and_grad(loss)(weights, batch)
            updates, state = optimizer.update(gradient, state, weights)
            return optax.apply_updates(weights, updates), state, value

        fitted, losses = [], np.zeros((networks, self.epochs))
        with tqdm(total=networks * n_steps, desc=self.stage, unit="step") as progress:
            for number in range(networks):
                rng = np.random.default_rng(self.seed + number)
                weights = {name: jnp.asarray(one, jnp.float32) for name, one in start(rng).items()}
                state = optimizer.init(weights)
                for epoch in range(self.epochs):
                    total, n_batches = jnp.zeros(()), 0
                    for batch in batches(self.batch, rng):
                        weights, state, value = step(weights, state, batch)
                        total, n_batches = total + value, n_batches + 1
                        progress.update()
                    losses[number, epoch] = float(total) / max(n_batches, 1)
                fitted.append({name: np.asarray(one, np.float64) for name, one in weights.items()})
        self.losses_ = losses.mean(axis=0).tolist()
        return fitted

    def _optimizer(self, n_steps: int) -> optax.GradientTransformation:
        warm_up = max(int(_WARM_UP * n_steps), 1)
        rate = optax.warmup_cosine_decay_schedule(0.0, self.learning_rate, warm_up, max(n_steps, 2))
        adam = optax.adamw(rate, weight_decay=self.weight_decay)
        if np.isinf(self.gradient_norm):
            return adam
        return optax.chain(optax.clip_by_global_norm(self.gradient_norm), adam)
