"""Sources of logs: files, folders, archives and the databases of two downloaders.

The first bytes of a file determine its format, not the name: gzipped logs may end in ``.mjlog``.
Archives are read as a stream, one member at a time. At most `MAX_BYTES` of a member are unpacked
into memory.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sqlite3
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, Protocol, cast

from houjuu.errors import Error, LogError

Entry = tuple[str, bytes | Error]
MAX_BYTES = 8 << 20  # unit: bytes; of one log, unpacked
MAX_STREAM = 1 << 30  # unit: bytes; of an open file, which is read whole
_MAX_HEADERS = 1 << 20  # unit: bytes; more than the headers of a member in a tar need
_BLOCK = tarfile.BLOCKSIZE

_GZIP = b"\x1f\x8b"
_SQLITE = b"SQLite format 3\0"
_ENCRYPTED = 1  # a flag of the members of a zip
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_UNSUPPORTED = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "RAR", b"\x28\xb5\x2f\xfd": "Zstandard"}


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


_UNPACKERS: tuple[tuple[bytes, Callable[[IO[bytes]], _Readable]], ...] = (
    (_GZIP, lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\0", lzma.LZMAFile),
    (b"\x5d\0\0", lzma.LZMAFile),
)
_LAYOUTS = {"phoenix-logs": ("log_id", "log_content"), "houou-logs": ("id", "log")}
_READ_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,  # zipfile raises it for an unknown compression
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    sqlite3.Error,
)


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
        raise LogError(f"cannot be opened ({_reason(problem)})", file=str(path)) from None
    if stat.S_ISDIR(mode):
        return _folder(path)
    if stat.S_ISREG(mode):
        return _file(path, _printable(path.name))
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
    if data.startswith(_SQLITE):
        raise LogError("is a database, which must be a file; save it", file=name)
    yield from _unpacked_entries(BytesIO(data), name)


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
                pending += [(path / n, prefix + _printable(n)) for n in names if n[:1] != "."]
        except OSError as problem:
            yield _failed(name, problem)


def _file(path: Path, name: str) -> Iterator[Entry]:
    """Yield the logs of one file, whose first bytes determine the format."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
            file.seek(0)
            if head == _SQLITE:
                yield from _database(path, name)
            else:
                yield from _unpacked_entries(file, name)
    except (Error, *_READ_ERRORS) as problem:
        yield _failed(name, problem)


def _unpacked_entries(file: IO[bytes], name: str) -> Iterator[Entry]:
    """Yield the logs of an archive or a single log, whose first bytes determine the format."""
    head = file.read(len(_SQLITE))
    file.seek(0)
    try:
        yield from _zip(file, name) if head.startswith(_ZIP) else _stream(file, name)
    except (Error, *_READ_ERRORS) as problem:
        yield _failed(name, problem)


def _stream(file: IO[bytes], name: str) -> Iterator[Entry]:
    """Yield the logs of a tar or of a single log, compressed or not."""
    unpacked = _unpacked(file)
    head = unpacked.read(_BLOCK)
    file.seek(0)
    unpacked = _unpacked(file)
    if _is_tar(head):
        yield from _tar(unpacked, name)
    else:
        yield name, _log(unpacked)


def _unpacked(file: IO[bytes]) -> _Readable:
    head = file.read(6)
    file.seek(0)
    for magic, unpacker in _UNPACKERS:
        if head.startswith(magic):
            return unpacker(file)
    return file


