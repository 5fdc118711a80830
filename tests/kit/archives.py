"""Archives and databases of logs."""

from __future__ import annotations

import io
import sqlite3
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

Row = tuple[str, str, int, int, bytes | None]
HOUOU = """CREATE TABLE logs (id TEXT PRIMARY KEY, date TEXT, is_processed INTEGER NOT NULL,
    was_error INTEGER NOT NULL, log BLOB) WITHOUT ROWID"""


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def tarred(members: Mapping[str, bytes], *more: tarfile.TarInfo) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in more:
            archive.addfile(info)
    return file.getvalue()


def database(path: Path, rows: Iterable[Row], layout: str = HOUOU) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute(layout)
        connection.executemany("INSERT INTO logs VALUES (?, ?, ?, ?, ?)", rows)
    connection.close()
    return path
