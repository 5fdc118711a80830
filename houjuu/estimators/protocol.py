"""The interface that every model implements: a `View` in, probabilities out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.risk.deal_in import DealIn
from houjuu.risk.hidden_hands import HiddenHands
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.arrays import Floats

MAX_MELDS = 3
"""With more melds than this one tile is concealed and the hand is certainly tenpai."""


@dataclass(frozen=True, slots=True)
class TenpaiPrediction:
    """Colour and tenpai of n opponents, as if none of them were in riichi.

    Attributes
    ----------
    tenpai : (n,) array
        P(T|u), 0–1.
    colour : (n, 4) array
        P(c|u) of manzu, pinzu, souzu and several; rows sum to 1.
    joint : (n, 4) array
        P(T, c|u) = P(T|c,u) · P(c|u); rows sum to `tenpai`.
    """

    tenpai: Floats
    colour: Floats
    joint: Floats

    def rows(self, start: int, end: int) -> TenpaiPrediction:
        """The prediction of the opponents `start` to `end` - 1."""
        rows = slice(start, end)
        return TenpaiPrediction(self.tenpai[rows], self.colour[rows], self.joint[rows])


class Estimator(Protocol):
    """A fitted model.

    Attributes
    ----------
    header : mapping
        Header of the parameter file.
    tenpai_table : str
        Table of rows with the features of P(tenpai): "paper_tenpai" or "tenpai".

    An estimator may also have ``digest``, a text that changes with what it predicts, and ``seen``,
    the hashes of the games of its fit (`houjuu.util.game_hashes.hashes`): no command measures on
    these.
    """

    header: Mapping[str, Any]
    tenpai_table: str

    @property
    def model(self) -> str:
        """Name of the model."""
        ...

    def tenpai(self, view: View) -> Floats:
        """P(tenpai) of the opponents.

        Returns
        -------
        (3,) array
            Of the seats to the right, across and to the left, 0–1; 1 with four melds and in
            riichi, from its tile on.
        """
        ...

    def predict_tenpai(self, view: View) -> TenpaiPrediction:
        """Colour and tenpai of the three opponents, riichi ignored."""
        ...

    def tenpai_of_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows of `tenpai_table`, (n,), from its columns by name, and their "room"."""
        ...

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """Probability that each kind deals in, to whom and for how many points.

        Parameters
        ----------
        view : View
            What the asking seat sees.
        cache : HandCache, optional
            To query one seat repeatedly, pass the same cache: the results are identical, only
            faster. Without it the hands of melded opponents are enumerated in every query.
        prediction : TenpaiPrediction, optional
            The result of `predict_tenpai` for this view, where it is already known.
        """
        ...

    def deal_in_many(
        self, views: Sequence[View], prediction: TenpaiPrediction | None = None
    ) -> list[DealIn]:
        """The results of `deal_in` for several views, in their order, in less time than a loop.

        Equal up to rounding in the last digits. The views may be of several seats, rounds and
        games; those of one seat and round take the least time in the order of the game.

        Parameters
        ----------
        views : sequence of View
        prediction : TenpaiPrediction, optional
            Those of `predict_tenpai` for all n views, of 3 n opponents, where they are known.
        """
        ...

    def unseen(self, view: View) -> UnseenTiles:
        """Where the unseen tiles are: in which hand, or in the wall.

        Parameters
        ----------
        view : View
            What the asking seat sees.
        """
        ...

    def unseen_many(self, views: Sequence[View]) -> list[UnseenTiles]:
        """The results of `unseen` for several views, in their order, in less time than a loop.

        Parameters
        ----------
        views : sequence of View
        """
        ...

    def hands(self, view: View, answers: Estimator | None = None) -> HiddenHands:
        """Whole hidden hands: deals of the unseen tiles, likelihoods, likely shapes.

        A model without the part for them draws tiles independently within its P(tenpai).

        Parameters
        ----------
        view : View
            What the asking seat sees.
        answers : Estimator, optional
            The model with whose other answers the hands agree; by default this one.
        """
        ...
