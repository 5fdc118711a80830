"""Sources of logs: files, folders, archives and the databases of two downloaders.

The first bytes of a file determine its format, not the name: gzipped logs may end in ``.mjlog``.
Archives are read as a stream, one member at a time. At most `MAX_BYTES` of a member are unpacked
into memory, and an archive as a whole has a limit (`houjuu.logs.unpacking`). An address that
contains a game is a log too (`houjuu.logs.addresses`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

from houjuu.logs import addresses
from houjuu.logs.archives import count_tar, count_zip, tar_entries, zip_entries
from houjuu.logs.databases import ALL_KEYS, KeyRange, database_entries, key_ranges
from houjuu.logs.unpacking import (
    ALL,
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
from houjuu.util.errors import Error, LogError
from houjuu.util.files import open_regular

__all__ = [
    "ALL",
    "MAX_BYTES",
    "Entry",
    "Members",
    "Slices",
    "contents",
    "entries",
    "file_entries",
    "files",
    "is_address",
    "slices",
    "stream_entries",
]

Members = range | KeyRange
"""Some members of an archive, by position, or of a database, by key."""

_ADDRESS_NAME = "address"  # of the game that the address in place of a path contains
MAX_STREAM = 512 << 20  # unit: bytes; of an archive that is not a file, which is read whole
_CHUNK = 1 << 20  # unit: bytes


def entries(path: str | Path) -> Iterator[Entry]:
    """Yield name and content of all logs of a path.

    The path may be a log, plain or compressed; a folder, also with archives; a zip; a tar of any
    compression; or a database of phoenix-logs or houou-logs, with the rows that were downloaded
    without error. It may be an address ``https://tenhou.net/6/#json=…``, or a text file with such
    lines. Names that begin with a dot and devices are skipped. The content is not checked.

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
        The path does not exist, or is neither a file nor a folder; or it is the address of a page.
    """
    if is_address(path):
        return iter([(_ADDRESS_NAME, _address_content(path))])
    return _entries(files(path))


def _address_content(path: str | Path) -> bytes:
    try:
        return addresses.only_content(os.fsencode(path))
    except LogError as problem:
        raise LogError(problem.reason, file=str(path)) from None


def is_address(path: str | Path) -> bool:
    """Whether a path is an address in place of a file."""
    return addresses.is_address(os.fsencode(path))


def _entries(named_files: Iterable[tuple[str, Path | LogError]]) -> Iterator[Entry]:
    for name, file in named_files:
        if isinstance(file, Path):
            yield from file_entries(file, name)
        else:
            yield name, file


def files(path: str | Path) -> Iterator[tuple[str, Path | LogError]]:
    """Yield name and path of all files of a path, in the order of `entries`.

    The name is relative to the folder, if the path is one. An Error stands for a part of a folder
    that cannot be read. Raises LogError as `entries` does.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as problem:
        raise LogError(f"cannot be opened ({reason_of(problem)})", file=str(path)) from None
    if stat.S_ISDIR(mode):
        return _folder(path)
    if stat.S_ISREG(mode):
        return iter([(readable_name(path.name), path)])
    raise LogError("is neither a file nor a folder", file=str(path))


def stream_entries(file: IO[bytes], name: str) -> Iterator[Entry]:
    """Yield name and content of all logs of an open file, as `entries` does for a path.

    Parameters
    ----------
    file : binary file
        A log, plain or compressed, a zip or a tar; at most `MAX_STREAM` bytes are read, and of a
        log that is not compressed at most `MAX_BYTES`.
    name : str
        Its name.
    """
    name = readable_name(name)
    head = file.read(BLOCK)
    if head.startswith(SQLITE):
        raise LogError("is a database, which must be a file; save it", file=name)
    data = BytesIO(head)
    is_packed = head.startswith(ZIP) or is_tar(head) or unpacked(data) is not data
    limit = MAX_STREAM if is_packed else MAX_BYTES
    data.seek(len(head))
    while data.tell() <= limit and (block := file.read(_CHUNK)):
        data.write(block)
    size = data.tell()
    if size > MAX_STREAM:
        reason = f"is longer than {MAX_STREAM >> 20} MiB, the limit for a stream; save it"
        raise LogError(reason, file=name)
    data.seek(0)
    yield from _unpacked_entries(data, name, Budget(size))


