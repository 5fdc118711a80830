"""Outputs made shard by shard: only what has changed is made again.

data/shards/STAGE has a folder for each shard, named by a hash of the stage's code, its parameters
and the content of the shard. An interrupted stage continues where it stopped, and further logs cost
the shards of their games. The outputs have links to the same files.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import yaml
from tqdm import tqdm

from houjuu.util.game_hashes import hashes
from houjuu.util.objects import file_digest
from pipeline import code, graph
from pipeline.engine import Engine
from pipeline.files import save_json
from pipeline.settings import PATH as PARAMS

UNFINISHED = Path("data/unfinished")
STORE = Path("data/shards")
_COUNTS = "counts.json"
"""It completes the folder of a shard."""
_LIMITS = ("games", "held_out")
"""Parameters that select games, and change no row."""
Counts = dict[str, int]


class Shard(Protocol):
    """The input of one shard."""

    @property
    def place(self) -> str:
        """Path of its files in each output, without the suffix."""
        ...

    def content(self) -> Iterable[bytes]:
        """All that its files depend on, besides code, parameters and the inputs of the job."""
        ...


class Task(Protocol):
    """The work of one worker: a shard or several."""

    @property
    def size(self) -> int:
        """Number of games, for the progress bar."""
        ...

    def shards(self) -> Iterable[Shard]:
        """Open its shards, one after another."""
        ...


class Job(NamedTuple):
    """The outputs of a stage, and its inputs.

    Attributes
    ----------
    stage : str
        Its name in dvc.yaml.
    outs : sequence of str
        The folders that it makes.
    inputs : iterable of str
        Texts with all that every shard depends on, besides code and parameters.
    """

    stage: str
    outs: Sequence[str] = ()
    inputs: Iterable[str] = ()


class Made(NamedTuple):
    """A shard that is there: its place, its counts, and its folder in `STORE`."""

    place: str
    counts: Counts
    folder: Path


def runs(names: Sequence[str], size: int) -> Iterator[slice]:
    """Cut sorted names into runs of about `size`, and of at most twice as many.

    A hash decides where a run begins: another name more or less changes its own run, and seldom
    the next one.
    """
    least = max(size // 2, 1)
    begins = hashes(names) % np.uint64(size - least + 1) == 0 if len(names) else ()
    start = 0
    for index, begin in enumerate(begins):
        if index - start >= (least if begin else 2 * size):
            yield slice(start, index)
            start = index
    if len(names):
        yield slice(start, len(names))


def make_shards(
    job: Job, function: Callable[[Any, Path], Counts], tasks: Sequence[Task], engine: Engine
) -> list[Made]:
    """Make the shards of a stage that are not there yet, then link them into its outputs.

    Parameters
    ----------
    job : Job
    function : callable
        Makes the files of a shard in a folder, at `shard_file`; returns counts.
    tasks : sequence of Task
    engine : Engine

    Returns
    -------
    list of Made
        The shards, in the order of the tasks.
    """
    store = (STORE / job.stage).resolve()
    make = partial(_make, function, _digest(job), store)
    made: list[Made] = []
    with tqdm(total=sum(task.size for task in tasks), desc=job.stage, unit="game") as progress:
        for task, of_task in zip(tasks, engine.map(make, tasks), strict=True):
            made += of_task
            progress.update(task.size)
    _publish(store, job.outs, made)
    kept = {shard.folder.name for shard in made}
    for folder in [*store.glob("*")]:
        if folder.name not in kept:
            shutil.rmtree(folder)
    return made


def total(made: Iterable[Made]) -> Counts:
    """The sum of the counts of shards."""
    counts: Counter[str] = Counter()
    for shard in made:
        counts.update(shard.counts)
    return dict(counts)


def shard_file(folder: Path, out: str, suffix: str = "parquet") -> Path:
    """Path of the file of an output in the folder of a shard."""
    return folder / f"{Path(out).stem}.{suffix}"


def _make(
    function: Callable[[Any, Path], Counts], digest: str, store: Path, task: Task
) -> list[Made]:
    made = []
    for shard in task.shards():
        key = hashlib.sha256(digest.encode())
        for part in shard.content():
            key.update(b"%d " % len(part) + part)
        folder = store / key.hexdigest()[:32]
        try:
            counts = json.loads((folder / _COUNTS).read_text())
        except FileNotFoundError:
            counts = function(shard, folder)
            save_json(counts, folder / _COUNTS)
        made.append(Made(shard.place, counts, folder))
    return made


def _digest(job: Job) -> str:
    """Hash of the code of a stage, its parameters, and the inputs of all shards."""
    digest = hashlib.sha256(code.listing(job.stage).encode())
    params = yaml.safe_load(PARAMS.read_text())
    for name in graph.stages()[job.stage].params:
        used = {key: value for key, value in params[name].items() if key not in _LIMITS}
        digest.update(json.dumps([name, used], sort_keys=True).encode())
    for text in job.inputs:
        digest.update(f"{text}\n".encode())
    return digest.hexdigest()


def _publish(store: Path, outs: Sequence[str], made: Sequence[Made]) -> None:
    """Put links to the shards in place of older outputs."""
    for out in outs:
        new = store / "new" / Path(out).name
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        for shard in made:
            file, target = shard_file(shard.folder, out), new / f"{shard.place}.parquet"
            if file.exists():
                target.parent.mkdir(exist_ok=True)
                _link(file, target)
        shutil.rmtree(out, ignore_errors=True)
        Path(out).parent.mkdir(parents=True, exist_ok=True)
        os.replace(new, out)


def _link(file: Path, target: Path) -> None:
    try:
        os.link(file, target)
    except OSError:  # a file system without links
        shutil.copyfile(file, target)


def content_digest(path: str | Path) -> str:
    """Hash of a file, as an input of `make_shards`."""
    return f"{path} {file_digest(Path(path))}"
