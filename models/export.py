"""Fitted parts become the arrays of a parameter file, which the runtime loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Protocol

import numpy as np

from houjuu.util.arrays import Floats
from houjuu.util.errors import Error
from houjuu.util.parameters import Parameters

TOLERANCE = 1e-9


class Trainer(Protocol):
    """A fitted estimator of one part."""

    def to_runtime(self) -> Any:
        """The fitted part, a dataclass of arrays, as the runtime loads it."""
        ...

    def get_params(self) -> dict[str, Any]:
        """The settings of the fit."""
        ...


def with_parts(
    base: Parameters, parts: Mapping[str, Trainer], about: Mapping[str, Any]
) -> Parameters:
    """A parameter file with further parts, by name, and other entries of the header."""
    settings = {name: part.get_params() for name, part in parts.items()}
    header = {**base.header, **about, "parameters": base.header["parameters"] | settings}
    return Parameters(header, {**base.arrays, **arrays(parts)})


def arrays(parts: Mapping[str, Trainer]) -> dict[str, Any]:
    """The arrays of fitted parts, as a parameter file names them."""
    return {
        f"{name}/{field.name}": np.asarray(getattr(model, field.name))
        for name, model in ((name, part.to_runtime()) for name, part in parts.items())
        for field in fields(model)
    }


def largest(difference: Floats) -> float:
    """The largest absolute difference, 0 of none."""
    return float(np.abs(difference).max(initial=0.0))


def within_tolerance(worst: float, tolerance: float = TOLERANCE) -> float:
    """The largest difference; raises Error if it exceeds the tolerance."""
    if worst > tolerance:
        raise Error(f"the exported model differs from the fit by {worst:.2e}")
    return worst
