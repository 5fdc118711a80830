"""Features: named functions, whose docstrings give their units.

Names and columns come from the same object, so that they cannot differ. What computes is a
function; a field or a flag of the source is a row. Features combine into others:

>>> riichi = Feature.row("riichi", "0/1", lambda states: states["riichi"])
>>> @feature()
... def draws_left(states):
...     '''Draws of the seat.'''
...     return states["draws"]
>>> columns = Columns(riichi, riichi & draws_left, draws_left * draws_left)
>>> columns.names
('riichi', 'riichi, draws left', 'draws left × draws left')

Each function is called once for all columns that need it:

>>> states = {"riichi": np.array([0, 1]), "draws": np.array([3, 4])}
>>> columns.matrix({one: one.compute(states) for one in columns.inputs}, (2,)).tolist()
[[0.0, 0.0, 9.0], [1.0, 4.0, 16.0]]

A fitted file names its features. The code may know more of them:

>>> chosen = columns_of(["draws left × draws left", "riichi"], columns.names, "the example")
>>> take(np.array([[0.0, 4.0, 16.0]]), chosen).tolist()
[[16.0, 0.0]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, chain, product
from operator import mul
from typing import Any, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt

from houjuu.util.arrays import Floats, Ints
from houjuu.util.errors import ParameterError

Source = TypeVar("Source")
_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Feature(Generic[Source]):
    """A feature, or several that one function computes.

    Attributes
    ----------
    names : tuple of str
        The columns; the value of several has one more axis.
    unit : str
        Unit or range.
    compute : callable
        The value for a source, a number or an array; for a combination of features, the value for
        those of its parts.
    by : str, default=""
        What it has a number for each of, such as "opponent", "kind" or "suit"; "": one number.
    of : str, default=""
        What it depends on alone: "river", whose function takes a `River`; "melds" or "riichi",
        whose value is `without` while there is none. "": the source.
    size : int, default=0
        For small whole numbers: their number from 0; larger ones count as the largest.
    without : int, default=0
        Its value without what it depends on.
    counts : bool, default=False
        Whether the function returns kinds or suits, and the feature is how often each occurs.
    parts : tuple of Feature, default=()
        What it combines.
    """

    names: tuple[str, ...]
    unit: str
    compute: Callable[..., Any]
    by: str = ""
    of: str = ""
    size: int = 0
    without: int = 0
    counts: bool = False
    parts: tuple[Feature[Source], ...] = ()

    @property
    def name(self) -> str:
        """The name of a feature with one column."""
        return self.names[0]

    def steps(self) -> Iterator[Feature[Source]]:
        """Yield the parts and then the feature."""
        for part in self.parts:
            yield from part.steps()
        yield self

    @classmethod
    def row(cls, name: str, unit: str, compute: Callable[[Source], Any], **options: Any) -> Self:
        """A feature that is a field of its source, or a flag of one; options as in `feature`."""
        return cls((name,), unit, compute, **options)

    def named(self, name: str) -> Self:
        """The same feature under another name."""
        return replace(self, names=(name,))

    def __and__(self, other: Feature[Source]) -> Feature[Source]:
        """The product, named "a, b": one of them where the other is 1. Of several, each by each."""
        return self._product(other, ", ")

    def __mul__(self, other: Feature[Source]) -> Feature[Source]:
        """The product, named "a × b"."""
        return self._product(other, " × ")

    def _product(self, other: Feature[Source], sign: str) -> Feature[Source]:
        names = [sign.join(filter(None, pair)) for pair in product(self.names, other.names)]
        unit = f"({self.unit}) × ({other.unit})"
        several = len(self.names) > 1, len(other.names) > 1
        compute = partial(_each_by_each, several) if any(several) else mul
        return Feature((*names,), unit, compute, parts=(self, other))


def _each_by_each(several: tuple[bool, bool], *factors: Floats) -> Floats:
    first, second = (
        factor if flag else np.asarray(factor)[..., None]
        for flag, factor in zip(several, factors, strict=True)
    )
    columns = first[..., :, None] * second[..., None, :]
    return columns.reshape(*columns.shape[:-2], -1)


def feature(*names: str, **options: Any) -> Callable[[Callable[[Source], Any]], Feature[Source]]:
    """Make a feature of a function: its name, and as its unit the first line of its docstring.

    Parameters
    ----------
    names : str
        Other names.
    **options
        `by`, `of`, `size`, `without` and `counts` of `Feature`.
    """

    def made(function: Callable[[Source], Any]) -> Feature[Source]:
        unit = (function.__doc__ or "").splitlines()[0].rstrip(".")
        return Feature(names or (function.__name__,), unit, function, **options)

    return made


def together(*features: Feature[Source]) -> Feature[Source]:
    """Two features or more as one, to combine with others.

    >>> one, two = (Feature.row(f"{k}", "", lambda n, k=k: k * n) for k in (1, 2))
    >>> columns = Columns(together(one, two) & together(two, one), two & together(one, two))
    >>> columns.names
    ('1, 2', '1, 1', '2, 2', '2, 1', '2, 1', '2, 2')
    >>> columns.matrix({each: each.compute(np.array([1, 10])) for each in columns.inputs}, (2,))
    array([[  2.,   1.,   4.,   2.,   2.,   4.],
           [200., 100., 400., 200., 200., 400.]])
    """
    names = (*chain.from_iterable(one.names for one in features),)
    return Feature(names, "; ".join(one.unit for one in features), _side_by_side, parts=features)


def _side_by_side(*values: Floats) -> Floats:
    shape = max(value.shape for value in values)  # (n, 3) by opponent, with some of (n, 1)
    columns = np.empty((*shape, len(values)))
    for index, value in enumerate(values):
        columns[..., index] = value
    return columns


class Columns(Generic[Source]):
    """The columns of some features of one source.

    Parameters
    ----------
    features : Feature
    by : str, default=""
        As in `Feature`.

    Attributes
    ----------
    features : tuple of Feature
    by : str
    names : tuple of str
        The columns; the underscores of a function's name are spaces.
    inputs : tuple of Feature
        The features with a function of the source, each once.
    """

    def __init__(self, *features: Feature[Source], by: str = "") -> None:
        self.features = features
        self.by = by
        names = chain.from_iterable(one.names for one in features)
        self.names = tuple(name.replace("_", " ") for name in names)
        steps = dict.fromkeys(chain.from_iterable(one.steps() for one in features))
        self.inputs = tuple(one for one in steps if not one.parts)
        self._combinations = [one for one in steps if one.parts]
        stops = [*accumulate(len(one.names) for one in features)]
        self._places = [
            (one, slice(stop - len(one.names), stop) if len(one.names) > 1 else stop - 1)
            for one, stop in zip(features, stops, strict=True)
        ]

    def matrix(self, values: Mapping[Feature[Source], Any], shape: tuple[int, ...]) -> Floats:
        """The columns, (*shape, columns); `np.stack` of many is slow.

        Parameters
        ----------
        values : mapping
            Those of `inputs`.
        shape : tuple of int
        """
        every = {**values}
        for one in self._combinations:
            every[one] = one.compute(*map(every.__getitem__, one.parts))
        columns = np.empty((*shape, len(self.names)))
        for one, place in self._places:
            columns[..., place] = every[one]
        return columns


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
