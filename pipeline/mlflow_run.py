"""A run in MLflow: parameters, metrics and files.

MLflow is imported where it is used: the workers of a stage import its module, too, and do without.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import yaml

from houjuu.util import parameters
from houjuu.util.errors import Error
from pipeline import graph, paths, settings, stage

if TYPE_CHECKING:
    from mlflow.data.dataset import Dataset

TRACKING = "sqlite:///mlflow.db"
EXPERIMENT = "houjuu"
_KEY = "fit"
"""The tag of a run with the hash of its header and parameters."""
_FITS = ("train", "export")
"""How the names of the stages begin that fit."""
_DIGEST = 36  # unit: characters; MLflow stores no more

Tree = Mapping[str, Any]
Times = Mapping[str, tuple[float, float]]


@contextmanager
def run(
    header: Tree, params: Tree, metrics: Tree, files: Iterable[str | Path], times: Times
) -> Iterator[None]:
    """Record a run. Inside the ``with`` block the run is open, and more can be added to it.

    It ends with the last stage of the fit, and lasts as long as all of them. If a run has the same
    header and parameters, it gets what it lacks.

    Parameters
    ----------
    header : mapping
        The header of the exported file.
    params, metrics : mapping
        Nested mappings of values. A list has the values of a metric step by step; what is no
        number is left out.
    files : iterable of str or Path
        Files to store with the run.
    times : mapping
        Begin and end of the stages of the fit, in seconds since 1970, by name.

    Raises
    ------
    Error
        MLflow cannot write to its database: another program has locked it, or the disk is full.
    """
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with _open_run(header, params, metrics, files, times):
            yield
    except (MlflowException, SQLAlchemyError) as problem:
        reason = f"cannot record the run ({str(problem).splitlines()[0]}); close other programs"
    else:
        return
    raise Error(reason, file=TRACKING)


@contextmanager
def _open_run(
    header: Tree, params: Tree, metrics: Tree, files: Iterable[str | Path], times: Times
) -> Iterator[None]:
    import mlflow
    from mlflow.utils.logging_utils import disable_logging

    os.environ["MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR"] = "false"
    disable_logging()  # type: ignore[no-untyped-call] # a failure is an exception
    mlflow.set_tracking_uri(TRACKING)
    experiment = mlflow.set_experiment(EXPERIMENT)
    seconds = {name: end - start for name, (start, end) in times.items()}
    last = max((end for _, end in times.values()), default=time.time())
    client = mlflow.MlflowClient()
    key = hashlib.sha256(json.dumps([header, params], default=str).encode()).hexdigest()
    earlier = client.search_runs([experiment.experiment_id], f"tags.{_KEY} = '{key}'")
    created = (
        earlier[0]
        if earlier
        else client.create_run(
            experiment.experiment_id,
            start_time=int(1000 * (last - sum(seconds.values()))),
            run_name=header["model"],
            tags={_KEY: key},
        )
    )
    with mlflow.start_run(run_id=created.info.run_id):
        if not earlier:
            mlflow.log_input(_games(header["fitted_on"]), context="training")
            mlflow.log_params(flat(params))
            mlflow.log_params(flat({name: header[name] for name in ("fitted_on", "commit")}))
        values = {f"seconds.{_name(name)}": n for name, n in seconds.items()} | flat(metrics)
        values = {name: n for name, n in values.items() if name not in created.data.metrics}
        for name, value in values.items():
            if isinstance(value, list):
                for step, of_step in enumerate(value):
                    mlflow.log_metric(name, of_step, step)
        mlflow.log_metrics({name: value for name, value in values.items() if _is_number(value)})
        for path in files:
            mlflow.log_artifact(str(path))
        yield
    client.set_terminated(created.info.run_id, end_time=int(1000 * last))


def of_model(
    model: str, metrics: dict[str, Any], files: Iterable[str | Path], **more: Tree
) -> AbstractContextManager[None]:
    """Record the run of a model with its evaluation, the `summary` first, and more metrics."""
    needed = graph.needed([f"evaluate@{model}"])
    times = stage.times([name for name in needed if name.startswith(_FITS)])
    header = parameters.read(paths.MODELS[model]).header
    values = {"0": summary(metrics)} | tracked(metrics) | more
    return run(header, used_settings(needed), values, files, times)


def used_settings(stages: Iterable[str]) -> dict[str, Any]:
    """The parameters of some stages, by their dotted path in params.yaml."""
    everything, used, declared = yaml.safe_load(settings.PATH.read_text()), {}, graph.stages()
    for path in {path for name in stages for path in declared[name].params}:
        used[path] = reduce(dict.__getitem__, path.split("."), everything)
    return dict(sorted(used.items()))


def tracked(metrics: dict[str, Any]) -> dict[str, Any]:
    """The metrics that MLflow tracks: of the scores those of each winner, without the classes."""
    by_winner = {winner: by_class["all"] for winner, by_class in metrics["scores"].items()}
    return metrics | {"scores": by_winner}


def summary(metrics: dict[str, Any]) -> dict[str, float]:
    """The ten numbers by which DVC and MLflow compare runs; T, R and D as in docs/accuracy.md.

    A table of DVC has room for those with a capital.
    """
    tenpai, deal_in = metrics["tenpai"]["all"], metrics["deal_in"]["all"]
    ranks = metrics["wait_rank"]["all"]
    numbers = {
        "T": tenpai["log_loss"],
        "T slope": metrics["tenpai_line"]["slope"],
        "R": metrics["deal_in"].get("riichi", {}).get("log_loss"),
        "D": deal_in["log_loss"],
        "D slope": metrics["deal_in_line"]["slope"],
        "Points": metrics["points"]["mean_absolute_error"],
        "Place": ranks["mean"],
        "auc of T": tenpai["auc"],
        "auc of D": deal_in["auc"],
        "first": ranks["hit_1"],
    }
    return {name: number for name, number in numbers.items() if number is not None}


def _name(stage: str) -> str:
    """The name of a stage as MLflow takes it for a metric."""
    return stage.replace("@", ".")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not np.isnan(value)


def _games(fitted_on: Tree) -> Dataset:
    """The games of a fit, as the column "Dataset" of MLflow shows them."""
    from mlflow.data.code_dataset_source import CodeDatasetSource
    from mlflow.data.meta_dataset import MetaDataset

    source = CodeDatasetSource({"file": paths.GAMES})
    name = f"{fitted_on['games']:,} games, {fitted_on['source']}"
    return MetaDataset(  # type: ignore[abstract] # a property of its base, which is no ABC
        source, name=name, digest=fitted_on["hash"][:_DIGEST]
    )


def flat(tree: Tree, prefix: str = "") -> dict[str, Any]:
    """The values by the dotted path of their keys."""
    values: dict[str, Any] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        values |= flat(value, name + ".") if isinstance(value, Mapping) else {name: value}
    return values
