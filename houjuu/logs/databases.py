"""Logs of the SQLite databases of two downloaders, phoenix-logs and houou-logs.

The file is untrusted: views, virtual tables and generated columns could compute without end, so
that only a plain table is read, with limits of size and steps. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from houjuu.logs.unpacking import (
    MAX_BYTES,
    Budget,
    Entry,
    log_content,
    member,
    optional_module,
    readable_name,
)
from houjuu.util.errors import LogError

if TYPE_CHECKING:
    import sqlite3

_LAYOUTS = {"phoenix-logs": ("log_id", "log_content"), "houou-logs": ("id", "log")}
_MAX_LENGTH = 8 * MAX_BYTES  # unit: bytes, of a row
_STEPS = 100_000  # instructions of SQLite between two calls of the watch
_MAX_CALLS = 5_000  # of the watch, without a row: half a minute


class KeyRange(NamedTuple):
    """Rows with keys from `start` to before `stop`, or to the last one."""

    start: str = ""
    stop: str | None = None


ALL_KEYS = KeyRange()


class _Watch:
    """Interrupts a query that computes for long without a row."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> bool:
        self.calls += 1
        return self.calls > _MAX_CALLS


def database_entries(
    path: Path, name: str, budget: Budget, keys: KeyRange = ALL_KEYS
) -> Iterator[Entry]:
    """Yield the logs of a database that were downloaded without error, in the order of keys."""
    with _opened(path) as (database, watch):
        for key, data in database.execute(_query(database), keys):
            watch.calls = 0
            content = partial(log_content, BytesIO(data), budget)
            yield member(content, f"{name}/{readable_name(str(key))}")


def key_ranges(path: Path, size: int) -> list[KeyRange]:
    """Ranges of keys with at most so many rows each."""
    with _opened(path) as (database, watch):
        key, _ = _columns(database)
        starts: list[str] = []
        for number, (text,) in enumerate(
            database.execute(
                f"SELECT CAST({key} AS TEXT) FROM logs WHERE {key} >= '' ORDER BY {key}"
            )
        ):
            watch.calls = 0
            if number % size == 0:
                starts.append(str(text))
    return [KeyRange(start, stop) for start, stop in pairwise([*starts, None]) if start is not None]


@contextmanager
def _opened(path: Path) -> Iterator[tuple[sqlite3.Connection, _Watch]]:
    path = path.resolve()
    _check_journals(path)
    sqlite = optional_module("sqlite3")
    with closing(sqlite.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        watch = _Watch()
        database.text_factory = lambda text: text.decode(errors="replace")
        database.setlimit(sqlite.SQLITE_LIMIT_LENGTH, _MAX_LENGTH)
        database.set_progress_handler(watch, _STEPS)
        database.execute("PRAGMA trusted_schema=OFF")
        yield database, watch


def _check_journals(path: Path) -> None:
    """Raise LogError if changes of the database wait in another file, which is not read."""
    for suffix in ("-wal", "-journal"):
        journal = path.with_name(path.name + suffix)
        if journal.exists() and journal.stat().st_size:
            raise LogError(
                f"has changes in {journal.name} that are not in it yet; close the program that "
                f"uses it, or run: sqlite3 {path.name} 'PRAGMA wal_checkpoint(TRUNCATE)'"
            )


def _columns(database: sqlite3.Connection) -> tuple[str, str]:
    """The columns of the key and the content; raises LogError if the layout is another one."""
    schema = database.execute("SELECT sql FROM sqlite_master WHERE name='logs' COLLATE NOCASE")
    is_table = [str(sql).upper().startswith("CREATE TABLE") for (sql,) in schema]
    columns = {row[1] for row in database.execute("PRAGMA table_info(logs)")} if is_table else ()
    for key, content in _LAYOUTS.values():
        if {key, content, "is_processed", "was_error"} <= set(columns):
            break
    else:
        raise LogError(f"is a database of neither {' nor '.join(_LAYOUTS)}")
    if is_table != [True]:
        raise LogError("has a view in place of the table logs, which houjuu does not read")
    return key, content


def _query(database: sqlite3.Connection) -> str:
    """The query for a range of keys."""
    key, content = _columns(database)
    return (
        f"SELECT CAST({key} AS TEXT), CASE WHEN length({content}) <= {MAX_BYTES}"
        f" THEN CAST({content} AS BLOB) ELSE zeroblob({MAX_BYTES} + 1) END FROM logs"
        f" WHERE is_processed AND NOT was_error AND {content} IS NOT NULL"
        f" AND {key} >= ? AND ({key} < ?2 OR ?2 IS NULL) ORDER BY {key}"
    )
