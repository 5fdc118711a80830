"""The rows of the prediction tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from features import schema
from houjuu.errors import Error
from models.metrics.eval_tasks import WAIT_TASKS, rows_of_task
from pipeline.paths import TENPAI_ROWS, WAIT_ROWS
from pipeline.tables import read_rows


class TaskRows(NamedTuple):
    """A task, the rows to fit to, and those of held-out games."""

    task: str
    fitted: pd.DataFrame
    held_out: pd.DataFrame


def task_rows() -> Iterator[TaskRows]:
    """Yield all tasks, one after another; raises Error if one has no row in one of the splits."""
    yield _checked(TENPAI_ROWS, "tenpai", *_both_splits(TENPAI_ROWS, schema.TENPAI))
    hands = list(_both_splits(WAIT_ROWS, schema.WAITS))
    for task in WAIT_TASKS:
        yield _checked(WAIT_ROWS, task, *(rows_of_task(rows, task) for rows in hands))


def _checked(path: str, task: str, fitted: pd.DataFrame, held_out: pd.DataFrame) -> TaskRows:
    for games, rows in (("fitted", fitted), ("held-out", held_out)):
        if rows.empty:
            raise Error(f"the {games} games have no row of the task {task!r}: add games", file=path)
    return TaskRows(task, fitted, held_out)


def _both_splits(path: str, columns: tuple[schema.Column, ...]) -> Iterator[pd.DataFrame]:
    for held_out in (False, True):
        yield read_rows(path, columns, held_out=held_out)


def spread_games(rows: pd.DataFrame, count: int) -> pd.DataFrame:
    """The rows of so many games, spread evenly over the logs, or of all games."""
    games = rows["game"].drop_duplicates().to_numpy()
    chosen = np.linspace(0, len(games), min(count, len(games)), endpoint=False).astype(int)
    return rows[rows["game"].isin(games[chosen])]
