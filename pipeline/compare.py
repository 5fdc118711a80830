"""Stage ``compare``: what each idea of "houjuu" is worth, and how much more games help.

data/comparison.csv has a line for each fit: the question, what was changed, the games fitted to,
which games it was asked of, log loss on their held-out rows, and by how much it exceeds that of the
fit with nothing changed, with half of its 95% interval. Where there are hanchan and East-only
games, a fit to either alone is asked of either, beside the fit to games of the length asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm

from models import comparison
from models.comparison import Answers, Question
from pipeline import questions, settings, stage
from pipeline.files import replacing
from pipeline.parse import GAMES

COMPARISON = "data/comparison.csv"
ALL = "all"
LENGTHS = {"hanchan": True, "East-only": False}
"""What data/games.parquet has in "hanchan"."""


class Fit(NamedTuple):
    """One of the fits: what is changed, to how many of which games, the columns left out."""

    sort: str
    name: str
    games: int
    columns: list[str]
    length: str = ALL


Told = list[tuple[Fit, Answers]]


def main() -> None:
    """Make all the fits, and write the table."""
    params = settings.load()
    games = _games()
    table: list[dict[str, Any]] = []
    for name, fitted, held_out in questions.each():
        question = comparison.question(name, params.regress)
        fits = list(_fits(question, params.compare, fitted))
        if all(rows["game"].isin(of).any() for rows in (fitted, held_out) for of in games.values()):
            fits += [Fit("length", of, count, [], of) for of, count in params.compare.alone.items()]
        answers = Parallel(n_jobs=params.run.jobs, return_as="generator", pre_dispatch="n_jobs")(
            delayed(question.answered)(*_seen(fit, fitted, held_out, games)) for fit in fits
        )
        told = list(zip(fits, tqdm(answers, name, total=len(fits)), strict=True))
        for asked, of in games.items():
            some = beside(told, asked)
            table += ({"question": name, "asked": asked, **line} for line in lines(some, of))
    with replacing(COMPARISON) as path:
        pd.DataFrame(table).to_csv(path, index=False, float_format="%.6g")


def _games() -> dict[str, list[str]]:
    """All games, the hanchan, and the East-only games."""
    games = pd.read_parquet(GAMES, columns=["game", "hanchan"])
    of = {length: games.loc[games["hanchan"] == is_, "game"] for length, is_ in LENGTHS.items()}
    return {name: list(some) for name, some in {ALL: games["game"], **of}.items()}


def _fits(question: Question, params: settings.Compare, fitted: pd.DataFrame) -> Iterator[Fit]:
    """Yield the fits to games of any length, that of everything first."""
    games = fitted["game"].nunique()
    most = min(params.games, games)
    yield Fit("all", "everything", most, [])
    for idea, columns in question.ideas.items():
        if fitted[columns].to_numpy().any():
            yield Fit("without", idea, most, columns)
    for share in params.shares:
        yield Fit("games", "everything", max(int(share * games), 1), [])


def _seen(
    fit: Fit, fitted: pd.DataFrame, held_out: pd.DataFrame, games: dict[str, list[str]]
) -> Iterator[pd.DataFrame]:
    """Yield the rows to fit to and those held out, as a fit sees them; cut when its turn comes."""
    of_length = fitted[fitted["game"].isin(games[fit.length])]
    yield comparison.without(questions.of_games(of_length, fit.games), fit.columns)
    yield comparison.without(held_out, fit.columns)


def beside(told: Told, asked: str) -> Told:
    """The fits to show beside each other of games of a length, the measure of the others first."""
    if asked == ALL:
        return [line for line in told if line[0].length == ALL]
    alone = (line for line in told if line[0].length != ALL)
    return sorted(alone, key=lambda line: line[0].length != asked)


def lines(told: Told, asked: list[str]) -> Iterator[dict[str, Any]]:
    """Yield a line for each fit, asked of some games; the first is the measure of the others."""
    if not told:
        return
    games = told[0][1][2]
    here = pd.Series(games).isin(asked).to_numpy()
    losses = [comparison.loss(predicted, so)[here] for _, (predicted, so, _) in told]
    for (fit, _), of in zip(told, losses, strict=True):
        line = {"fit": fit.sort, "of": fit.name, "games": fit.games, "log_loss": of.mean()}
        apart, half = comparison.difference(of, losses[0], games[here])
        yield line | {"worse_by": apart, "half_interval": half}


if __name__ == "__main__":
    stage.run(main)
