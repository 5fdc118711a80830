"""Programs that tests start: where one is absent, a test is left out, but fails in the workflow."""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def program(*names: str) -> str:
    """Path of the first of some programs that is installed; leaves the test out without any."""
    path = next(filter(None, map(shutil.which, names)), None)
    return path or leave_out(f"{' or '.join(names)} is not installed")


def leave_out(reason: str) -> NoReturn:
    """Skip the test; fail in the workflow on GitHub, which installs every program."""
    if os.environ.get("GITHUB_ACTIONS"):
        pytest.fail(reason)
    pytest.skip(reason)
