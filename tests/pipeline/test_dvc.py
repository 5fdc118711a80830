"""The pipeline as DVC runs it, on a few games of the bots, in a repository of its own."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

from houjuu.util import parameters
from pipeline import paths
from tests.pipeline.conftest import HALF, STARTED
from tests.pipeline.repository import (
    change_params,
    out_hashes,
    outs,
    remove,
    remove_outs,
    repro,
    run,
    stages,
)

pytestmark = pytest.mark.slow

PARALLEL = (
    *("selfplay", "parse", "paper_tenpai_rows", "paper_wait_counts", "paper_melded_rows"),
    "train_paper",
    *(
        "tenpai_rows",
        "wait_rows",
        "train",
        "train_network",
        "gbdt_baseline",
        "ablation",
        "yaku_rows",
    ),
    *("train_yaku", "final_rank_rows", "train_final_ranks", "predict"),
    *("round_end_rows", "train_round_ends", "action_rows", "train_preferences"),
)
"""Stages that use several processes."""

LOCAL = ("gbdt_baseline", "ablation")
"""Those among them that use no cluster: `tests.pipeline.test_cluster` runs all others on one."""

ARTIFACTS = [
    "deal_in_by_bin.svg",
    "deal_in_by_tile.svg",
    "deal_in_by_tiles_left.svg",
    "deal_in_by_turn.svg",
    *(f"deal_in_to_{name}.svg" for name in ("1_meld", "2_melds", "3_melds", "closed", "riichi")),
    "kurita-hoki-2017.npz",
    "metrics.json",
    "report.html",
    "table_2.svg",
    "table_3.svg",
    "tenpai_by_bin.svg",
    "tenpai_by_tiles_left.svg",
    "tenpai_by_turn.svg",
]

LIST_RUNS = """
import mlflow
mlflow.set_tracking_uri("sqlite:///mlflow.db")
client = mlflow.MlflowClient()
(experiment,) = mlflow.search_experiments(filter_string="name = 'houjuu'")
runs = client.search_runs([experiment.experiment_id])
(paper,) = [run for run in runs if run.info.run_name == "kurita-hoki-2017"]
print(len(runs), paper.data.params["paper_tenpai.borrow"])
print("tenpai.all.log_loss" in paper.data.metrics)
print(sorted(artifact.path for artifact in client.list_artifacts(paper.info.run_id)))
for name in ("houjuu", "kurita-hoki-2017", "kurita-hoki-2017-printed"):
    model = mlflow.pyfunc.load_model(f"models:/{name}/latest")
    print(name, model.predict(model.input_example).shape)
