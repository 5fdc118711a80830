"""The model of unseen tiles against counting, on held-out rows of `features.unseen_rows.UNSEEN`.

Counting: every unseen copy is equally likely in every unseen location. All intervals have the game
as their unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from features.columns import ints
from features.unseen_rows import copy_array, feature_array
from houjuu.estimators.log_linear.unseen_tiles import KIND_CLASS, UnseenTileModel
from houjuu.game.tiles import KINDS
from houjuu.reading.opponent import OpponentType
from houjuu.reading.unseen_features import LAYOUT
from houjuu.risk.unseen import WALL
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.intervals import clustered_mean, half_width
from models.houjuu.unseen_tiles import chances_of_rows, count_probabilities_of_rows
from models.metrics.calibration import CLIP, compared

PARTS = ("next_draw", "copies", "useful_draws")
"""Names of the scores of `evaluate`."""
TURNS = {"turns 1 to 6": (0, 5), "turns 7 to 11": (6, 10), "turn 12 on": (11, 99)}
"""Groups of states by the number of discards that the seat has made."""
TILE_CLASSES = ("honours", "1 and 9", "2 and 8", "3 and 7", "4 and 6", "5")
"""Names of the classes of kinds, in the order of `KIND_CLASS`."""
HANDS = ("tenpai", "1-shanten", "2-shanten")
"""The seat's own hands whose draws are compared, by shanten."""
EDGES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Edges of the bins of the chance that a copy is in a location."""


class _Rows:
    """The truth, and the chances of the model and by counting, for all measures."""

    def __init__(self, model: UnseenTileModel | None, rows: pd.DataFrame) -> None:
        self.model = model
        self.rows = rows
        self.games = pd.factorize(rows["game"])[0]
        self.in_location = copy_array(rows).astype(np.int64)
        self.copies = self.in_location.sum(axis=1)
        self.wall = self.in_location[:, WALL].sum(axis=1)
        self.drawn = ints(rows, "drawn")
        self.chances = chances_of_rows(model, rows)
        self.by_counting = chances_of_rows(None, rows)

    def next_draw(self, chances: Floats) -> Floats:
        """P(the next draw is of the kind), (n, 34)."""
        return np.asarray(chances[:, WALL] * self.copies / self.wall[:, None])

    def of_drawn(self, by_kind: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The value of the kind that was drawn, (n,)."""
        return np.asarray(by_kind[np.arange(len(self.drawn)), self.drawn])


def evaluate(model: UnseenTileModel | None, rows: pd.DataFrame) -> dict[str, Any]:
    """Scores of a model beside those of counting.

    Parameters
    ----------
    model : UnseenTileModel or None
        None: counting.
    rows : DataFrame
        `features.unseen_rows.UNSEEN`.

    Returns
    -------
    dict
        Scores by name: next_draw (the kind that is drawn, by turn and by class of that kind),
        copies (the number in a location, by type of hand) and useful_draws (by the own hand). Each
        is a line of `models.metrics.calibration.compared`.
    """
    of_rows = _Rows(model, rows)
    return {
        "next_draw": dict(_next_draw(of_rows)),
        "copies": dict(_copies(of_rows)),
        "useful_draws": dict(_useful_draws(of_rows)),
    }


def reliability(model: UnseenTileModel | None, rows: pd.DataFrame) -> pd.DataFrame:
    """The chance that a copy is in a location beside the share that is, by location and bin.

    Columns location, bin (an index of `EDGES`), copies, predicted, measured, low and high: the 95%
    interval of measured.
    """
    return pd.DataFrame(list(_reliability(_Rows(model, rows))))


Line = tuple[str, dict[str, float]]


def _next_draw(of_rows: _Rows) -> Iterator[Line]:
    """Yield the log loss of the kind of the next draw, by turn and by class of the drawn kind."""
    losses = -np.log(of_rows.of_drawn(of_rows.next_draw(of_rows.chances)))
    base = -np.log(of_rows.of_drawn(of_rows.next_draw(of_rows.by_counting)))
    turn = ints(of_rows.rows, "turn")
    drawn_class = KIND_CLASS[of_rows.drawn]
    groups = {"all": np.ones(len(turn), bool)}
    groups |= {name: (turn >= low) & (turn <= high) for name, (low, high) in TURNS.items()}
    groups |= {name: drawn_class == class_ for class_, name in enumerate(TILE_CLASSES)}
    for name, mask in groups.items():
        if mask.any():
            yield name, compared(losses[mask], base[mask], of_rows.games[mask])


