"""Rows, regressions and runtime: one set of numbers, whichever way they are asked for."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest
from mahjong.shanten import Shanten

import houjuu
from features import paper_tenpai_rows, schema
from houjuu.errors import ParameterError
from houjuu.estimators.kurita_hoki.tenpai import PaperTenpaiModel
from houjuu.events import Away, Deal, Discard, Game
from houjuu.logs import mjlog
from houjuu.reading.table1 import Table1Features
from houjuu.table import Table, View
from models import export
from models.paper_tenpai import Cell, TenpaiGrid
from tests import real
from tests.positions import ankan, chi, pon, seat


@pytest.fixture(scope="module")
def rows(own_games: list[Game]) -> pd.DataFrame:
    return paper_tenpai_rows.rows(own_games)


@pytest.fixture(scope="module")
def grid(rows: pd.DataFrame) -> TenpaiGrid:
    return TenpaiGrid().fit(rows)


def decisions(game: Game) -> list[tuple[tuple[int, ...], View, Table]]:
    """Every decision with a fresh table, played up to it: slow, and nothing is shared."""
    found: list[tuple[tuple[int, ...], View, Table]] = []
    index = -1
    for number, event in enumerate(game.events):
        index += isinstance(event, Deal)
        if isinstance(event, Discard) and number % 11 == 0:
            table = Table(game.rules)
            for earlier in game.events[:number]:
                table.apply(earlier)
            key = (index, event.seat, len(table.seats[event.seat].river))
            found.append((key, table.view(event.seat), table))
    return found


def test_rows_are_what_a_bot_asks_about(games: list[Game]) -> None:
    """A row's numbers are those that the runtime reads in the same position."""
    game = games[0]
    rows = paper_tenpai_rows.rows([game]).set_index(["round", "seat", "discard", "opponent"])
    met = 0
    for key, view, table in decisions(game):
        for opponent in view.opponents:
            expected = not (
                view.seats[view.seat].in_riichi
                or view.seats[view.seat].away
                or opponent.in_riichi
                or opponent.was_away
            )
            assert ((*key, opponent.seat) in rows.index) == expected
            if expected:
                row = rows.loc[[(*key, opponent.seat)]]
                same(paper_tenpai_rows.table1_features(row), Table1Features.of([opponent]))
                hand = table.round_state.hands[opponent.seat]
                assert bool(row["tenpai"].iloc[0]) == is_tenpai(hand)
                met += 1
    assert met > 50


