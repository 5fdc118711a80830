"""The parameter files of the players' models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
    name : str
        The ``model`` of the header.
    part : str
        The part of the file that contains the arrays.
    shipped : str
        The file that ships, in the package.
    header : mapping
        What the header must contain: names of terms, in the order of the weights.
    make : callable
        Makes the model from its arrays by name; raises ParameterError where they are damaged.
    """

    name: str
    part: str
    shipped: str
    header: Mapping[str, Any]
    make: Callable[..., Model]

    def from_parameters(self, fitted: Parameters) -> Model:
        """The model of a parameter file.

        Raises
        ------
        ParameterError
            The file contains another model, or other terms than this version expects.
        """
        if fitted.header["model"] != self.name:
            raise ParameterError(f"model {fitted.header['model']!r} is not {self.name!r}")
        for key, expected in self.header.items():
            if fitted.header.get(key) != expected:
                raise ParameterError(f"the weights of {self.name} have other {key} than expected")
        try:
            return self.make(**fitted.part(self.part))
        except TypeError as problem:
            raise ParameterError(f"the weights of {self.name} are incomplete ({problem})") from None

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
