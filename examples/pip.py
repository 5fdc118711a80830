"""pip on houjuu, from a copy of the source: a build leaves folders in the source."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
FILES = ("pyproject.toml", "README.md", "LICENSE")  # beside the package, the input of a build


def run(*command: str) -> None:
    """Run a command such as ``wheel`` on houjuu and all that it needs, in the pinned versions."""
    with TemporaryDirectory() as folder:
        for name in FILES:
            shutil.copy(ROOT / name, folder)
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "houjuu", Path(folder, "houjuu"), ignore=without)
        pip = [sys.executable, "-m", "pip", *command, "--quiet"]
        constraint = ["--constraint", str(ROOT / "constraints.txt")]
        subprocess.run([*pip, *constraint, f"{folder}[arena]"], check=True)
