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

from houjuu import parameters, signs
from houjuu.additive import AdditiveModel
from houjuu.deal_in import DealIn, Kind, Opponent, codes_of
from houjuu.errors import ParameterError
from houjuu.melded import Kept, MeldedModel
from houjuu.table import Seat, View
from houjuu.tenpai import MAX_MELDS, Floats, Shown, TenpaiModel, TenpaiReading
from houjuu.waits import FU, WaitModel, han_shift, yakuhai

DEFAULT_MODEL = "houjuu"


def load(model: str | Path = DEFAULT_MODEL) -> Estimator:
    """Load an estimator.

    Parameters
    ----------
    model : str or Path, default="houjuu"
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
            self.tenpai_model = TenpaiModel(**fitted.part("tenpai"))
            self.wait_model = WaitModel(**fitted.part("waits"))
            weights = {name: float(value) for name, value in fitted.part("melded").items()}
            self.melded_model = MeldedModel(**weights)
            has_signs = fitted.has("signs")
            self.signs_model = AdditiveModel(**fitted.part("signs")) if has_signs else None
        except TypeError as problem:
            raise ParameterError(f"a part of the model is incomplete ({problem})") from None

    @property
    def model(self) -> str:
        """Name of the model."""
        return str(self.header["model"])

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
        riichi = np.array([seat.in_riichi for seat in view.opponents])
        return np.where(riichi, 1.0, self.read(view).tenpai)

    def read(self, view: View) -> TenpaiReading:
        """Colours and tenpai of the opponents, riichi left aside.

        As section 5.1 of the paper has them; where the model has a regression on signs, it tells
        P(tenpai), whatever the colour.
        """
        reading = self.tenpai_model.read(Shown.of(view.opponents))
        if self.signs_model is None:
            return reading
        numbers = np.array([signs.read(view, seat) for seat in view.opponents])
        melds = np.array([seat.open_melds for seat in view.opponents])
        certain = np.array([len(seat.melds) > MAX_MELDS for seat in view.opponents])
        tenpai = np.where(certain, 1.0, self.signs_model.read(melds, numbers))
        given = np.repeat(tenpai[:, None], reading.colour.shape[1], axis=1)
        return TenpaiReading(reading.colour, given, tenpai)

    def deal_in(self, view: View, kept: Kept | None = None) -> DealIn:
        """How likely each kind deals in, to whom and for how many points.

        Parameters
        ----------
        view : View
            What the asking seat sees.
        kept : Kept, optional
            Whoever asks more than once for a seat holds one of these for it and hands it in every
            time: the hands of melded opponents are then worked out only when a meld or a dora
            changes. The answer is the same without it, and slower.
        """
        reading = self.read(view)
        kept = Kept() if kept is None else kept
        right, across, left = (
            self._opponent(view, seat, reading.colour[i], reading.tenpai_given[i], kept)
            for i, seat in enumerate(view.opponents)
        )
        return DealIn((right, across, left), view.honba, view.rules.red_fives)

    def _opponent(
        self, view: View, seat: Seat, colour: Floats, given: Floats, kept: Kept
    ) -> Opponent:
        genbutsu = view.genbutsu(seat.seat)
        dealer = seat.seat == view.dealer
        if seat.open_melds:
            scores = self.melded_model.scores(view, seat.seat, colour * given, kept)
            tenpai = float(colour @ given)
            return Opponent(seat.seat, Kind.MELDED, dealer, genbutsu, tenpai, colour, scores)
        tenpai = 1.0 if seat.in_riichi else float(colour @ given)
        kind = Kind.RIICHI if seat.in_riichi else Kind.CLOSED
        read = self.wait_model.read(
            seat, view.unseen(), view.furiten(seat.seat), red_fives=view.rules.red_fives
        )
        shift = han_shift(view.dora, yakuhai(view.round_wind, view.seat_wind(seat.seat)))
        scores = codes_of(self.wait_model.scores(read, shift), FU)
        scores *= (tenpai * read.kind)[:, None]
        return Opponent(seat.seat, kind, dealer, genbutsu, tenpai, colour, scores, read)
