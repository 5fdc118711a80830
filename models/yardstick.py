"""The yardstick: scikit-learn's gradient-boosted trees on the very numbers that "houjuu" reads.

They answer the questions of `models.questions` a row at a time, and say how much is in the numbers
that the regressions leave there. On what a hand wins they are asked one kind at a time, and told
what the kind alone would be worth and all of the evidence that lies around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier

from features.signs import numbers
from houjuu import river_kinds, river_waits
from houjuu.choice import Bools, Bytes, Floats, Ints, beside, softmax
from houjuu.errors import Error
from houjuu.evidence import BY_SUIT, LAYOUT, WHOLE
from houjuu.tiles import HONOURS, KINDS, SUIT
from houjuu.waits import WIN_KIND, WIN_WAIT
from models import evaluation, rivers
from models.calibration import CLIP
from models.signs import stands_for, taken

_AT_ONCE = 2000  # hands
_BESIDE = ("discarded", "unseen", "public", "dora", "passed", "melded", "genbutsu")
_ITSELF = ("yakuhai",)
_KIND = np.arange(KINDS)
_SUIT = np.array(SUIT)
_MIRRORED = (_SUIT < HONOURS) & (_KIND % 9 > 4)
_AROUND = (_KIND, *(beside(_KIND, _MIRRORED, steps) for steps in range(-4, 5) if steps))
_WINNING = np.eye(KINDS)[WIN_KIND]


class _Trees(BaseEstimator):  # type: ignore[misc]
    """What the trees of every question share.

    Parameters
    ----------
    boosting : mapping
        Goes as it is to `sklearn.ensemble.HistGradientBoostingClassifier`.

    Attributes
    ----------
    trees_ : HistGradientBoostingClassifier
    """

    def __init__(self, boosting: Mapping[str, Any]) -> None:
        self.boosting = boosting

    def _boost(
        self, told: npt.NDArray[np.floating], happened: Bools, weight: Floats | None = None
    ) -> Self:
        if happened.all() or not happened.any():
            name, count = type(self).__name__, len(happened)
            raise Error(f"{name}: its {count} rows have one outcome alone; it takes more games")
        same = {"early_stopping": False, "random_state": 0}
        trees = HistGradientBoostingClassifier(**self.boosting, **same)
        self.trees_ = trees.fit(told, happened, weight)
        return self

    def _said(self, told: npt.NDArray[np.floating]) -> Floats:
        return np.asarray(self.trees_.predict_proba(told)[:, 1])


class TenpaiTrees(_Trees):
    """Is an opponent that is not in riichi tenpai.

    Parameters
    ----------
    boosting : mapping
        As in `_Trees`.
    every : int, default=1
        As in `models.signs.SignsRegression`.

    Attributes
    ----------
    trees_ : HistGradientBoostingClassifier
    rates_ : dict
        How often they were, as `models.evaluation.tenpai_rates`.
    """

    def __init__(self, boosting: Mapping[str, Any], every: int = 1) -> None:
        super().__init__(boosting)
        self.every = every

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.SIGNS`."""
        self.rates_ = evaluation.tenpai_rates(rows)
        some = rows[taken(rows, self.every)]
        told = _with_melds(some["melds"].to_numpy(), numbers(some))
        return self._boost(told, some["tenpai"].to_numpy(), stands_for(some, self.every))

    def read(self, melds: npt.NDArray[np.integer], signs: Ints) -> Floats:
        """P(tenpai) from open melds, (m,), and signs, (m, n); (m,)."""
        return self._said(_with_melds(melds, signs))


class WinTrees(_Trees):
    """Does a tenpai opponent win on a kind, of hands that are all closed or all melded."""

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.SITUATIONS`, on the kinds asked of each."""
        read, shapes, asked = rivers.evidence_of(rows), rivers.shapes_of(rows), rivers.asked(rows)
        told = np.concatenate(
            [told_of(read[some], shapes[some], asked[some]) for some in _hands(asked)]
        )
        return self._boost(told, rivers.kinds_won(rows)[asked])

    def kinds(self, evidence: Bytes, shapes: Floats, asked: Bools) -> Floats:
        """P(wins on the kind | tenpai) of the kinds asked and 0 for the rest, (n, 34).

        Parameters
        ----------
        evidence : (n, LENGTH) array
        shapes : (n, 34) array
            P(wins on the kind | tenpai) by shapes; of closed hands 0.
        asked : (n, 34) array
        """
        found = np.zeros(asked.shape)
        for some in _hands(asked):
            if asked[some].any():
                told = told_of(evidence[some], shapes[some], asked[some])
                found[some][asked[some]] = self._said(told)
        return found

    def kinds_of(self, rows: pd.DataFrame) -> Floats:
        """The same of the kinds asked of rows."""
        return self.kinds(rivers.evidence_of(rows), rivers.shapes_of(rows), rivers.asked(rows))


def _with_melds(melds: npt.NDArray[np.integer], signs: Ints) -> Floats:
    return np.column_stack([melds, signs]).astype(np.float64)


_PLACES = np.array(
    [
        *(LAYOUT.start[name] + kinds for name in _BESIDE for kinds in _AROUND),
        *(LAYOUT.start[name] + _KIND for name in _ITSELF),
        *(LAYOUT.start[entry.name] + _SUIT for entry in BY_SUIT),
        *(np.full(KINDS, LAYOUT.start[entry.name]) for entry in WHOLE),
    ]
)
"""Where in the evidence is what the trees are told of each kind, (f, 34)."""


def _hands(asked: Bools) -> Iterator[slice]:
    """Yield the rows in parts that fit into memory with all that is told of them."""
    yield from (slice(start, start + _AT_ONCE) for start in range(0, len(asked), _AT_ONCE))


def told_of(read: Bytes, shapes: Floats, asked: Bools) -> npt.NDArray[np.float32]:
    """What trees are told of the kinds asked, (m, f): log odds by tiles, sort, evidence around.

    See `WinTrees.kinds`.
    """
    held = np.clip(_by_tiles(read, shapes)[asked], CLIP, 1 - CLIP)
    row, kind = np.nonzero(asked)
    told = np.empty((len(row), len(_PLACES) + 2), np.float32)
    told[:, 0] = np.log(held / (1 - held))
    told[:, 1] = river_kinds.SORT[kind]
    told[:, 2:] = read[row[:, None], _PLACES.T[kind]]
    return told


def _by_tiles(read: Bytes, shapes: Floats) -> Floats:
    """What the tiles alone say, (n, 34): where the regressions begin."""
    if shapes.any():
        return softmax(*river_kinds.offsets(read, shapes))[:, :KINDS]
    return softmax(*river_waits.offsets(read))[:, WIN_WAIT] @ _WINNING