"""


def test_every_stage_runs_once(finished_run: Path) -> None:
    """A run that stops half-way is continued; a finished one has nothing to do."""
    first, rest, again = json.loads((finished_run / STARTED).read_text())
    assert first[-1] == HALF
    assert sorted(first + rest) == sorted(stages(finished_run))
    assert rest
    assert again == []


def test_all_stages_that_use_several_processes_are_compared() -> None:
    stages = Path(paths.__file__).with_name("stages")
    uses_jobs = {
        path.stem
        for path in stages.glob("*.py")
        if "stage.run(" in path.read_text()
        and any(text in path.read_text() for text in ("open_engine(", "extract(", "run.jobs"))
    }
    assert uses_jobs == {*PARALLEL}


@pytest.mark.parametrize("stage", ["selfplay", "tenpai_rows", "train_paper", *LOCAL])
def test_two_processes_give_the_same_bytes(copied_run: Path, stage: str) -> None:
    expected = out_hashes(copied_run, stage)
    assert expected
    change_params(copied_run, "run", jobs=2)
    remove_outs(copied_run, stage)
    result = run(copied_run, sys.executable, "-m", f"pipeline.stages.{stage}", check=False)
    assert result.returncode == 0, result.stderr
    assert out_hashes(copied_run, stage) == expected


def test_only_stages_that_depend_on_a_change_run_again(copied_run: Path) -> None:
    before = out_hashes(copied_run)
    change_params(copied_run, "paper_tenpai", borrow=0.25)
    assert repro(copied_run, "export") == ["train_paper", "export"]
    after = out_hashes(copied_run)
    assert before[paths.PAPER_MODEL] != after[paths.PAPER_MODEL]
    rows = [path for path in before if path.startswith(f"{paths.PAPER_TENPAI_ROWS}/")]
    assert rows
    assert all(before[path] == after[path] for path in rows)
    fitted = parameters.read(copied_run / paths.PAPER_MODEL)
    assert fitted.header["parameters"]["paper_tenpai"]["borrow"] == 0.25
    module = copied_run / "features" / "paper_tenpai_rows.py"
    module.write_text(module.read_text() + "\n# changed\n")
    assert repro(copied_run, "export") == ["paper_tenpai_rows"]  # which writes the same rows


def test_results_are_shared_by_a_remote(copied_run: Path, tmp_path: Path) -> None:
    expected = out_hashes(copied_run)
    run(copied_run, "dvc", "remote", "add", "--default", "shared", str(tmp_path / "remote"))
    run(copied_run, "dvc", "push")
    cached = [out for out in outs(copied_run) if not out.endswith((".json", ".csv"))]
    for out in cached:
        remove(copied_run / out)
    shutil.rmtree(copied_run / ".dvc" / "cache")
    run(copied_run, "dvc", "pull")
    assert out_hashes(copied_run) == expected
    assert repro(copied_run) == []


def test_variants_are_experiments(copied_run: Path) -> None:
    run(copied_run, "git", "add", "--all")
    run(copied_run, "git", "commit", "--quiet", "--message", "the finished run")
    metrics = {}
    for name, borrow in (("none", 0.0), ("much", 4.0)):
        changed = f"paper_tenpai.borrow={borrow}"
        run(copied_run, "dvc", "exp", "run", "--name", name, "--set-param", changed, "export")
        header = parameters.read(copied_run / paths.PAPER_MODEL).header
        assert header["parameters"]["paper_tenpai"]["borrow"] == borrow
        metrics[name] = header["metrics"]["tenpai"]["log_loss"]
    assert metrics["none"] != metrics["much"]
    assert set(run(copied_run, "dvc", "exp", "list", "--name-only").stdout.split()) == {*metrics}


def test_headers_have_the_source(finished_run: Path) -> None:
    games = pd.read_parquet(finished_run / paths.GAMES)
    for path in (*paths.MODELS.values(), paths.YAKU_MODEL):
        header = parameters.read(finished_run / path).header
        assert header["fitted_on"]["games"] == int((~games["validate"]).sum()) > 0
        assert header["fitted_on"]["source"].startswith("self-play")


def test_metrics_beat_the_base_rate(finished_run: Path) -> None:
    shown = json.loads(run(finished_run, "dvc", "metrics", "show", "--json").stdout)[""]["data"]
    for model in paths.MODELS:
        path = str(paths.result_path(model, paths.METRICS))
        metrics = json.loads((finished_run / path).read_text())
        assert shown[path]["data"]["tenpai"] == metrics["tenpai"]
        for scores in (metrics["tenpai"]["all"], metrics["deal_in"]["all"]):
            assert scores["log_loss"] < scores["log_loss_base"]


def test_reports_are_single_files(finished_run: Path) -> None:
    for model in paths.MODELS:
        page = (finished_run / paths.result_path(model, paths.REPORT)).read_text()
        assert page.count("<svg") == 14
        assert "akochan" in page
        assert model in page
        assert "src=" not in page
        assert "href=" not in page.replace("xlink:href=", "")
    assert ("gradient-boosted" in page) == (model == "houjuu")


def test_plots_are_drawn(copied_run: Path) -> None:
    assert "index.html" in run(copied_run, "dvc", "plots", "show").stdout


def test_runs_are_recorded(finished_run: Path) -> None:
    lines = run(finished_run, sys.executable, "-c", LIST_RUNS).stdout.splitlines()
    assert lines[-6:] == [
        "7 0.5",
        "True",
        str(ARTIFACTS),
        "houjuu (1, 4)",
        "kurita-hoki-2017 (1, 4)",
        "kurita-hoki-2017-printed (1, 4)",
    ]
