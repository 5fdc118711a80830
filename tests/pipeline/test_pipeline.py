"""The pipeline as DVC runs it, on a few games of the bots, in a repository of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from houjuu import parameters
from houjuu.errors import Error
from houjuu.events import Game
from houjuu.logs import mjlog
from houjuu.parameters import Parameters
from pipeline import (
    files,
    link,
    log_batches,
    paper_melded_rows,
    paper_tenpai_rows,
    paper_wait_counts,
    parse,
    predict,
    settings,
    ship,
    train_paper,
)

ROOT = Path(__file__).parents[1]
PARTS = ("houjuu", "features", "models", "pipeline", "dvc.yaml", "params.yaml", ".dvcignore")
MODELS = ("houjuu", "kurita-hoki-2017")
MEASURED = [f"{stage}@{model}" for stage in ("evaluate", "report") for model in MODELS]
LAST = [*MEASURED, "differences"]
OF_DANGER = ["fit", "export", "situations", "regress", "yardstick", "compare", "ask", *LAST]
OF_YAKU = ["prospects", "foresee"]
STAGES = ["selfplay", "parse", "extract", "count", "hands", "signs", *OF_DANGER, *OF_YAKU]


def run(folder: Path, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PYTHONPATH": f"{folder}:{ROOT}",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DVC_NO_ANALYTICS": "1",
        "DO_NOT_TRACK": "1",
        "MLFLOW_DISABLE_TELEMETRY": "true",
    }
    return subprocess.run(
        command, cwd=folder, env=environment, check=check, capture_output=True, text=True
    )


def repository(folder: Path, games: int = 12) -> Path:
    """A clone of the pipeline that plays few games."""
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    shutil.rmtree(folder / "models" / "__pycache__", ignore_errors=True)
    for made in (folder / "models").glob("*.npz"):
        made.unlink()
    (folder / "data" / "logs").mkdir(parents=True)
    shutil.copy(ROOT / "data" / "peers.json", folder / "data")
    change(folder, "selfplay", games=games)
    run(folder, "git", "init", "--quiet")
    run(folder, "dvc", "init", "--quiet")
    return folder


def change(folder: Path, part: str, **values: object) -> None:
    params = yaml.safe_load((folder / "params.yaml").read_text())
    params[part] |= values
    (folder / "params.yaml").write_text(yaml.safe_dump(params))


def ran(folder: Path, *targets: str) -> list[str]:
    """Names of the stages that ``dvc repro`` ran."""
    done = run(folder, "dvc", "repro", *targets, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [
        line.split("'")[1] for line in done.stdout.splitlines() if line.startswith("Running stage")
    ]


def outs(folder: Path) -> dict[str, str]:
    lock = yaml.safe_load((folder / "dvc.lock").read_text())["stages"].values()
    return {out["path"]: out["md5"] for stage in lock for out in stage["outs"]}


@pytest.mark.slow
def test_dvc_runs_it(tmp_path: Path) -> None:
    """Everything once; nothing again; only what hangs on a change; the same bytes elsewhere."""
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    repository(first)
    assert sorted(ran(first)) == sorted(STAGES)
    assert ran(first) == []
    before = outs(first)

    repository(second)
    change(second, "run", jobs=1)
    run(second, "dvc", "repro", *MEASURED[:2])  # a run that stops half-way …
    rest = ["compare", *LAST[2:], *OF_YAKU, "yardstick"]
    assert sorted(ran(second)) == sorted(rest)  # … goes on where it stopped
    assert outs(second) == before

    look_at_the_outs(first)
    change(first, "tenpai", borrow=0.25)
    assert ran(first, "export") == ["fit", "export"]
    after = outs(first)
    assert before["models/estimator.npz"] != after["models/estimator.npz"]
    assert before["data/tenpai.parquet"] == after["data/tenpai.parquet"]
    fitted = parameters.read(first / "models" / "estimator.npz")
    assert fitted.header["parameters"]["tenpai"]["borrow"] == 0.25


def look_at_the_outs(folder: Path) -> None:
    fitted = parameters.read(folder / "models" / "estimator.npz")
    games = pd.read_parquet(folder / "data" / "games.parquet")
    assert fitted.header["fitted_on"]["games"] == int((~games["validate"]).sum())
    assert fitted.header["fitted_on"]["source"].startswith("self-play")
    shown = json.loads(run(folder, "dvc", "metrics", "show", "--json").stdout)[""]["data"]
    for model in MODELS:
        metrics = json.loads((folder / "data" / model / "metrics.json").read_text())
        for scores in (metrics["tenpai"]["all"], metrics["deal_in"]["all"]):
            assert scores["log_loss"] < scores["log_loss_base"]
        page = (folder / "data" / model / "report.html").read_text()
        assert page.count("<svg") == 12
        assert "akochan" in page
        assert model in page
        assert "src=" not in page  # one file, to be mailed
        assert "href=" not in page.replace("xlink:href=", "")
        assert shown[f"data/{model}/metrics.json"]["data"]["tenpai"] == metrics["tenpai"]
    assert "index.html" in run(folder, "dvc", "plots", "show").stdout
    recorded(folder)


RUNS = """
import mlflow
mlflow.set_tracking_uri("sqlite:///mlflow.db")
client = mlflow.MlflowClient()
(experiment,) = mlflow.search_experiments(filter_string="name = 'houjuu'")
runs = client.search_runs([experiment.experiment_id])
(paper,) = [run for run in runs if run.info.run_name == "kurita-hoki-2017"]
print(len(runs), paper.data.params["tenpai.borrow"])
print("tenpai.all.log_loss" in paper.data.metrics)
print(sorted(artifact.path for artifact in client.list_artifacts(paper.info.run_id)))
for name in ("houjuu", "kurita-hoki-2017"):
    model = mlflow.pyfunc.load_model(f"models:/{name}/latest")
    print(name, model.predict(model.input_example).shape)
