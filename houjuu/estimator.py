"""The estimator that programs load and ask.

>>> import houjuu
>>> estimator = houjuu.load("kurita-hoki-2017")
>>> estimator.model
'kurita-hoki-2017'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from houjuu import parameters, signs
from houjuu.additive import AdditiveModel
from houjuu.cases import Case, cases
from houjuu.choice import Reasons
from houjuu.deal_in import DealIn, Kind, Opponent, codes_of
from houjuu.errors import ParameterError
from houjuu.melded import Kept, MeldedModel
from houjuu.rivers import ClosedHand, Rivers
from houjuu.table import Seat, View
from houjuu.tenpai import MAX_MELDS, Floats, Shown, ShownColours, TenpaiModel, TenpaiReading
from houjuu.waits import FU, WIN_WAIT, WaitModel, han_shift, yakuhai

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
            self.rivers = Rivers.of(fitted) if fitted.has("riichi") else None
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
        return self._read(view, cases(view, view.opponents))

    def _read(self, view: View, opponents: Sequence[Case]) -> TenpaiReading:
        if self.signs_model is None:
            return self.tenpai_model.read(Shown.of(view.opponents))
        shown = ShownColours.of(view.opponents)
        numbers = np.array([signs.read(case) for case in opponents])
        told = self.signs_model.read(shown.melds, numbers)
        tenpai = np.where(shown.sets > MAX_MELDS, 1.0, told)
        colour = self.tenpai_model.colours(shown)
        given = np.repeat(tenpai[:, None], colour.shape[1], axis=1)
        return TenpaiReading(colour, given, tenpai)

    def deal_in(
        self, view: View, kept: Kept | None = None, reading: TenpaiReading | None = None
    ) -> DealIn:
        """How likely each kind deals in, to whom and for how many points.

        Parameters
        ----------
        view : View
            What the asking seat sees.
        kept : Kept, optional
            Whoever asks more than once for a seat holds one of these for it and hands it in every
            time: the hands of melded opponents are then worked out only when a meld or a dora
            changes. The answer is the same without it, and slower.
        reading : TenpaiReading, optional
            What `read` says of the view, where it has been asked already.
        """
        opponents = cases(view, view.opponents)
        reading = self._read(view, opponents) if reading is None else reading
        kept = Kept() if kept is None else kept
        right, across, left = (
            self._opponent(case, reading.colour[i], reading.tenpai_given[i], kept)
            for i, case in enumerate(opponents)
        )
        return DealIn((right, across, left), view.honba, view.rules.red_fives)

    def _opponent(self, case: Case, colour: Floats, given: Floats, kept: Kept) -> Opponent:
        view, seat = case.view, case.seat
        tenpai = 1.0 if seat.in_riichi else float(colour @ given)
        told = seat.seat, _kind(seat), seat.seat == view.dealer, case.genbutsu, tenpai
        if seat.open_melds:
            scores = self.melded_model.scores(view, seat.seat, colour * given, kept)
            if self.rivers is None:
                return Opponent(*told, colour, scores)
            factors, why = self.rivers.melded_hand(case, scores / tenpai)
            return Opponent(*told, colour, scores * factors, None, why, self._why_tenpai(case))
        hand = self._closed(case)
        scores = codes_of(hand.scores, FU) * (tenpai * hand.kind)[:, None]
        return Opponent(*told, colour, scores, hand.wins, hand.why, self._why_tenpai(case))

    def _why_tenpai(self, case: Case) -> Callable[[], Reasons] | None:
        seat = case.seat
        if self.signs_model is None or seat.in_riichi or len(seat.melds) > MAX_MELDS:
            return None
        model = self.signs_model
        return lambda: model.why(seat.open_melds, signs.read(case))

    def _closed(self, case: Case) -> ClosedHand:
        if self.rivers is not None:
            return self.rivers.closed_hand(case)
        view, seat = case.view, case.seat
        unseen = np.array(case.unseen)
        read = self.wait_model.read(seat, unseen, case.furiten, red_fives=view.rules.red_fives)
        shift = han_shift(view.dora, yakuhai(view.round_wind, view.seat_wind(seat.seat)))
        scores = self.wait_model.scores(read, shift)
        return ClosedHand(read.wait[WIN_WAIT], read.kind, scores, None)


def _kind(seat: Seat) -> Kind:
    if seat.open_melds:
        return Kind.MELDED
    return Kind.RIICHI if seat.in_riichi else Kind.CLOSED
