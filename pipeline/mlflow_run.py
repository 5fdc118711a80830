"""A run in MLflow: parameters, metrics and files.

MLflow is imported where it is used: the workers of a stage import its module, too, and do without.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from houjuu.util.errors import Error
from pipeline import paths

if TYPE_CHECKING:
    from mlflow.data.dataset import Dataset

TRACKING = "sqlite:///mlflow.db"
EXPERIMENT = "houjuu"
_DIGEST = 36  # unit: characters; MLflow stores no more

Tree = Mapping[str, Any]
Times = Mapping[str, tuple[float, float]]


@contextmanager
def run(
    header: Tree, params: Tree, metrics: Tree, files: Iterable[str | Path], times: Times
) -> Iterator[None]:
    """Record a run. Inside the ``with`` block the run is open, and more can be added to it.

    It ends with the last stage of the fit, and lasts as long as all of them.

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
    created = client.create_run(
        experiment.experiment_id,
        start_time=int(1000 * (last - sum(seconds.values()))),
        run_name=header["model"],
    )
    with mlflow.start_run(run_id=created.info.run_id):
        mlflow.log_input(_games(header["fitted_on"]), context="training")
        mlflow.log_params(flat(params))
        mlflow.log_params(flat({name: header[name] for name in ("fitted_on", "commit")}))
        mlflow.log_metrics({f"seconds.{_name(name)}": n for name, n in seconds.items()})
        values = flat(metrics)
        for name, value in values.items():
            if isinstance(value, list):
                for step, of_step in enumerate(value):
                    mlflow.log_metric(name, of_step, step)
        mlflow.log_metrics({name: value for name, value in values.items() if _is_number(value)})
        for path in files:
            mlflow.log_artifact(str(path))
        yield
    client.set_terminated(created.info.run_id, end_time=int(1000 * last))


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
