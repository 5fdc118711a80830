"""What the model "houjuu" believes of a tenpai opponent's wait: all parts that read the river."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

import numpy as np

from houjuu import evidence
from houjuu.cases import Case
from houjuu.choice import Floats, Why
from houjuu.han import HanModel, MeldedHan
from houjuu.parameters import Parameters
from houjuu.river_kinds import RiverKinds
from houjuu.river_waits import RiverWaits
from houjuu.tiles import KINDS


class ClosedHand(NamedTuple):
    """What a tenpai opponent without open melds wins on.

    Attributes
    ----------
    wins : (131,) array
        P(wins on the kind by the wait), in the order of `houjuu.waits.WIN_WAIT`.
    kind : (34,) array
        P(wins on the kind).
    scores : (34, 13, 10) array
        P(han, fu | wins on the kind).
    why : callable or None
        The parts of `kind` of a kind, where the model can tell.
    """

    wins: Floats
    kind: Floats
    scores: Floats
    why: Why | None


@dataclass(frozen=True)
class Rivers:
    """The parts.

    Attributes
    ----------
    riichi, closed : RiverWaits
        Of opponents in riichi, and of others without open melds.
    melded : RiverKinds
    riichi_han, closed_han : HanModel
    melded_han : MeldedHan
    """

    riichi: RiverWaits
    closed: RiverWaits
    melded: RiverKinds
    riichi_han: HanModel
    closed_han: HanModel
    melded_han: MeldedHan

    @classmethod
    def of(cls, fitted: Parameters) -> Self:
        """From a parameter file that has all of them."""
        return cls(
            RiverWaits(**fitted.part("riichi")),
            RiverWaits(**fitted.part("closed")),
            RiverKinds(**fitted.part("melded_river")),
            HanModel(**fitted.part("riichi_han")),
            HanModel(**fitted.part("closed_han")),
            MeldedHan(**fitted.part("melded_han")),
        )

    def closed_hand(self, case: Case) -> ClosedHand:
        """What a tenpai opponent without open melds wins on."""
        read = evidence.read(case)
        riichi = case.seat.in_riichi
        waits = self.riichi if riichi else self.closed
        han = self.riichi_han if riichi else self.closed_han
        wins = waits.wins(read)
        kind, why = waits.kinds_of(wins, read), partial(waits.why, read)
        return ClosedHand(wins, kind, han.scores(read), why)

    def melded_hand(self, case: Case, scores: Floats) -> tuple[Floats, Why]:
        """What the river multiplies the chance of each kind and score by, (34, 224), and why.

        Parameters
        ----------
        case : Case
            A melded opponent.
        scores : (34, 224) array
            P(wins on the kind with the score code | tenpai) by the hands that the unseen tiles
            allow.
        """
        read, sets, shapes = evidence.read(case), len(case.seat.melds), scores.sum(axis=1)
        kinds = self.melded.kinds(read, shapes, np.array(sets))
        factors = np.divide(kinds, shapes, out=np.zeros(KINDS), where=shapes > 0)
        why = partial(self.melded.why, read, shapes, sets)
        return factors[:, None] * self.melded_han.factors(read, scores), why
