"""Two sets of predictions for the same decisions, compared row by row."""

from __future__ import annotations

import pandas as pd

from features.columns import floats
from features.schema.opponents import OPPONENT_TYPES
from houjuu.util.intervals import clustered_mean
from models.metrics.calibration import row_losses
from models.metrics.evaluation import DECISION

ROW = [*DECISION, "opponent", "kind"]


def paired(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Log loss of deal-ins on the rows that both tables have.

    Parameters
    ----------
    first, second : DataFrame
        `features.schema.predictions.PREDICTIONS`.

    Returns
    -------
    DataFrame
        A row for all opponents and one for each type: opponent_type, rows, first and second (log
        loss, nats), difference (second less first) and half_interval (half its 95% interval,
        clustered by game).
    """
    columns = [*ROW, "predicted"]
    both = second.merge(first[columns], on=ROW, suffixes=("", "_first"), validate="1:1")
    groups = [("all", both)]
    groups += [(name, both[both["opponent_type"] == name]) for name in OPPONENT_TYPES]
    return pd.DataFrame(
        [_line(name, rows) for name, rows in groups if len(rows)],
        columns=["opponent_type", "rows", "first", "second", "difference", "half_interval"],
    )


def _line(name: str, rows: pd.DataFrame) -> tuple[str, int, float, float, float, float]:
    label = rows["label"].to_numpy()
    first = row_losses(floats(rows, "predicted_first"), label)
    second = row_losses(floats(rows, "predicted"), label)
    difference = clustered_mean(second - first, rows["game"].to_numpy())
    return (name, len(rows), float(first.mean()), float(second.mean()), *difference)
