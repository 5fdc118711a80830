"""Rows of `features.situations` become what "houjuu" believes of a tenpai opponent's wait."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator

from houjuu import evidence, han, river_kinds, river_waits, waits
from houjuu.choice import Floats
from houjuu.han import HanModel, MeldedHan
from houjuu.river_kinds import RiverKinds
from houjuu.river_waits import RiverWaits
from houjuu.tiles import IS_YAOCHU, KINDS
from models.choice import Cases, fit, fit_each

Array = npt.NDArray[Any]

_CHUNK = 2000  # rows
_KINDS = np.arange(KINDS)
_EVIDENCE = evidence.columns()
_SHAPES = [f"shapes_{kind}" for kind in range(KINDS)]
_SHAPES_HAN = [f"shapes_han_{han}" for han in range(1, waits.HAN + 1)]


def evidence_of(rows: pd.DataFrame) -> npt.NDArray[np.int8]:
    """The evidence as the runtime reads it, (n, LENGTH)."""
    return rows[_EVIDENCE].to_numpy(dtype=np.int8)


def shapes_of(rows: pd.DataFrame) -> Floats:
    """P(wins on the kind | tenpai) by shapes, (n, 34)."""
    return rows[_SHAPES].to_numpy(dtype=np.float64)


def kinds_won(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """On what the hands win, (n, 34)."""
    return (rows["wins"].to_numpy()[:, None] >> _KINDS & 1).astype(bool)


def kinds_asked(
    model: RiverWaits | RiverKinds, rows: pd.DataFrame
) -> tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """What the model says of each kind, what is so, and which are asked about, all (n, 34).

    Those in the deciding hand are, but for genbutsu.
    """
    return kinds_of(model, rows), kinds_won(rows), asked(rows)


def asked(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Kinds that the deciding seat holds and that are not genbutsu, (n, 34)."""
    genbutsu = evidence.of(evidence_of(rows), "genbutsu")
    return np.asarray(in_hand(rows) & (genbutsu == 0))


def kinds_of(model: RiverWaits | RiverKinds, rows: pd.DataFrame) -> Floats:
    """P(wins on the kind | tenpai) as the model has it, (n, 34)."""
    parts = [rows[start : start + _CHUNK] for start in range(0, len(rows), _CHUNK)]
    return np.concatenate([_predicted(model, part) for part in parts])


def _predicted(model: RiverWaits | RiverKinds, rows: pd.DataFrame) -> Floats:
    read = evidence_of(rows)
    if isinstance(model, RiverWaits):
        return model.kinds(read)
    sets = rows["sets"].to_numpy(dtype=np.int64)
    return model.kinds(read, shapes_of(rows), sets)


