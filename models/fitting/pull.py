"""A fit that starts from another model: penalties pull its weights towards those of the prior.

How strongly is chosen on a tenth of the games, which the fits of the choice have not seen: from the
prior itself (no change at all) down to the penalties of a fit from nothing, as long as the loss
falls by more than its standard error over games. The part is then fitted to all games.

A fit from nothing has a prior too: a line, or the counts of tiles and hands. The penalties of the
settings are those for many games. For fewer, kept games choose stronger ones in the same way; for
the fewest they are the strongest that no sample was certainly worse with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, sqrt
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from houjuu.util.arrays import Bools, Floats
from models.fitting.shards import SelectedShards, Shards, game_hashes

STRENGTHS = (1000.0, 100.0, 10.0, 1.0)
"""Factors on the penalties of a part, from the prior away."""
FEW, MANY = 100, 10_000
"""Games between which a fit from nothing chooses: ten kept games of fewer choose by chance."""

_KEPT = 10
"""One of so many games is kept from the fits of the choice."""

Losses = Callable[[Any, pd.DataFrame], Floats]
"""Maps a model and m rows to the log loss of each row, nats, (m,)."""


class Pullable(Protocol):
    """What can be fitted with a prior."""

    @property
    def fit(self) -> Callable[..., Any]:
        """Fit to the rows of shards, with a prior."""
        ...

    def pulled(self, strength: float) -> Any:
        """The estimator with penalties that are so many times as strong."""
        ...

    def to_runtime(self) -> Any:
        """The fitted model as the runtime loads it."""
        ...

    def get_params(self) -> dict[str, Any]:
        """The settings of the fit."""
        ...


Fit = TypeVar("Fit", bound=Pullable)


@dataclass(frozen=True)
class PulledPart:
    """A part that was fitted with a prior, as `models.export.Trainer`.

    Attributes
    ----------
    model : object
        The model as the runtime loads it; the prior itself where no fit was better.
    settings : dict
        Those of the estimator, and ``pull``: the chosen factor on its penalties, None for the
        prior.
    gains : dict of str to (float, float)
        Log loss of the prior less that of each fit, nats per kept game, and its standard error.
    """

    model: Any
    settings: Mapping[str, Any]
    gains: Mapping[str, tuple[float, float]]

    def to_runtime(self) -> Any:
        """The model."""
        return self.model

    def get_params(self) -> dict[str, Any]:
        """The settings."""
        return dict(self.settings)


def fit(
    estimator: Pullable, shards: Shards, prior: Any, losses: Losses, **further: Any
) -> PulledPart:
    """Choose the strength of the pull, and fit to all rows.

    Parameters
    ----------
    estimator : Pullable
        Unfitted, with the penalties of a fit from nothing.
    shards : Shards
        Rows with a column "game".
    prior : object
        The model to start from.
    losses : callable
        It is pickled.
    **further
        Further arguments of the fits.
    """
    strength, gains = _chosen(estimator, shards, losses, STRENGTHS, prior, **further)
    settings = estimator.get_params() | {"pull": None if strength == inf else strength}
    model = prior
    if strength < inf:
        model = estimator.pulled(strength).fit(shards, prior=prior, **further).to_runtime()
    return PulledPart(model, settings, gains)


def from_nothing(
    estimator: Fit,
    shards: Shards,
    losses: Losses,
    n_games: int,
    strengths: Sequence[float] = (3.0, 1.0),
    **rough: Any,
) -> Fit:
    """The estimator, fitted to all rows without a prior; its settings have the penalties used.

    Parameters
    ----------
    estimator : Pullable
        Unfitted, with the penalties for many games.
    shards, losses
        As in `fit`.
    n_games : int
        Number of games of the rows.
    strengths : sequence of float
        Factors on the penalties: the first for the fewest games, and then weaker ones.
    **rough
        Further settings of the fits of the choice.
    """
    strength = strengths[0] if n_games < MANY else 1.0
    if FEW <= n_games < MANY:
        trial = estimator.pulled(1.0).set_params(**rough)
        strength, _ = _chosen(trial, shards, losses, strengths)
    fitted: Fit = estimator.pulled(strength).fit(shards)
    return fitted


def _chosen(
    estimator: Pullable,
    shards: Shards,
    losses: Losses,
    strengths: Sequence[float],
    prior: Any = None,
    **further: Any,
) -> tuple[float, dict[str, tuple[float, float]]]:
    """The chosen strength, and the gains of all that were tried; see `fit`."""
    kept, others = (
        SelectedShards(shards, partial(_selected, wanted=flag)) for flag in (True, False)
    )
    strength, start = inf, prior
    if prior is None:
        strength, *strengths = strengths
        start = estimator.pulled(strength).fit(others).to_runtime()
    first = best = _by_game(kept, start, losses)
    gains: dict[str, tuple[float, float]] = {}
    for weaker in strengths if len(best) else ():
        fitted = estimator.pulled(weaker).fit(others, prior=prior, **further)
        loss = _by_game(kept, fitted.to_runtime(), losses)
        gains[f"{weaker:g}"] = gain(first, loss)
        mean, error = gain(best, loss)
        if not mean > 0:
            break  # still weaker pulls lose more
        if mean > error:
            best, strength = loss, weaker
    return strength, gains


def gain(before: pd.Series[float], after: pd.Series[float]) -> tuple[float, float]:
    """Mean of the loss that a game loses, and its standard error: 0 of one game."""
    by_game = (before - after).to_numpy()
    error = by_game.std(ddof=1) / sqrt(len(by_game)) if len(by_game) > 1 else 0.0
    return float(by_game.mean()), float(error)


def is_kept(games: npt.NDArray[np.uint64]) -> Bools:
    """Whether games are kept, by their `game_hashes`, (m,)."""
    # The lowest bits are those of halves and of subsamples.
    return np.asarray((games >> np.uint64(32)) % np.uint64(_KEPT) == 0)


def _selected(rows: pd.DataFrame, *, wanted: bool) -> pd.DataFrame:
    mask = is_kept(game_hashes(rows["game"])) == wanted
    return rows.iloc[np.flatnonzero(mask)]


def _by_game(shards: Shards, model: Any, losses: Losses) -> pd.Series[float]:
    """The sum of the losses of each game."""
    sums = [*shards.map(partial(_sums, model, losses))]
    return pd.concat(sums) if sums else pd.Series(dtype=float)


def _sums(model: Any, losses: Losses, rows: pd.DataFrame) -> pd.Series[float]:
    if not len(rows):
        return pd.Series(dtype=float)
    return pd.Series(losses(model, rows)).groupby(rows["game"].astype(str).to_numpy()).sum()
