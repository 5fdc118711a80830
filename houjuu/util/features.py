"""Features: named functions, whose docstrings give their units.

A table of features is a tuple of `Feature`. Names and columns come from the same object, so that
they cannot differ. Features combine into others:

>>> @feature("riichi")
... def riichi(states):
...     '''0/1.'''
...     return states["riichi"]
>>> @feature()
... def draws_left(states):
...     '''Draws of the seat.'''
...     return states["draws"]
>>> table = (riichi, riichi & draws_left, draws_left * draws_left)
>>> names(table)
('riichi', 'riichi, draws left', 'draws left × draws left')
>>> matrix(table, {"riichi": np.array([0, 1]), "draws": np.array([3, 4])}, (2,)).tolist()
[[0.0, 0.0, 9.0], [1.0, 4.0, 16.0]]

A fitted file names its features. The code may know more of them, and computes these for nothing:

>>> columns(["draws left × draws left", "riichi"], names(table), "the example").tolist()
[2, 0]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, Self, TypeVar

import numpy as np

from houjuu.util.arrays import Floats, Ints
from houjuu.util.errors import ParameterError

Source = TypeVar("Source")


@dataclass(frozen=True)
class Feature(Generic[Source]):
    """A feature, or several that one function computes.

    Attributes
    ----------
    names : tuple of str
        The columns.
    unit : str
        Unit or range.
    compute : callable
        The value for a source, a number or an array; of several columns with one more axis.
    several : bool
        Whether the value has that axis.
    """

    names: tuple[str, ...]
    unit: str
    compute: Callable[[Source], Any]
    several: bool = False

    def named(self, name: str) -> Self:
        """The same feature under another name."""
        return replace(self, names=(name,))

    def __and__(self, other: Feature[Source]) -> Feature[Source]:
        """The product, named "a, b": one of them where the other is 1."""
        return self._product(other, ", ")

    def __mul__(self, other: Feature[Source]) -> Feature[Source]:
        """The product, named "a × b"."""
        return self._product(other, " × ")

    def _product(self, other: Feature[Source], sign: str) -> Feature[Source]:
        (name,), (other_name,) = self.names, other.names
        first, second = self.compute, other.compute
        unit = f"({self.unit}) × ({other.unit})"
        return Feature(
            (name + sign + other_name,), unit, lambda source: first(source) * second(source)
        )


def unit(function: Callable[..., Any]) -> str:
    """The unit of a feature: the first line of the docstring of its function."""
    return (function.__doc__ or "").splitlines()[0].rstrip(".")


def feature(
    *columns: str, several: bool = False
) -> Callable[[Callable[[Source], Any]], Feature[Source]]:
    """Make a feature of a function.

    Parameters
    ----------
    columns : str
        Its names; by default that of the function.
    several : bool, default=False
        Whether the value has an axis for the columns.
    """

    def made(function: Callable[[Source], Any]) -> Feature[Source]:
        default = (function.__name__.replace("_", " "),)
        return Feature(columns or default, unit(function), function, several)

    return made


def names(features: Sequence[Feature[Any]]) -> tuple[str, ...]:
    """The names of all columns of a table."""
    return tuple(chain.from_iterable(one.names for one in features))


def matrix(features: Sequence[Feature[Source]], source: Source, shape: tuple[int, ...]) -> Floats:
    """The columns of a table, (*shape, columns); `np.stack` of many small arrays is slow."""
    table = np.empty((*shape, sum(len(one.names) for one in features)))
    stop = 0
    for one in features:
        start = stop
        stop += len(one.names)
        table[..., slice(start, stop) if one.several else start] = one.compute(source)
    return table


def columns(chosen: Sequence[str], known: Sequence[str], what: str) -> Ints:
    """The columns of the features that a fitted file names, among those of the code.

    Parameters
    ----------
    chosen, known : sequence of str
        The names of the file, and of the code.
    what : str
        What has the features, for the error.

    Raises
    ------
    ParameterError
        The file has an unknown feature, or one twice.
    """
    column = {name: index for index, name in enumerate(known)}
    for name in chosen:
        if name not in column:
            raise ParameterError(
                f"{what} has the feature {name!r}, which this version of houjuu does not know: "
                "use a newer version, or fit the model again"
            )
    if len({*chosen}) < len(chosen):
        raise ParameterError(f"{what} has a feature twice")
    return np.array([column[name] for name in chosen], np.int64)