def in_hand(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """Kinds that the deciding seat holds, (n, 34)."""
    return (rows["hand"].to_numpy()[:, None] >> _KINDS & 1).astype(bool)


class WaitChoice(BaseEstimator):  # type: ignore[misc]
    """The conditional logit over waits.

    Parameters
    ----------
    penalty : float, default=25.0
        Of a weight's square, halved.
    iterations : int, default=60
        At most.
    evening : float, default=0.5
        A row that was drawn from n decisions counts n to this power: 1 has each decision count the
        same, 0 each hand.

    Attributes
    ----------
    model_ : RiverWaits
    """

    def __init__(self, penalty: float = 25.0, iterations: int = 60, evening: float = 0.5) -> None:
        self.penalty = penalty
        self.iterations = iterations
        self.evening = evening

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of closed hands, all in riichi or all without."""
        cases = wait_cases(rows, self.evening)
        weights = fit(river_waits.TABLES, cases, self.penalty, self.iterations)
        won = cases.target[:, : waits.WAITS] > 0
        share = _shares(won, kinds_won(rows), cases.weight)
        self.model_ = RiverWaits(weights, share, _floor(won, kinds_won(rows)))
        return self

    def model(self) -> RiverWaits:
        """As the runtime reads it."""
        return self.model_


def wait_cases(rows: pd.DataFrame, evening: float) -> Cases:
    """The cases of a logit over waits: the waits held that win, in equal parts, or none."""
    read = evidence_of(rows)
    offset, possible = river_waits.offsets(read)
    won = _held(rows) & kinds_won(rows)[:, waits.WINS].any(axis=2) & possible[:, :-1]
    return Cases(read, offset, possible, _parts(won), rows["times"].to_numpy() ** evening)


def _held(rows: pd.DataFrame) -> npt.NDArray[np.bool_]:
    """The waits of the hands, (n, 113)."""
    bits = [
        rows[f"waits_{start}"].to_numpy()[:, None] >> np.arange(40) & 1 for start in (0, 40, 80)
    ]
    return np.concatenate(bits, axis=1)[:, : waits.WAITS].astype(bool)


def _parts(won: npt.NDArray[np.bool_]) -> Floats:
    """Equal parts of what is so, and all to "none" where nothing is, (n, a + 1)."""
    target = np.column_stack([won, ~won.any(axis=1)]).astype(float)
    return np.asarray(target / target.sum(axis=1, keepdims=True))


def _shares(won: Array, kinds: Array, weight: Array) -> Floats:
    """How often the kind of each pair of `waits.WIN_WAIT` is won on for one part of the wait.

    A kind that a hand wins on by several waits goes to each in equal parts.
    """
    ways = np.zeros(kinds.shape)
    np.add.at(ways.T, waits.WIN_KIND, won[:, waits.WIN_WAIT].T)
    parts = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    credit = won[:, waits.WIN_WAIT] * (kinds / np.maximum(ways, 1))[:, waits.WIN_KIND]
    return _by_sort(weight @ credit) / np.maximum(_by_sort(weight @ parts[:, waits.WIN_WAIT]), 1e-9)


def _by_sort(numbers: Array) -> Array:
    """The sum over the pairs of the same sort, for each pair."""
    sort = river_waits.SORT[waits.WIN_WAIT]
    upper = river_waits.WIN_HIGH[waits.WIN_WAIT] == waits.WIN_KIND
    single = river_waits.WIN_LOW == river_waits.WIN_HIGH
    cell = 2 * sort + (upper & ~single[waits.WIN_WAIT])
    return np.asarray(np.bincount(cell, numbers)[cell])


def _floor(won: Array, kinds: Array) -> Floats:
    """P(wins on the kind by no wait): one rate for 幺九牌, one for simples, half a case to each."""
    explained = np.zeros(kinds.shape, dtype=bool)
    np.logical_or.at(explained.T, waits.WIN_KIND, won[:, waits.WIN_WAIT].T)
    cases = (kinds & ~explained).sum(axis=0)
    yaochu = np.array(IS_YAOCHU)
    floor = np.empty(KINDS)
    for group in (yaochu, ~yaochu):
        floor[group] = (cases[group].sum() + 0.5) / (group.sum() * (len(kinds) + 1.0))
    return floor


class KindChoice(BaseEstimator):  # type: ignore[misc]
    """The conditional logit over kinds of melded hands.

    Parameters
    ----------
    penalty, iterations, evening
        As in `WaitChoice`.

    Attributes
    ----------
    model_ : RiverKinds
    """

    def __init__(self, penalty: float = 60.0, iterations: int = 60, evening: float = 0.5) -> None:
        self.penalty = penalty
        self.iterations = iterations
        self.evening = evening

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of melded hands."""
        cases = kind_cases(rows, self.evening)
        sets = rows["sets"].to_numpy()[:, None] == np.arange(evidence.LAYOUT.size["sets"])
        found = fit_each(river_kinds.TABLES, cases, sets, self.penalty, self.iterations)
        self.model_ = RiverKinds(found.weights, found.share, found.trust)
        return self

    def model(self) -> RiverKinds:
        """As the runtime reads it."""
        return self.model_


def kind_cases(rows: pd.DataFrame, evening: float) -> Cases:
    """The cases of a logit over kinds: all that are won on."""
    read = evidence_of(rows)
    offset, possible = river_kinds.offsets(read, shapes_of(rows))
    won = np.pad(kinds_won(rows), [(0, 0), (0, 1)]) & possible
    weight = rows["times"].to_numpy() ** evening
    return Cases(read, offset, possible, won.astype(np.float64), weight)


class HanChoice(BaseEstimator):  # type: ignore[misc]
    """The conditional logit over han of closed hands, and the frequencies of fu.

    Parameters
    ----------
    penalty, iterations
        As in `WaitChoice`.
    smoothing : float, default=20.0
        Wins that every sort of tile is given besides those counted, with the fu of all.

    Attributes
    ----------
    model_ : HanModel
    """

    def __init__(self, penalty: float = 5.0, iterations: int = 60, smoothing: float = 20.0) -> None:
        self.penalty = penalty
        self.iterations = iterations
        self.smoothing = smoothing

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.WINS`, all in riichi or all without."""
        shapes = np.ones((len(rows), waits.HAN))
        cases = han_cases(rows, shapes)
        weights = fit(han.TABLES, cases, self.penalty, self.iterations)
        self.model_ = HanModel(weights, self._fu(rows, cases.evidence[:, 0]))
        return self

    def model(self) -> HanModel:
        """As the runtime reads it."""
        return self.model_

    def _fu(self, rows: pd.DataFrame, tile: Array) -> Floats:
        told = rows["fu"].to_numpy()[:, None] == np.array(waits.FU)
        of_all = (told.sum(axis=0) + 1.0) / (told.sum() + len(waits.FU))
        counts = np.zeros((han.TILES, len(waits.FU)))
        np.add.at(counts, tile, told)
        counts += self.smoothing * of_all
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


class MeldedHanChoice(BaseEstimator):  # type: ignore[misc]
    """The conditional logit over han of melded hands, on top of the enumerated hands.

    Parameters
    ----------
    penalty, iterations
        As in `WaitChoice`.

    Attributes
    ----------
    model_ : MeldedHan
    """

    def __init__(self, penalty: float = 5.0, iterations: int = 60) -> None:
        self.penalty = penalty
        self.iterations = iterations

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit to rows of `features.schema.WINS` of melded hands.

        Han that none of the hands has count as the nearest that one has.
        """
        of = rows.loc[rows[_SHAPES_HAN].any(axis=1)]
        cases = han_cases(of, of[_SHAPES_HAN].to_numpy(dtype=np.float64))
        weights = fit(han.MELDED_TABLES, cases, self.penalty, self.iterations)
        self.model_ = MeldedHan(weights)
        return self

    def model(self) -> MeldedHan:
        """As the runtime reads it."""
        return self.model_


def han_cases(rows: pd.DataFrame, shapes: Floats) -> Cases:
    """The cases of a logit over han 1–13, from what the hands say of them, (n, 13)."""
    looked = han.of_tiles(evidence_of(rows))[np.arange(len(rows)), rows["tile"].to_numpy()]
    offset, possible = han.offsets(shapes)
    apart = np.abs(np.arange(waits.HAN) + 1 - rows["han"].to_numpy()[:, None])
    told = np.where(possible, apart, waits.HAN).argmin(axis=1)
    return Cases(looked, offset, possible, np.eye(waits.HAN)[told], np.ones(len(rows)))