def _copies(of_rows: _Rows) -> Iterator[Line]:
    """Yield the log loss of the number of copies in a location, by type of hand and of the wall."""
    losses = _copy_losses(of_rows, of_rows.model)
    base = _copy_losses(of_rows, None)
    for name, mask in _locations(of_rows).items():
        row, _, _ = np.nonzero(mask)
        yield name, compared(losses[mask], base[mask], of_rows.games[row])


def _copy_losses(of_rows: _Rows, model: UnseenTileModel | None) -> Floats:
    probabilities = count_probabilities_of_rows(model, of_rows.rows)
    true = np.take_along_axis(probabilities, of_rows.in_location[..., None], axis=-1)[..., 0]
    return np.asarray(-np.log(np.maximum(true, CLIP)))


def _locations(of_rows: _Rows) -> dict[str, Bools]:
    """Masks of rows, locations and unseen kinds, (n, 4, 34): hands, each type of hand, wall."""
    types = feature_array(of_rows.rows)[..., LAYOUT.start["type_code"]]
    shape = of_rows.in_location.shape
    hands = np.zeros(shape, bool)
    hands[:, :WALL] = True
    masks = {"a hand": hands}
    for code, opponent_type in enumerate(OpponentType):
        mask = np.zeros(shape, bool)
        mask[:, :WALL] = (types == code)[..., None]
        masks[str(opponent_type)] = mask
    masks["wall"] = ~hands
    unseen = (of_rows.copies > 0)[:, None]
    return {name: mask & unseen for name, mask in masks.items() if mask.any()}


def _useful_draws(of_rows: _Rows) -> Iterator[Line]:
    """Yield how often a seat draws a tile that its hand needs: expected and happened."""
    useful = (ints(of_rows.rows, "useful_mask")[:, None] >> np.arange(KINDS) & 1).astype(bool)
    happened = of_rows.of_drawn(useful)
    expected = (of_rows.next_draw(of_rows.chances) * useful).sum(axis=1)
    base = (of_rows.next_draw(of_rows.by_counting) * useful).sum(axis=1)
    own_shanten = ints(of_rows.rows, "own_shanten")
    for shanten, name in enumerate(HANDS):
        mask = own_shanten == shanten
        if not mask.any():
            continue
        games = of_rows.games[mask]
        rate, half = clustered_mean(happened[mask], games)
        losses, base_losses = (
            _hit_losses(predicted[mask], happened[mask]) for predicted in (expected, base)
        )
        rates = {
            "counting": float(base[mask].mean()),
            "expected": float(expected[mask].mean()),
            "happened": rate,
            "happened_half": half,
        }
        yield name, rates | compared(losses, base_losses, games)


def _hit_losses(predicted: Floats, happened: Bools) -> Floats:
    clipped = np.clip(predicted, CLIP, 1 - CLIP)
    return np.asarray(-np.log(np.where(happened, clipped, 1 - clipped)))


def _reliability(of_rows: _Rows) -> Iterator[dict[str, Any]]:
    """Yield the chance that a copy is in a location beside the measured share, by bin."""
    share = of_rows.in_location / np.maximum(of_rows.copies, 1)[:, None]
    bins = np.searchsorted(EDGES[1:-1], of_rows.chances, side="right")
    for name, mask in _locations(of_rows).items():
        for bin_ in range(len(EDGES) - 1):
            in_bin = mask & (bins == bin_)
            row, _, kind = np.nonzero(in_bin)
            if not len(row):
                continue
            weight = of_rows.copies[row, kind].astype(np.float64)
            yield {
                "location": name,
                "bin": bin_,
                "copies": int(weight.sum()),
                **_rates(of_rows.chances[in_bin], share[in_bin], weight, of_rows.games[row]),
            }


def _rates(predicted: Floats, share: Floats, weight: Floats, games: Ints) -> dict[str, float]:
    """Means by copies, and half of the 95% interval of the measured one."""
    total = np.bincount(games, weight)
    used = total > 0
    expected = np.bincount(games, weight * predicted)[used]
    happened = np.bincount(games, weight * share)[used]
    measured = happened.sum() / total.sum()
    residuals = happened - measured * total[used]
    half = half_width((residuals**2).sum() / total.sum() ** 2, len(residuals))
    return {
        "predicted": float(expected.sum() / total.sum()),
        "measured": float(measured),
        "low": float(measured - half),
        "high": float(measured + half),
    }
