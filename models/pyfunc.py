"""An exported estimator as a model of MLflow.

`log` records a parameter file, with this file and the package `houjuu` as its code.
``mlflow.pyfunc.load_model`` of "models:/houjuu/latest" then predicts as `houjuu.load` does.
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

from houjuu.estimators import loading
from houjuu.estimators.loading import load
from houjuu.game.table import Table
from houjuu.logs import mjai

_VECTOR = Array(DataType.double)
_MATRIX = Array(Array(DataType.double))

SIGNATURE = ModelSignature(
    inputs=Schema([ColSpec(DataType.string, "events"), ColSpec(DataType.long, "seat")]),
    outputs=Schema(
        [
            ColSpec(_VECTOR, "tenpai"),
            ColSpec(_MATRIX, "by_opponent"),
            ColSpec(_VECTOR, "any"),
            ColSpec(_VECTOR, "points"),
        ]
    ),
)
"""An input row is a position: a game so far as lines of mjai, and the deciding seat.

The outputs are lists of the shapes in `houjuu.DealIn`: P(tenpai) (3,), P(deals in to that opponent)
(3, 34), P(deals in to any) (34,) and expected points lost (34,). The opponents are those to the
right, across and to the left.
"""

PARAMETERS = "parameters"
REQUIREMENTS = ("mlflow", "numpy", "pandas")
_PACKAGE = Path(loading.__file__).parents[1]


class DealInModel(PythonModel):
    """Deal-in risks, position by position."""

    def load_context(self, context: PythonModelContext) -> None:
        """Load the parameter file."""
        self.estimator = load(context.artifacts[PARAMETERS])

    def predict(
        self,
        context: PythonModelContext,
        model_input: pd.DataFrame,
        params: dict[str, Any] | None = None,
    ) -> pd.DataFrame:
        """Predict row by row; see `SIGNATURE`."""
        positions = zip(model_input["events"], model_input["seat"], strict=True)
        return pd.DataFrame([self._predict(events, seat) for events, seat in positions])

    def _predict(self, events: str, seat: int) -> dict[str, Any]:
        table = Table()
        for event in mjai.events(events.splitlines()):
            table.apply(event)
        risk = self.estimator.deal_in(table.view(seat=int(seat)))
        return {name: getattr(risk, name).tolist() for name in SIGNATURE.outputs.input_names()}


def log(path: str | Path, name: str, example: pd.DataFrame) -> None:
    """Record a parameter file as a model of the current run, and register its next version.

    Parameters
    ----------
    path : str or Path
        The exported file.
    name : str
        The name of the registered model.
    example : DataFrame
        Positions, as in `SIGNATURE`. MLflow predicts them to check the recorded model.
    """
    mlflow.pyfunc.log_model(
        name=name,
        registered_model_name=name,
        python_model=__file__,
        code_paths=[str(_PACKAGE)],
        artifacts={PARAMETERS: str(path)},
        signature=SIGNATURE,
        input_example=example,
        pip_requirements=[f"{package}=={version(package)}" for package in REQUIREMENTS],
    )


set_model(DealInModel())
