"""A folder to run stages in, and one small run of the whole pipeline for all tests."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from pathlib import Path

import pytest

from tests.pipeline.repository import ROOT, change_params, make, repro

STARTED = "started.json"
"""The stages that each call of ``dvc repro`` started, in the folder of the finished run."""

HALF = "export"
"""The first of these calls stops here."""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with params.yaml and no logs, which is the current directory; one process."""
    monkeypatch.chdir(tmp_path)
    for name in ("params.yaml", "dvc.yaml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "data" / "logs").mkdir(parents=True)
    change_params(tmp_path, "run", jobs=1)
    return tmp_path


@pytest.fixture(scope="session")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of a finished run, made once for all workers; tests change only copies."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "finished-run"
    with (shared / "finished-run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            make(folder, games=8)
            change_params(folder, "run", jobs=1)
            started = [repro(folder, HALF), repro(folder), repro(folder)]
            (folder / STARTED).write_text(json.dumps(started))
    assert (folder / STARTED).exists(), "the run has failed in another test"
    return folder


@pytest.fixture
def copied_run(finished_run: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, to change and to run again."""
    return Path(shutil.copytree(finished_run, tmp_path / "copy", symlinks=True))
