"""Scores of the parts of a fitted model on the rows of held-out games."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from features import schema
from features.schema.tenpai import TENPAI
from features.unseen_rows import UNSEEN
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.estimators.log_linear.unseen_tiles import UnseenTileModel
from houjuu.estimators.log_linear.wait_models import WaitModels
from houjuu.util.game_hashes import SEEN
from houjuu.util.parameters import Parameters
from models.houjuu.wait_models import predict_kinds
from models.metrics import evaluation, unseen_metrics
from models.metrics.eval_tasks import WAIT_TASKS, win_metrics
from pipeline import eval_data, paths
from pipeline.tables import read_rows, without_seen


def measured(fitted: Parameters, rates: dict[str, float]) -> dict[str, Any]:
    """Scores of P(tenpai), of waits by type of opponent, and of the unseen tiles.

    Parameters
    ----------
    fitted : Parameters
        A model of the family "log_linear".
    rates : dict
        Of `models.metrics.evaluation.tenpai_rates`.
    """
    unseen = UnseenTileModel.from_parameters(fitted)
    select = partial(without_seen, seen=fitted.arrays.get(SEEN, np.zeros(0)))
    unseen_rows = select(read_rows(paths.UNSEEN_ROWS, UNSEEN, held_out=True))
    tenpai_rows = select(read_rows(paths.TENPAI_ROWS, TENPAI, held_out=True))
    metrics = {
        "tenpai": _tenpai(TenpaiModel.from_parameters(fitted), tenpai_rows, rates),
        "waits": _waits(
            WaitModels.from_parameters(fitted), select(eval_data.hand_rows(held_out=True))
        ),
        **unseen_metrics.evaluate(unseen, unseen_rows),
    }
    for task, scores in metrics.items():
        losses = (f"{name}: {score['log_loss']:.4f}" for name, score in scores.items())
        print(task, ", ".join(losses))
    return metrics


def _tenpai(model: TenpaiModel, rows: pd.DataFrame, rates: dict[str, float]) -> dict[str, Any]:
    """Scores of P(tenpai), by open melds."""
    predicted = model.predict_rows(schema.arrays(rows))
    return evaluation.tenpai_metrics(rows.assign(predicted=predicted), rates)


def _waits(waits: WaitModels, rows: pd.DataFrame) -> dict[str, Any]:
    """Scores of P(wins on a kind of the hand | tenpai), by type of opponent."""
    metrics: dict[str, Any] = {}
    for task in WAIT_TASKS:
        model = getattr(waits, f"{task}_waits")
        metrics |= win_metrics(rows, task, partial(predict_kinds, model))
    return metrics
