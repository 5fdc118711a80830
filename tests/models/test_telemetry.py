"""No command of the project sends telemetry."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models.telemetry import OFF

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("package", ["models.pyfunc", "pipeline"])
def test_mlflow_sends_nothing(package: str) -> None:
    """In an environment that sets nothing; MLflow also sends nothing from tests and CI."""
    code = f"import {package}, mlflow.telemetry.utils as u; print(u.is_telemetry_disabled())"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"


def test_processes_inherit_it() -> None:
    """Also those of DVC, which `pipeline.run` and the benchmarks start."""
    assert OFF.items() <= os.environ.items()


def test_dvc_sends_nothing() -> None:
    assert "analytics = false" in (ROOT / ".dvc" / "config").read_text()
