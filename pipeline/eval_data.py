"""The rows of the prediction tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from features.schema.tenpai import TENPAI_FEATURES
from features.schema.waits import WAITS
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.util import parameters
from houjuu.util.errors import Error
from models.metrics.eval_tasks import TASKS, WAIT_TASKS, rows_of_task
from models.paper.hand_prior import with_prior_win
from pipeline.paths import PAPER_MODEL, TENPAI_ROWS, WAIT_ROWS
from pipeline.settings import PATH
from pipeline.tables import read_rows


class TaskRows(NamedTuple):
    """A task, the rows to fit to, and those of held-out games."""

    task: str
    fitted: pd.DataFrame
    held_out: pd.DataFrame


def task_rows(games: Mapping[str, int]) -> Iterator[TaskRows]:
    """Yield some tasks, one after another, in the order of `TASKS`.

    Parameters
    ----------
    games : mapping of str to int
        The number of games to fit to, by task: those with the smallest digests.

    Raises
    ------
    Error
        There is no such task, or it has no row in one of the splits.
    """
    for unknown in sorted(games.keys() - TASKS):
        raise Error(f"no task {unknown!r}; the tasks are {', '.join(TASKS)}", file=str(PATH))
    if "tenpai" in games:
        fitted = read_rows(TENPAI_ROWS, TENPAI_FEATURES, held_out=False, games=games["tenpai"])
        held_out = read_rows(TENPAI_ROWS, TENPAI_FEATURES, held_out=True)
        yield _checked(TENPAI_ROWS, "tenpai", fitted, held_out)
    for task in filter(games.__contains__, WAIT_TASKS):
        hands = hand_rows(held_out=False, games=games[task]), hand_rows(held_out=True)
        yield _checked(WAIT_ROWS, task, *(rows_of_task(rows, task) for rows in hands))


def _checked(path: str, task: str, fitted: pd.DataFrame, held_out: pd.DataFrame) -> TaskRows:
    for games, rows in (("fitted", fitted), ("held-out", held_out)):
        if rows.empty:
            raise Error(f"the {games} games have no row of the task {task!r}: add games", file=path)
    return TaskRows(task, fitted, held_out)


def hand_rows(*, held_out: bool, games: int | None = None) -> pd.DataFrame:
    """Rows of tenpai hands with the prior of the paper's model; parameters as of `read_rows`."""
    paper = KuritaHoki(parameters.read(PAPER_MODEL))
    return with_prior_win(paper, read_rows(WAIT_ROWS, WAITS, held_out=held_out, games=games))


def spread_games(rows: pd.DataFrame, count: int) -> pd.DataFrame:
    """The rows of a number of games, spread evenly over the shards, or of all games."""
    games = rows["game"].drop_duplicates().to_numpy()
    chosen = np.linspace(0, len(games), min(count, len(games)), endpoint=False).astype(int)
    return rows[rows["game"].isin(games[chosen])]
