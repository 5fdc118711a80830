"""Stage ``compare``: what each idea of "houjuu" is worth, how much more games help, a yardstick.

data/comparison.csv has a line for each fit: the question, what was changed, the games fitted to,
log loss on held-out rows, and by how much it exceeds that of the full fit to as many games, with
half of its 95% interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm

from features import schema
from models import comparison
from models.comparison import Answers, Question
from pipeline import settings, stage
from pipeline.files import replacing
from pipeline.fit import read_rows
from pipeline.signs import ROWS
from pipeline.situations import SITUATIONS

COMPARISON = "data/comparison.csv"
QUESTIONS = ("tenpai", "riichi", "closed", "melded")


def main() -> None:
    """Make all the fits, and write the table."""
    params = settings.load()
    lines: list[dict[str, Any]] = []
    for question in QUESTIONS:
        fitted, held_out = (_rows(question, held_out=which) for which in (False, True))
        work = list(_work(question, params, fitted, held_out))
        fits = Parallel(n_jobs=params.run.jobs, return_as="generator")(
            delayed(_answered)(*piece[3:]) for piece in work
        )
        answers = list(tqdm(fits, question, total=len(work)))
        lines += _lines(question, work, answers)
    with replacing(COMPARISON) as path:
        pd.DataFrame(lines).to_csv(path, index=False, float_format="%.6g")


def _rows(question: str, *, held_out: bool) -> pd.DataFrame:
    if question == "tenpai":
        return read_rows(held_out=held_out, path=ROWS, columns=schema.SIGNS)
    rows = read_rows(held_out=held_out, path=SITUATIONS, columns=schema.SITUATIONS)
    return comparison.rows_read_as(rows, question)


def _question(question: str, params: dict[str, Any]) -> Question:
    if question == "tenpai":
        return comparison.tenpai(params["signs"])
    if question == "melded":
        return comparison.kinds(params["melded_river"])
    return comparison.waits(params[question])


Piece = tuple[str, str, int, str, dict[str, Any], bool, pd.DataFrame, pd.DataFrame]


def _work(
    question: str, params: settings.Settings, fitted: pd.DataFrame, held_out: pd.DataFrame
) -> Iterator[Piece]:
    """Yield the fits: sort, name, games, and what `_answered` takes."""
    games = fitted["game"].drop_duplicates().to_numpy()
    most = min(params.compare.games, len(games))

    def piece(sort: str, name: str, count: int, columns: list[str]) -> Piece:
        rows = fitted[fitted["game"].isin(games[:count])]
        trees = sort == "yardstick"
        seen, asked = (comparison.without(of, columns) for of in (rows, held_out))
        return sort, name, count, question, params.regress, trees, seen, asked

    yield piece("all", "everything", most, [])
    for name, columns in _question(question, params.regress).ideas.items():
        if fitted[columns].to_numpy().any():
            yield piece("without", name, most, columns)
    for share in params.compare.shares:
        yield piece("games", "everything", max(int(share * len(games)), 1), [])
    yield piece("yardstick", "gradient-boosted trees", most, [])


def _answered(
    question: str,
    params: dict[str, Any],
    trees: bool,
    fitted: pd.DataFrame,
    held_out: pd.DataFrame,
) -> Answers:
    of = _question(question, params)
    return (of.yardstick if trees else of.fit)(fitted)(held_out)


def _lines(question: str, work: list[Piece], answers: list[Answers]) -> Iterator[dict[str, Any]]:
    base, games = comparison.loss(*answers[0][:2]), answers[0][2]
    for (sort, name, count, *_), (predicted, happened, _) in zip(work, answers, strict=True):
        losses = comparison.loss(predicted, happened)
        apart, half = comparison.difference(losses, base, games)
        told = {"question": question, "fit": sort, "of": name, "games": count}
        yield {**told, "log_loss": losses.mean(), "worse_by": apart, "half_interval": half}


if __name__ == "__main__":
    stage.run(main)
