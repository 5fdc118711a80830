"""A folder to run stages in, and small runs of the pipeline that all tests share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.once import once
from tests.pipeline.repository import ROOT, change_params, make, repro, run

LAST = "paper_tenpai_rows"
"""DVC runs the stages up to this one."""


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
    """The folder of a run of all stages, in one process and without DVC; tests change copies."""
    command = sys.executable, "-m", "tests.pipeline.at_once"
    return _run(tmp_path_factory, "finished-run", lambda folder: run(ROOT, *command, str(folder)))


@pytest.fixture(scope="session")
def dvc_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of a run of DVC up to `LAST`; tests change copies."""
    return _run(tmp_path_factory, "dvc-run", lambda folder: repro(folder, LAST))


def _run(factory: pytest.TempPathFactory, name: str, command: Callable[[Path], object]) -> Path:
    """The folder in which a command ran once, on eight games."""
    with once(factory, name) as (folder, missing):
        if missing:
            make(folder, games=8)
            change_params(folder, "run", jobs=1)
            command(folder)
    return folder


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    """Copy a run, to change it and to run it again."""
    return lambda folder: Path(shutil.copytree(folder, tmp_path / folder.name, symlinks=True))
