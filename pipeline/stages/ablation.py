"""Stage ``ablation``: the value of each group of features, and of more games.

data/ablation.csv has a line for each fit: the task, what was changed, the games fitted to, the
games evaluated on, log loss on their held-out rows, and its difference to the unchanged fit, with
half of the 95% interval. Where there are hanchan and East-only games, a fit to either alone is
evaluated on either, beside the fit to games of the same length.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm

from houjuu.util.files import atomic_path
from houjuu.util.intervals import clustered_mean
from models import ablation
from models.ablation import AblationTask, Predictions
from models.metrics.calibration import row_losses
from pipeline import eval_data, paths, settings, stage
from pipeline.game_shards import accepted_games

ALL = "all"
LENGTHS = {"hanchan": True, "East-only": False}
"""Values of the column "hanchan" of data/games.parquet."""


class AblationFit(NamedTuple):
    """A fit: what is changed, the number and length of the games, and the columns left out."""

    change: str
    name: str
    games: int
    columns: list[str]
    length: str = ALL


Results = list[tuple[AblationFit, Predictions]]


def main() -> None:
    """Make all fits, and write the table."""
    params = settings.load()
    games = _games_by_length()
    table: list[dict[str, Any]] = []
    most = max(params.ablation.games, *params.ablation.learning_curve)
    for name, fitted, held_out in eval_data.task_rows(dict.fromkeys(params.ablation.tasks, most)):
        task = ablation.ablation_task(name, params.train)
        fits = list(_fits(task, params.ablation, fitted))
        if all(
            rows["game"].isin(ids).any() for rows in (fitted, held_out) for ids in games.values()
        ):
            fits += [
                AblationFit("length", length, count, [], length)
                for length, count in params.ablation.alone.items()
            ]
        predictions = Parallel(
            n_jobs=params.run.jobs, return_as="generator", pre_dispatch="n_jobs"
        )(delayed(task.predict)(*_rows_of(fit, fitted, held_out, games)) for fit in fits)
        results = list(zip(fits, tqdm(predictions, name, total=len(fits)), strict=True))
        for length, ids in games.items():
            compared = of_length(results, length)
            table += (
                {"task": name, "evaluated_on": length, **line} for line in lines(compared, ids)
            )
    with atomic_path(paths.ABLATION) as path:
        pd.DataFrame(table).to_csv(path, index=False, float_format="%.6g")


def _games_by_length() -> dict[str, list[str]]:
    """All games, the hanchan, and the East-only games."""
    games = accepted_games()
    by_length = {ALL: games["game"]}
    by_length |= {
        length: games.loc[games["hanchan"] == hanchan, "game"]
        for length, hanchan in LENGTHS.items()
    }
    return {length: list(ids) for length, ids in by_length.items()}


def _fits(
    task: AblationTask, params: settings.AblationSettings, fitted: pd.DataFrame
) -> Iterator[AblationFit]:
    """Yield the fits to games of any length, the unchanged one first."""
    n_games = fitted["game"].nunique()
    most = min(params.games, n_games)
    yield AblationFit("none", "everything", most, [])
    for group, columns in task.groups.items():
        if fitted[columns].to_numpy().any():
            yield AblationFit("without", group, most, columns)
    for count in params.learning_curve:
        if count <= n_games:
            yield AblationFit("games", "everything", count, [])


def _rows_of(
    fit: AblationFit, fitted: pd.DataFrame, held_out: pd.DataFrame, games: dict[str, list[str]]
) -> Iterator[pd.DataFrame]:
    """Yield the rows of a fit and its held-out rows; lazily, to keep few copies in memory."""
    same_length = fitted[fitted["game"].isin(games[fit.length])]
    yield ablation.without(eval_data.spread_games(same_length, fit.games), fit.columns)
    yield ablation.without(held_out, fit.columns)


def of_length(results: Results, length: str) -> Results:
    """The fits to compare on games of a length, the reference first."""
    if length == ALL:
        return [result for result in results if result[0].length == ALL]
    of_one_length = (result for result in results if result[0].length != ALL)
    return sorted(of_one_length, key=lambda result: result[0].length != length)


def lines(results: Results, games: list[str]) -> Iterator[dict[str, Any]]:
    """Yield a line for each fit, evaluated on some games; the first fit is the reference."""
    if not results:
        return
    of_rows = results[0][1].game
    used = pd.Series(of_rows).isin(games).to_numpy()
    losses = [row_losses(result.predicted, result.label)[used] for _, result in results]
    for (fit, _), loss in zip(results, losses, strict=True):
        line = {"change": fit.change, "name": fit.name, "games": fit.games, "log_loss": loss.mean()}
        difference, half = clustered_mean(loss - losses[0], of_rows[used])
        yield line | {"difference": difference, "half_interval": half}


if __name__ == "__main__":
    stage.run(main)
