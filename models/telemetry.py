"""DVC and MLflow send no telemetry from this project.

`models` and `pipeline` switch it off when they are imported, so that every command does: stages,
benchmarks, notebooks and tests, and the processes that they start. ``.dvc/config`` has the same for
``dvc`` itself, and the Makefile for ``make ui``.
"""

from __future__ import annotations

import os

OFF = {"DVC_NO_ANALYTICS": "1", "DO_NOT_TRACK": "true", "MLFLOW_DISABLE_TELEMETRY": "true"}
"""The environment; MLflow takes "true" alone."""


def switch_off() -> None:
    """Set the environment of this process, before MLflow is imported."""
    os.environ.update(OFF)
