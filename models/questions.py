"""The questions that the parts of "houjuu" answer, asked of the same rows of whoever answers.

| question | of an opponent | |
|---|---|---|
| tenpai | not in riichi | is it tenpai |
| riichi, closed, melded | that is tenpai | does it win on a kind of the hand, genbutsu left out |
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from features import schema
from houjuu.choice import Floats
from models import calibration, rivers

QUESTIONS = ("tenpai", "riichi", "closed", "melded")

_READ_AS = {
    "riichi": schema.READ_AS[:1],
    "closed": schema.READ_AS[1:2],
    "melded": schema.READ_AS[2:],
}


def question_of(read_as: str) -> str:
    """The question asked of a tenpai opponent that is read so, of `schema.READ_AS`."""
    return next(question for question, classes in _READ_AS.items() if read_as in classes)


def rows_read_as(rows: pd.DataFrame, question: str) -> pd.DataFrame:
    """The rows of `features.schema.SITUATIONS` that a question is about."""
    return rows[rows["read_as"].isin(_READ_AS[question])]


def win_scores(
    rows: pd.DataFrame, question: str, said: Callable[[pd.DataFrame], Floats]
) -> dict[str, dict[str, float]]:
    """Scores of P(wins on a kind asked | tenpai) by how the opponent is read.

    Classes without both outcomes are left out.

    Parameters
    ----------
    rows : DataFrame
        `features.schema.SITUATIONS`.
    question : str
        That of whose classes the scores are.
    said : callable
        What is said of the kinds of some of the rows, (n, 34).
    """
    found = {}
    for read_as in _READ_AS[question]:
        hands = rows[rows["read_as"] == read_as]
        asked = rivers.asked(hands)
        won = rivers.kinds_won(hands)[asked]
        if 0 < won.sum() < len(won):
            found[read_as] = calibration.scores(said(hands)[asked], won, float(won.mean()))
    return found
