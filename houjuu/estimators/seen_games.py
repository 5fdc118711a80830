"""The games that a model was fitted to, as hashes of their ids: nothing is measured on them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from houjuu.estimators.loading import DEFAULT_MODEL, EVALUATED_MODEL, is_object, parameter_file
from houjuu.estimators.own import own_estimator
from houjuu.util import parameters
from houjuu.util.arrays import Bools
from houjuu.util.game_hashes import Hashes, hashes, seen_in


def seen_by(model: str | Path) -> Hashes:
    """The hashes of the games of a model's fit, its prior and its factors; none if unknown.

    Raises
    ------
    Error
        There is no such model, or the file is damaged.
    """
    if is_object(model):
        return own_estimator(str(model)).seen
    return seen_in(parameters.from_bytes(parameter_file(model), str(model)).arrays)


def are_seen(games: Iterable[object], *models: str | Path) -> Bools:
    """Which games are in the fit of any of some models, (n,)."""
    return np.isin(hashes(games), np.concatenate([np.zeros(0, np.uint64), *map(seen_by, models)]))


def least_seen(games: Iterable[object]) -> str:
    """Of the default model and its evaluated fit the one with fewer of some games in its fit."""
    ids = [*games]
    return min((DEFAULT_MODEL, EVALUATED_MODEL), key=lambda model: are_seen(ids, model).sum())


def sentence(n_seen: int, n_games: int) -> str:
    """What a program reports that leaves games out.

    >>> sentence(12310, 14000)
    '12,310 of these 14,000 games are in the fit: they are left out'
    """
    return f"{n_seen:,} of these {n_games:,} games are in the fit: they are left out"
