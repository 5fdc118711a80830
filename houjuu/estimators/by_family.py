"""Models of parameter files: the header names the family, a package beside this module."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from houjuu import estimators
from houjuu.estimators.protocol import Estimator
from houjuu.util.errors import ParameterError
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters


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
