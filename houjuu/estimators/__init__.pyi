from houjuu.estimators import testing
from houjuu.estimators.loading import DEFAULT_MODEL, load, shipped_models
from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.estimators.with_own import WithTenpai, WithWins

__all__ = [
    "DEFAULT_MODEL",
    "Estimator",
    "TenpaiPrediction",
    "WithTenpai",
    "WithWins",
    "load",
    "shipped_models",
    "testing",
]
