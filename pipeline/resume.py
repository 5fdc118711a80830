"""Outputs made shard by shard: an interrupted stage continues where it stopped.

The shards of an unfinished stage are in data/unfinished, in a folder that is named by a hash of the
stage's code, parameters and inputs. Shards made from anything else are removed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import yaml
from tqdm import tqdm

from pipeline import code, graph
from pipeline.engine import Engine
from pipeline.files import save_json
from pipeline.settings import PATH as PARAMS

UNFINISHED = Path("data/unfinished")
Counts = dict[str, int]


class Numbered(Protocol):
    """A task that makes one shard or several."""

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of its shards."""
        ...

    @property
    def size(self) -> int:
        """Number of games, for the progress bar."""
        ...


class Job(NamedTuple):
    """The outputs of a stage, and its inputs.

    Attributes
    ----------
    stage : str
        The module of the stage, and its name in dvc.yaml.
    outs : sequence of str
        The folders that it makes.
    inputs : iterable of str
        Texts with all that the shards depend on, besides code and parameters.
    """

    stage: str
    outs: Sequence[str]
    inputs: Iterable[str]


def make_shards(
    job: Job, function: Callable[[Any, Path], Counts], tasks: Sequence[Numbered], engine: Engine
) -> Counts:
    """Make the shards of a stage that are not there yet, then put them in place.

    Parameters
    ----------
    job : Job
    function : callable
        Makes the shards of a task in a folder, at `shard_path`; returns counts.
    tasks : sequence of Numbered
    engine : Engine

    Returns
    -------
    dict of str to int
        The sum of the counts over all shards.
    """
    folder = UNFINISHED / job.stage / _digest(job)
    _remove_others(folder)
    waiting = [task for task in tasks if _counts(folder, task) is None]
    n_games = sum(task.size for task in tasks)
    with tqdm(total=n_games, desc=job.stage, unit="game") as progress:
        progress.update(n_games - sum(task.size for task in waiting))
        make = partial(_make, function, folder.resolve())
        for task, _ in zip(waiting, engine.map(make, waiting), strict=True):
            progress.update(task.size)
    total: Counter[str] = Counter()
    for task in tasks:
        total.update(_counts(folder, task) or {})
    _publish(folder, job.outs)
    return dict(total)


def shard_path(folder: Path, out: str, number: int, suffix: str = "parquet") -> Path:
    """Path of a shard of an output in the folder that a stage makes or has made."""
    return folder / Path(out).relative_to("data") / f"{number:06}.{suffix}"


def _make(function: Callable[[Any, Path], Counts], folder: Path, task: Numbered) -> None:
    save_json(function(task, folder), _marker(folder, task))


def _marker(folder: Path, task: Numbered) -> Path:
    return folder / "done" / f"{task.numbers[0]:06}-{task.numbers[-1]:06}.json"


def _counts(folder: Path, task: Numbered) -> Counts | None:
    """The counts of a task that is done."""
    try:
        counts: Counts = json.loads(_marker(folder, task).read_text())
    except FileNotFoundError:
        return None
    return counts


def _digest(job: Job) -> str:
    """Hash of the code of a stage, its parameters, and its inputs."""
    digest = hashlib.sha256()
    digest.update(code.listing(job.stage).encode())
    declared = next(entry for entry in graph.stages().values() if entry.module == job.stage)
    params = yaml.safe_load(PARAMS.read_text())
    chosen = {name: params[name] for name in declared.params}
    digest.update(json.dumps(chosen, sort_keys=True).encode())
    for text in job.inputs:
        digest.update(f"{text}\n".encode())
    return digest.hexdigest()[:32]


def _remove_others(folder: Path) -> None:
    for other in folder.parent.glob("*"):
        if other != folder:
            shutil.rmtree(other)


def _publish(folder: Path, outs: Sequence[str]) -> None:
    """Put the finished outputs in place of older ones."""
    shutil.rmtree(folder / "done", ignore_errors=True)  # a kill from here on begins anew
    for out in outs:
        made = folder / Path(out).relative_to("data")
        made.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(out, ignore_errors=True)
        Path(out).parent.mkdir(parents=True, exist_ok=True)
        os.replace(made, out)
    shutil.rmtree(folder)
    for parent in (folder.parent, UNFINISHED):
        if not any(parent.iterdir()):
            parent.rmdir()


def content_digest(path: str | Path) -> str:
    """Hash of a file, as an input of `make_shards`."""
    with Path(path).open("rb") as file:
        return f"{path} {hashlib.file_digest(file, 'sha256').hexdigest()}"
