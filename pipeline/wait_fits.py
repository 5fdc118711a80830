"""The fits of the waits and han of the default model to the tables of a run."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from features.schema.waits import RON_SCORES, WAITS
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from models.fitting import pull
from models.fitting.pull import PulledPart
from models.fitting.shards import SelectedShards
from models.houjuu import wait_models
from models.houjuu.wait_models import WaitEstimator, WaitPart
from models.metrics.eval_tasks import rows_of_task
from models.paper.hand_prior import with_prior_han, with_prior_win
from pipeline import paths
from pipeline.provenance import n_fitted
from pipeline.tables import OpenTable

_TABLES = {
    "waits": (paths.WAIT_ROWS, WAITS, with_prior_win),
    "han": (paths.RON_SCORE_ROWS, RON_SCORES, with_prior_han),
}
"""Folder, columns and prior of the table of a fit, by the end of its name."""


def fitted(
    name: str, of_fits: dict[str, Any], open_table: OpenTable, paper: KuritaHoki | None = None
) -> WaitEstimator:
    """Fit one part to the rows of its task, which is "riichi" for "riichi_han".

    Parameters
    ----------
    name : str
        One of the names of `models.houjuu.wait_models.wait_estimators`.
    of_fits : dict
        The section `train` of params.yaml.
    open_table : callable
        Opens the rows of a table that the part is fitted to.
    paper : KuritaHoki, optional
        The prior of open hands; closed hands have none.
    """
    estimator = wait_models.wait_estimators(of_fits)[name]
    shards = _shards(name, open_table, paper)
    if name.endswith("_han"):
        return estimator.fit(shards)  # of 90 games no other penalty is better (docs/choices.md)
    return pull.from_nothing(estimator, shards, wait_models.losses, n_fitted(None))


def pulled(
    name: str, of_fits: dict[str, Any], open_table: OpenTable, prior: WaitPart, paper: Any
) -> PulledPart:
    """Fit one part of a model that starts from the same part of another; else as `fitted`."""
    estimator = wait_models.wait_estimators(of_fits)[name]
    return pull.fit(estimator, _shards(name, open_table, paper), prior, wait_models.losses)


def _shards(name: str, open_table: OpenTable, paper: KuritaHoki | None) -> SelectedShards:
    """The rows of the task of a part."""
    task, _, end = name.partition("_")
    folder, columns, with_prior = _TABLES[end]
    select = partial(_task_rows, task, paper and partial(with_prior, paper))
    return SelectedShards(open_table(folder, columns), select)


def _task_rows(task: str, with_prior: Any, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of a task, with its prior if it has one."""
    selected = rows_of_task(rows, task)
    return with_prior(selected) if with_prior else selected
