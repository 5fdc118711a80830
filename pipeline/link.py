"""Put logs where the pipeline looks: ``python -m pipeline.link PATH…`` links them into data/logs.

Earlier links make room; files that somebody put there are left alone. Without a path nothing
changes, so that `make train` goes on with the logs it was last given. DVC looks through the link of
a file but not into a linked folder: data/logs/.folders says for it what such folders hold.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from pipeline.corpus import LOGS
from pipeline.files import replacing


def link(paths: list[Path]) -> None:
    """Replace the links in data/logs by links to these files and folders."""
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"there are no logs at {', '.join(missing)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    for old in LOGS.iterdir() if paths else ():
        if old.is_symlink():
            old.unlink()
    for path in paths:
        (LOGS / path.name).symlink_to(path.resolve())
    folders = sorted(path for path in LOGS.iterdir() if path.is_symlink() and path.is_dir())
    with replacing(LOGS / ".folders") as file:
        file.write_text("".join(f"{path.name} {_digest(path)}\n" for path in folders))


def _digest(folder: Path) -> str:
    """Hash of the names, sizes and times of all files in a folder."""
    found = []
    for root, _, names in os.walk(folder, followlinks=True):
        for path in (Path(root, name) for name in names):
            if path.is_file():
                about = path.stat()
                found.append(f"{path.relative_to(folder)} {about.st_size} {about.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()


if __name__ == "__main__":
    link([Path(argument) for argument in sys.argv[1:]])
