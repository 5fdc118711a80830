"""The table of risks of many games: one part a game, made in several processes, then joined.

The parts are in a folder beside the output until it is complete. The name of a part is a hash of
the log, the model and the version, and a part is written completely or not at all. Thus an
interrupted command continues, and no part of another model or log is used.
"""

from __future__ import annotations

import csv
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, suppress
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from houjuu import __version__
from houjuu.arena import risk_table
from houjuu.estimators import seen_games
from houjuu.estimators.loading import identity, load
from houjuu.estimators.protocol import Estimator
from houjuu.logs import any_format as logs
from houjuu.logs.sources import Entry, entries
from houjuu.util.csv_text import csv_text
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError, import_extra, needed
from houjuu.util.files import atomic_path, sole_use, write_text
from houjuu.util.game_hashes import Hashes, hashes
from houjuu.util.in_flight import PER_WORKER, in_order

with needed("arena"):
    from tqdm import tqdm

_PART_NAME = re.compile(r"[0-9a-f]{32}\.csv|\.houjuu-[0-9a-f]+\.part")
CSV, PARQUET = ".csv", ".parquet"
_SEEN = "seen\n"
"""The part of a game that the model has seen."""
Writer = Callable[[Iterable[Path], Path], None]


class _LogTask(NamedTuple):
    """A log whose rows are to be made, and the file of its part of the table."""

    log: str
    content: bytes
    model: str
    path: Path


def write_risks(
    paths: Sequence[str],
    output: Path,
    model: str,
    jobs: int | None = None,
    *,
    keep_seen: bool = False,
    report: Callable[[str], None] = lambda _: None,
) -> list[Error]:
    """Write the table of all games of some paths.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders, archives and databases.
    output : Path
        ``.csv`` or ``.parquet``. The unfinished parts are in the folder ``OUTPUT.parts``.
    model : str
        As `houjuu.load` takes it.
    jobs : int, optional
        Number of processes, by default one for each core. The output does not depend on it.
    keep_seen : bool, default=False
        Whether the table has the games of the model's fit too: nothing is measured on them.
    report : callable, optional
        Takes a sentence with the number of games that are left out for it.

    Returns
    -------
    list of Error
        A reason for each log that is left out.

    Raises
    ------
    Error
        The output has another suffix or no folder, a path cannot be opened, there is no such
        model, or no game can be read.
    MissingPackageError
        A Parquet file needs pyarrow.
    """
    write = _writer(output)
    stamp = f"{__version__} {risk_table.VERSION} {keep_seen} {identity(model)}".encode()
    folder = Path(f"{output}.parts")
    parts, names, problems = _inventory(paths, folder, stamp)
    with sole_use(folder):
        make = partial(_make_part, None if keep_seen else model)
        left_out = _make(paths, parts, model, jobs or os.cpu_count() or 1, make)
        read = {path: name for path, name in names.items() if path not in left_out}
        unseen = {path: name for path, name in read.items() if not _is_seen(path)}
        if len(unseen) < len(read):
            report(seen_games.sentence(len(read) - len(unseen), len(read)))
        made, repeated = _different_games(unseen)
        problems += [*left_out.values(), *repeated]
        if not made:
            reason = f": {problems[0]}" if problems else ""
            raise Error(f"no game can be read{reason}", file=paths[0])
        try:
            with atomic_path(output) as temporary:
                write(made, temporary)
        except OSError as problem:
            raise Error(f"cannot be written: {problem.strerror}", file=str(output)) from None
        _remove_parts(folder)
    return problems


def _remove_parts(folder: Path) -> None:
    """Remove all parts, also of other models, and the folder if it has nothing else."""
    for path in folder.iterdir():
        if _PART_NAME.fullmatch(path.name):
            path.unlink()
    with suppress(OSError):
        folder.rmdir()


def _writer(output: Path) -> Writer:
    if output.suffix not in (CSV, PARQUET):
        raise Error("cannot be written; the table is a .csv or .parquet file", file=str(output))
    if output.is_dir() or not output.parent.is_dir():
        raise Error("cannot be written: it is a folder, or in no folder", file=str(output))
    if output.suffix == CSV:
        return _join
    writer: Writer = import_extra("parquet", "arena.risk_parquet").join
    return writer


