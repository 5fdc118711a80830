"""Limits of a long run."""

from __future__ import annotations

import pytest

from tests.fuzz.budget import INPUTS, MAX_MEMORY


@pytest.fixture(scope="session", autouse=True)
def limits() -> None:
    """Limit the memory of the process, so that an input that needs more fails."""
    if INPUTS:
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
