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
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.errors import ParameterError

FORMAT = 2
_HEADER = "header"
_MAX_BYTES = 64 << 20  # unit: bytes, of a whole file
_DAMAGED = (
    OSError,
    EOFError,
    ValueError,
    TypeError,
    AttributeError,
    NotImplementedError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)

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
    path = Path(path)
    header = {"format": FORMAT, **parameters.header}
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    arrays = {_HEADER: np.frombuffer(text.encode(), dtype=np.uint8)}
    arrays |= {name: np.asarray(parameters.arrays[name], order="C") for name in parameters.arrays}
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    os.replace(temporary, path)


def read(path: str | Path) -> Parameters:
    """Read a parameter file.

    Raises
    ------
    ParameterError
        The file is missing, damaged, or of an unsupported version.
    """
    file = str(path)
    try:
        if Path(path).stat().st_size > _MAX_BYTES:
            raise ParameterError(f"is larger than {_MAX_BYTES} bytes", file=file)
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays.pop(_HEADER).tobytes())
    except FileNotFoundError:
        raise ParameterError("there is no such parameter file", file=file) from None
    except KeyError:
        raise ParameterError("has no header, so it is not a parameter file", file=file) from None
    except _DAMAGED as problem:
        raise ParameterError(f"is damaged or not a parameter file ({problem})", file=file) from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        version = header.get("format") if isinstance(header, dict) else None
        raise ParameterError(
            f"has format {version}, but this version of houjuu reads format {FORMAT}", file=file
        )
    if not isinstance(header.get("model"), str):
        raise ParameterError("has no model name in its header", file=file)
    return Parameters(header, arrays)
