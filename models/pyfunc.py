"""An exported estimator as a model of MLflow.

`log` records one with its signature and an example, and registers it; what
``mlflow.pyfunc.load_model("models:/houjuu/latest")`` gives back answers as `houjuu.load` does: what
is kept is the parameter file, and this file, which reads it.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import mlflow
import pandas as pd
from mlflow.models import ModelSignature, set_model
from mlflow.pyfunc.model import PythonModel, PythonModelContext
from mlflow.types import ColSpec, DataType, Schema
from mlflow.types.schema import Array

import houjuu

_EACH, _OF_KINDS = Array(DataType.double), Array(Array(DataType.double))

SIGNATURE = ModelSignature(
    inputs=Schema([ColSpec(DataType.string, "events"), ColSpec(DataType.long, "seat")]),
    outputs=Schema(
        [
            ColSpec(_EACH, "tenpai"),
            ColSpec(_OF_KINDS, "by_opponent"),
            ColSpec(_EACH, "any"),
            ColSpec(_EACH, "points"),
        ]
    ),
)
"""A row is a position: a game so far as lines of mjai, and the seat that asks.

The answers are lists, of the opponents to the right, across and to the left and of the 34 kinds, as
`houjuu.DealIn` has them: P(tenpai), P(deals in to that opponent), P(deals in to anybody) and
expected points lost.
"""

PARAMETERS = "parameters"
NEEDED = ("houjuu", "mlflow", "numpy", "pandas")


class DealInModel(PythonModel):
    """What deals in, position by position."""

    def load_context(self, context: PythonModelContext) -> None:
        """Read the parameter file."""
        self.estimator = houjuu.load(context.artifacts[PARAMETERS])

    def predict(
        self,
        context: PythonModelContext,
        model_input: pd.DataFrame,
        params: dict[str, Any] | None = None,
    ) -> pd.DataFrame:
        """Answer row by row; see `SIGNATURE`."""
        rows = zip(model_input["events"], model_input["seat"], strict=True)
        return pd.DataFrame([self._told(events, seat) for events, seat in rows])

    def _told(self, events: str, seat: int) -> dict[str, Any]:
        table = houjuu.Table()
        for event in houjuu.logs.mjai.events(events.splitlines()):
            table.apply(event)
        risk = self.estimator.deal_in(table.view(seat=int(seat)))
        return {name: getattr(risk, name).tolist() for name in SIGNATURE.outputs.input_names()}


def log(path: str | Path, name: str, example: pd.DataFrame) -> None:
    """Record a parameter file as a model of the present run, and as the next version of its name.

    Parameters
    ----------
    path : str or Path
        The exported file.
    name : str
        What the model is registered as.
    example : DataFrame
        Positions, as `SIGNATURE` has them; they are asked about as soon as the model is recorded.
    """
    mlflow.pyfunc.log_model(
        name=name,
        registered_model_name=name,
        python_model=__file__,
        artifacts={PARAMETERS: str(path)},
        signature=SIGNATURE,
        input_example=example,
        pip_requirements=[f"{package}=={version(package)}" for package in NEEDED],
    )


set_model(DealInModel())
