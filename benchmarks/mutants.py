"""Mutation tests of the core: small changes to the code, and the share that tests notice.

    python -m benchmarks.mutants --sample 40     # 40 random mutants of each group
    python -m benchmarks.mutants                 # all; takes hours
    python -m benchmarks.mutants --group player

mutmut makes the mutants in a copy of the project, and runs only those tests that call the function
that it changed. The differences that no test noticed go to build/mutants.txt. docs/testing.md has
the results.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

ROOT = Path(__file__).parents[1]
SURVIVORS = ROOT / "build" / "mutants.txt"
PYTEST_OPTIONS = ("-m", "not (slow or deep)", "-p", "no:cacheprovider")
SURVIVED, UNTESTED, SKIPPED = (0,), (5, 33), (34, None)
"""Exit codes that mutmut stores; all others are failed, stopped or crashed tests."""


class Group(NamedTuple):
    """Files to change, and the tests that should notice."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]


GROUPS = {
    "deal_in": Group(
        ("houjuu/risk/deal_in.py", "houjuu/risk/opponent_risk.py", "houjuu/estimators/loading.py"),
        ("tests/risk/test_deal_in.py", "tests/estimators"),
    ),
    "estimators": Group(
        ("houjuu/estimators",),
        ("tests/estimators", "tests/models", "tests/features", "tests/risk/test_deal_in.py"),
    ),
    "player": Group(
        ("houjuu/player/rules/policies.py", "houjuu/player/rules/push_fold.py"),
        ("tests/player/rules/test_policies.py", "tests/player/rules/test_push_fold.py"),
    ),
    "hands": Group(
        ("houjuu/hands",),
        ("tests/hands", "tests/estimators/test_melded_hands.py"),
    ),
    "game": Group(
        ("houjuu/game",),
        ("tests/game", "tests/logs/test_refusals.py", "tests/logs/test_mjlog.py", "tests/scoring"),
    ),
    "reading": Group(
        ("houjuu/reading",),
        (
            "tests/reading",
            "tests/features/test_paper_tenpai_rows.py",
            "tests/features/test_tenpai_rows.py",
            "tests/features/test_wait_rows.py",
        ),
    ),
    "features": Group(
        ("features",),
        (
            "tests/features",
            "tests/models/metrics/test_evaluation.py",
            "tests/models/paper/test_melded.py",
            "tests/models/player/test_preferences.py",
        ),
    ),
    "values": Group(
        (
            "houjuu/player/values",
            "houjuu/player/round_end",
            "houjuu/player/view_states.py",
            "houjuu/player/value_player.py",
        ),
        (
            "tests/player/values",
            "tests/player/round_end",
            "tests/player/test_value_player.py",
            "tests/player/test_view_states.py",
            "tests/features/test_round_end_rows.py",
        ),
    ),
    "models": Group(
        (
            "models/fitting/conditional_logit.py",
            "models/fitting/convex.py",
            "models/fitting/logistic.py",
            "models/houjuu/tenpai_gam.py",
            "models/houjuu/wait_models.py",
            "models/paper",
        ),
        ("tests/models", "tests/features"),
    ),
    "player_models": Group(("models/player",), ("tests/models/player", "tests/models/fitting")),
    "metrics": Group(("models/metrics",), ("tests/models", "tests/pipeline/test_player_report.py")),
    "logs": Group(("houjuu/logs",), ("tests/logs",)),
    "scoring": Group(("houjuu/scoring",), ("tests/scoring", "tests/logs", "tests/features")),
    "arena": Group(("houjuu/arena",), ("tests/arena",)),
    "review": Group(("houjuu/review",), ("tests/review",)),
    "serve": Group(("houjuu/serve",), ("tests/serve",)),
}


