from houjuu.estimators.loading import (
    DEFAULT_MODEL,
    families,
    from_parameters,
    load,
    shipped_models,
)
from houjuu.estimators.protocol import Estimator, TenpaiPrediction

__all__ = [
    "DEFAULT_MODEL",
    "Estimator",
    "TenpaiPrediction",
    "families",
    "from_parameters",
    "load",
    "shipped_models",
]