def is_tenpai(hand: list[int]) -> bool:
    """By another library."""
    counts = np.bincount([tile // 4 for tile in hand], minlength=34).tolist()
    return int(Shanten().calculate_shanten(counts)) == 0


def same(ours: Table1Features, theirs: Table1Features) -> None:
    for name in Table1Features.__dataclass_fields__:
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name


def test_rows_keep_to_the_schema(rows: pd.DataFrame) -> None:
    assert list(rows.columns) == schema.names(schema.PAPER_TENPAI)
    assert [str(kind) for kind in rows.dtypes] == [column.dtype for column in schema.PAPER_TENPAI]
    key = ["game", "round", "seat", "discard", "opponent"]
    assert not rows.duplicated(key).any()
    assert rows["melds"].between(0, 4).all()
    assert (rows["melds"] <= rows["sets"]).all()
    numbers = rows.drop(columns=["game", "round"]).astype(int)
    assert numbers.to_numpy().min() >= 0
    assert numbers.to_numpy().max() < 32  # models.paper_tenpai packs each into five bits


def test_labels_of_colour(rows: pd.DataFrame) -> None:
    """A hand within a suit has melds that allow it, and is in two suits only without any."""
    for suit in schema.SUITS:
        assert rows.loc[rows[f"within_{suit}"], f"allowed_{suit}"].all()


@pytest.mark.real_logs
def test_nobody_who_is_away_makes_rows() -> None:
    for name, data in real.games("phoenix-tonpuu", 120):
        game = mjlog.parse(data, name)
        if not any(isinstance(event, Away) for event in game):
            continue
        rows = paper_tenpai_rows.rows([game])
        table, index = Table(game.rules), -1
        for event in game:
            index += isinstance(event, Deal)
            if isinstance(event, Discard) and table.seats[event.seat].away:
                made = len(table.seats[event.seat].river)
                own = rows[(rows["round"] == index) & (rows["opponent"] == event.seat)]
                decided = rows[(rows["round"] == index) & (rows["seat"] == event.seat)]
                assert (own["discards"] <= made).all()
                assert not (decided["discard"] == made).any()
            table.apply(event)


def test_runtime_says_what_scikit_learn_says(grid: TenpaiGrid, rows: pd.DataFrame) -> None:
    assert export.check_against_sklearn(grid, grid.model(), rows) < 1e-9
    apart = TenpaiGrid(share_suits=False, max_discards=12, borrow=0.0).fit(rows)
    assert export.check_against_sklearn(apart, apart.model(), rows) < 1e-9


def test_a_difference_to_scikit_learn_is_refused(grid: TenpaiGrid, rows: pd.DataFrame) -> None:
    model = grid.model()
    other = PaperTenpaiModel(model.type1, model.type2 + 0.01, model.type3)
    with pytest.raises(houjuu.Error, match="differs from the fit"):
        export.check_against_sklearn(grid, other, rows)


def test_probabilities(grid: TenpaiGrid, rows: pd.DataFrame) -> None:
    read = grid.model().read(paper_tenpai_rows.table1_features(rows))
    allowed = rows[[f"allowed_{s}" for s in schema.SUITS]].to_numpy()
    assert np.allclose(read.colour.sum(axis=1), 1)
    assert ((read.colour >= 0) & (read.colour <= 1)).all()
    assert not read.colour[:, :3][~allowed].any()
    assert ((read.tenpai > 0) & (read.tenpai <= 1)).all()
    assert np.allclose(read.tenpai, (read.colour * read.tenpai_given).sum(axis=1))


def test_the_fit_is_the_least_cross_entropy() -> None:
    """In a cell with rows of its own, the mean prediction is the measured rate (equation 8)."""
    rng = np.random.default_rng(3)
    rows = frame(5000, melds=1, discards=6)
    rows["tedashi"] = rng.integers(0, 7, len(rows))
    truth = 1 / (1 + np.exp(-(-2.0 + 0.5 * rows["tedashi"].to_numpy())))
    rows["tenpai"] = rng.random(len(rows)) < truth
    cell = TenpaiGrid(borrow=0.0, C=1e6).fit(rows).cells_[Cell(3, 0, 1, 6)]
    assert cell.intercept_[0] == pytest.approx(-2.0, abs=0.25)
    assert cell.coef_[0][0] == pytest.approx(0.5, abs=0.06)
    fitted = 1 / (1 + np.exp(-(cell.intercept_[0] + cell.coef_[0][0] * rows["tedashi"])))
    assert fitted.mean() == pytest.approx(rows["tenpai"].mean(), abs=1e-3)


def frame(count: int, **values: int) -> pd.DataFrame:
    numbers = {column.name: np.zeros(count, dtype=int) for column in schema.PAPER_TENPAI}
    numbers |= {name: np.full(count, value) for name, value in values.items()}
    rows = pd.DataFrame(numbers)
    rows["game"] = "one"
    rows["allowed_m"] = rows["allowed_p"] = rows["allowed_s"] = True
    return schema.check(rows, schema.PAPER_TENPAI)


def test_thin_cells_borrow_and_full_ones_do_not() -> None:
    often, seldom = frame(900, melds=2, discards=7), frame(100, melds=2, discards=8)
    often["tenpai"] = True
    rows = pd.concat([often, seldom])

    def rate(**settings: Any) -> float:
        cells = TenpaiGrid(**settings).fit(rows).cells_
        return float(1 / (1 + np.exp(-cells[Cell(3, 0, 2, 8)].intercept_[0])))

    assert rate(borrow=0.0) < 0.05
    assert rate(borrow=0.5, borrow_below=101) == pytest.approx(450 / 550, abs=0.02)
    assert rate(borrow=0.5, borrow_below=100) < 0.05


def test_an_empty_cell_is_answered_for() -> None:
    rows = frame(10, melds=0, discards=3)
    model = TenpaiGrid(borrow=0.0).fit(rows).model()
    read = model.read(Table1Features.of([seat("1m 2m 3m 4m 5m", melds=(pon("111z"), chi("123p")))]))
    assert 0 < read.tenpai[0] < 1


def test_four_sets_are_tenpai_for_certain(grid: TenpaiGrid) -> None:
    three = (pon("111z"), pon("222z"), chi("123p"))
    river = "1m 2m 3m 4m 5s"
    read = grid.model().read(
        Table1Features.of([seat(river, melds=three), seat(river, melds=(*three, ankan("9999s")))])
    )
    assert read.tenpai[0] < 1
    assert read.tenpai[1] == 1
    assert np.allclose(read.colour[1], [0, 0, 0, 1])


def test_rows_above_the_cap_count_as_the_cap(grid: TenpaiGrid) -> None:
    river = " ".join(["1z"] * 4 + ["2z"] * 4 + ["3z"] * 4 + ["4z"] * 4)
    shown = Table1Features.of([seat(river)])
    later = dataclasses.replace(shown, discards=np.array([99]))
    capped = dataclasses.replace(shown, discards=np.array([18]))
    model = grid.model()
    assert model.read(later).tenpai == model.read(capped).tenpai


@pytest.mark.parametrize("wrong", ["type1", "type2", "type3"])
def test_weights_must_fit_together(grid: TenpaiGrid, wrong: str) -> None:
    model = grid.model()
    weights = {"type1": model.type1, "type2": model.type2, "type3": model.type3}
    with pytest.raises(ParameterError, match="have shapes"):
        PaperTenpaiModel(**weights | {wrong: weights[wrong][..., :-1]})
    with pytest.raises(ParameterError, match="not finite"):
        PaperTenpaiModel(**weights | {wrong: np.full_like(weights[wrong], np.nan)})
