"""The fits of the additive parts of the default model to the tables of a run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from tqdm import tqdm

from features.schema.tenpai import TENPAI_FEATURES
from features.schema.waits import RON_SCORES, WAITS
from features.unseen_rows import UNSEEN
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.log_linear import unseen_tiles
from models.fitting.shards import SelectedShards
from models.houjuu import wait_models
from models.houjuu.tenpai_gam import TenpaiGAM
from models.houjuu.unseen_tiles import UnseenTileLogit
from models.houjuu.wait_models import WaitEstimator
from models.metrics.eval_tasks import rows_of_task
from models.paper.hand_prior import with_prior_han, with_prior_win
from pipeline import paths
from pipeline.tables import Columns, StoredShards

OpenTable = Callable[[str, Columns], StoredShards]


def fitted(of_fits: dict[str, Any], open_table: OpenTable, paper: KuritaHoki) -> dict[str, Any]:
    """Fit all parts: the estimators by name.

    Parameters
    ----------
    of_fits : dict
        The section `train` of params.yaml.
    open_table : callable
        Opens the rows of a table that the parts are fitted to.
    paper : KuritaHoki
        The prior of the waits.
    """
    gam = TenpaiGAM(**of_fits["tenpai_gam"]).fit(open_table(paths.TENPAI_ROWS, TENPAI_FEATURES))
    by_wait = _waits(of_fits, open_table, paper)
    unseen = UnseenTileLogit(**of_fits[unseen_tiles.PART])
    unseen.fit(open_table(paths.UNSEEN_ROWS, UNSEEN))
    return {"tenpai_gam": gam, **by_wait, unseen_tiles.PART: unseen}


def _waits(
    of_fits: dict[str, Any], open_table: OpenTable, paper: KuritaHoki
) -> dict[str, WaitEstimator]:
    """Fit every model of waits and of han to the rows of its task.

    That of "riichi_han" is "riichi".
    """
    tables = {
        "waits": open_table(paths.WAIT_ROWS, WAITS),
        "han": open_table(paths.RON_SCORE_ROWS, RON_SCORES),
    }
    parts = wait_models.wait_estimators(of_fits)
    for name, part in tqdm(parts.items(), "waits and han"):
        task, _, table = name.partition("_")
        part.fit(SelectedShards(tables[table], partial(_task_rows, paper, task, table)))
    return parts


def _task_rows(paper: KuritaHoki, task: str, table: str, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of a task with the prior of the paper's model."""
    with_prior = {"waits": with_prior_win, "han": with_prior_han}[table]
    return with_prior(paper, rows_of_task(rows, task))
