"""The first stages of the pipeline as DVC runs them, in a repository of its own.

`tests.pipeline.test_code` has the graph: which stages a change makes run again.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.conftest import LAST
from tests.pipeline.repository import change_params, out_hashes, outs, remove, repro, run

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
