"""All stages, on a few games of the bots: their outputs, and the same bytes with more processes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from houjuu.util import parameters
from houjuu.util.game_hashes import SEEN, hashes
from pipeline import graph, paths
from tests.pipeline.repository import change_params, out_hashes, remove_outs, run

pytestmark = pytest.mark.slow
DEEP = pytest.mark.deep

PARALLEL = (
    *("selfplay", "parse", "paper_tenpai_rows", "paper_wait_counts", "wait_rows"),
    "unseen_rows",
    *("train_paper", "tenpai_rows", "train_tenpai", "train_waits", "train_melded", "train_unseen"),
    *("train", "train_network", "adapt", "choose"),
    *("ablation", "yaku_rows", "train_yaku", "final_rank_rows", "train_final_ranks", "predict"),
    *("round_end_rows", "train_round_ends", "action_rows", "train_preferences"),
    *("spare_rows", "last_fit", "train_hands"),
)
"""Stages that use several processes."""

LOCAL = ("ablation",)
"""Those among them that use no cluster: `tests.pipeline.test_cluster` runs others on one."""

ARTIFACTS = [
    "deal_in_by_bin.svg",
    "deal_in_by_tile.svg",
    "deal_in_by_tiles_left.svg",
    "deal_in_by_turn.svg",
    "deal_in_edges.csv",
    *(f"deal_in_to_{name}.svg" for name in ("1_meld", "2_melds", "3_melds", "closed", "riichi")),
    "kurita-hoki-2017.npz",
    "metrics.json",
    "report.html",
    "table_2.svg",
    "table_3.svg",
    "table_3_without_dora.svg",
    "tenpai_by_bin.svg",
    "tenpai_by_tiles_left.svg",
    "tenpai_by_turn.svg",
    "tenpai_edges.csv",
]

LIST_RUNS = """
import mlflow
mlflow.set_tracking_uri("sqlite:///mlflow.db")
client = mlflow.MlflowClient()
(experiment,) = mlflow.search_experiments(filter_string="name = 'houjuu'")
runs = client.search_runs([experiment.experiment_id])
(paper,) = [run for run in runs if run.info.run_name == "kurita-hoki-2017"]
print(len(runs), paper.data.params["paper_tenpai.borrow"])
(own,) = [run for run in runs if run.info.run_name == "houjuu"]
print(paper.data.metrics.keys() >= {"tenpai.all.log_loss", "edges.tenpai.all all"})
print(own.data.metrics.keys() >= {"train_network.loss_by_epoch", "waits.riichi.log_loss"})
print([name for name in paper.data.params if name.startswith("train")])
print(sorted(artifact.path for artifact in client.list_artifacts(paper.info.run_id)))
for name in ("houjuu", "kurita-hoki-2017", "kurita-hoki-2017-printed"):
    model = mlflow.pyfunc.load_model(f"models:/{name}/latest")
    print(name, model.predict(model.input_example).shape)
