"""Ablations of the default model: fits to fewer games, or without a group of features.

Every task of `models.metrics.eval_tasks` is evaluated on the same held-out rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone

from features.columns import ints
from features.tenpai_rows import feature_matrix
from houjuu.game.tiles import KINDS
from houjuu.reading import tenpai_features, wait_features
from houjuu.util.arrays import Bools, Floats
from models.fitting.shards import FrameShards
from models.houjuu import wait_models
from models.houjuu.tenpai_gam import TenpaiGAM
from models.houjuu.wait_models import WaitEstimator

WAIT_FEATURE_GROUPS: Mapping[str, tuple[str, ...]] = {
    "its discards": ("discard_code",),
    "passed tiles": ("passed",),
    "open tiles": ("open_copies",),
    "dora and yakuhai": ("dora", "yakuhai"),
    "discards by suit": ("in_suit", "early_in_suit"),
    "its melds": ("in_melds", "melds_in_suit", "chis", "open_yaku", "dora_in_melds", "call_age"),
    "the riichi tile": ("riichi_tile",),
    "its honours and terminals": ("honour_discards", "discards_since_honour", "yaochu_kinds"),
    "the turn and its pace": (
        "discards",
        "discards_since_riichi",
        "wall_sixths",
        "tedashi",
        "tsumogiri_streak",
        "live_suji",
    ),
}
"""Groups of wait features that an ablation leaves out together."""


class Predictions(NamedTuple):
    """Probability, label and game of n rows."""

    predicted: Floats
    label: Bools
    game: npt.NDArray[np.object_]


@dataclass(frozen=True)
class AblationTask:
    """A task and its model.

    Attributes
    ----------
    groups : mapping
        The columns of each group of features that can be left out.
    predict : callable
        Fits to the first table of rows, and predicts the second.
    """

    groups: Mapping[str, list[str]]
    predict: Callable[[pd.DataFrame, pd.DataFrame], Predictions]


def ablation_task(task: str, params: Mapping[str, Any]) -> AblationTask:
    """One of `models.metrics.eval_tasks.TASKS`, with the section `train` of params.yaml."""
    if task == "tenpai":
        groups = {
            name: [one.name for one in features]
            for name, features in tenpai_features.GROUPS.items()
        }
        return AblationTask(groups, partial(_tenpai, TenpaiGAM(**params["tenpai_gam"])))
    columns = wait_features.columns()
    groups = {
        name: [c for c in columns if c in features or c.rpartition("_")[0] in features]
        for name, features in WAIT_FEATURE_GROUPS.items()
    }
    estimator = wait_models.wait_estimators(dict(params))[f"{task}_waits"]
    return AblationTask(groups, partial(_wins, estimator))


def _tenpai(unfitted: TenpaiGAM, fitted: pd.DataFrame, held_out: pd.DataFrame) -> Predictions:
    model = clone(unfitted).fit(FrameShards(fitted)).to_runtime()
    n_open_melds = ints(held_out, "n_open_melds")
    predicted = model.predict(n_open_melds, feature_matrix(held_out))
    return Predictions(predicted, held_out["tenpai"].to_numpy(), _games(held_out))


def _wins(unfitted: WaitEstimator, fitted: pd.DataFrame, held_out: pd.DataFrame) -> Predictions:
    model = clone(unfitted).fit(FrameShards(fitted)).to_runtime()
    mask = wait_models.evaluated_mask(held_out)
    games = np.repeat(_games(held_out)[:, None], KINDS, axis=1)
    predicted = wait_models.predict_kinds(model, held_out)
    return Predictions(predicted[mask], wait_models.win_flags(held_out)[mask], games[mask])


def _games(rows: pd.DataFrame) -> npt.NDArray[np.object_]:
    return rows["game"].to_numpy(dtype=object)


def without(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The rows with 0 in some columns."""
    return rows.assign(**dict.fromkeys(columns, 0)).astype(dict(rows[columns].dtypes))
