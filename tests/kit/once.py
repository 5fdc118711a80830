"""A folder that all workers of pytest share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock


@contextmanager
def once(factory: pytest.TempPathFactory, name: str) -> Iterator[tuple[Path, bool]]:
    """A folder that one worker makes and all others find: its path, and whether to make it."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, finished = shared / name, shared / f"{name}.finished"
    with FileLock(shared / f"{name}.lock"):
        missing = not folder.exists()
        yield folder, missing
        if missing:
            finished.touch()
    assert finished.exists(), f"{name} has failed in another test"
