"""The prediction tasks of the default model, evaluated on the same rows for every model.

| task | opponents | label |
|---|---|---|
| tenpai | not in riichi | the hand is tenpai |
| riichi, closed, melded | tenpai, of that type | it wins on a kind of the hand, genbutsu excluded |
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from houjuu.reading.opponent import OpponentType
from houjuu.util.arrays import Floats
from models.houjuu import wait_models
from models.metrics import calibration

WAIT_TASKS = ("riichi", "closed", "melded")
TASKS = ("tenpai", *WAIT_TASKS)


def task_of(opponent_type: str) -> str:
    """The wait task of a type of opponent."""
    return "melded" if OpponentType(opponent_type).is_melded else opponent_type


def types_of(task: str) -> list[str]:
    """The types of opponents of a wait task."""
    return [str(of_type) for of_type in OpponentType if task_of(of_type) == task]


def rows_of_task(rows: pd.DataFrame, task: str) -> pd.DataFrame:
    """The rows of `features.schema.waits.WAITS` or `RON_SCORES` of a wait task."""
    return rows[rows["opponent_type"].isin(types_of(task))]


def win_metrics(
    rows: pd.DataFrame, task: str, predict: Callable[[pd.DataFrame], Floats]
) -> dict[str, dict[str, float]]:
    """Scores of P(wins on a kind | tenpai) by type of opponent, where both labels occur.

    Parameters
    ----------
    rows : DataFrame
        `features.schema.waits.WAITS`.
    task : str
    predict : callable
        Maps n of the rows to probabilities by kind, (n, 34).
    """
    by_type = {}
    for opponent_type in types_of(task):
        hands = rows[rows["opponent_type"] == opponent_type]
        mask = wait_models.evaluated_mask(hands)
        label = wait_models.win_flags(hands)[mask]
        if 0 < label.sum() < len(label):
            predicted = predict(hands)[mask]
            by_type[opponent_type] = calibration.metrics(predicted, label, float(label.mean()))
    return by_type
