"""What the trees of the stage ``yardstick`` say in positions that come one after another.

Positions are taken down as they come, with all that is read of each opponent, and answered all at
once, which trees are quick at. The numbers are those that the trees were fitted to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.decisions import read_as
from features.situations import scores_of_shapes
from houjuu import evidence, signs
from houjuu.cases import Case, cases
from houjuu.estimator import Estimator
from houjuu.melded import Kept
from houjuu.table import View
from houjuu.tenpai import MAX_MELDS
from houjuu.tiles import COPIES, KINDS
from models.questions import question_of
from models.yardstick import TenpaiTrees, WinTrees

Floats = npt.NDArray[np.float64]
OPPONENTS = 3


class _Shown(NamedTuple):
    """What is read of an opponent."""

    question: str
    certain: bool
    melds: int
    signs: list[int]
    evidence: evidence.Bytes
    shapes: npt.NDArray[np.float32]
    asked: npt.NDArray[np.bool_]


class Yardstick:
    """Takes positions down, and answers them.

    Parameters
    ----------
    trees : mapping
        As the stage keeps them, by question.
    estimator : Estimator
        Says how likely melded hands win on each kind by their shapes.
    """

    def __init__(self, trees: Mapping[str, TenpaiTrees | WinTrees], estimator: Estimator) -> None:
        self.trees = trees
        self.estimator = estimator
        self.shown: list[_Shown] = []

    def look(self, view: View, kept: Kept) -> None:
        """Take a position down; see `Estimator.deal_in`."""
        self.shown += [self._read(case, kept) for case in cases(view, view.opponents)]

    def _read(self, case: Case, kept: Kept) -> _Shown:
        view, seat = case.view, case.seat
        read = evidence.read(case)
        hand = np.zeros(KINDS, bool)
        hand[[tile // COPIES for tile in view.hand]] = True
        shapes = np.zeros(KINDS, np.float32)
        if seat.open_melds:
            scores = scores_of_shapes(view, seat, self.estimator, kept)
            shapes = scores.sum(axis=1).astype(np.float32)  # as the rows have it
        return _Shown(
            question_of(read_as(seat)),
            seat.in_riichi or len(seat.melds) > MAX_MELDS,
            seat.open_melds,
            signs.read(case),
            read,
            shapes,
            hand & (evidence.of(read, "genbutsu") == 0),
        )

    def tenpai(self) -> Floats:
        """P(tenpai) of the opponents in every position, (n, 3)."""
        trees = self.trees["tenpai"]
        assert isinstance(trees, TenpaiTrees)
        said = trees.read(
            np.array([of.melds for of in self.shown]), np.array([of.signs for of in self.shown])
        )
        certain = np.array([of.certain for of in self.shown])
        return np.where(certain, 1.0, said).reshape(-1, OPPONENTS)

    def wins(self) -> Floats:
        """P(wins on the kind | tenpai) of every kind in the hand, else 0, (n, 3, 34)."""
        found = np.zeros((len(self.shown), KINDS))
        for question, trees in self.trees.items():
            if isinstance(trees, WinTrees):
                here = [i for i, of in enumerate(self.shown) if of.question == question]
                read, shapes, asked = (
                    np.array([getattr(self.shown[i], name) for i in here])
                    for name in ("evidence", "shapes", "asked")
                )
                if here:
                    found[here] = trees.kinds(read, shapes.astype(np.float64), asked)
        return found.reshape(-1, OPPONENTS, KINDS)
