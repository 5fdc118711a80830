"""Loading a fitted model.

>>> import houjuu
>>> estimator = houjuu.load("kurita-hoki-2017")
>>> estimator.model
'kurita-hoki-2017'
"""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from houjuu import estimators
from houjuu.estimators.protocol import Estimator
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.files import read_file

DEFAULT_MODEL = "houjuu"


def load(model: str | Path = DEFAULT_MODEL) -> Estimator:
    """Load an estimator.

    Parameters
    ----------
    model : str or Path, default="houjuu"
        Name of a model that ships with houjuu, or path of a parameter file (``.npz``).

    Raises
    ------
    ParameterError
        There is no such model, or the file is damaged or of an unknown version or family.
    """
    if isinstance(model, str) and not model.endswith(".npz"):
        _shipped_file(model)
        return replace(estimators.FITTED, shipped=f"fitted/{model}.npz").load()
    return estimators.FITTED.load(model)


def model_content(model: str) -> bytes:
    """The bytes of the parameter file of a model, to notice that it has changed.

    Raises
    ------
    Error
        There is no such model or file.
    """
    if not model.endswith(".npz"):
        return _shipped_file(model).read_bytes()
    try:
        return read_file(model, parameters.MAX_BYTES)
    except OSError as problem:
        raise ParameterError(f"cannot be opened ({problem.strerror})", file=model) from None


def _shipped_file(model: str) -> Traversable:
    file = resources.files("houjuu") / "fitted" / f"{model}.npz"
    if not file.is_file():
        names = ", ".join(shipped_models())
        raise ParameterError(f"no model {model!r} ships with houjuu; there are: {names}")
    return file


def shipped_models() -> tuple[str, ...]:
    """Names of the models that ship with houjuu, in alphabetical order."""
    folder = resources.files("houjuu") / "fitted"
    files = folder.iterdir() if folder.is_dir() else ()
    names = (entry.name for entry in files)
    return tuple(sorted(name.removesuffix(".npz") for name in names if name.endswith(".npz")))
