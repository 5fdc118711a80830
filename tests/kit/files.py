"""The parameter files that ship."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import houjuu
from houjuu.util import parameters
from houjuu.util.parameters import Parameters

FITTED = Path(houjuu.__file__).parent / "fitted"


@cache
def shipped(model: str = "houjuu") -> Parameters:
    """The content of the file of a model, which no test may change."""
    return parameters.read(FITTED / f"{model}.npz")
