"""The packers of the examples build beside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.kit import wheels

OFFLINE = {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONDONTWRITEBYTECODE": "1"}
STATUS = ["git", "status", "--porcelain", "--ignored"]


def test_the_checkout_stays_clean(tmp_path: Path) -> None:
    source, output = wheels.checkout(tmp_path), tmp_path / "output"
    subprocess.run(["git", "init", "--quiet"], cwd=source, check=True)
    subprocess.run(["git", "add", "--all"], cwd=source, check=True)
    before = subprocess.run(STATUS, cwd=source, check=True, capture_output=True).stdout
    script = f"from examples import pip; pip.run('wheel', '--wheel-dir', {str(output)!r})"
    environment = {**os.environ, **OFFLINE, "PYTHONPATH": str(source)}
    subprocess.run([sys.executable, "-c", script], cwd=source, env=environment, check=True)
    assert list(output.glob("houjuu-*.whl"))
    assert subprocess.run(STATUS, cwd=source, check=True, capture_output=True).stdout == before