class Score(NamedTuple):
    """Numbers of mutants that a run tested."""

    killed: int
    survived: int
    untested: int

    def __str__(self) -> str:
        total = sum(self)
        share = f"{self.killed / total:.1%}" if total else "none"
        return f"{self.killed} of {total} killed ({share}), {self.untested} in untested functions"


def copy_project(folder: Path) -> None:
    """Copy all files of the repository but those that git ignores."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def configure(folder: Path, group: Group) -> None:
    """Write the configuration of mutmut."""
    copied = sorted(path.name for path in folder.iterdir())
    settings = {
        "source_paths": ("houjuu", "features", "models"),
        "only_mutate": [
            f"{path}/*" if not path.endswith(".py") else path for path in group.sources
        ],
        "pytest_add_cli_args_test_selection": group.tests,
        "pytest_add_cli_args": PYTEST_OPTIONS,
        "also_copy": copied,
    }
    lines = [f"{name} =\n    " + "\n    ".join(values) for name, values in settings.items()]
    (folder / "setup.cfg").write_text("[mutmut]\n" + "\n".join(lines) + "\n")


def mutmut(folder: Path, *arguments: str, check: bool = True) -> str:
    """Run mutmut; returns what it prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise SystemExit(
            f"mutmut {arguments[0]} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return done.stdout


def exit_codes(folder: Path) -> dict[str, int | None]:
    """The result of every mutant; None if it was not tested."""
    codes: dict[str, int | None] = {}
    for path in sorted((folder / "mutants").rglob("*.meta")):
        codes |= json.loads(path.read_text())["exit_code_by_key"]
    return codes


def test_group(group: Group, sample: int, seed: int) -> tuple[Score, list[str]]:
    """Test mutants of a group; returns the score and the differences that no test noticed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_project(folder)
        configure(folder, group)
        mutmut(folder, "run", "no mutant of this name", check=False)  # which makes them all
        mutants = sorted(exit_codes(folder))
        if sample and sample < len(mutants):
            mutants = sorted(random.Random(seed).sample(mutants, sample))
        mutmut(folder, "run", "--max-children", "2", *mutants)
        codes = {mutant: code for mutant, code in exit_codes(folder).items() if mutant in mutants}
        survivors = [mutant for mutant, code in codes.items() if code in SURVIVED + UNTESTED]
        for mutant in tqdm(survivors, desc="survivors in a process of their own"):
            codes[mutant] = run_alone(folder, group, mutant)
        differences = [mutmut(folder, "show", mutant) for mutant in survivors if not codes[mutant]]
        return score(codes.values()), differences


def run_alone(folder: Path, group: Group, mutant: str) -> int:
    """Run all tests of the group in a new process; returns the exit code of pytest.

    mutmut chooses a mutant after it has imported the modules. It therefore never runs the mutants
    of functions that are called at import, such as those that build the terms of a model.
    """
    command = [sys.executable, "-m", "pytest", "-x", *PYTEST_OPTIONS, *group.tests]
    environment = os.environ | {"MUTANT_UNDER_TEST": mutant, "PYTHONPATH": "."}
    tree = folder / "mutants"
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)
    return done.returncode


def score(codes: Iterable[int | None]) -> Score:
    """Count exit codes; skipped mutants do not count."""
    tested = [code for code in codes if code not in SKIPPED]
    survived = sum(code in SURVIVED for code in tested)
    untested = sum(code in UNTESTED for code in tested)
    return Score(len(tested) - survived - untested, survived, untested)


def main() -> None:
    """Print the score of each group."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--group", choices=GROUPS, action="append")
    options.add_argument("--sample", type=int, default=0, help="mutants of a group; default: all")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    SURVIVORS.parent.mkdir(exist_ok=True)
    with SURVIVORS.open("w") as file:
        for name in given.group or GROUPS:
            counted, survivors = test_group(GROUPS[name], given.sample, given.seed)
            print(f"{name}: {counted}", flush=True)
            file.write("\n".join(survivors))


if __name__ == "__main__":
    main()