def _is_tar(head: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def _log(file: _Readable) -> bytes:
    """Content of a log, plain or gzipped; raises LogError if it is not a single log."""
    data = file.read(MAX_BYTES + 1)
    if data.startswith(_GZIP):
        data = gzip.GzipFile(fileobj=BytesIO(data)).read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than {MAX_BYTES >> 20} MiB, the limit for a log")
    for magic, format_name in _UNSUPPORTED.items():
        if data.startswith(magic):
            raise LogError(f"is packed by {format_name}, which houjuu cannot open; unpack it first")
    if data.startswith((_SQLITE, *_ZIP)) or _is_tar(data[:_BLOCK]):
        raise LogError("is an archive inside an archive, which houjuu cannot open; unpack it first")
    return data


def _member(read: Callable[[], bytes], name: str) -> Entry:
    """Entry of one member: its content, or the reason why it is unreadable."""
    try:
        return name, read()
    except (Error, *_READ_ERRORS) as problem:
        return _failed(name, problem)


def _zip(file: IO[bytes], name: str) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            inner = _inner_name(info.filename)
            if inner and not info.is_dir():
                yield _member(partial(_unzipped, archive, info), f"{name}/{inner}")


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.flag_bits & _ENCRYPTED:
        raise LogError("is encrypted, which houjuu cannot open; decrypt it first")
    with archive.open(info) as member:
        return _log(member)


class _StrictHeader(tarfile.TarInfo):
    """A header of a tar; a damaged one is an error and not the end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> _StrictHeader:
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise  # two blocks of zeros: the end
        except tarfile.HeaderError as problem:
            raise tarfile.ReadError(f"the archive is cut off or damaged: {problem}") from None


class _LimitedStream:
    """A stream with an allowance of bytes, which stops headers of excessive size."""

    def __init__(self, stream: _Readable) -> None:
        self.stream = stream
        self.allowance = 0

    def read(self, size: int) -> bytes:
        data = self.stream.read(size)
        self.allowance -= len(data)
        if self.allowance < 0:
            raise tarfile.ReadError("the archive has a header that is too long")
        return data


def _tar(stream: _Readable, name: str) -> Iterator[Entry]:
    limited = _LimitedStream(stream)
    limited.allowance = 2 * _MAX_HEADERS
    source = cast(IO[bytes], limited)
    with tarfile.open(fileobj=source, mode="r|", tarinfo=_StrictHeader) as archive:
        while member := archive.next():
            archive.members.clear()  # type: ignore[attr-defined]  # keeps memory small
            if member.issparse():
                raise tarfile.ReadError("the archive has a sparse file, which is not supported")
            limited.allowance = member.size + 2 * _MAX_HEADERS
            inner = _inner_name(member.name)
            if inner and not member.isdir() and not member.isdev():
                yield _member(partial(_untarred, archive, member), f"{name}/{inner}")


def _untarred(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member) if member.isfile() else None
    if file is None:
        raise LogError("is a link inside an archive, which houjuu does not follow")
    return _log(file)


def _inner_name(name: str) -> str:
    """Name of a member within its archive; empty if a part of it begins with a dot."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "" if any(part.startswith(".") for part in parts) else _printable("/".join(parts))


def _database(path: Path, name: str) -> Iterator[Entry]:
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as database:
        database.text_factory = lambda text: text.decode(errors="replace")
        columns = {row[1] for row in database.execute("PRAGMA table_info(logs)")}
        for key, content in _LAYOUTS.values():
            if {key, content, "is_processed", "was_error"} <= columns:
                break
        else:
            layouts = " nor ".join(_LAYOUTS)
            raise LogError(f"is a database of neither {layouts}")
        rows = database.execute(
            f"SELECT CAST({key} AS TEXT), CASE WHEN length({content}) <= {MAX_BYTES}"
            f" THEN CAST({content} AS BLOB) ELSE zeroblob({MAX_BYTES} + 1) END FROM logs"
            f" WHERE is_processed AND NOT was_error AND {content} IS NOT NULL ORDER BY {key}"
        )
        for key, data in rows:
            yield _member(partial(_log, BytesIO(data)), f"{name}/{key}")


def _printable(name: str) -> str:
    """The name with a replacement for each byte that is not Unicode."""
    return os.fsencode(name).decode(errors="replace")


def _failed(name: str, problem: Exception) -> Entry:
    if isinstance(problem, Error):
        return name, LogError(problem.reason, file=name)
    return name, LogError(f"cannot be read ({_reason(problem)})", file=name)


def _reason(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return " ".join(str(problem).split()) or type(problem).__name__


def contents(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of all logs of a path; raises the first Error of `entries`."""
    for name, data in entries(path):
        if isinstance(data, Error):
            raise data
        yield name, data
