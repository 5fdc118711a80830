"""A run in MLflow: parameters, metrics and files.

MLflow is imported where it is used: the workers of a stage import its module, too, and do without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houjuu.util.errors import Error
from pipeline import paths

if TYPE_CHECKING:
    from mlflow.data.dataset import Dataset

TRACKING = "sqlite:///mlflow.db"
EXPERIMENT = "houjuu"
_DIGEST = 36  # unit: characters; MLflow stores no more

Tree = Mapping[str, Any]


@contextmanager
def run(header: Tree, params: Tree, metrics: Tree, files: Iterable[str | Path]) -> Iterator[None]:
    """Record a run. Inside the ``with`` block the run is open, and more can be added to it.

    Parameters
    ----------
    header : mapping
        The header of the exported file.
    params, metrics : mapping
        Nested mappings of values. Metrics that are None are left out.
    files : iterable of str or Path
        Files to store with the run.

    Raises
    ------
    Error
        MLflow cannot write to its database: another program has locked it, or the disk is full.
    """
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        with _open_run(header, params, metrics, files):
            yield
    except (MlflowException, SQLAlchemyError) as problem:
        reason = f"cannot record the run ({str(problem).splitlines()[0]}); close other programs"
    else:
        return
    raise Error(reason, file=TRACKING)


@contextmanager
def _open_run(
    header: Tree, params: Tree, metrics: Tree, files: Iterable[str | Path]
) -> Iterator[None]:
    import mlflow

    mlflow.set_tracking_uri(TRACKING)
    mlflow.set_experiment(EXPERIMENT)
    with mlflow.start_run(run_name=header["model"]):
        mlflow.log_input(_games(header["fitted_on"]), context="training")
        mlflow.log_params(_flat(params))
        mlflow.log_params(_flat({name: header[name] for name in ("fitted_on", "commit")}))
        flat = {name: value for name, value in _flat(metrics).items() if value is not None}
        mlflow.log_metrics(flat)
        for path in files:
            mlflow.log_artifact(str(path))
        yield


def _games(fitted_on: Tree) -> Dataset:
    """The games of a fit, as the column "Dataset" of MLflow shows them."""
    from mlflow.data.code_dataset_source import CodeDatasetSource
    from mlflow.data.meta_dataset import MetaDataset

    source = CodeDatasetSource({"file": paths.GAMES})
    name = f"{fitted_on['games']:,} games, {fitted_on['source']}"
    return MetaDataset(  # type: ignore[abstract] # a property of its base, which is no ABC
        source, name=name, digest=fitted_on["hash"][:_DIGEST]
    )


def _flat(tree: Tree, prefix: str = "") -> dict[str, Any]:
    """The values by the dotted path of their keys."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        flat |= _flat(value, name + ".") if isinstance(value, Mapping) else {name: value}
    return flat
