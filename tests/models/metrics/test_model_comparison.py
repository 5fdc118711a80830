"""The comparison of two models: paired rows by hand, and the page."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import houjuu
from features import prediction_rows
from features.schema.predictions import PREDICTIONS
from houjuu.game.events import Game
from houjuu.util.errors import Error
from houjuu.util.languages import LANGUAGES, translate
from models.metrics import evaluation
from models.metrics.model_comparison import paired
from pipeline import figures, paths, settings
from pipeline.game_shards import write_shard
from pipeline.stages import compare_models
from tests.pipeline.page_texts import other_text, texts, unused_keys

ROOT = Path(__file__).parents[3]
MODELS = ("kurita-hoki-2017", "houjuu")


@pytest.fixture(scope="module")
def predictions(own_games: list[Game]) -> list[pd.DataFrame]:
    by_model = prediction_rows.rows(own_games[:2], [houjuu.load(name) for name in MODELS])
    return [rows.predictions for rows in by_model]


def test_the_difference_is_that_of_the_losses(predictions: list[pd.DataFrame]) -> None:
    """In any order of the rows; rows that one run lacks are left out."""
    first, second = predictions
    table = paired(first.sample(frac=1, random_state=1), second[:-100]).set_index("opponent_type")
    label = second["label"].to_numpy()[:-100]
    losses = [
        -np.log(np.where(label, p, 1 - p))
        for p in (
            np.clip(t["predicted"].to_numpy(float)[:-100], 1e-6, 1 - 1e-6) for t in predictions
        )
    ]
    of_all = table.loc["all"]
    assert of_all["rows"] == len(label)
    assert of_all["first"] == pytest.approx(losses[0].mean(), rel=1e-12)
    assert of_all["second"] == pytest.approx(losses[1].mean(), rel=1e-12)
    assert of_all["difference"] == pytest.approx(np.mean(losses[1] - losses[0]), rel=1e-9)
    assert of_all["half_interval"] > 0
    by_type = table.drop(index="all")
    assert by_type["rows"].sum() == len(label)
    assert by_type["difference"] @ by_type["rows"] == pytest.approx(
        of_all["difference"] * len(label)
    )


def test_a_run_does_not_differ_from_itself(predictions: list[pd.DataFrame]) -> None:
    table = paired(predictions[0], predictions[0])
    assert not table["difference"].any()
    assert not table["half_interval"].any() or table["half_interval"].isna().all()
    assert paired(predictions[0], predictions[0][:0]).empty


@pytest.fixture
def runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, predictions: list[pd.DataFrame]
) -> list[Path]:
    """The folders of two runs on a few games."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    monkeypatch.setattr(figures, "LEAST_GAMES", 1)
    shutil.copy(ROOT / paths.REAL_RUN / Path(paths.BASELINE_METRICS).name, tmp_path)
    folders = []
    for name, of_model in zip(MODELS, predictions, strict=True):
        folder = tmp_path / name
        (folder / paths.TABLES).mkdir(parents=True)
        shutil.copytree(ROOT / paths.REAL_RUN / name, folder, dirs_exist_ok=True)
        part = folder / paths.PREDICTIONS / paths.HELD_OUT / "000000.parquet"
        write_shard(part, of_model, PREDICTIONS)
        edges = settings.load().evaluate.edges_deal_in
        for by, table in evaluation.calibration_tables(of_model, edges, 18).items():
            table.to_csv(folder / paths.TABLES / f"deal_in_by_{by}.csv", index=False)
        folders.append(folder)
    return folders


def test_the_page_has_both_runs(runs: list[Path]) -> None:
    page = compare_models.page(*map(compare_models.load, runs))
    assert all(str(folder) in page for folder in runs)
    assert page.count("<svg") == 1
    assert "src=" not in page
    assert "honour, 2 seen" in page
    assert "riichi, second" in page  # a panel's title, as matplotlib notes it
    assert page.count('class="outside"') > 0


def test_the_page_is_in_every_language(runs: list[Path]) -> None:
    page = compare_models.page(*map(compare_models.load, runs))
    assert unused_keys(page, "comparison") == {"comparison.no_pairs"}
    for language in LANGUAGES:
        assert translate(language, "pipeline.pages")("comparison.title") in texts(page, language)
    assert re.findall("[A-Za-z]{3,}", other_text(page)) == []


def test_runs_on_other_games_are_not_compared_row_by_row(runs: list[Path]) -> None:
    first, second = map(compare_models.load, runs)
    other = second._replace(
        predictions=second.predictions.assign(game=second.predictions["game"].astype(str) + "x")
    )
    assert "predicted different games" in compare_models.page(first, other)
    assert "predicted different games" not in compare_models.page(first, second)


def test_an_incomplete_folder_is_refused(runs: list[Path]) -> None:
    shutil.rmtree(runs[0] / paths.PREDICTIONS)
    with pytest.raises(Error, match=f"{paths.PREDICTIONS}: is missing") as problem:
        compare_models.load(runs[0])
    assert str(runs[0]) in str(problem.value)
