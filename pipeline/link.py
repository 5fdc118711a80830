"""``python -m pipeline.link PATH…``: link logs into data/logs, where the pipeline reads them.

With ``--make`` the paths are those of the variable LOGS of make, separated by blanks: a name with
blanks is taken as one where there is such a path.

Earlier links are replaced; files that are not links stay. Without a path nothing changes: `make
train` then uses the same logs as before. DVC follows the link of a file but not that of a folder:
data/logs/.folders has a hash of the content of linked folders.
"""

from __future__ import annotations

import hashlib
import os
import sys
from glob import glob
from pathlib import Path

from houjuu.util.files import atomic_path
from pipeline.log_tasks import LOGS


def link(paths: list[Path]) -> None:
    """Replace the links in data/logs by links to these files and folders."""
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"there are no logs at {', '.join(missing)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    _check_names([path.name for path in paths])
    for old in LOGS.iterdir() if paths else ():
        if old.is_symlink():
            old.unlink()
    for path in paths:
        (LOGS / path.name).symlink_to(path.resolve())
    folders = sorted(path for path in LOGS.iterdir() if path.is_symlink() and path.is_dir())
    with atomic_path(LOGS / ".folders") as file:
        file.write_text("".join(f"{path.name} {_digest(path)}\n" for path in folders))


def _check_names(names: list[str]) -> None:
    """Exit before anything changes if two links would have one name, or a file has it."""
    twice = {name for name in names if names.count(name) > 1 or name in ("", "..")}
    files = {path.name for path in LOGS.iterdir() if not path.is_symlink()}
    if problems := sorted(twice | files.intersection(names)):
        listed = ", ".join(map(repr, problems))
        raise SystemExit(f"two logs would have the same name in {LOGS}: {listed}; rename one")


def _digest(folder: Path) -> str:
    """Hash of the names, sizes and times of all files in a folder."""
    entries = []
    for root, _, names in os.walk(folder, followlinks=True):
        for path in (Path(root, name) for name in names):
            if path.is_file():
                status = path.stat()
                entries.append(f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(entries)).encode()).hexdigest()


def split(text: str) -> list[Path]:
    """The paths of a text with blanks between them: the longest that exists, else of a pattern."""
    words = text.split()
    paths: list[Path] = []
    while words:
        ends = range(len(words), 0, -1)
        end = next((end for end in ends if Path(" ".join(words[:end])).exists()), 1)
        path = Path(" ".join(words[:end])).expanduser()
        matches = [] if path.exists() else [*map(Path, sorted(glob(str(path))))]
        paths += matches or [path]
        words = words[end:]
    return paths


if __name__ == "__main__":
    given = sys.argv[1:]
    of_make = given == ["--make"]
    link(split(os.environ.get("LOGS", "")) if of_make else [*map(Path, given)])
