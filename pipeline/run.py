"""``python -m pipeline.run [TARGET…]``: ``dvc repro`` that counts the stages.

Without a target all stages run; ``report`` is the main job. Each stage that starts is a line
"stage k of n: NAME". Stages that have nothing to do count, too. If no stage starts, one line
reports it. A signal ends all processes of the run at once, SIGKILL of this one too
(`pipeline.guard`): the next run continues it, and removes what is left of DVC's lock.

dvc.lock has the hashes of the last run. DVC refuses one that git ignores, and a run of one's own
must leave nothing that git sees: between the runs it lies in data/, which git ignores. Where it is
committed, on a branch of one's own, it stays.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path

import psutil

from houjuu.util.errors import Error
from houjuu.util.files import require_regular_files, sole_use
from pipeline import graph
from pipeline.log_tasks import LOGS

LOCK, KEPT_LOCK = Path("dvc.lock"), Path("data/dvc.lock")
_MEASURED, _SUMMARY = "evaluate@houjuu", Path("data/houjuu/summary.json")
RUNNING = Path(".dvc/tmp/rwlock")
"""The paths that running stages of DVC hold."""
_STAGE = re.compile(
    r"(?:Running stage '(.+)':)|(?:Stage '.+' (?:didn't change, skipping|is cached))"
)
_NOISE = (
    *("Updating lock file", "Generating lock file", "Use `dvc push`"),
    *("To track the changes", "To enable auto staging"),
)
_SIGNALS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if os.name == "posix" else []))


class _Interrupted(BaseException):
    """A signal has come, the argument."""


def main(targets: Sequence[str]) -> int:
    """Run the stages that the targets need; returns the exit status of DVC."""
    require_regular_files(LOGS)  # DVC would wait for a pipe, and read a device without end
    with sole_use(KEPT_LOCK.parent), _lock_in_place():
        _remove_dead_lock()
        before = LOCK.read_bytes() if LOCK.exists() else b""
        status = _repro(targets)
        if not status and _SUMMARY.exists() and LOCK.read_bytes() != before:
            _name_run()
        return status


def _name_run() -> None:
    """Save the run as an experiment, which DVC compares with others, if git can.

    DVC would take staged changes off the stage.
    """
    from pipeline.provenance import fit_name

    name = fit_name()
    save = [sys.executable, "-m", "dvc", "exp", "save", "--force", "--name", name, _MEASURED]
    with suppress(OSError, _Interrupted, subprocess.CalledProcessError):
        for command in (["git", "diff", "--cached", "--quiet"], save):
            subprocess.run(command, check=True, env=_environment(), capture_output=True)
        print(f"this run is the experiment {name!r}: dvc metrics diff {name} ANOTHER")


def _repro(targets: Sequence[str]) -> int:
    count = len(graph.needed(targets)) - 1  # without the listing of the code
    position, n_started = -1, 0
    command = [sys.executable, "-m", "pipeline.guard", "dvc", "repro", *targets]
    for number in _SIGNALS:
        signal.signal(number, _interrupt)
    # In a session of its own, Ctrl-C reaches this process alone.
    with subprocess.Popen(
        command,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            for line in process.stdout or ():
                if heading := _STAGE.match(line):
                    position += 1
                    if heading[1] and heading[1] != graph.CODE_STAGE:
                        n_started += 1
                        print(f"stage {position} of {count}: {heading[1]}", flush=True)
                elif _is_news(line):
                    print(line, end="", flush=True)
            process.wait()
        except _Interrupted as signalled:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            print("\ninterrupted: the same command continues", file=sys.stderr)
            return 128 + int(signalled.args[0])
    if process.returncode == n_started == 0:
        print(f"All {count} stages are up to date: nothing to do.")
    return process.returncode


def _interrupt(number: int, _: object) -> None:
    raise _Interrupted(number)


@contextmanager
def _lock_in_place() -> Iterator[None]:
    """Put the lock where DVC reads it, and afterwards out of the sight of git."""
    if KEPT_LOCK.exists() and not LOCK.exists():
        shutil.copyfile(KEPT_LOCK, LOCK)
    try:
        yield
    finally:
        if LOCK.exists() and _is_untracked(LOCK):
            LOCK.replace(KEPT_LOCK)


def _remove_dead_lock() -> None:
    """Remove DVC's lock of paths if it is broken, or if none of its processes runs DVC now."""
    try:
        held = json.loads(RUNNING.read_bytes())
        entries = chain(held["write"].values(), *held["read"].values())
        if any(_runs_dvc(entry["pid"]) for entry in entries):
            return
    except FileNotFoundError:
        return
    except (ValueError, TypeError, LookupError, AttributeError):
        pass  # a kill or a full disk has cut it
    RUNNING.unlink()


def _runs_dvc(number: int) -> bool:
    """Whether a process runs DVC: a later one may have got the number of a dead one."""
    try:
        return any(Path(word).stem == "dvc" for word in psutil.Process(number).cmdline())
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _is_untracked(path: Path) -> bool:
    """Whether git sees a file and has not committed it."""
    command = ["git", "ls-files", "--others", "--", str(path)]
    try:
        return bool(subprocess.run(command, check=True, capture_output=True).stdout)
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return False


def _environment() -> dict[str, str]:
    """With the Python of this process for the commands of stages."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return os.environ | {"PATH": path}


def _is_news(line: str) -> bool:
    """Whether a line is of a stage, and not one of DVC's own."""
    return bool(line.strip()) and not line.startswith((">", "\t", *_NOISE))


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except Error as problem:
        raise SystemExit(str(problem)) from None
