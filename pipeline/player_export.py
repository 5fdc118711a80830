"""The end of the stages that fit a model of the player: the exported file, metrics and a run."""

from __future__ import annotations

from typing import Any

from houjuu.util import parameters
from houjuu.util.parameters import Parameters
from pipeline import mlflow_run
from pipeline.files import save_json
from pipeline.provenance import commit_of, seen_games
from pipeline.stage import times


def export(
    stage: str,
    of_stage: dict[str, Any],
    files: tuple[str, str],
    *,
    header: dict[str, Any],
    arrays: dict[str, Any],
    metrics: dict[str, Any],
    recorded: dict[str, Any],
    games: int | None = None,
) -> None:
    """Write the parameter file and the metrics, and record the run in MLflow.

    Parameters
    ----------
    stage : str
        The module of the stage.
    of_stage : dict
        Its section of params.yaml.
    files : (str, str)
        The parameter file, and the file of the metrics.
    header, arrays : dict
        The content of the parameter file; the commit is added.
    metrics : dict
        The content of the file of the metrics.
    recorded : dict
        The metrics that MLflow shows.
    games : int, optional
        The most games of the fit; by default all.
    """
    model, scores = files
    header = header | {"commit": commit_of(stage)}
    save_json(metrics, scores)
    parameters.write(model, Parameters(header, arrays | seen_games(limit=games)))
    with mlflow_run.run(header, {stage: of_stage}, recorded, files, times()):
        pass
