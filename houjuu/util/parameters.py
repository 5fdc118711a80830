"""Parameter files: arrays of numbers and a JSON header in one ``.npz``, without pickles.

| header | |
|---|---|
| format | version of this layout, an integer |
| model | name of the model, "kurita-hoki-2017" |
| family | the package of `houjuu.estimators` that loads it |
| fitted_on | source, games, rounds, rows, dates and hash of the training data |
| commit | commit of the training code, None outside a repository |
| parameters | the settings of the fit |
| base_rates | frequencies in the training data, the baseline predictions |
| metrics | metrics on held-out games |

The name of an array begins with its part of the model: ``tenpai/type1``.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.util.errors import ParameterError
from houjuu.util.files import atomic_path
from houjuu.util.names import shown_name

FORMAT = 2
_HEADER = "header"
_MAX_BYTES = 64 << 20  # unit: bytes, of all arrays, unpacked
_MAX_WEIGHT = 100.0  # of a logit: the largest fitted weight is 27
_KINDS = "biufU"  # of dtypes: numbers and names
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Parameters:
    """Content of a parameter file."""

    header: Mapping[str, Any]
    arrays: Mapping[str, Array]

    def has(self, name: str) -> bool:
        """Whether the file has this part of the model."""
        return any(key.startswith(name + "/") for key in self.arrays)

    def part(self, name: str) -> dict[str, Array]:
        """The arrays of one part of the model, without its prefix.

        Raises
        ------
        ParameterError
            The file has no such part.
        """
        prefix = name + "/"
        part = {k.removeprefix(prefix): a for k, a in self.arrays.items() if k.startswith(prefix)}
        if not part:
            raise ParameterError(f"model {self.header['model']!r} has no part {name!r}")
        return part


def write(path: str | Path, parameters: Parameters) -> None:
    """Write a parameter file atomically; equal content gives equal bytes."""
    header = {"format": FORMAT, **parameters.header}
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    arrays = {_HEADER: np.frombuffer(text.encode(), dtype=np.uint8)}
    arrays |= {name: np.asarray(parameters.arrays[name], order="C") for name in parameters.arrays}
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read(path: str | Path) -> Parameters:
    """Read a parameter file.

    Raises
    ------
    ParameterError
        The file is missing, damaged, too large, or of an unsupported version.
    """
    file = str(path)
    try:
        arrays = _arrays(path)
        header = json.loads(arrays.pop(_HEADER).tobytes())
    except FileNotFoundError:
        reason = "there is no such parameter file"
    except KeyError:
        reason = "has no header, so it is not a parameter file"
    except ParameterError as problem:
        reason = problem.reason
    except Exception as problem:  # damage can raise anything in zipfile, ast, json and numpy
        reason = f"is damaged or not a parameter file ({str(problem) or type(problem).__name__})"
    else:
        reason = _problem(header)
    if reason:
        raise ParameterError(reason, file=file)
    return Parameters(header, arrays)


def _problem(header: Any) -> str:
    """The reason to refuse a header; empty if there is none."""
    version = header.get("format") if isinstance(header, dict) else None
    if version != FORMAT:
        return f"has format {version}, but this version of houjuu reads format {FORMAT}"
    model = header.get("model")
    if not isinstance(model, str):
        return "has no model name in its header"
    if model != shown_name(model):
        return f"has a model name that is too long, or cannot be shown: {shown_name(model)}"
    return ""


def _arrays(path: str | Path) -> dict[str, Array]:
    """The arrays of a file, which unpack to at most `_MAX_BYTES`."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if any(member.compress_type not in _COMPRESSIONS for member in members):
            raise ParameterError("is damaged or not a parameter file: its compression is another")
        if sum(member.file_size for member in members) > _MAX_BYTES:
            raise ParameterError(f"unpacks to more than {_MAX_BYTES >> 20} MiB")
        arrays = {
            member.filename.removesuffix(".npy"): _array(archive.read(member)) for member in members
        }
    if len(arrays) < len(members):
        raise ParameterError("is damaged: it has two arrays of one name")
    return arrays


def _array(data: bytes) -> Array:
    """The array of an ``.npy``; no more memory is allocated than the data fill."""
    stream = BytesIO(data)
    shape, fortran_order, dtype = _READERS[np.lib.format.read_magic(stream)](stream)
    if dtype.kind not in _KINDS:
        raise ParameterError("is damaged or not a parameter file: it has an array of objects")
    size = prod(shape)
    start = stream.tell()
    if min(shape, default=0) < 0 or size * dtype.itemsize != len(data) - start:
        raise ParameterError("is damaged: an array is shorter or longer than its header demands")
    flat = np.frombuffer(data, dtype, size, start) if size else np.empty(0, dtype)
    return flat.reshape(shape, order="F" if fortran_order else "C").copy()


def other_features(what: str) -> ParameterError:
    """The error of an estimator that was fitted to other features or terms than this code has."""
    return ParameterError(f"{what}: run `make train` and load models/houjuu.npz, which it fits")


def require_weights(name: str, weights: Array) -> None:
    """Raise ParameterError unless every weight of a logit is a number from -100 to 100."""
    require_range(name, weights, -_MAX_WEIGHT, _MAX_WEIGHT)


def require_range(name: str, values: Array, low: float, high: float) -> None:
    """Raise ParameterError unless every value is a real number from `low` to `high`."""
    if values.dtype.kind not in "iuf" or not ((values >= low) & (values <= high)).all():
        raise ParameterError(f"{name} must be numbers from {low:g} to {high:g}")
