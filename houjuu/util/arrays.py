"""Array types and the few numeric helpers that several modules share."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
Int8s = npt.NDArray[np.int8]
UInt8s = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
_Scalar = TypeVar("_Scalar", bound=np.generic)


def sigmoid(logits: Floats) -> Floats:
    """1 / (1 + exp(-logits)), in 0–1, of the same shape; computed as a tanh, it cannot overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * logits))


def read_only(array: npt.NDArray[_Scalar]) -> npt.NDArray[_Scalar]:
    """A view of the array that cannot be written to; the array itself can."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view
