"""The models, one package a family, behind the protocol of `houjuu.estimators.protocol`.

A family is a package here that exports `Model`, a class that takes `Parameters` and satisfies
`Estimator`. The header of a parameter file names its family; nothing else distinguishes models.
"""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
