"""Features: named functions, whose docstrings give their units.

Names and columns come from the same object, so that they cannot differ. Features combine into
others:

>>> @feature("riichi")
... def riichi(states):
...     '''0/1.'''
...     return states["riichi"]
>>> @feature()
... def draws_left(states):
...     '''Draws of the seat.'''
...     return states["draws"]
>>> table = Table(riichi, riichi & draws_left, draws_left * draws_left)
>>> table.names
('riichi', 'riichi, draws left', 'draws left × draws left')
>>> table.matrix({"riichi": np.array([0, 1]), "draws": np.array([3, 4])}, (2,)).tolist()
[[0.0, 0.0, 9.0], [1.0, 4.0, 16.0]]

A fitted file names its features. The code may know more of them:

>>> chosen = columns_of(["draws left × draws left", "riichi"], table.names, "the example")
>>> take(np.array([[0.0, 4.0, 16.0]]), chosen).tolist()
[[16.0, 0.0]]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from houjuu.util.arrays import Floats, Ints
from houjuu.util.errors import ParameterError

Source = TypeVar("Source")
_Scalar = TypeVar("_Scalar", bound=np.generic)


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


class Table(Generic[Source]):
    """Features of one source, in the order of their columns.

    Parameters
    ----------
    features : Feature

    Attributes
    ----------
    features : tuple of Feature
    names : tuple of str
        The columns.
    """

    def __init__(self, *features: Feature[Source]) -> None:
        self.features = features
        self.names = tuple(chain.from_iterable(one.names for one in features))
        self._columns: list[tuple[int | slice, Callable[[Source], Any]]] = []
        stop = 0
        for one in features:
            start, stop = stop, stop + len(one.names)
            self._columns.append((slice(start, stop) if one.several else start, one.compute))

    def matrix(self, source: Source, shape: tuple[int, ...]) -> Floats:
        """The columns, (*shape, columns); `np.stack` of many small arrays is slow."""
        columns = np.empty((*shape, len(self.names)))
        self.fill(columns, source)
        return columns

    def fill(self, columns: Floats, source: Source) -> None:
        """Write the columns into an array, (…, columns)."""
        for place, compute in self._columns:
            columns[..., place] = compute(source)


def columns_of(chosen: Sequence[str], known: Sequence[str], what: str) -> Ints | None:
    """The columns of the features that a fitted file names, among those of the code.

    None if these are all of them in their order.

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
    if tuple(chosen) == tuple(known):
        return None
    return np.array([column[name] for name in chosen], np.intp)


def take(table: npt.NDArray[_Scalar], columns: Ints | None) -> npt.NDArray[_Scalar]:
    """The columns of a table that `columns_of` has chosen, (…, known) → (…, chosen)."""
    return table if columns is None else table.take(columns, axis=-1)
