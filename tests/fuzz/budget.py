"""The budget of the fuzz tests: small in `make test`, large in `make fuzz`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

INPUTS = int(os.environ.get("HOUJUU_FUZZ", "0"))
"""Inputs for each property; 0 for the small budget."""

MAX_MEMORY = 4 << 30
"""Unit: bytes of a process in a long run."""

SECONDS = 10
"""Limit of time for one input in a long run."""


def budget(small: int) -> settings:
    """Settings of a property test, whose small budget is a number of inputs."""
    return settings(
        max_examples=INPUTS or small,
        deadline=1000 * SECONDS if INPUTS else None,
        suppress_health_check=list(HealthCheck),
    )
