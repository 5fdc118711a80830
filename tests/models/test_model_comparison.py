"""Two runs side by side: on the same rows by hand, and as a page."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import prediction_rows
from houjuu.errors import Error
from houjuu.events import Game
from models.metrics import evaluation
from models.metrics.model_comparison import paired
from pipeline import compare_models, evaluate, figures, settings
from pipeline.predict import DANGERS

ROOT = Path(__file__).parents[1]
MODELS = ("kurita-hoki-2017", "houjuu")


@pytest.fixture(scope="module")
def said(own_games: list[Game]) -> list[pd.DataFrame]:
    found = prediction_rows.rows(own_games[:3], [houjuu.load(name) for name in MODELS])
    return [of.dangers for of in found]


def test_the_difference_is_that_of_the_losses(said: list[pd.DataFrame]) -> None:
    """In whatever order the rows come; and what one run lacks is left out."""
    first, second = said
    table = paired(first.sample(frac=1, random_state=1), second[:-100]).set_index("of")
    truth = second["measured"].to_numpy()[:-100]
    losses = [
        -np.log(np.where(truth, p, 1 - p))
        for p in (np.clip(of["predicted"].to_numpy(float)[:-100], 1e-6, 1 - 1e-6) for of in said)
    ]
    every = table.loc["all"]
    assert every["rows"] == len(truth)
    assert every["first"] == pytest.approx(losses[0].mean(), rel=1e-12)
    assert every["second"] == pytest.approx(losses[1].mean(), rel=1e-12)
    assert every["less"] == pytest.approx(np.mean(losses[1] - losses[0]), rel=1e-9)
    assert every["half"] > 0
    classes = table.drop(index="all")
    assert classes["rows"].sum() == len(truth)
    assert classes["less"] @ classes["rows"] == pytest.approx(every["less"] * len(truth))


def test_a_run_does_not_differ_from_itself(said: list[pd.DataFrame]) -> None:
    table = paired(said[0], said[0])
    assert not table[["less", "half"]].to_numpy().any()
    assert paired(said[0], said[0][:0]).empty


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[pd.DataFrame]) -> list[Path]:
    """Folders as two runs leave them, on a few games."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    monkeypatch.setattr(figures, "LEAST_GAMES", 1)
    folders = []
    for name, dangers in zip(MODELS, said, strict=True):
        folder = tmp_path / name
        (folder / evaluate.TABLES).mkdir(parents=True)
        shutil.copy(ROOT / "data" / name / evaluate.METRICS, folder)
        dangers.to_parquet(folder / DANGERS)
        edges = settings.load().evaluate.edges_deal_in
        for by, table in evaluation.calibration_tables(dangers, edges, 18).items():
            table.to_csv(folder / evaluate.TABLES / f"deal_in_by_{by}.csv", index=False)
        folders.append(folder)
    return folders


def test_the_page_has_both(runs: list[Path]) -> None:
    page = compare_models.page(*map(compare_models.read, runs))
    assert all(str(folder) in page for folder in runs)
    assert page.count("<svg") == 1
    assert "src=" not in page
    assert "honour, 2 seen" in page
    assert "riichi, second" in page  # a panel's title, as matplotlib notes it
    assert page.count('class="out"') > 0


def test_runs_on_other_games_are_not_compared_row_by_row(runs: list[Path]) -> None:
    first, second = map(compare_models.read, runs)
    other = second._replace(
        dangers=second.dangers.assign(game=second.dangers["game"].astype(str) + "x")
    )
    assert "asked about different games" in compare_models.page(first, other)
    assert "asked about different games" not in compare_models.page(first, second)


def test_a_folder_that_is_no_run_is_refused(runs: list[Path]) -> None:
    (runs[0] / DANGERS).unlink()
    with pytest.raises(Error, match=f"{DANGERS}: is missing") as problem:
        compare_models.read(runs[0])
    assert str(runs[0]) in str(problem.value)
