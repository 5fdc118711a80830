"""Parameter files: arrays of numbers and a JSON header in one ``.npz``, without pickles.

| header | |
|---|---|
| format | version of this layout, an integer |
| model | name of the model, "kurita-hoki-2017" |
| family | the package of `houjuu.estimators` that loads it |
| name | name of the fit, by its logs or by `make train NAME=…` |
| fitted_on | source, games, rounds, rows, dates and hash of the training data |
| commit | commit of the training code, None outside a repository |
| parameters | the settings of the fit |
| base_rates | frequencies in the training data, the baseline predictions |
| metrics | metrics on held-out games |

The name of an array begins with its part of the model: ``tenpai/type1``. Every text, in the header
or an array, has at most `MAX_TEXT` printable characters.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from houjuu.util.errors import Error, ParameterError
from houjuu.util.files import atomic_file, read_file, without_nan

FORMAT = 2
_HEADER = "header"
MAX_BYTES = 64 << 20  # unit: bytes, of the file, and of all arrays, unpacked
MAX_TEXT = 200  # unit: characters; the longest text of the models that ship has 67
_MAX_NAMES = 10_000  # of terms in an array
_MAX_HEADER = 1 << 20  # unit: bytes; the longest header that ships has 25,241
_MAX_NUMBER = 1e15  # of the header: counts and metrics
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
    """Content of a parameter file; `digest` is that of its bytes, "" of content in memory."""

    header: Mapping[str, Any]
    arrays: Mapping[str, Array]
    digest: str = ""

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
    """Write a parameter file atomically, and make its folder; equal content gives equal bytes."""
    header = without_nan({"format": FORMAT, **parameters.header})
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, allow_nan=False)
    arrays = {_HEADER: np.frombuffer(text.encode(), dtype=np.uint8)}
    arrays |= {name: np.asarray(parameters.arrays[name], order="C") for name in parameters.arrays}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def read(path: str | Path) -> Parameters:
    """Read a parameter file.

    Raises
    ------
    ParameterError
        The file is missing, damaged, too large, or of an unsupported version.
    """
    try:
        content = read_file(path, MAX_BYTES)
    except FileNotFoundError:
        raise ParameterError("there is no such parameter file", file=str(path)) from None
    except (OSError, Error) as problem:
        damaged = f"is damaged or not a parameter file ({problem})"
        reason = problem.reason if isinstance(problem, Error) else damaged
        raise ParameterError(reason, file=str(path)) from None
    return from_bytes(content, str(path))


def from_bytes(content: bytes, file: str) -> Parameters:
    """The content of a parameter file; parameters and errors as in `read`."""
    try:
        arrays = _arrays(content)
        header = _header(arrays.pop(_HEADER))
        _check_header(header)
        _check_texts(header, arrays)
    except KeyError:
        reason = "has no header, so it is not a parameter file"
    except Error as problem:
        reason = problem.reason
    except Exception as problem:  # damage can raise anything in zipfile, ast, json and numpy
        reason = f"is damaged or not a parameter file ({str(problem) or type(problem).__name__})"
    else:
        return Parameters(header, arrays, digest(content))
    raise ParameterError(reason, file=file)


def digest(content: bytes) -> str:
    """The digest of the bytes of a parameter file, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def _header(array: Array) -> Any:
    if array.nbytes > _MAX_HEADER:
        raise ParameterError(f"has a header of more than {_MAX_HEADER >> 20} MiB")
    return json.loads(array.tobytes())


def _check_header(header: Any) -> None:
    """Raise ParameterError if the version is another, or what every model has is missing."""
    version = header.get("format") if isinstance(header, dict) else None
    if version != FORMAT:
        raise ParameterError(
            f"has format {version}, but this version of houjuu reads format {FORMAT}"
        )
    if not isinstance(header.get("model"), str) or not header["model"].strip():
        raise ParameterError("has no model name in its header")
    data = header.get("fitted_on", {})
    if not isinstance(data, dict) or type(data.get("games", 0)) is not int:
        raise ParameterError("has no training data with a number of games in its header")


def _check_texts(header: Any, arrays: Mapping[str, Array]) -> None:
    """Raise ParameterError if a text is no name or title, or a number of the header is absurd."""
    names = [array for array in arrays.values() if array.dtype.kind == "U"]
    if any(array.size > _MAX_NAMES for array in names):
        raise ParameterError(f"has an array of more than {_MAX_NAMES:,} names")
    for name in chain(arrays, *(array.ravel().tolist() for array in names)):
        if not _is_text(name):
            raise _text_problem("a name of an array or term")
    for value in _values(header):
        if isinstance(value, str) and not _is_text(value):
            raise _text_problem("a text of the header")
        if isinstance(value, (int, float)) and not abs(value) <= _MAX_NUMBER:
            raise ParameterError("a number of the header is not finite or is absurdly large")


def _is_text(text: str) -> bool:
    return len(text) <= MAX_TEXT and text.isprintable()


def _text_problem(what: str) -> ParameterError:
    return ParameterError(f"{what} has more than {MAX_TEXT} characters or unprintable ones")


def _values(tree: Any) -> Iterator[Any]:
    """Yield all keys and values of a tree of JSON."""
    if isinstance(tree, dict):
        tree = [*tree, *tree.values()]
    if not isinstance(tree, list):
        yield tree
        return
    for value in tree:
        yield from _values(value)


def _arrays(content: bytes) -> dict[str, Array]:
    """The arrays of a file, which unpack to at most `MAX_BYTES`."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = archive.infolist()
        if any(member.compress_type not in _COMPRESSIONS for member in members):
            raise ParameterError("is damaged or not a parameter file: its compression is another")
        if sum(member.file_size for member in members) > MAX_BYTES:
            raise ParameterError(f"unpacks to more than {MAX_BYTES >> 20} MiB")
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
    if dtype.kind == "i" and dtype.itemsize > np.intp(0).itemsize:  # indices where they are shorter
        flat = flat.clip(np.iinfo(np.intp).min, np.iinfo(np.intp).max).astype(np.intp)
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
