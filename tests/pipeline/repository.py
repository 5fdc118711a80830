"""A clone of the pipeline with parameters that make it fast, and DVC run in it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from pipeline import graph

ROOT = Path(__file__).parents[2]
PARTS = (
    *("houjuu", "features", "models", "pipeline", "dvc.yaml", "params.yaml"),
    *(".dvcignore", ".gitignore"),
)
PEERS = Path("docs", "real-run", "peers.json")

_WAITS = {"penalty": 1000.0, "repeat_weight_exponent": 0.5}
_SMALL: dict[str, dict[str, object]] = {
    "parse": {"validate_share": 0.4, "games_per_shard": 2},
    "ablation": {"tasks": ["tenpai", "melded"], "learning_curve": [2]},
    "predict": {"games": 2},
    "train": {
        "tenpai_gam": {
            "fine": 8,
            "coarse": 3,
            "C": [0.1, 0.03],
            "l2_per_meld": 60.0,
            "l2_pairs": 10.0,
            "pair_rounds": 1,
            "pairs": 2,
            "subsample_stride": 4,
        },
        **{f"{name}_waits": _WAITS for name in ("riichi", "closed", "melded")},
        **{f"{name}_han": {"penalty": 100.0, "smoothing": 20.0} for name in ("riichi", "closed")},
        "melded_han": {"penalty": 100.0},
    },
    "train_network": {"units": 8, "epochs": 1},
    "action_rows": {"decision_stride": 32, "rare_stride": 8},
    "train_preferences": {"units": 4, "epochs": 1},
}
"""Strong penalties and few pairs: the fits converge in few steps."""


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command that uses the code of the folder."""
    return os.environ | {
        "PYTHONPATH": f"{folder}:{ROOT}",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        **{f"GIT_{role}_NAME": "test" for role in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{role}_EMAIL": "test@example.org" for role in ("AUTHOR", "COMMITTER")},
    }


def run(
    folder: Path, *command: str, check: bool = True, text: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder, with the code of the folder and a text as its input."""
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(folder),
        check=check,
        capture_output=True,
        text=True,
        input=text,
    )


def copy(folder: Path) -> None:
    """Copy the code and the settings of the pipeline to a new folder, without models and logs."""
    folder.mkdir(parents=True)
    for part in PARTS:
        if (ROOT / part).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        else:
            shutil.copy(ROOT / part, folder / part)
    for exported in (folder / "models").glob("*.npz"):
        exported.unlink()
    (folder / "data" / "logs").mkdir(parents=True)
    shutil.copy(ROOT / "data" / ".gitignore", folder / "data")
    (folder / PEERS).parent.mkdir(parents=True)
    shutil.copy(ROOT / PEERS, folder / PEERS)


def make(folder: Path, games: int) -> Path:
    """Make a clone of the pipeline that plays so many games; returns the folder."""
    copy(folder)
    change_params(folder, "selfplay", games=games)
    for section, values in _SMALL.items():
        change_params(folder, section, **values)
    run(folder, "git", "init", "--quiet")
    run(folder, "dvc", "init", "--quiet")
    return folder


def change_params(folder: Path, section: str, **values: object) -> None:
    """Change some values of a section of params.yaml."""
    params = yaml.safe_load((folder / "params.yaml").read_text())
    params[section] |= values
    (folder / "params.yaml").write_text(yaml.safe_dump(params))


def repro(folder: Path, *targets: str) -> list[str]:
    """Run ``dvc repro``; returns the names of the stages that it started, in order."""
    result = run(folder, "dvc", "repro", *targets, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    return [line.split("'")[1] for line in lines if line.startswith("Running stage")]


def outs(folder: Path, *stages: str) -> list[str]:
    """Paths of the outputs of some stages (default: all) that are there, files and folders."""
    declared = graph.stages()
    chosen = [stage for name, stage in declared.items() if not stages or stage.module in stages]
    all_outs = [out for stage in chosen for out in stage.outs]
    return [out for out in all_outs if (folder / out).exists()]


def out_hashes(folder: Path, *stages: str) -> dict[str, str]:
    """MD5 of every file of the outputs of some stages (default: all), by path."""
    files = [
        file
        for out in outs(folder, *stages)
        for file in ((folder / out).rglob("*") if (folder / out).is_dir() else [folder / out])
        if file.is_file()
    ]
    return {
        str(file.relative_to(folder)): hashlib.md5(file.read_bytes()).hexdigest() for file in files
    }


def remove_outs(folder: Path, *stages: str) -> None:
    """Remove the outputs of some stages, and the shards that they would be made from."""
    for out in outs(folder, *stages):
        remove(folder / out)
    for stage in stages:
        for store in (folder / "data" / "shards").glob(f"{stage}*"):
            remove(store)


def remove(path: Path) -> None:
    """Remove a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
