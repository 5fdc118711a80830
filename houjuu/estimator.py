"""The estimator that programs load and ask.

>>> import houjuu
>>> estimator = houjuu.load("kurita-hoki-2017")
>>> estimator.model
'kurita-hoki-2017'
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from houjuu import parameters
from houjuu.errors import ParameterError
from houjuu.table import Seat, View
from houjuu.tenpai import Floats, Shown, TenpaiModel, TenpaiReading

DEFAULT_MODEL = "kurita-hoki-2017"


def load(model: str | Path = DEFAULT_MODEL) -> Estimator:
    """Load an estimator.

    Parameters
    ----------
    model : str or Path, default="kurita-hoki-2017"
        Name of a model that ships with houjuu, or path of a parameter file (``.npz``).

    Raises
    ------
    ParameterError
        There is no such model, or the file is damaged or of an unknown version.
    """
    if isinstance(model, str) and not model.endswith(".npz"):
        shipped = resources.files("houjuu") / "fitted" / f"{model}.npz"
        if not shipped.is_file():
            names = ", ".join(shipped_models())
            raise ParameterError(f"no model {model!r} ships with houjuu; there are: {names}")
        with resources.as_file(shipped) as path:
            return Estimator(parameters.read(path))
    return Estimator(parameters.read(model))


def shipped_models() -> tuple[str, ...]:
    """Names of the models that ship with houjuu, in alphabetical order."""
    folder = resources.files("houjuu") / "fitted"
    files = folder.iterdir() if folder.is_dir() else ()
    names = (entry.name for entry in files)
    return tuple(sorted(name.removesuffix(".npz") for name in names if name.endswith(".npz")))


class Estimator:
    """What a fitted model says of a table.

    Parameters
    ----------
    fitted : Parameters
        The content of a parameter file.
    """

    def __init__(self, fitted: parameters.Parameters) -> None:
        self.header: Mapping[str, Any] = fitted.header
        try:
            self._tenpai = TenpaiModel(**fitted.part("tenpai"))
        except TypeError as problem:
            raise ParameterError(f"the part 'tenpai' is incomplete ({problem})") from None

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.header["model"])

    @property
    def tenpai_model(self) -> TenpaiModel:
        """The tenpai regressions, for whoever has many rows to ask about."""
        return self._tenpai

    def tenpai(self, view: View) -> Floats:
        """P(tenpai) of the opponents.

        Parameters
        ----------
        view : View
            What the asking seat sees.

        Returns
        -------
        (3,) array
            Of the seats to the right, across and to the left, each in 0–1; 1 in riichi and with
            four sets on the table.
        """
        reading = self.read(view.opponents)
        riichi = np.array([seat.in_riichi for seat in view.opponents])
        return np.where(riichi, 1.0, reading.tenpai)

    def read(self, seats: tuple[Seat, ...]) -> TenpaiReading:
        """Colours and tenpai of seats as section 5.1 of the paper has them, riichi left aside."""
        return self._tenpai.read(Shown.of(seats))
