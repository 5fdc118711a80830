"""Programs that a test needs: the test is skipped without them, but fails where all should be."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import NoReturn

import pytest


def program(names: Iterable[str]) -> str:
    """The path of the first of some programs that is installed; else `leave_out`."""
    wanted = list(names)
    return next(filter(None, map(shutil.which, wanted)), None) or leave_out(
        f"{wanted[0]} is not installed"
    )


def leave_out(reason: str) -> NoReturn:
    """Skip the test; fail on Linux in CI, where everything should be installed."""
    if os.environ.get("CI") and sys.platform == "linux":
        pytest.fail(reason)
    pytest.skip(reason)
