"""Fitted parts become the arrays of a parameter file, which the runtime loads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    return joined(base, [part_parameters(*part) for part in parts.items()], about)


def part_parameters(name: str, part: Trainer) -> Parameters:
    """The parameter file of a fitted part alone."""
    header = {"model": name, "parameters": {name: part.get_params()}}
    return Parameters(header, arrays({name: part}))


def joined(base: Parameters, parts: Iterable[Parameters], about: Mapping[str, Any]) -> Parameters:
    """A parameter file with the parts of others, and other entries of the header."""
    settings, all_arrays = dict(base.header["parameters"]), dict(base.arrays)
    for part in parts:
        settings |= part.header["parameters"]
        all_arrays |= part.arrays
    return Parameters({**base.header, **about, "parameters": settings}, all_arrays)


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
