"""A baseline of gradient-boosted trees (scikit-learn's) on the features of the default model.

The trees predict the tasks of `models.metrics.eval_tasks`; their lead shows the information that
the log-linear models leave unused. For wins they predict one kind at a time, from the probability
by tiles alone, the class of the kind, and all features around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier

from features.tenpai_rows import feature_matrix
from houjuu.estimators.log_linear import closed_waits, melded_waits
from houjuu.estimators.log_linear.conditional_logit import neighbour_kinds
from houjuu.game.tiles import HONOURS, KINDS, SUIT
from houjuu.hands.wait_types import WIN_KIND, WIN_WAIT
from houjuu.reading.wait_features import BY_SUIT, GLOBAL, LAYOUT
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.attributions import softmax
from houjuu.util.errors import Error
from models.fitting.binary_classifier import BinaryClassifier
from models.fitting.shards import FrameShards
from models.houjuu import wait_models
from models.houjuu.tenpai_compact import sample_weights, subsample_mask
from models.metrics import evaluation
from models.metrics.calibration import CLIP

_CHUNK = 2000  # unit: hands
_NEIGHBOUR_FEATURES = (
    "discard_code",
    "unseen",
    "open_copies",
    "dora",
    "passed",
    "in_melds",
    "genbutsu",
)
_KIND = np.arange(KINDS)
_SUIT = np.array(SUIT)
_MIRRORED = (_SUIT < HONOURS) & (_KIND % 9 > 4)
_NEIGHBOURS = (
    _KIND,
    *(neighbour_kinds(_KIND, _MIRRORED, steps) for steps in range(-4, 5) if steps),
)
_WINNING = np.eye(KINDS)[WIN_KIND]

_INDICES = np.array(
    [
        *(LAYOUT.start[name] + kinds for name in _NEIGHBOUR_FEATURES for kinds in _NEIGHBOURS),
        LAYOUT.start["yakuhai"] + _KIND,
        *(LAYOUT.start[feature.name] + _SUIT for feature in BY_SUIT),
        *(np.full(KINDS, LAYOUT.start[feature.name]) for feature in GLOBAL),
    ]
)
"""Index in the wait features of each feature of the trees, by kind, (f, 34)."""


class _Trees(BaseEstimator):  # type: ignore[misc]
    """The parts that the trees of all tasks share.

    Parameters
    ----------
    boosting : mapping
        Parameters of `sklearn.ensemble.HistGradientBoostingClassifier`.

    Attributes
    ----------
    trees_ : HistGradientBoostingClassifier
    """

    def __init__(self, boosting: Mapping[str, Any]) -> None:
        self.boosting = boosting

    def _fit_trees(
        self, features: npt.NDArray[np.floating], label: Bools, weight: Floats | None = None
    ) -> Self:
        if label.all() or not label.any():
            name = type(self).__name__
            raise Error(f"{name}: its {len(label)} rows have one label only; use more games")
        fixed = {"early_stopping": False, "random_state": 0}
        trees = HistGradientBoostingClassifier(**self.boosting, **fixed)
        self.trees_ = trees.fit(features, label, weight)
        return self

    def _predict_trees(self, features: npt.NDArray[np.floating]) -> Floats:
        return np.asarray(self.trees_.predict_proba(features)[:, 1])


class TenpaiTrees(BinaryClassifier, _Trees):
    """P(tenpai) of an opponent that is not in riichi.

    Parameters
    ----------
    boosting : mapping
        As in `_Trees`.
    subsample_stride : int, default=1
        As in `models.houjuu.tenpai_gam.TenpaiGAM`.

    Attributes
    ----------
    trees_ : HistGradientBoostingClassifier
    rates_ : dict
        Base rates, as `models.metrics.evaluation.tenpai_rates`.
    """

    def __init__(self, boosting: Mapping[str, Any], subsample_stride: int = 1) -> None:
        super().__init__(boosting)
        self.subsample_stride = subsample_stride

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.tenpai.TENPAI_FEATURES`."""
        self.rates_ = evaluation.tenpai_rates(FrameShards(rows))
        used = rows[subsample_mask(rows, self.subsample_stride)]
        features = _with_melds(used["n_open_melds"].to_numpy(), feature_matrix(used))
        weight = sample_weights(used, self.subsample_stride)
        self._fit_trees(features, used["tenpai"].to_numpy(), weight)
        self.classes_ = self.trees_.classes_
        return self

    def _probability(self, rows: pd.DataFrame) -> Floats:
        melds = rows["n_open_melds"].to_numpy()
        return self._predict_trees(_with_melds(melds, feature_matrix(rows)))


class WinTrees(_Trees):
    """P(a tenpai opponent wins on a kind), for hands that are all closed or all open."""

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.waits.WAITS`, on the kinds that are evaluated."""
        features, prior_win, mask = _of_rows(rows)
        of_kinds = [
            gbdt_features(features[chunk], prior_win[chunk], mask[chunk]) for chunk in _chunks(mask)
        ]
        return self._fit_trees(np.concatenate(of_kinds), wait_models.win_flags(rows)[mask])

    def predict_rows(self, rows: pd.DataFrame) -> Floats:
        """P(wins on the kind | tenpai) of the kinds that are evaluated, 0 for others, (n, 34)."""
        features, prior_win, mask = _of_rows(rows)
        predicted = np.zeros(mask.shape)
        for chunk in _chunks(mask):
            if mask[chunk].any():
                of_kinds = gbdt_features(features[chunk], prior_win[chunk], mask[chunk])
                predicted[chunk][mask[chunk]] = self._predict_trees(of_kinds)
        return predicted


def _of_rows(rows: pd.DataFrame) -> tuple[Int8s, Floats, Bools]:
    return (
        wait_models.wait_feature_matrix(rows),
        wait_models.prior_win(rows),
        wait_models.evaluated_mask(rows),
    )


def _with_melds(n_open_melds: npt.NDArray[np.integer], features: Ints) -> Floats:
    return np.column_stack([n_open_melds, features]).astype(np.float64)


def _chunks(mask: Bools) -> Iterator[slice]:
    """Yield pieces of the rows whose features fit into memory."""
    yield from (slice(start, start + _CHUNK) for start in range(0, len(mask), _CHUNK))


def gbdt_features(features: Int8s, prior_win: Floats, mask: Bools) -> npt.NDArray[np.float32]:
    """Features of the trees for the kinds in the mask, (m, f).

    Log odds by tiles alone, class of the kind, and the wait features around the kind.
    """
    by_tiles = np.clip(_by_tiles(features, prior_win)[mask], CLIP, 1 - CLIP)
    row, kind = np.nonzero(mask)
    of_kinds = np.empty((len(row), len(_INDICES) + 2), np.float32)
    of_kinds[:, 0] = np.log(by_tiles / (1 - by_tiles))
    of_kinds[:, 1] = melded_waits.KIND_CLASS[kind]
    of_kinds[:, 2:] = features[row[:, None], _INDICES.T[kind]]
    return of_kinds


def _by_tiles(features: Int8s, prior_win: Floats) -> Floats:
    """P(wins on the kind) of the prior alone, without any weight, (n, 34)."""
    if prior_win.any():
        return softmax(*melded_waits.prior_logits(features, prior_win))[:, :KINDS]
    return softmax(*closed_waits.prior_logits(features))[:, WIN_WAIT] @ _WINNING
