"""A model of somebody else by name, "mymodule:MyModel" or "file.py:MyModel", as an `Estimator`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

import numpy as np

from houjuu.estimators.last_answer import Delegate
from houjuu.estimators.protocol import Estimator
from houjuu.util import objects
from houjuu.util.errors import Error
from houjuu.util.game_hashes import Hashes

METHODS = (
    *("tenpai", "predict_tenpai", "tenpai_of_rows"),
    *("deal_in", "deal_in_many", "unseen", "unseen_many", "hands"),
)
"""The methods of `Estimator`."""
TABLES = ("paper_tenpai", "tenpai")
"""The values of `Estimator.tenpai_table`."""
_MODEL = "model"
_DIGITS = 8  # of the digest, in the name of a model
_KEPT = 16  # unit: models


class OwnEstimator(Delegate):
    """The estimator of an object, named after it and after its file: "Mine@c01c1412".

    Attributes
    ----------
    model, digest : str
        A change of the file, or of the `digest` of the estimator, changes both.
    seen : (n,) array
        Hashes of the games that the estimator states it has seen.
    """

    def __init__(self, estimator: Estimator, name: str) -> None:
        self._estimator = estimator
        both = objects.digest(name, _MODEL) + str(getattr(estimator, "digest", ""))
        self.digest = hashlib.sha256(both.encode()).hexdigest()
        self.model = f"{name.rpartition(':')[2]}@{self.digest[:_DIGITS]}"
        self.seen: Hashes = np.unique(np.array(getattr(estimator, "seen", ()), np.uint64))

    def __repr__(self) -> str:
        """Its name, and that of the estimator."""
        return f"<{self.model}: {self._estimator!r}>"


def own_estimator(name: str) -> OwnEstimator:
    """The `OwnEstimator` of a name, made once in a process while its file does not change.

    Raises
    ------
    Error
        There is no such object, or it lacks a part of `Estimator`: the sentence names all.
    """
    return _made(name, objects.version(name))


@lru_cache(_KEPT)
def _made(name: str, _: tuple[int, ...]) -> OwnEstimator:
    found = objects.find(name, _MODEL)
    is_made = hasattr(found, METHODS[0]) and not isinstance(found, type)
    if callable(found) and not is_made:
        try:
            found = found()
        except Exception as problem:  # a model of somebody else can raise anything
            raise Error(f"model {name!r}: {type(problem).__name__}: {problem}") from None
    lacking = missing(found)
    if lacking:
        remedy = "houjuu.estimators.WithTenpai and WithWins add what a model lacks"
        raise Error(f"model {name!r} has no {', no '.join(lacking)}; {remedy}")
    return OwnEstimator(cast(Estimator, found), name)


def missing(estimator: object) -> list[str]:
    """What an object lacks of `Estimator`, in the order of its methods."""
    lacking = [f"{name}()" for name in METHODS if not callable(getattr(estimator, name, None))]
    if not isinstance(getattr(estimator, "header", None), Mapping):
        lacking.append("header")
    if getattr(estimator, "tenpai_table", None) not in TABLES:
        lacking.append(f"tenpai_table ({' or '.join(TABLES)})")
    return lacking
