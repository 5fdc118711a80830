"""Models side by side: their log losses on the same rows, paired by game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from features.columns import floats
from houjuu.util.intervals import clustered_mean
from models.metrics.calibration import row_losses
from models.metrics.evaluation import by_opponent_type


def comparison(
    table: pd.DataFrame, models: Sequence[str], base: str, name: str | None = None
) -> list[dict[str, Any]]:
    """Log losses of some models, and less that of one of them.

    Parameters
    ----------
    table : DataFrame
        Columns game and label, the predictions of each model, and opponent_type without a name.
    models : sequence of str
        The columns of the models.
    base : str
        The model with which the others are compared.
    name : str, optional
        That of the only line; by default a line for all opponents, and one for each type.

    Returns
    -------
    list of dict
        Of each line with rows: row, rows, and by model log_loss (nats); of the others also
        difference (less that of the base) and half_width, half of its 95% interval.
    """
    groups = by_opponent_type(table) if name is None else [(name, table)]
    return [_line(group, rows, models, base) for group, rows in groups if len(rows)]


def _line(name: str, rows: pd.DataFrame, models: Sequence[str], base: str) -> dict[str, Any]:
    label, games = rows["label"].to_numpy(bool), rows["game"].to_numpy(object)
    losses = {model: row_losses(floats(rows, model), label) for model in models}
    line: dict[str, Any] = {"row": name, "rows": len(rows)}
    for model, loss in losses.items():
        line[model] = {"log_loss": float(np.mean(loss))}
        if model != base:
            difference, half = clustered_mean(loss - losses[base], games)
            line[model] |= {"difference": difference, "half_width": half}
    return line
