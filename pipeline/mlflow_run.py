"""A run in MLflow: parameters, metrics, files, and the registered model.

MLflow is imported where it is used: the workers of a stage import its module, too, and do without.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from houjuu.game.events import Game
from houjuu.logs import mjai_writer
from houjuu.util.errors import Error
from pipeline.game_shards import accepted_games, game_tasks, select_games

TRACKING = "sqlite:///mlflow.db"
EXPERIMENT = "houjuu"

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
        mlflow.log_params(_flat(params))
        mlflow.log_params(_flat({name: header[name] for name in ("fitted_on", "commit")}))
        flat = {name: value for name, value in _flat(metrics).items() if value is not None}
        mlflow.log_metrics(flat)
        for path in files:
            mlflow.log_artifact(str(path))
        yield


def _flat(tree: Tree, prefix: str = "") -> dict[str, Any]:
    """The values by the dotted path of their keys."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        flat |= _flat(value, name + ".") if isinstance(value, Mapping) else {name: value}
    return flat


def register(path: str | Path, name: str) -> None:
    """Add an exported estimator to the open run, as the next version of ``models:/NAME``."""
    from models import pyfunc

    (task,) = game_tasks(select_games(accepted_games(), held_out=1))
    (game,) = task.games(task.held_out)
    pyfunc.log(path, name, position(game))


def position(game: Game) -> pd.DataFrame:
    """The first draw after the first riichi, or the first draw, as input of `models.pyfunc`."""
    messages = list(mjai_writer.messages(game))
    types = [message["type"] for message in messages]
    draws = [index for index, name in enumerate(types) if name == "tsumo"]
    riichi = types.index("reach") if "reach" in types else 0
    last = next((draw for draw in draws if draw > riichi), draws[0])
    lines = [json.dumps(message, ensure_ascii=False) for message in messages[: last + 1]]
    return pd.DataFrame({"events": ["\n".join(lines)], "seat": [messages[last]["actor"]]})