import houjuu
print("/code/houjuu/" in houjuu.__file__)
"""


def test_every_output_is_there(finished_run: Path) -> None:
    for name, stage in graph.stages().items():
        for out in stage.outs:
            assert (finished_run / out).exists(), name
    unfinished = (finished_run / "data" / "unfinished").rglob("*")
    assert not [path for path in unfinished if path.is_file()]


def test_all_stages_that_use_several_processes_are_named() -> None:
    stages = Path(paths.__file__).with_name("stages")
    uses_jobs = {
        path.stem
        for path in stages.glob("*.py")
        if any(
            text in path.read_text()
            for text in ("open_engine(", "extract(", "extract_table(", "run.jobs")
        )
    }
    assert uses_jobs == {*PARALLEL}


@pytest.mark.parametrize(
    "stage",
    ["selfplay", "tenpai_rows", "train_paper", *(pytest.param(n, marks=DEEP) for n in LOCAL)],
)
def test_two_processes_give_the_same_bytes(
    finished_run: Path, copied: Callable[[Path], Path], stage: str
) -> None:
    folder = copied(finished_run)
    expected = out_hashes(folder, stage)
    assert expected
    change_params(folder, "run", jobs=2)
    remove_outs(folder, stage)
    result = run(folder, sys.executable, "-m", f"pipeline.stages.{stage}", check=False)
    assert result.returncode == 0, result.stderr
    assert out_hashes(folder, stage) == expected


def test_headers_have_the_source(finished_run: Path) -> None:
    games = pd.read_parquet(finished_run / paths.GAMES)
    for path in (*paths.MODELS.values(), paths.YAKU_MODEL):
        header = parameters.read(finished_run / path).header
        assert header["fitted_on"]["games"] == int((~games["validate"]).sum()) > 0
        assert header["fitted_on"]["source"].startswith("self-play")
        assert header.get("name") == (None if path == paths.YAKU_MODEL else "self-play")


def test_the_files_of_the_player_name_their_games(finished_run: Path) -> None:
    games = pd.read_parquet(finished_run / paths.GAMES)
    fitted = hashes(games.loc[~games["validate"], "game"])
    for path in (paths.ROUND_END_MODEL, paths.PREFERENCE_MODEL, paths.FINAL_RANK_MODEL):
        seen = parameters.read(finished_run / path).arrays[SEEN]
        assert len(seen)
        assert {*seen.tolist()} <= {*fitted.tolist()}


def test_the_last_fit_has_seen_every_game(finished_run: Path) -> None:
    games = pd.read_parquet(finished_run / paths.GAMES)
    for path in (paths.LAST_MODEL, paths.LAST_ADDITIVE_MODEL):
        last = parameters.read(finished_run / path)
        assert last.header["fitted_on"]["games"] == len(games)
        evaluated = parameters.read(finished_run / "models" / Path(path).name)
        assert last.arrays.keys() == evaluated.arrays.keys()
        differs = {
            name.partition("/")[0]
            for name, array in last.arrays.items()
            if not np.array_equal(array, evaluated.arrays[name])
        }
        own = {"tenpai_gam", "riichi_waits", "closed_waits", "melded_waits", "unseen_tiles"}
        if path == paths.LAST_MODEL:
            own.add("discard_network")
        assert differs >= own
        assert not differs & {"tenpai", "waits", "melded"}  # the paper's


def test_metrics_beat_the_base_rate(finished_run: Path) -> None:
    for model in paths.MODELS:
        path = str(paths.result_path(model, paths.METRICS))
        metrics = json.loads((finished_run / path).read_text())
        for scores in (metrics["tenpai"]["all"], metrics["deal_in"]["all"]):
            assert scores["log_loss"] < scores["log_loss_base"]
        assert metrics["deal_in_line"]["rows"] > 0


def test_reports_are_single_files(finished_run: Path) -> None:
    for model in paths.MODELS:
        page = (finished_run / paths.result_path(model, paths.REPORT)).read_text()
        assert page.count("<svg") == 14 + (model != "houjuu")  # one of table 3 without dora
        assert "akochan" in page
        assert model in page
        assert "they show nothing about people" in page
        assert "src=" not in page
        links = re.findall(r'(?<!xlink:)href="([^;]*)', page)
        assert links == ["data:application/zip"]


def test_plots_are_drawn(finished_run: Path, copied: Callable[[Path], Path]) -> None:
    folder = copied(finished_run)
    assert "index.html" in run(folder, "dvc", "plots", "show").stdout


def test_runs_are_recorded(finished_run: Path) -> None:
    lines = run(finished_run, sys.executable, "-c", LIST_RUNS).stdout.splitlines()
    assert lines[-9:] == [
        "8 0.5",
        "True",
        "True",
        "[]",  # the paper's model has no parameter of the fits of the default model
        str(ARTIFACTS),
        "houjuu (1, 4)",
        "kurita-hoki-2017 (1, 4)",
        "kurita-hoki-2017-printed (1, 4)",
        "True",
    ]