def _folder(root: Path) -> Iterator[tuple[str, Path | LogError]]:
    """Walk a folder in the order of names; links are followed, but no folder is read twice."""
    pending = [(root, "")]
    visited = set()
    while pending:
        path, name = pending.pop()
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                yield name, path
            elif stat.S_ISDIR(status.st_mode) and (status.st_dev, status.st_ino) not in visited:
                visited.add((status.st_dev, status.st_ino))
                prefix = f"{name}/" if name else ""
                names = sorted(os.listdir(path), reverse=True)
                pending += [(path / n, prefix + readable_name(n)) for n in names if n[:1] != "."]
        except OSError as problem:
            yield failed(name, problem)


def file_entries(path: Path, name: str, members: Members = ALL) -> Iterator[Entry]:
    """Yield the logs of one file, or a range of them (`slices`), as `entries` does."""
    try:
        with open_regular(path) as file:
            budget = Budget(os.fstat(file.fileno()).st_size)
            if _head(file) == SQLITE:
                keys = members if isinstance(members, KeyRange) else ALL_KEYS
                yield from _games(database_entries(path, name, budget, keys))
            else:
                positions = members if isinstance(members, range) else ALL
                yield from _unpacked_entries(file, name, budget, positions)
    except READ_ERRORS as problem:
        yield failed(name, problem)


class Slices(NamedTuple):
    """Ranges of the members of one file, all of them together.

    Attributes
    ----------
    members : list of Members
        For `file_entries`. `ALL` alone for a single log and for a file that cannot be read.
    is_archive : bool
        Whether the file may have several members.
    is_sequential : bool
        Whether a range costs the unpacking of all before it.
    """

    members: Sequence[Members]
    is_archive: bool = True
    is_sequential: bool = False


def slices(path: Path, size: int) -> Slices:
    """Ranges with at most so many logs of a file each; a tar is unpacked to count its members."""
    try:
        with open_regular(path) as file:
            head = _head(file)
            if head == SQLITE:
                return Slices(key_ranges(path, size))
            if head.startswith(ZIP):
                return Slices(_ranges(count_zip(file), size))
            budget = Budget(os.fstat(file.fileno()).st_size)
            block = _block(file)
            if not is_tar(block):
                text = log_content(unpacked(file), budget)
                count = sum(1 for _ in addresses.entries(path.name, text))
                return Slices(_ranges(count, size)) if count > 1 else Slices([ALL], False)
            count = count_tar(unpacked(file), budget)
            return Slices(_ranges(count, size), is_sequential=True)
    except READ_ERRORS:
        return Slices([ALL])


def _ranges(count: int, size: int) -> list[range]:
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def _head(file: IO[bytes]) -> bytes:
    head = file.read(len(SQLITE))
    file.seek(0)
    return head


def _block(file: IO[bytes]) -> bytes:
    """The first block of a file after unpacking."""
    block = unpacked(file).read(BLOCK)
    file.seek(0)
    return block


def _unpacked_entries(
    file: IO[bytes], name: str, budget: Budget, members: range = ALL
) -> Iterator[Entry]:
    """Yield the logs of an archive or a single log, whose first bytes determine the format."""
    try:
        if _head(file).startswith(ZIP):
            yield from _games(zip_entries(file, name, budget, members))
        elif is_tar(_block(file)):
            yield from _games(tar_entries(unpacked(file), name, budget, members))
        else:
            found = addresses.entries(name, log_content(unpacked(file), budget))
            yield from islice(found, members.start, members.stop)
    except READ_ERRORS as problem:
        yield failed(name, problem)


def _games(members: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the games of each member of an archive."""
    for name, content in members:
        if isinstance(content, bytes):
            yield from addresses.entries(name, content)
        else:
            yield name, content


def contents(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of all logs of a path; raises the first Error of `entries`."""
    for name, data in entries(path):
        if isinstance(data, Error):
            raise data
        yield name, data