"""


ARTIFACTS = [
    "deal_in_by_bin.png",
    "deal_in_by_tile.png",
    "deal_in_by_turn.png",
    *(f"deal_in_to_{name}.png" for name in ("1_meld", "2_melds", "3_melds", "closed", "riichi")),
    "estimator.npz",
    "metrics.json",
    "report.html",
    "table_2.png",
    "table_3.png",
    "tenpai_by_bin.png",
    "tenpai_by_turn.png",
]


def recorded(folder: Path) -> None:
    lines = run(folder, sys.executable, "-c", RUNS).stdout.splitlines()
    assert lines[-5:] == [
        "3 0.5",
        "True",
        str(ARTIFACTS),
        "houjuu (1, 4)",
        "kurita-hoki-2017 (1, 4)",
    ]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "params.yaml", tmp_path)
    (tmp_path / "data" / "logs").mkdir(parents=True)
    change(tmp_path, "run", jobs=1)
    return tmp_path


@pytest.mark.slow
def test_a_cluster_gives_the_same_bytes(here: Path, own_games: list[Game]) -> None:
    from distributed import LocalCluster

    for game in own_games:
        (here / "data" / "logs" / f"{game.id}.mjlog").write_bytes(mjlog.write(game))
    parse.main()
    paper_tenpai_rows.main()
    alone = Path(paper_tenpai_rows.ROWS).read_bytes()
    options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster:
        change(here, "run", backend="dask", scheduler=cluster.scheduler_address)
        parse.main()
        paper_tenpai_rows.main()
    assert Path(paper_tenpai_rows.ROWS).read_bytes() == alone


def test_what_cannot_be_read_is_listed(here: Path, own_games: list[Game]) -> None:
    for game in own_games:
        (here / "data" / "logs" / f"{game.id}.mjlog").write_bytes(mjlog.write(game))
    (here / "data" / "logs" / "bad.xml").write_text("<html/>")
    (here / "data" / "logs" / "twice.xml").write_bytes(mjlog.write(own_games[0]))
    change(here, "parse", max_reject_share=0.5)
    parse.main()
    rejects = pd.read_csv(parse.REJECTS).set_index("file")["reason"]
    assert "is not mjlog" in rejects["bad.xml"]
    assert "is the same game as" in rejects["twice.xml"]
    assert sorted(pd.read_parquet(parse.GAMES)["game"]) == sorted(game.id for game in own_games)


def test_too_many_rejects_fail(here: Path, own_games: list[Game]) -> None:
    (here / "data" / "logs" / "a.mjlog").write_bytes(mjlog.write(own_games[0]))
    (here / "data" / "logs" / "b.mjlog").write_text("nothing")
    with pytest.raises(Error, match=r"50\.0% of .*max_reject_share: 5\.0%; .*rejects\.csv"):
        parse.main()
    assert len(pd.read_csv(parse.REJECTS)) == 1


def test_nothing_to_go_on_with_is_said(here: Path, own_games: list[Game]) -> None:
    (here / "data" / "logs" / "bad.xml").write_text("nothing")
    with pytest.raises(Error, match=r"data/logs: has no game that can be read"):
        parse.main()
    (here / "data" / "logs" / "bad.xml").write_bytes(mjlog.write(own_games[0]))
    change(here, "parse", validate_share=0.0)
    parse.main()
    paper_tenpai_rows.main()
    with pytest.raises(Error, match=r"none of its 1 games is held out"):
        train_paper.read_rows(held_out=True)
    paper_wait_counts.main()
    paper_melded_rows.main()
    done = run(here, sys.executable, "-m", "pipeline.train_paper", check=False)
    assert done.returncode == 0, done.stderr
    done = run(here, sys.executable, "-m", "pipeline.export", check=False)
    assert done.stderr.splitlines()[-1].startswith("data/games.parquet: none of its 1 games")
    assert "Traceback" not in done.stderr
    with pytest.raises(Error, match=r"none of its 1 games is held out to be measured on"):
        predict.main()


def test_splits_are_by_game() -> None:
    params = settings.load(ROOT / "params.yaml").parse
    held = [parse.held_out(f"game-{i}", params) for i in range(5000)]
    assert sum(held) / 5000 == pytest.approx(params.validate_share, abs=0.02)
    assert held == [parse.held_out(f"game-{i}", params) for i in range(5000)]


def test_logs_are_linked(here: Path) -> None:
    archive, folder = here / "some.tar.xz", here / "some"
    archive.write_bytes(b"x")
    folder.mkdir()
    (folder / "a.xml").write_text("a")
    own = log_batches.LOGS / "own.xml"
    own.write_text("mine")
    link.link([archive, folder])
    assert sorted(p.name for p in log_batches.LOGS.iterdir()) == [
        ".folders",
        "own.xml",
        "some",
        "some.tar.xz",
    ]
    before = (log_batches.LOGS / ".folders").read_text()
    (folder / "b.xml").write_text("b")
    link.link([])  # the links stay, and what the folder holds is noticed
    assert (log_batches.LOGS / ".folders").read_text() != before
    link.link([archive])
    assert sorted(p.name for p in log_batches.LOGS.iterdir()) == [
        ".folders",
        "own.xml",
        "some.tar.xz",
    ]
    with pytest.raises(SystemExit, match="there are no logs at /nowhere"):
        link.link([Path("/nowhere")])
    assert (log_batches.LOGS / "some.tar.xz").exists()


def test_params_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    with pytest.raises(Error, match="cannot be read"):
        settings.load(path)
    path.write_text((ROOT / "params.yaml").read_text().replace("salt:", "slat:"))
    with pytest.raises(Error, match="slat"):
        settings.load(path)


def test_nothing_half_written_remains(tmp_path: Path) -> None:
    path = tmp_path / "out" / "file.txt"
    with files.atomic_path(path) as temporary:
        temporary.write_text("whole")
    with pytest.raises(TypeError), files.atomic_path(path) as temporary:
        temporary.write_bytes("half")  # type: ignore[arg-type]
    assert path.read_text() == "whole"
    assert [p.name for p in path.parent.iterdir()] == ["file.txt"]


def test_only_what_can_be_made_again_is_shipped(here: Path) -> None:
    shipped = parameters.read(ROOT / "houjuu" / "fitted" / "kurita-hoki-2017.npz")
    (here / "models").mkdir()

    def refused(reason: str, **header: object) -> None:
        changed = Parameters({**shipped.header, **header}, shipped.arrays)
        parameters.write(here / "models" / "houjuu.npz", changed)
        with pytest.raises(Error, match=reason):
            ship.main()
        assert not (here / "houjuu").exists()

    refused("self-play", fitted_on={"source": "self-play"})
    refused("is no commit", commit="abc+")
    refused("is no commit", commit=None)
