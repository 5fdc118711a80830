"""Sources of logs: files, folders, archives and the databases of two downloaders.

The first bytes of a file determine its format, not the name: gzipped logs may end in ``.mjlog``.
Archives are read as a stream, one member at a time. At most `MAX_BYTES` of a member are unpacked
into memory, and an archive as a whole has a limit (`houjuu.logs.unpacking`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO

from houjuu.errors import Error, LogError
from houjuu.logs.archives import tar_entries, zip_entries
from houjuu.logs.databases import database_entries
from houjuu.logs.unpacking import (
    BLOCK,
    MAX_BYTES,
    READ_ERRORS,
    SQLITE,
    ZIP,
    Budget,
    Entry,
    failed,
    is_tar,
    log_content,
    readable_name,
    reason_of,
    unpacked,
)

__all__ = ["MAX_BYTES", "Entry", "contents", "entries", "stream_entries"]

MAX_STREAM = 1 << 30  # unit: bytes; of an open file, which is read whole


def entries(path: str | Path) -> Iterator[Entry]:
    """Yield name and content of all logs of a path.

    The path may be a log, plain or compressed; a folder, also with archives; a zip; a tar of any
    compression; or a database of phoenix-logs or houou-logs, with the rows that were downloaded
    without error. Names that begin with a dot and devices are skipped. The content is not checked.

    Parameters
    ----------
    path : str or Path

    Yields
    ------
    (str, bytes or Error)
        The name, such as ``2018.zip/2018111100gm.xml`` (relative to the folder, if the path is
        one), and the unpacked content, or an Error if it cannot be read.

    Raises
    ------
    LogError
        The path does not exist, or is neither a file nor a folder.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as problem:
        raise LogError(f"cannot be opened ({reason_of(problem)})", file=str(path)) from None
    if stat.S_ISDIR(mode):
        return _folder(path)
    if stat.S_ISREG(mode):
        return _file(path, readable_name(path.name))
    raise LogError("is neither a file nor a folder", file=str(path))


def stream_entries(file: IO[bytes], name: str) -> Iterator[Entry]:
    """Yield name and content of all logs of an open file, as `entries` does for a path.

    Parameters
    ----------
    file : binary file
        A log, plain or compressed, a zip or a tar; at most `MAX_STREAM` bytes.
    name : str
        Its name.
    """
    data = file.read(MAX_STREAM + 1)
    if len(data) > MAX_STREAM:
        limit = f"{MAX_STREAM >> 20} MiB"
        raise LogError(f"is longer than {limit}, the limit for a stream; save it", file=name)
    if data.startswith(SQLITE):
        raise LogError("is a database, which must be a file; save it", file=name)
    yield from _unpacked_entries(BytesIO(data), name, Budget(len(data)))


def _folder(root: Path) -> Iterator[Entry]:
    """Walk a folder in the order of names; links are followed, but no folder is read twice."""
    pending, visited = [(root, "")], set()
    while pending:
        path, name = pending.pop()
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                yield from _file(path, name)
            elif stat.S_ISDIR(status.st_mode) and (status.st_dev, status.st_ino) not in visited:
                visited.add((status.st_dev, status.st_ino))
                prefix = f"{name}/" if name else ""
                names = sorted(os.listdir(path), reverse=True)
                pending += [(path / n, prefix + readable_name(n)) for n in names if n[:1] != "."]
        except OSError as problem:
            yield failed(name, problem)


def _file(path: Path, name: str) -> Iterator[Entry]:
    """Yield the logs of one file, whose first bytes determine the format."""
    try:
        with path.open("rb") as file:
            budget = Budget(os.fstat(file.fileno()).st_size)
            head = file.read(len(SQLITE))
            file.seek(0)
            if head == SQLITE:
                yield from database_entries(path, name, budget)
            else:
                yield from _unpacked_entries(file, name, budget)
    except (Error, *READ_ERRORS) as problem:
        yield failed(name, problem)


def _unpacked_entries(file: IO[bytes], name: str, budget: Budget) -> Iterator[Entry]:
    """Yield the logs of an archive or a single log, whose first bytes determine the format."""
    head = file.read(len(SQLITE))
    file.seek(0)
    packed = zip_entries if head.startswith(ZIP) else _stream
    try:
        yield from packed(file, name, budget)
    except (Error, *READ_ERRORS) as problem:
        yield failed(name, problem)


def _stream(file: IO[bytes], name: str, budget: Budget) -> Iterator[Entry]:
    """Yield the logs of a tar or of a single log, compressed or not."""
    head = unpacked(file).read(BLOCK)
    file.seek(0)
    stream = unpacked(file)
    if is_tar(head):
        yield from tar_entries(stream, name, budget)
    else:
        yield name, log_content(stream, budget)


def contents(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of all logs of a path; raises the first Error of `entries`."""
    for name, data in entries(path):
        if isinstance(data, Error):
            raise data
        yield name, data
