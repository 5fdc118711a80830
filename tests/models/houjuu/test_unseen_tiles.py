"""The fit of the unseen tiles: it finds known weights, and its balance is that of the model."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from features import unseen_rows
from features.unseen_rows import copy_array
from houjuu.estimators.log_linear import unseen_tiles
from houjuu.estimators.log_linear.unseen_tiles import TERMS
from houjuu.game.events import Game
from houjuu.game.tiles import COPIES
from houjuu.risk.unseen import WALL
from models.fitting.shards import FrameShards
from models.houjuu.unseen_tiles import (
    UnseenTileLogit,
    _without_wall,
    chances_of_rows,
    count_probabilities_of_rows,
    fit_terms,
)
from models.metrics import unseen_metrics

FIT_TERMS = fit_terms(TERMS)


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return unseen_rows.rows(own_games)


@pytest.fixture(scope="module")
def fitted(rows: pd.DataFrame) -> unseen_tiles.UnseenTileModel:
    return UnseenTileLogit(penalty=2.0, rounds=1).fit(FrameShards(rows)).to_runtime()


def test_it_is_better_than_counting_on_its_own_rows(
    rows: pd.DataFrame, fitted: unseen_tiles.UnseenTileModel
) -> None:
    scores = unseen_metrics.evaluate(fitted, rows)
    for line in (*scores["copies"].values(), scores["next_draw"]["all"]):
        assert line["difference"] < 0
    counted = unseen_metrics.evaluate(None, rows)
    assert all(line["difference"] == 0 for line in counted["copies"].values())


def residual(rows: pd.DataFrame, rounds: int) -> float:
    """The largest derivative of the penalized likelihood of the balanced model by a weight.

    The weights of the first term are left out: they contain the constants of the wall.
    """
    fitted = UnseenTileLogit(penalty=2.0, rounds=rounds).fit(FrameShards(rows)).to_runtime()
    in_location = copy_array(rows)
    copies = in_location.sum(axis=1)
    surplus = (chances_of_rows(fitted, rows) * copies[:, None] - in_location)[:, :WALL]
    cells = TERMS.cells(unseen_rows.feature_array(rows))
    by_cell = np.repeat(surplus.ravel(), cells.shape[-1])
    by_weight = np.bincount(cells.ravel(), by_cell, TERMS.size)
    scale = (copies > 0).sum() / copies.sum()  # of the weights of the samples
    first_term = TERMS.n_values[0] * unseen_tiles.CLASSES
    return float(np.abs(scale * by_weight + 2.0 * fitted.weights)[first_term:].max())


@pytest.mark.deep
def test_the_fit_approaches_the_maximum_of_the_balanced_model(rows: pd.DataFrame) -> None:
    """The factors that balance a view are priors of the next fit: what is left goes to 0."""
    first, second, third = (residual(rows, rounds) for rounds in (1, 2, 3))
    assert first > 1.2 * second > 1.2**2 * third


def test_tilts_predict_numbers_of_copies(
    rows: pd.DataFrame, fitted: unseen_tiles.UnseenTileModel
) -> None:
    in_location = copy_array(rows).astype(np.int64)
    probabilities = count_probabilities_of_rows(fitted, rows)[:, :WALL]
    happened = np.bincount(in_location[:, :WALL].ravel(), minlength=COPIES + 1)
    np.testing.assert_allclose(probabilities.sum(axis=(0, 1, 2)), happened, rtol=0.1, atol=10)


def test_terms_of_the_fit_are_those_of_the_runtime() -> None:
    assert FIT_TERMS.names == TERMS.names
    assert FIT_TERMS.n_values == TERMS.n_values
    assert FIT_TERMS.size == TERMS.size + sum(TERMS.n_values)


def test_weights_of_the_runtime_are_relative_to_the_wall(rows: pd.DataFrame) -> None:
    weights = np.random.default_rng(3).normal(size=FIT_TERMS.size)
    features = unseen_rows.feature_array(rows)[:20]
    logits = weights.take(FIT_TERMS.cells(features)).sum(axis=-1)
    nothing = np.zeros(features.shape[-1], np.int8)
    of_wall = weights.take(FIT_TERMS.cells(nothing)[-1]).sum()
    runtime = _without_wall(TERMS, weights).take(TERMS.cells(features)).sum(axis=-1)
    np.testing.assert_allclose(runtime, logits[..., :-1] - of_wall)


def test_reliability_has_the_truth(rows: pd.DataFrame) -> None:
    """By counting, the copies in a location are those of its size."""
    table = unseen_metrics.reliability(None, rows)
    wall = table[table["location"] == "wall"]
    in_location = copy_array(rows)
    measured = (wall["measured"] * wall["copies"]).sum() / wall["copies"].sum()
    assert measured == pytest.approx(in_location[:, WALL].sum() / in_location.sum())
    several = wall.dropna()  # a bin of one game has no interval
    assert len(several) > 1
    assert several["measured"].between(several["low"], several["high"]).all()
