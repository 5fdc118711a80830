"""Real logs, where they lie beside the project."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def archive(name: str) -> Path:
    """Path of an archive of real logs; skips the test where there is none."""
    path = SHARED / "tenhou" / f"{name}.tar.xz"
    if not path.exists():
        pytest.skip("the real logs are not beside the project")
    return path


def games(name: str, limit: int) -> list[tuple[str, bytes]]:
    """The first members of an archive: (name, content)."""
    members: list[tuple[str, bytes]] = []
    with tarfile.open(archive(name), "r|*") as tar:
        for member in tar:
            content = tar.extractfile(member)
            if content is not None:
                members.append((member.name, content.read()))
            if len(members) == limit:
                break
    return members
