"""The regressions of the paper's tenpai model, fitted and in the runtime."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import paper_tenpai_rows, schema
from features.schema.paper import PAPER_TENPAI, SUITS
from houjuu.estimators.kurita_hoki.tenpai import PaperTenpaiModel
from houjuu.game.events import Game
from houjuu.reading.table1 import Table1Features
from models.fitting.shards import FrameShards
from models.paper import export
from models.paper.tenpai import Cell, TenpaiGrid
from tests.kit.positions import ankan, chi, pon, seat


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return paper_tenpai_rows.rows(own_games)


@pytest.fixture(scope="module")
def grid(rows: pd.DataFrame) -> TenpaiGrid:
    return TenpaiGrid().fit(FrameShards(rows))


def test_runtime_and_scikit_learn_agree(grid: TenpaiGrid, rows: pd.DataFrame) -> None:
    assert export.check_paper_tenpai(grid, rows) < 1e-9
    apart = TenpaiGrid(share_suits=False, max_discards=12, borrow=0.0).fit(FrameShards(rows))
    assert export.check_paper_tenpai(apart, rows) < 1e-9


def test_a_difference_to_scikit_learn_is_refused(
    grid: TenpaiGrid, rows: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = grid.to_runtime()
    other = PaperTenpaiModel(model.type1, model.type2 + 0.01, model.type3)
    monkeypatch.setattr(TenpaiGrid, "to_runtime", lambda self: other)
    with pytest.raises(houjuu.Error, match="differs from the fit"):
        export.check_paper_tenpai(grid, rows)


def test_probabilities(grid: TenpaiGrid, rows: pd.DataFrame) -> None:
    prediction = grid.to_runtime().predict(Table1Features.from_columns(schema.arrays(rows)))
    allowed = rows[[f"allowed_{s}" for s in SUITS]].to_numpy()
    assert np.allclose(prediction.colour.sum(axis=1), 1)
    assert ((prediction.colour >= 0) & (prediction.colour <= 1)).all()
    assert not prediction.colour[:, :3][~allowed].any()
    assert ((prediction.tenpai > 0) & (prediction.tenpai <= 1)).all()
    assert np.allclose(prediction.tenpai, prediction.joint.sum(axis=1))
    assert (prediction.joint <= prediction.colour + 1e-12).all()


def test_the_fit_is_the_least_cross_entropy() -> None:
    """In a cell with rows of its own, the mean prediction is the measured rate (equation 8)."""
    rng = np.random.default_rng(3)
    rows = frame(5000, n_open_melds=1, discards=6)
    rows["tedashi"] = rng.integers(0, 7, len(rows))
    truth = 1 / (1 + np.exp(-(-2.0 + 0.5 * rows["tedashi"].to_numpy())))
    rows["tenpai"] = rng.random(len(rows)) < truth
    cell = TenpaiGrid(borrow=0.0, C=1e6).fit(FrameShards(rows)).cells_[Cell(3, 0, 1, 6)]
    assert cell.intercept_[0] == pytest.approx(-2.0, abs=0.25)
    assert cell.coef_[0][0] == pytest.approx(0.5, abs=0.06)
    fitted = 1 / (1 + np.exp(-(cell.intercept_[0] + cell.coef_[0][0] * rows["tedashi"])))
    assert fitted.mean() == pytest.approx(rows["tenpai"].mean(), abs=1e-3)


def frame(count: int, **values: int) -> pd.DataFrame:
    numbers = {column.name: np.zeros(count, dtype=int) for column in PAPER_TENPAI}
    numbers |= {name: np.full(count, value) for name, value in values.items()}
    rows = pd.DataFrame(numbers)
    rows["game"] = "one"
    rows["allowed_m"] = rows["allowed_p"] = rows["allowed_s"] = True
    return schema.check(rows, PAPER_TENPAI)


def test_thin_cells_borrow_and_full_ones_do_not() -> None:
    often, seldom = frame(900, n_open_melds=2, discards=7), frame(100, n_open_melds=2, discards=8)
    often["tenpai"] = True
    rows = pd.concat([often, seldom])

    def rate(**settings: Any) -> float:
        cells = TenpaiGrid(**settings).fit(FrameShards(rows)).cells_
        return float(1 / (1 + np.exp(-cells[Cell(3, 0, 2, 8)].intercept_[0])))

    assert rate(borrow=0.0) < 0.05
    assert rate(borrow=0.5, borrow_below=101) == pytest.approx(450 / 550, abs=0.02)
    assert rate(borrow=0.5, borrow_below=100) < 0.05


def test_an_empty_cell_still_predicts() -> None:
    rows = frame(10, n_open_melds=0, discards=3)
    model = TenpaiGrid(borrow=0.0).fit(FrameShards(rows)).to_runtime()
    prediction = model.predict(
        Table1Features.from_seats([seat("1m 2m 3m 4m 5m", melds=(pon("111z"), chi("123p")))])
    )
    assert 0 < prediction.tenpai[0] < 1


def test_four_melds_are_certainly_tenpai(grid: TenpaiGrid) -> None:
    three = (pon("111z"), pon("222z"), chi("123p"))
    river = "1m 2m 3m 4m 5s"
    prediction = grid.to_runtime().predict(
        Table1Features.from_seats(
            [seat(river, melds=three), seat(river, melds=(*three, ankan("9999s")))]
        )
    )
    assert prediction.tenpai[0] < 1
    assert prediction.tenpai[1] == 1
    assert np.allclose(prediction.colour[1], [0, 0, 0, 1])


def test_rows_above_the_cap_count_as_the_cap(grid: TenpaiGrid) -> None:
    river = " ".join(["1z"] * 4 + ["2z"] * 4 + ["3z"] * 4 + ["4z"] * 4)
    shown = Table1Features.from_seats([seat(river)])
    later = dataclasses.replace(shown, discards=np.array([99]))
    capped = dataclasses.replace(shown, discards=np.array([18]))
    model = grid.to_runtime()
    assert model.predict(later).tenpai == model.predict(capped).tenpai
