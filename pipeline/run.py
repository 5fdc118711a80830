"""``python -m pipeline.run [TARGET…]``: ``dvc repro`` that counts the stages.

Without a target all stages run; ``report`` is the main job. Each stage that starts is a line
"stage k of n: NAME". Stages that have nothing to do count, too. If no stage starts, one line
reports it.

dvc.lock has the hashes of the last run. A run of one's own changes them, since other games and
other processors give other bytes: git keeps the committed lock, and `git status` stays clean. To
commit a lock, first run ``git update-index --no-skip-worktree dvc.lock``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from houjuu.util.errors import Error
from houjuu.util.files import require_regular_files
from pipeline import graph
from pipeline.log_tasks import LOGS

_STAGE = re.compile(
    r"(?:Running stage '(.+)':)|(?:Stage '.+' (?:didn't change, skipping|is cached))"
)
_NOISE = (
    *("Updating lock file", "Generating lock file", "Use `dvc push`"),
    *("To track the changes", "To enable auto staging"),
)


def main(targets: Sequence[str]) -> int:
    """Run the stages that the targets need; returns the exit status of DVC."""
    require_regular_files(LOGS)  # DVC would wait for a pipe, and read a device without end
    _keep_committed_lock()
    count = len(graph.needed(targets)) - 1  # without the listing of the code
    position, n_started = -1, 0
    command = [sys.executable, "-m", "dvc", "repro", *targets]
    with subprocess.Popen(
        command, env=_environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout or ():
            if heading := _STAGE.match(line):
                position += 1
                if heading[1] and heading[1] != graph.CODE_STAGE:
                    n_started += 1
                    print(f"stage {position} of {count}: {heading[1]}", flush=True)
            elif _is_news(line):
                print(line, end="", flush=True)
    if process.returncode == n_started == 0:
        print(f"All {count} stages are up to date: nothing to do.")
    return process.returncode


def _keep_committed_lock() -> None:
    """Let git ignore changes of the lock, where it is committed; elsewhere nothing happens."""
    command = ["git", "update-index", "--skip-worktree", "dvc.lock"]
    with suppress(OSError):
        subprocess.run(command, check=False, capture_output=True)


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
