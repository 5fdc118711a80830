"""The first stages of the pipeline as DVC runs them, in a repository of its own.

`tests.pipeline.test_code` has the graph: which stages a change makes run again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from pipeline.run import RUNNING
from tests.pipeline.conftest import LAST
from tests.pipeline.repository import (
    change_params,
    environment,
    out_hashes,
    outs,
    remove,
    repro,
    run,
)

CHAIN = ["code", "selfplay", "parse", LAST]

pytestmark = pytest.mark.slow


@pytest.fixture
def repository(dvc_run: Path, copied: Callable[[Path], Path]) -> Path:
    """A copy of the repository of the run."""
    return copied(dvc_run)


def test_a_finished_run_has_nothing_to_do(repository: Path) -> None:
    """One line reports it."""
    assert repro(repository, LAST) == ["code"]
    done = run(repository, sys.executable, "-m", "pipeline.run", LAST)
    assert done.stdout == "All 3 stages are up to date: nothing to do.\n"


def test_stages_are_counted(repository: Path) -> None:
    change_params(repository, "tenpai_rows", held_out=1)
    done = run(repository, sys.executable, "-m", "pipeline.run", LAST)
    assert [line for line in done.stdout.splitlines() if line.startswith("stage ")] == [
        f"stage 3 of 3: {LAST}"
    ]


def test_only_stages_that_depend_on_a_change_run_again(repository: Path) -> None:
    before = out_hashes(repository)
    change_params(repository, "tenpai_rows", held_out=1)
    assert repro(repository, LAST) == ["code", LAST]
    assert out_hashes(repository) != before
    module = repository / "features" / "paper_tenpai_rows.py"
    module.write_text(module.read_text() + "\n# changed\n")
    assert repro(repository, LAST) == ["code", LAST]
    module = repository / "houjuu" / "logs" / "mjlog.py"
    module.write_text(module.read_text() + "\n# changed\n")
    assert repro(repository, LAST)[1:3] == ["selfplay", "parse"]  # which writes the same logs


def test_results_are_shared_by_a_remote(repository: Path, tmp_path: Path) -> None:
    expected = out_hashes(repository)
    run(repository, "dvc", "remote", "add", "--default", "shared", str(tmp_path / "remote"))
    run(repository, "dvc", "push")
    for out in outs(repository, *CHAIN[1:]):
        remove(repository / out)
    shutil.rmtree(repository / ".dvc" / "cache")
    run(repository, "dvc", "pull", *CHAIN[1:])
    assert out_hashes(repository) == expected
    assert repro(repository, LAST) == ["code"]


def _commit(folder: Path) -> None:
    run(folder, "git", "add", "--all", ":!dvc.lock")
    run(folder, "git", "commit", "--quiet", "--message", "a change")


def test_git_sees_nothing_of_a_run(repository: Path, tmp_path: Path) -> None:
    """After it, `git status` is clean, and pull, stash and checkout work."""
    _commit(repository)
    run(repository, "git", "clone", "--quiet", ".", str(tmp_path / "upstream"))
    branch = run(repository, "git", "branch", "--show-current").stdout.strip()
    run(repository, "git", "remote", "add", "origin", str(tmp_path / "upstream"))
    change_params(repository, "tenpai_rows", held_out=1)
    run(repository, sys.executable, "-m", "pipeline.run", LAST)
    assert run(repository, "git", "status", "--porcelain").stdout == " M params.yaml\n"
    run(repository, "git", "stash")
    (tmp_path / "upstream" / "dvc.yaml").open("a").write("# changed\n")
    _commit(tmp_path / "upstream")
    run(repository, "git", "pull", "--quiet", "--ff-only", "origin", branch)
    run(repository, "git", "checkout", "--quiet", "HEAD^")
    run(repository, "git", "checkout", "--quiet", branch)
    run(repository, "git", "stash", "pop")
    assert run(repository, "git", "status", "--porcelain").stdout == " M params.yaml\n"
    done = run(repository, sys.executable, "-m", "pipeline.run", LAST)
    assert done.stdout == "All 3 stages are up to date: nothing to do.\n"


def test_a_committed_lock_stays(repository: Path) -> None:
    """On a branch of one's own, as DVC expects it."""
    run(repository, "git", "add", "--all")
    run(repository, "git", "commit", "--quiet", "--message", "a run of one's own")
    run(repository, sys.executable, "-m", "pipeline.run", LAST)
    assert run(repository, "git", "status", "--porcelain").stdout == ""
    assert (repository / "dvc.lock").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_all_processes(repository: Path, number: signal.Signals) -> None:
    """One line reports it, and the next run continues."""
    change_params(repository, "tenpai_rows", held_out=1)
    change_params(repository, "run", jobs=2)
    command = [sys.executable, "-m", "pipeline.run", LAST]
    with subprocess.Popen(
        command,
        cwd=repository,
        env=environment(repository),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"stage 3 of 3: {LAST}\n"
        started = psutil.Process(process.pid).children(recursive=True)
        assert started
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert errors.splitlines()[-1] == "interrupted: the same command continues"
    assert "Traceback" not in errors
    assert not psutil.wait_procs(started, timeout=10)[1]
    done = run(repository, *command)
    assert done.stdout.startswith(f"stage 3 of 3: {LAST}\n")


def test_a_killed_runner_and_a_broken_lock_stop_no_later_run(repository: Path) -> None:
    """All processes end with their runner, and DVC's lock is free for the next one."""
    stage = repository / "pipeline" / "stages" / f"{LAST}.py"
    text = stage.read_text()
    stage.write_text("import time\n\ntime.sleep(100)\n")
    command = [sys.executable, "-m", "pipeline.run", LAST]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=repository, env=environment(repository), stdout=pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"stage 3 of 3: {LAST}\n"
        started = psutil.Process(process.pid).children(recursive=True)
        assert started
        process.kill()
        assert not psutil.wait_procs(started, timeout=10)[1]
    stage.write_text(text)
    reused = {"pid": os.getpid(), "cmd": "another"}  # a dead process had the number
    for left in ("", "[1]", json.dumps({"write": {str(repository): reused}, "read": {}})):
        (repository / RUNNING).write_text(left)
        assert run(repository, *command).stdout.strip()


def test_experiments_have_numbers(
    finished_run: Path, copied: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outputs of the finished run are those of the first one."""
    folder, model = copied(finished_run), "houjuu"
    _commit(folder)
    run(folder, "dvc", "commit", "--force")
    target = f"evaluate@{model}"
    change_params(folder, "predict", games=1)
    done = run(folder, sys.executable, "-m", "pipeline.run", target).stdout
    assert "this run is the experiment 'self-play'" in done
    shutil.copy(folder / "data" / "dvc.lock", folder)
    run(folder, "dvc", "exp", "run", "-n", "two", "-S", "predict.games=2", target)
    names = "two", "self-play"
    table = json.loads(run(folder, "dvc", "metrics", "diff", *names, "--json").stdout)
    scores = table[f"data/{model}/summary.json"]
    assert scores["D"]["diff"] != 0
    assert 5 < len(scores) < 15
    monkeypatch.setenv("COLUMNS", "100")
    text = run(folder, "dvc", "exp", "show", "--drop", "[a-zC]", "--no-pager").stdout
    assert "…" not in text
    shown = (
        *(f"[{name}]" for name in names),
        *filter(str.istitle, scores),
        *(f"{scores['D'][n]:.5g}" for n in ("old", "new")),
    )
    assert all(name in text for name in shown)
    run(folder, "dvc", "plots", "diff", *names)
    page = (folder / "dvc_plots" / "index.html").read_text()
    assert {*names} <= set(re.findall(r'"rev": ?"([\w-]+)"', page))


@pytest.mark.deep
def test_variants_are_experiments(repository: Path) -> None:
    run(repository, "git", "add", "--all")
    run(repository, "git", "commit", "--quiet", "--message", "the finished run")
    hashes = set()
    for name, games in (("few", 1), ("more", 4)):
        changed = f"tenpai_rows.games={games}"
        run(repository, "dvc", "exp", "run", "--name", name, "--set-param", changed, LAST)
        hashes.add(tuple(out_hashes(repository, LAST).items()))
    assert len(hashes) == 2
    listed = run(repository, "dvc", "exp", "list", "--name-only").stdout.split()
    assert set(listed) == {"few", "more"}
