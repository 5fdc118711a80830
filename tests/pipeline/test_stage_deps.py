"""dvc.yaml declares all code that a stage uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import stage_deps
from tests.pipeline.repository import ROOT


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("stage", stage_deps.stages())
def test_the_closure_of_the_imports_is_declared(stage: str) -> None:
    declared = [dep for dep in stage_deps.stages()[stage] if stage_deps.is_code(dep)]
    assert declared == stage_deps.code_deps(stage)
    assert f"pipeline/stages/{stage}.py" in declared


MODULES = """
import sys
from pathlib import Path
import pipeline.stages.{stage}
for module in list(sys.modules.values()):
    if getattr(module, "__file__", None):
        print(module.__file__)
"""


@pytest.mark.parametrize("stage", ["parse", "wait_rows", "train", "selfplay"])
def test_what_is_imported_is_declared(stage: str) -> None:
    """The modules that Python loads, but for the packages that it passes on the way."""
    command = [sys.executable, "-c", MODULES.format(stage=stage)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    paths = [Path(line) for line in done.stdout.splitlines()]
    loaded = [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT)]
    code = [path for path in loaded if path.parts[0] in stage_deps.PACKAGES]
    assert Path(f"pipeline/stages/{stage}.py") in code
    closure = stage_deps.closure(f"pipeline.stages.{stage}")
    for package in {Path(*path.parts[:i], "__init__.py") for path in code for i in (1, 2, 3)}:
        if package.is_file() and package not in closure:
            closure |= stage_deps.closure(".".join(package.parent.parts))
    assert set(code) <= closure


def test_the_closure_follows_imports_of_imports() -> None:
    for stage in stage_deps.stages():
        files = {str(path) for path in stage_deps.closure(f"pipeline.stages.{stage}")}
        assert "houjuu/util/errors.py" in files, stage
    rows = {str(path) for path in stage_deps.closure("pipeline.stages.tenpai_rows")}
    assert {"houjuu/game/events.py", "houjuu/game/round_state.py", "features/schema.py"} <= rows
    assert not {path for path in rows if path.startswith("houjuu/player")}


def test_imports_for_type_checkers_are_left_out() -> None:
    """`houjuu.Bot` is declared for them; a change of the bot must not rerun the training."""
    face = {str(path) for path in stage_deps.closure("houjuu")}
    assert face == {"houjuu/__init__.py", "houjuu/util/extras.py", "houjuu/util/errors.py"}


@pytest.mark.parametrize("stage", stage_deps.stages())
def test_no_stage_imports_the_face(stage: str) -> None:
    """It imports a module when a name is used, so the closure would lack what the stage uses."""
    files = {str(path) for path in stage_deps.closure(f"pipeline.stages.{stage}")}
    assert "houjuu/__init__.py" not in files


def test_parsing_depends_on_neither_features_nor_models() -> None:
    files = stage_deps.closure("pipeline.stages.parse")
    rooms = {path.parts[:2] for path in files}
    others = {("houjuu", room) for room in ("estimators", "player", "reading", "risk")}
    assert not rooms & others
    assert not {top for top, *_ in rooms} & {"features", "models"}
