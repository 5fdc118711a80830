"""What MLflow keeps of a run: what was set, what was measured, the files, and the model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd

from houjuu import logs
from houjuu.events import Game
from houjuu.logs import mjai_writer
from models import pyfunc
from pipeline import corpus
from pipeline.parse import GAMES

TRACKING = "sqlite:///mlflow.db"
EXPERIMENT = "houjuu"

Tree = Mapping[str, Any]


@contextmanager
def run(header: Tree, params: Tree, metrics: Tree, files: Iterable[str | Path]) -> Iterator[None]:
    """Record a run, to which more may be added while it is open.

    Parameters
    ----------
    header : mapping
        Of the exported file.
    params, metrics : mapping
        Trees of values; a metric that is None is left out.
    files : iterable of str or Path
    """
    mlflow.set_tracking_uri(TRACKING)
    mlflow.set_experiment(EXPERIMENT)
    with mlflow.start_run(run_name=header["model"]):
        mlflow.log_params(_flat(params))
        mlflow.log_params(_flat({name: header[name] for name in ("fitted_on", "commit")}))
        scores = {name: of for name, of in _flat(metrics).items() if of is not None}
        mlflow.log_metrics(scores)
        for path in files:
            mlflow.log_artifact(str(path))
        yield


def _flat(tree: Tree, prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        name = f"{prefix}{key}"
        flat |= _flat(value, name + ".") if isinstance(value, Mapping) else {name: value}
    return flat


def register(path: str | Path, name: str) -> None:
    """Add an exported estimator to the open run, as the next version of ``models:/NAME``."""
    wanted = corpus.some(pd.read_parquet(GAMES), held_out=1)
    ((file, data),) = (entry for batch in corpus.batches(wanted) for entry in batch)
    assert isinstance(data, bytes)  # parse has read it
    pyfunc.log(path, name, position(logs.parse(data, file)))


def position(game: Game) -> pd.DataFrame:
    """The first draw of a game after a riichi, or its first of all, as `models.pyfunc` takes it."""
    messages = list(mjai_writer.messages(game))
    types = [message["type"] for message in messages]
    draws = [place for place, of in enumerate(types) if of == "tsumo"]
    riichi = types.index("reach") if "reach" in types else 0
    place = next((draw for draw in draws if draw > riichi), draws[0])
    lines = [json.dumps(message, ensure_ascii=False) for message in messages[: place + 1]]
    return pd.DataFrame({"events": ["\n".join(lines)], "seat": [messages[place]["actor"]]})
