"""The built page with Pyodide beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.absent import leave_out
from web.build import build
from web.runtime import FOLDER, is_complete


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder; leaves the test out where Pyodide has not been fetched."""
    if not is_complete(FOLDER):
        leave_out("Pyodide is not there: make runtime")
    folder = tmp_path_factory.mktemp("app") / "app"
    build(folder, FOLDER)
    return folder
