"""Stochastic gradient descent by Adam (Kingma & Ba 2015), for the networks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import optax
from tqdm import tqdm

from houjuu.util.arrays import Floats

Weights = dict[str, jax.Array]
Batch = TypeVar("Batch")

_WARM_UP = 0.025  # share of all steps


@dataclass(frozen=True)
class Descent:
    """The course of a fit.

    Parameters
    ----------
    stage : str
        The name that the progress shows.
    epochs : int
    steps_of_epoch : int
    learning_rate : float
        The largest; it rises at first and falls along a cosine.
    weight_decay : float
    gradient_norm : float, default=inf
        A longer gradient of a step is shortened to this.
    """

    stage: str
    epochs: int
    steps_of_epoch: int
    learning_rate: float
    weight_decay: float
    gradient_norm: float = np.inf

    def fitted(
        self,
        starts: Mapping[str, Floats],
        loss: Callable[[Weights, Batch], jax.Array],
        batches: Callable[[], Iterable[Batch]],
    ) -> dict[str, Floats]:
        """The weights at the end.

        Parameters
        ----------
        starts : mapping of str to array
            The weights at first.
        loss : callable
            The loss of a batch by the weights.
        batches : callable
            The batches of an epoch, each with arrays of the same shapes.
        """
        optimizer = self._optimizer()
        weights = {name: jnp.asarray(array, jnp.float32) for name, array in starts.items()}
        state = optimizer.init(weights)

        @jax.jit
        def step(weights: Weights, state: Any, batch: Batch) -> tuple[Weights, Any]:
            updates, state = optimizer.update(jax.grad(loss)(weights, batch), state, weights)
            return optax.apply_updates(weights, updates), state

        with tqdm(total=self._steps, desc=self.stage, unit="step") as progress:
            for _ in range(self.epochs):
                for batch in batches():
                    weights, state = step(weights, state, batch)
                    progress.update()
        return {name: np.asarray(array, np.float64) for name, array in weights.items()}

    @property
    def _steps(self) -> int:
        return self.epochs * self.steps_of_epoch

    def _optimizer(self) -> optax.GradientTransformation:
        warm_up, steps = max(int(_WARM_UP * self._steps), 1), max(self._steps, 2)
        rate = optax.warmup_cosine_decay_schedule(0.0, self.learning_rate, warm_up, steps)
        adam = optax.adamw(rate, weight_decay=self.weight_decay)
        if np.isinf(self.gradient_norm):
            return adam
        return optax.chain(optax.clip_by_global_norm(self.gradient_norm), adam)
