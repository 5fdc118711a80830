"""The models, one package a family, behind the protocol of `houjuu.estimators.protocol`.

A family is a package here that exports `Model`, a class that takes `Parameters` and satisfies
`Estimator`. The header of a parameter file names its family; nothing else distinguishes models.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from houjuu.estimators.protocol import Estimator
from houjuu.util.errors import ParameterError
from houjuu.util.fitted import FittedModel
from houjuu.util.parameters import Parameters


def families() -> tuple[str, ...]:
    """Names of all model families, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


def _model_of_family(parameters: Parameters) -> Estimator:
    family = parameters.header.get("family")
    if family not in families():
        names = ", ".join(families())
        raise ParameterError(f"has the model family {family!r}; this houjuu has {names}")
    estimator: Estimator = import_module(f"{__name__}.{family}").Model(parameters)
    return estimator


FITTED = FittedModel("fitted/houjuu.npz", _model_of_family)
from_parameters = FITTED.from_parameters
