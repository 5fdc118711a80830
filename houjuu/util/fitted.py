"""Loading of fitted models: from the package or from a parameter file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Generic, TypeVar

from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters

Model = TypeVar("Model")


@dataclass(frozen=True)
class FittedModel(Generic[Model]):
    """A model, and how its parameter file must look.

    Attributes
    ----------
    shipped : str
        The file that ships, in the package.
    make : callable
        Makes the model of a parameter file.
    header : mapping, default={}
        What the header must contain: ``model`` and names of terms, in the order of the weights.
    """

    shipped: str
    make: Callable[[Parameters], Model]
    header: Mapping[str, Any] = field(default_factory=dict)

    def from_parameters(self, fitted: Parameters) -> Model:
        """The model of a parameter file.

        Raises
        ------
        ParameterError
            The file contains another model, or other terms than this version expects, or a part of
            the model is missing, incomplete or invalid.
        """
        for key, expected in self.header.items():
            if fitted.header.get(key) != expected:
                raise ParameterError(self._mismatch(key, fitted.header["model"]))
        try:
            return self.make(fitted)
        except ParameterError:
            raise
        except Exception as problem:  # an array of another type or shape raises anything in numpy
            reason = f"a part of the model is incomplete or invalid ({problem})"
        raise ParameterError(reason)

    def _mismatch(self, key: str, model: str) -> str:
        expected = self.header["model"]
        if key == "model":
            return f"model {model!r} is not {expected!r}"
        return f"the weights of {expected} have other {key} than expected"

    def load(self, path: str | Path | None = None) -> Model:
        """Load the model that ships with houjuu, or that of a parameter file.

        Raises
        ------
        ParameterError
            The file is missing or damaged, or has another version or model.
        """
        if path is not None:
            return self.from_parameters(parameters.read(path))
        with resources.as_file(resources.files("houjuu") / self.shipped) as shipped:
            return self.from_parameters(parameters.read(shipped))


def from_part(part: str, make: Callable[..., Model]) -> Callable[[Parameters], Model]:
    """A function that makes a model of the arrays of one part of its file, by their names."""
    return lambda fitted: make(**fitted.part(part))
