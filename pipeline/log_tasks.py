"""The logs in data/logs, as tasks that name them: a worker opens the files.

The logs are cut into shards in the order of the names of files and members. A shard has members of
one archive or database, or some single files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from houjuu.logs.sources import ALL, Entry, Members, Slices, file_entries, files, slices
from houjuu.util.errors import LogError
from pipeline.engine import Engine
from pipeline.resume import runs

LOGS = Path("data/logs")
SELFPLAY = Path("data/selfplay.zip")
_TASKS_OF_SEQUENTIAL = 8
"""Tasks of a tar: each of them unpacks all members before its own."""
_COUNTING_TASKS = 256
"""The most tasks that learn the formats of the files and how many games they have."""


def has_logs() -> bool:
    """Whether there are logs in data/logs; hidden files do not count."""
    return any(not path.name.startswith(".") for path in LOGS.glob("*"))


def source() -> Path:
    """data/logs if it has files, else the self-played games."""
    return LOGS if has_logs() else SELFPLAY


class LogShard(NamedTuple):
    """The logs of a shard: name and content of each, or an Error.

    Attributes
    ----------
    place : str
        The number of the shard.
    entries : list of Entry
    """

    place: str
    entries: list[Entry]

    def content(self) -> Iterator[bytes]:
        """Names, and contents or errors."""
        for name, data in self.entries:
            yield name.encode(errors="surrogateescape")
            yield data if isinstance(data, bytes) else str(data).encode(errors="surrogateescape")


@dataclass(frozen=True, slots=True)
class LogTask:
    """Some shards of the logs.

    Attributes
    ----------
    numbers : range
        The numbers of the shards.
    files : tuple of (str, str or LogError)
        Name and absolute path of each file, or why it cannot be read.
    members : Members
        Those of the file, if there is one.
    games_per_shard : int
    """

    numbers: range
    files: tuple[tuple[str, str | LogError], ...]
    members: Members
    games_per_shard: int

    @property
    def size(self) -> int:
        """Number of logs, as far as it is known: a range of a database has no number."""
        if len(self.files) == 1 and isinstance(self.members, range) and self.members != ALL:
            return len(self.members)
        return len(self.files) if self.members == ALL else self.games_per_shard

    def shards(self) -> Iterator[LogShard]:
        """Yield the logs of each shard."""
        entries = chain.from_iterable(self._entries(name, path) for name, path in self.files)
        for number in self.numbers:
            count = self.games_per_shard if number < self.numbers[-1] else None
            yield LogShard(f"{number:06}", list(islice(entries, count)))

    def _entries(self, name: str, path: str | LogError) -> Iterable[Entry]:
        if isinstance(path, LogError):
            return [(name, path)]
        return file_entries(Path(path), name, self.members)


def log_tasks(path: Path, games_per_shard: int, engine: Engine) -> list[LogTask]:
    """The tasks that read all logs of a path, with about so many games a shard.

    The shards depend on the logs alone, and not on the workers.
    """
    log_files = list(files(path))
    readable = [str(file.resolve()) for _, file in log_files if isinstance(file, Path)]
    step = max(-(-len(readable) // _COUNTING_TASKS), 1)
    groups = [readable[i : i + step] for i in range(0, len(readable), step)]
    counted = chain.from_iterable(engine.map(partial(_slices, size=games_per_shard), groups))
    tasks: list[LogTask] = []
    singles: list[tuple[str, str | LogError]] = []
    first = 0
    for name, file in log_files:
        cut = next(counted) if isinstance(file, Path) else Slices([ALL], is_archive=False)
        location = str(file.resolve()) if isinstance(file, Path) else file
        if not cut.is_archive:
            singles.append((name, location))
            continue
        for members in _joined(cut):
            n_shards = -(-len(members) // games_per_shard) if isinstance(members, range) else 1
            n_shards = 1 if members == ALL else n_shards
            numbers = range(first, first + n_shards)
            tasks.append(LogTask(numbers, ((name, location),), members, games_per_shard))
            first = numbers.stop
    for run in runs([name for name, _ in singles], games_per_shard):
        numbers = range(first, first + 1)
        tasks.append(LogTask(numbers, tuple(singles[run]), ALL, games_per_shard))
        first = numbers.stop
    return tasks


def _slices(paths: Sequence[str], size: int) -> list[Slices]:
    return [slices(Path(path), size) for path in paths]


def _joined(cut: Slices) -> Sequence[Members]:
    """The slices, or some joined ones where each costs the unpacking of all before it."""
    if not cut.is_sequential:
        return cut.members
    step = -(-len(cut.members) // _TASKS_OF_SEQUENTIAL)
    groups = [cut.members[i : i + step] for i in range(0, len(cut.members), max(step, 1))]
    return [range(_ends(group[0])[0], _ends(group[-1])[1]) for group in groups]


def _ends(members: Members) -> tuple[int, int]:
    assert isinstance(members, range)
    return members.start, members.stop
