"""The end of the stages that fit a model of the player: the exported file, metrics and a run."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from pipeline import mlflow_run, settings
from pipeline.files import save_json
from pipeline.provenance import commit_of, fitted_on, n_fitted, seen_games
from pipeline.stage import times


def export(
    stage: str,
    files: tuple[str, str],
    fit: BaseEstimator,
    *,
    header: dict[str, Any],
    arrays: dict[str, Any],
    metrics: dict[str, Any],
    recorded: dict[str, Any],
    games: tuple[str, int | None] | None = None,
) -> None:
    """Write the parameter file and the metrics, and record the run in MLflow.

    Parameters
    ----------
    stage : str
        The module of the stage.
    files : (str, str)
        The parameter file, and the file of the metrics.
    fit : BaseEstimator
    header, arrays : dict
        The content of the parameter file; the games, the settings and the commit are added.
    metrics : dict
        The content of the file of the metrics.
    recorded : dict
        The metrics that MLflow shows.
    games : (str, int or None), optional
        The name of a number of games and the most of the fit; by default all.
    """
    model, scores = files
    name, limit = games or ("games", None)
    header = header | {
        "fitted_on": fitted_on() | {name: n_fitted(limit)},
        "parameters": fit.get_params(),
        "commit": commit_of(stage),
    }
    save_json(metrics, scores)
    parameters.write(model, Parameters(header, arrays | seen_games(limit=limit)))
    of_stage = {stage: getattr(settings.load(), stage)}
    with mlflow_run.run(header, of_stage, recorded, files, times()):
        pass
