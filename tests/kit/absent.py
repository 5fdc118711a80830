"""Programs that tests start: where one is absent, a test is left out, unless it must run."""

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
    """Skip the test; fail in the workflows whose machine has every program."""
    if os.environ.get("HOUJUU_ALL_PROGRAMS"):
        pytest.fail(reason)
    pytest.skip(reason)
