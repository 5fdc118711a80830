"""The models, one package a family, behind the protocol of `houjuu.estimators.protocol`.

A family is a package here that exports `Model`, a class that takes `Parameters` and satisfies
`Estimator`. The header of a parameter file names its family; nothing else distinguishes models.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from houjuu.estimators.protocol import Estimator
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters


def families() -> tuple[str, ...]:
    """Names of all model families, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


def from_parameters(parameters: Parameters) -> Estimator:
    """Build the estimator of a parameter file.

    Raises
    ------
    ParameterError
        There is no such family, or a part of the model is missing, incomplete or invalid.
    """
    family = parameters.header.get("family")
    if family not in families():
        names = ", ".join(families())
        raise ParameterError(f"has the model family {family!r}; this houjuu has {names}")
    model = import_module(f"{__name__}.{family}").Model
    try:
        estimator: Estimator = model(parameters)
    except ParameterError:
        raise
    except Exception as problem:  # an array of another type or shape can raise anything in numpy
        reason = f"a part of the model is incomplete or invalid ({problem})"
    else:
        return estimator
    raise ParameterError(reason)
