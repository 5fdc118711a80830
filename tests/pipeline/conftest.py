"""An empty folder to run stages in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.pipeline.repository import ROOT, change_params


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with params.yaml and no logs, which is the current directory; one process."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    (tmp_path / "data" / "logs").mkdir(parents=True)
    change_params(tmp_path, "run", jobs=1)
    return tmp_path
