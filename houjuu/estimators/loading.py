"""Loading a model: a fitted file, whose header names the family, a package beside this module.

An object of Python is a model, too: "mymodule:MyModel" or "file.py:MyModel" names an `Estimator`,
or a class or function that makes one without arguments.

>>> import houjuu
>>> estimator = houjuu.load("kurita-hoki-2017")
>>> estimator.model
'kurita-hoki-2017'
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from pkgutil import iter_modules
from typing import cast

from houjuu import estimators
from houjuu.estimators.last_answer import LastAnswer
from houjuu.estimators.own import own_estimator
from houjuu.estimators.protocol import Estimator
from houjuu.util import objects, parameters
from houjuu.util.errors import ParameterError, shown
from houjuu.util.files import read_file
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters

DEFAULT_MODEL = "houjuu"
"""The name of the model that `load` takes by default."""
EVALUATED_MODEL = "houjuu-evaluated"
"""The default model before its last fit, which has seen the held-out games too."""
IN_REPOSITORY = (EVALUATED_MODEL, "houjuu-additive", "kurita-hoki-2017-printed")
"""The models for comparisons, which a checkout has and the wheel leaves out."""
_KEPT = 16  # unit: models


def families() -> tuple[str, ...]:
    """Names of all model families, sorted."""
    return tuple(
        sorted(module.name for module in iter_modules(estimators.__path__) if module.ispkg)
    )


def _model_of_family(parameters: Parameters) -> Estimator:
    family = parameters.header.get("family")
    if family not in families():
        names = ", ".join(families())
        raise ParameterError(f"has the model family {family!r}; this houjuu has {names}")
    estimator: Estimator = import_module(f"{estimators.__name__}.{family}").Model(parameters)
    return estimator


FITTED = FittedModel("fitted/houjuu.npz", _model_of_family)
from_parameters = FITTED.from_parameters


def load(model: str | Path = DEFAULT_MODEL) -> Estimator:
    """Load an estimator.

    Parameters
    ----------
    model : str or Path, default="houjuu"
        Name of a model that ships with houjuu, path of a parameter file (``.npz``), or name of an
        object: "mymodule:MyModel" or "file.py:MyModel". Those of `IN_REPOSITORY` ship with a
        checkout alone.

    Raises
    ------
    Error
        There is no such model, the file is damaged or of an unknown version or family, or the
        object lacks a part of `Estimator`.
    """
    if is_object(model):
        return cast(Estimator, own_estimator(str(model)))
    if not _is_file(model):
        _shipped_file(model)
        return replace(FITTED, shipped=f"fitted/{model}.npz").load()
    return FITTED.load(model)


def load_once(model: str | Path = DEFAULT_MODEL) -> Estimator:
    """As `load`, but all callers in a process share one estimator, which keeps its last answer.

    A file that has changed is loaded again. Parameters and errors are those of `load`.
    """
    return _loaded(model, _version(model))


@lru_cache(_KEPT)
def _loaded(model: str | Path, version: tuple[int, ...]) -> Estimator:
    return cast(Estimator, LastAnswer(load(model)))


def _version(model: str | Path) -> tuple[int, ...]:
    """Changes with the content of a file; empty for a model that ships."""
    if is_object(model):
        return objects.version(str(model))
    try:
        status = Path(model).stat() if _is_file(model) else None
    except (OSError, ValueError):
        status = None  # `load` raises the error
    return (status.st_ino, status.st_size, status.st_mtime_ns) if status else ()


def is_own(model: str | Path) -> bool:
    """Whether a model is a parameter file or an object, and not a name of one that ships."""
    return is_object(model) or _is_file(model)


def is_object(model: str | Path) -> bool:
    """Whether a model is the name of an object of Python."""
    return isinstance(model, str) and not _is_file(model) and objects.is_object(model)


def _is_file(model: str | Path) -> bool:
    """Whether a model is the path of a parameter file."""
    return not isinstance(model, str) or model.endswith(".npz")


def identity(model: str | Path) -> str:
    """The SHA-256 of what a model predicts by, to distinguish two: of its file, for an object.

    Raises
    ------
    Error
        There is no such model, or the file cannot be read.
    """
    if is_object(model):
        return own_estimator(str(model)).digest
    return parameters.digest(parameter_file(model))


def parameter_file(model: str | Path) -> bytes:
    """The content of the parameter file of a model.

    Raises
    ------
    Error
        There is no such model, it has no such file, or the file cannot be read.
    """
    if is_object(model):
        raise ParameterError("is an object: this needs a parameter file", file=str(model))
    if _is_file(model):
        try:
            return read_file(model, parameters.MAX_BYTES)
        except OSError as problem:
            reason = f"cannot be opened ({problem.strerror})"
            raise ParameterError(reason, file=str(model)) from None
    return _shipped_file(model).read_bytes()


def _shipped_file(model: str | Path) -> Traversable:
    if model not in shipped_models():
        if model in IN_REPOSITORY:
            raise ParameterError(
                f"the model {model!r} is in the repository alone: "
                f"get houjuu/fitted/{model}.npz there, and pass its path"
            )
        names = ", ".join(shipped_models())
        raise ParameterError(f"no model {shown(model)} ships with houjuu; there are: {names}")
    return resources.files("houjuu") / "fitted" / f"{model}.npz"


def shipped_models() -> tuple[str, ...]:
    """Names of the models that ship with houjuu, in alphabetical order."""
    folder = resources.files("houjuu") / "fitted"
    files = folder.iterdir() if folder.is_dir() else ()
    names = (entry.name for entry in files)
    return tuple(sorted(name.removesuffix(".npz") for name in names if name.endswith(".npz")))
