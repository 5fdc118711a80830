"""Links to logs, parameters, files written atomically, and models that may ship."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from houjuu.util import parameters
from houjuu.util.errors import Error
from houjuu.util.files import atomic_path
from houjuu.util.parameters import Parameters
from pipeline import link, log_tasks, run, settings
from tests.pipeline.repository import ROOT


def test_logs_are_linked(workspace: Path) -> None:
    archive, folder = workspace / "games.tar.xz", workspace / "games"
    archive.write_bytes(b"x")
    folder.mkdir()
    (folder / "a.xml").write_text("a")
    (log_tasks.LOGS / "own.xml").write_text("mine")
    link.link([archive, folder])
    names = [".folders", "games", "games.tar.xz", "own.xml"]
    assert sorted(path.name for path in log_tasks.LOGS.iterdir()) == names
    before = (log_tasks.LOGS / ".folders").read_text()
    (folder / "b.xml").write_text("b")
    link.link([])  # the links stay, and the new file in the folder changes the hash
    assert (log_tasks.LOGS / ".folders").read_text() != before
    link.link([archive])
    names.remove("games")
    assert sorted(path.name for path in log_tasks.LOGS.iterdir()) == names
    with pytest.raises(SystemExit, match="there are no logs at /nowhere"):
        link.link([Path("/nowhere")])
    assert (log_tasks.LOGS / "games.tar.xz").exists()


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_among_the_logs_stops_the_run(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, linked: bool
) -> None:
    """DVC would wait for it without a word."""
    monkeypatch.setattr(run, "_repro", pytest.fail)
    pipe = workspace / "pipe" if linked else log_tasks.LOGS / "pipe"
    os.mkfifo(pipe)
    if linked:
        (log_tasks.LOGS / "linked").symlink_to(pipe)
    with pytest.raises(Error, match="is a pipe, not a regular file"):
        run.main(["report"])


def test_parameters_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    with pytest.raises(Error, match="cannot be read"):
        settings.load(path)
    path.write_text((ROOT / "params.yaml").read_text().replace("salt:", "slat:"))
    with pytest.raises(Error, match="slat"):
        settings.load(path)
    path.write_text("a: " + "[" * 100_000)
    with pytest.raises(Error, match="cannot be read"):
        settings.load(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(Error, match="is a device"):
        settings.load(path)


def test_no_partial_file_remains(tmp_path: Path) -> None:
    path = tmp_path / "out" / "file.txt"
    with atomic_path(path) as temporary:
        temporary.write_text("whole")
    with pytest.raises(TypeError), atomic_path(path) as temporary:
        temporary.write_bytes("half")  # type: ignore[arg-type]
    assert path.read_text() == "whole"
    assert [file.name for file in path.parent.iterdir()] == ["file.txt"]


def test_no_partial_parameter_file_remains(tmp_path: Path) -> None:
    unsafe = Parameters({"model": "m"}, {"a/b": np.array([object()])})
    with pytest.raises(ValueError, match="bject"):
        parameters.write(tmp_path / "model.npz", unsafe)
    assert not list(tmp_path.iterdir())


def test_names_of_logs_may_have_blanks(tmp_path: Path) -> None:
    """As make has them: "my logs 2023 牌譜" is one folder, and a pattern is its files."""
    folder, plain, missing = (tmp_path / name for name in ("my logs 2023 牌譜", "my", "absent"))
    for one in (folder, plain):
        one.mkdir()
    for name in ("b.gz", "a.gz"):
        (plain / name).touch()
    assert link.split(f"{folder} {plain}  {missing}") == [folder, plain, missing]
    assert link.split(f"{plain}/*.gz {folder}") == [plain / "a.gz", plain / "b.gz", folder]
    assert link.split("") == []
