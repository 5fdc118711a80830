"""``python -m benchmarks.faults``: kill the pipeline in every stage, fill the disk, run it twice.

A small pipeline on self-played games runs once undisturbed. Then:

- a second copy is killed (SIGKILL, the whole process group) in every stage and continued: all
  outputs must be the same bytes, and no unfinished file may be left;
- every stage runs with a limit on the size of files, which fails like a full disk: each must end
  with one sentence and leave the outputs of the stage before as they are;
- the runner alone is killed (SIGKILL, as for want of memory): its processes end with it, and the
  next run continues;
- DVC's lock is empty, as a kill or a full disk leaves it: the next run has nothing to do;
- two runs start at once: one finishes, the other ends with an error of DVC or does nothing;
- MLflow's database is locked: the stage ``report`` ends with one sentence.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from pipeline.run import RUNNING
from tests.pipeline import repository

GAMES = 8  # some of them are held out
FULL = 2048  # unit: bytes; no stage writes less
_DELAY = (0.2, 4.0)  # unit: seconds between the start of a stage and the kill


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all faults; returns the number of findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    parser.add_argument("--until", help="last stage (default: all stages)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        reference = repository.make(root / "reference", GAMES)
        targets = [options.until] if options.until else []
        order = repository.repro(reference, *targets)
        print(f"{len(order)} stages; the undisturbed run is complete", flush=True)
        findings = [
            *kills(reference, root / "killed", order, targets, random.Random(options.seed)),
            *killed_runner(root / "killed", targets),
            *full_disk(reference, order),
            *two_at_once(root / "twice", reference, targets),
            *(locked_mlflow(reference) if not targets else ()),
        ]
    for finding in findings:
        print(f"FINDING: {finding}")
    print(f"{len(findings)} findings")
    return len(findings)


def _start(folder: Path, *command: str, limit: int | None = None) -> subprocess.Popen[str]:
    """A command in a process group of its own, perhaps with a limit on the size of files."""

    def prepare() -> None:
        os.setsid()
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    environment = os.environ | {
        "PYTHONPATH": f"{folder}:{repository.ROOT}",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONUNBUFFERED": "1",
    }
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=prepare,  # noqa: PLW1509  # no threads here
    )


def kills(
    reference: Path, folder: Path, order: list[str], targets: list[str], dice: random.Random
) -> list[str]:
    """Kill a run in every stage, continue it, and compare the outputs."""
    repository.make(folder, GAMES)
    for stage in order:
        process = _start(folder, "dvc", "repro", *targets)
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(f"Running stage '{stage}'"):
                time.sleep(dice.uniform(*_DELAY))
                break
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        print(f"killed in {stage}", flush=True)
    repository.repro(folder, *targets)
    hashes = repository.out_hashes(folder)
    expected = repository.out_hashes(reference)
    different = [path for path in expected if hashes.get(path) != expected[path]]
    return [f"{path} differs after the kills" for path in different] + _unfinished(folder)


def killed_runner(folder: Path, targets: list[str]) -> list[str]:
    """Kill the runner in its first stage, then empty DVC's lock; both times run it again."""
    command = (sys.executable, "-m", "pipeline.run", *targets)
    (folder / "dvc.lock").unlink(missing_ok=True)  # all stages run again
    process = _start(folder, *command)
    assert process.stdout is not None
    process.stdout.readline()
    started = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    alive = psutil.wait_procs(started, timeout=10)[1]
    findings = [f"{one.name()} lives on after its runner" for one in alive]
    for what in ("killed runner", "broken lock"):
        again = _start(folder, *command)
        output, _ = again.communicate()
        print(f"{what}: exit {again.returncode}", flush=True)
        if again.returncode:
            findings.append(f"a {what} stops the next run: {output.splitlines()[-1]}")
        (folder / RUNNING).write_bytes(b"")
    return findings + _unfinished(folder)


def _unfinished(folder: Path) -> list[str]:
    return [f"{path} is left" for path in folder.glob("[dm]*/**/*.part")]


def full_disk(folder: Path, order: list[str]) -> list[str]:
    """Run every stage with a limit on the size of files."""
    findings = []
    for stage in order:
        shutil.rmtree(folder / "data" / "shards" / stage, ignore_errors=True)
        before = _sizes(folder)
        name, _, argument = stage.partition("@")
        arguments = [argument] if argument else []
        command = [sys.executable, "-m", f"pipeline.stages.{name}", *arguments]
        process = _start(folder, *command, limit=FULL)
        output, _ = process.communicate()
        print(f"full disk in {stage}: exit {process.returncode}", flush=True)
        if "Traceback" in output:
            findings.append(f"{stage} ends with a traceback: {output.splitlines()[-1]}")
        if process.returncode and _sizes(folder) != before:
            findings.append(f"{stage} changes its outputs although it fails")
    return findings + _unfinished(folder)


def _sizes(folder: Path) -> dict[Path, int]:
    files = [*folder.glob("data/**/*"), *folder.glob("models/*.npz")]
    outs = [path for path in files if path.is_file() and "shards" not in path.parts]
    return {path: path.stat().st_size for path in outs}


def two_at_once(folder: Path, reference: Path, targets: list[str]) -> list[str]:
    """Start two runs at once; afterwards the outputs are those of the undisturbed run."""
    repository.make(folder, GAMES)
    processes = [_start(folder, "dvc", "repro", *targets) for _ in range(2)]
    outputs = [process.communicate()[0] for process in processes]
    print(f"two at once: exits {[process.returncode for process in processes]}", flush=True)
    repository.repro(folder, *targets)
    findings = []
    if any(
        process.returncode and "Traceback" in output
        for process, output in zip(processes, outputs, strict=True)
    ):
        findings.append("one of two runs ends with a traceback")
    if repository.out_hashes(folder) != repository.out_hashes(reference):
        findings.append("two runs at once give other outputs")
    return findings


def locked_mlflow(folder: Path) -> list[str]:
    """Run the stage report while another program has locked MLflow's database."""
    with sqlite3.connect(folder / "mlflow.db", isolation_level=None) as database:
        database.execute("BEGIN EXCLUSIVE")
        process = _start(folder, sys.executable, "-m", "pipeline.stages.report", "houjuu")
        output, _ = process.communicate()
        database.execute("ROLLBACK")
    print(f"MLflow locked: exit {process.returncode}", flush=True)
    return ["report ends with a traceback while MLflow is locked"] if "Traceback" in output else []


if __name__ == "__main__":
    sys.exit(main())