def _inventory(
    paths: Sequence[str], folder: Path, stamp: bytes
) -> tuple[dict[str, Path], dict[Path, str], list[Error]]:
    """The part of each log by its digest, the log of each part, and the logs that are left out."""
    prefix = hashlib.sha256(stamp)
    parts: dict[str, Path] = {}
    first_names: dict[str, str] = {}
    problems = []
    for name, content in tqdm(_all_entries(paths), "logs", unit="log", leave=False):
        if isinstance(content, Error):
            problems.append(content)
            continue
        key = _digest(content)
        if key in first_names:
            problems.append(Error(f"is the same log as {first_names[key]}", file=name))
            continue
        first_names[key] = name
        digest = prefix.copy()
        digest.update(f"{name}\n{key}".encode())
        parts[key] = folder / f"{digest.hexdigest()[:32]}.csv"
    names = {path: first_names[key] for key, path in parts.items()}
    return parts, names, problems


def _all_entries(paths: Sequence[str]) -> Iterator[Entry]:
    return chain.from_iterable(map(entries, paths))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _make(
    paths: Sequence[str],
    parts: dict[str, Path],
    model: str,
    jobs: int,
    make: Callable[[_LogTask], tuple[Path, Error | None]],
) -> dict[Path, Error]:
    """Make the missing parts; returns why a log is left out, by its part."""
    missing = {key: path for key, path in parts.items() if not path.exists()}
    left_out: dict[Path, Error] = {}
    bar = tqdm(desc="risks", total=len(parts), initial=len(parts) - len(missing), unit="game")
    with bar, ProcessPoolExecutor(min(jobs, max(len(missing), 1))) as pool:
        tasks = _tasks(paths, missing, model)
        done = in_order(lambda task: pool.submit(make, task), tasks, PER_WORKER * jobs)
        with closing(done):  # cancels the tasks in flight after an error
            for path, problem in done:
                bar.update()
                if problem is not None:
                    left_out[path] = problem
    return left_out


def _tasks(paths: Sequence[str], missing: dict[str, Path], model: str) -> Iterator[_LogTask]:
    """Yield every missing part once, with its log."""
    remaining = dict(missing)
    for name, content in _all_entries(paths) if remaining else ():
        if isinstance(content, bytes) and (path := remaining.pop(_digest(content), None)):
            yield _LogTask(name, content, model, path)
        if not remaining:
            return


def _make_part(judge: str | None, task: _LogTask) -> tuple[Path, Error | None]:
    """Write the rows of a log; returns its part, and why it is left out.

    The part of a game in the fit of the judge is `_SEEN`.
    """
    try:
        game = logs.parse(task.content, task.log)
        text = _SEEN
        if judge is None or not np.isin(hashes([game.id]), _seen_by(judge)).all():
            text = csv_text(risk_table.rows(game, _estimator(task.model)))
    except MissingPackageError:
        raise
    except Error as problem:
        return task.path, problem.in_file(task.log)
    write_text(task.path, text)
    return task.path, None


@lru_cache(maxsize=1)
def _seen_by(model: str) -> Hashes:
    """The games of the fit of a model, read once in a process."""
    return seen_games.seen_by(model)


def _is_seen(part: Path) -> bool:
    """Whether a part is that of a game of the fit."""
    try:
        return part.stat().st_size == len(_SEEN) and part.read_text(encoding="utf-8") == _SEEN
    except OSError as problem:
        raise Error(f"cannot be read ({problem.strerror})", file=str(part)) from None


@lru_cache(maxsize=1)
def _estimator(model: str) -> Estimator:
    """The model, loaded once in a process."""
    return load(model)


def _different_games(parts: dict[Path, str]) -> tuple[list[Path], list[Error]]:
    """The parts, with their logs, without those whose game id an earlier one has.

    Raises Error if a part is missing. A game without a decision has no row, and so no id.
    """
    position = risk_table.names().index("game")
    made: list[Path] = []
    by_id: dict[str, Path] = {}
    problems = []
    for path, log in parts.items():
        try:
            with path.open(encoding="utf-8") as file:
                row = next(csv.reader(file), None)
        except OSError as problem:
            raise Error(f"cannot be read ({problem.strerror})", file=str(path)) from None
        first = path if row is None else by_id.setdefault(row[position], path)
        if first == path:
            made.append(path)
        else:
            problems.append(Error(f"has the same game id as {parts[first]}", file=log))
    return made, problems


def _join(parts: Iterable[Path], output: Path) -> None:
    """Join the parts under one head."""
    with output.open("wb") as file:
        file.write(csv_text([risk_table.names()]).encode())
        for part in parts:
            with part.open("rb") as of_part:
                shutil.copyfileobj(of_part, file)
