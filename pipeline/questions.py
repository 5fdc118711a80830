"""The rows of the questions that "houjuu" answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from features import schema
from models.questions import QUESTIONS, rows_read_as
from pipeline.fit import read_rows
from pipeline.signs import ROWS
from pipeline.situations import SITUATIONS


class Asked(NamedTuple):
    """A question, the rows to fit to, and those of held-out games."""

    question: str
    fitted: pd.DataFrame
    held_out: pd.DataFrame


def each() -> Iterator[Asked]:
    """Yield all questions, one after another."""
    tenpai, *rest = QUESTIONS
    yield Asked(tenpai, *_both(ROWS, schema.SIGNS))
    hands = list(_both(SITUATIONS, schema.SITUATIONS))
    for question in rest:
        yield Asked(question, *(rows_read_as(rows, question) for rows in hands))


def _both(path: str, columns: tuple[schema.Column, ...]) -> Iterator[pd.DataFrame]:
    for held_out in (False, True):
        yield read_rows(held_out=held_out, path=path, columns=columns)


def of_games(rows: pd.DataFrame, count: int) -> pd.DataFrame:
    """The rows of so many of the games, spread evenly over the logs, or of all there are."""
    games = rows["game"].drop_duplicates().to_numpy()
    chosen = np.linspace(0, len(games), min(count, len(games)), endpoint=False).astype(int)
    return rows[rows["game"].isin(games[chosen])]
