"""Where logs are kept: files, folders, archives and the databases of the two downloaders.

What a file is, its first bytes say; names mean nothing here, for gzip-ed logs go by ``.mjlog``.
Archives are read as a stream, a member at a time, and no more than `MAX_BYTES` of a member ever
come into memory, whatever it would unpack to.
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
_HEADERS = 1 << 20  # unit: bytes; more than any member's headers in a tar
_BLOCK = tarfile.BLOCKSIZE

_GZIP = b"\x1f\x8b"
_SQLITE = b"SQLite format 3\0"
_ENCRYPTED = 1  # the flag of a zip's member
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_CLOSED = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "RAR", b"\x28\xb5\x2f\xfd": "Zstandard"}


class _Reads(Protocol):
    def read(self, size: int, /) -> bytes: ...


_UNPACKERS: tuple[tuple[bytes, Callable[[IO[bytes]], _Reads]], ...] = (
    (_GZIP, lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\0", lzma.LZMAFile),
    (b"\x5d\0\0", lzma.LZMAFile),
)
_LAYOUTS = {"phoenix-logs": ("log_id", "log_content"), "houou-logs": ("id", "log")}
_BROKEN = (
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,  # zipfile's, for a compression that it does not know
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    sqlite3.Error,
)


def entries(path: str | Path) -> Iterator[Entry]:
    """Stream the name and content of every log that a path holds.

    The path may be a log, plain or compressed; a folder, with archives in it; a zip; a tar of any
    compression; or a database of phoenix-logs or houou-logs, of which the rows that were
    downloaded without error are read. Names that begin with a dot are skipped, as are devices.
    Whether a content is a log is for its reader to say.

    Parameters
    ----------
    path : str or Path

    Yields
    ------
    (str, bytes or Error)
        The name, such as ``2018.zip/2018111100gm.xml`` (relative to the folder, if the path is
        one), and the unpacked content, or the reason why there is none.

    Raises
    ------
    LogError
        There is nothing at this path.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as problem:
        raise LogError(f"cannot be opened ({_reason(problem)})", file=str(path)) from None
    if stat.S_ISDIR(mode):
        return _folder(path)
    if stat.S_ISREG(mode):
        return _file(path, _shown(path.name))
    raise LogError("is neither a file nor a folder", file=str(path))


def _folder(root: Path) -> Iterator[Entry]:
    """Walk a folder in the order of names; links are followed, but no folder is read twice."""
    waiting, read = [(root, "")], set()
    while waiting:
        path, name = waiting.pop()
        try:
            about = path.stat()
            if stat.S_ISREG(about.st_mode):
                yield from _file(path, name)
            elif stat.S_ISDIR(about.st_mode) and (about.st_dev, about.st_ino) not in read:
                read.add((about.st_dev, about.st_ino))
                prefix = f"{name}/" if name else ""
                names = sorted(os.listdir(path), reverse=True)
                waiting += [(path / n, prefix + _shown(n)) for n in names if n[:1] != "."]
        except OSError as problem:
            yield _refused(name, problem)


def _file(path: Path, name: str) -> Iterator[Entry]:
    """Read what one file holds, after a look at its first bytes."""
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
            file.seek(0)
            if head == _SQLITE:
                yield from _database(path, name)
            elif head.startswith(_ZIP):
                yield from _zip(file, name)
            else:
                yield from _stream(file, name)
    except (Error, *_BROKEN) as problem:
        yield _refused(name, problem)


def _stream(file: IO[bytes], name: str) -> Iterator[Entry]:
    """Read a file that is a tar or a single log, compressed or not."""
    unpacked = _unpacking(file)
    head = unpacked.read(_BLOCK)
    file.seek(0)
    unpacked = _unpacking(file)
    if _is_tar(head):
        yield from _tar(unpacked, name)
    else:
        yield name, _log(unpacked)


def _unpacking(file: IO[bytes]) -> _Reads:
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


def _log(file: _Reads) -> bytes:
    """Read a log, unzipping it if it is gzip-ed; raises LogError when it is no single log."""
    data = file.read(MAX_BYTES + 1)
    if data.startswith(_GZIP):
        data = gzip.GzipFile(fileobj=BytesIO(data)).read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than the {MAX_BYTES >> 20} MiB that a log may have")
    for magic, kind in _CLOSED.items():
        if data.startswith(magic):
            raise LogError(f"is packed by {kind}, which houjuu does not open")
    if data.startswith((_SQLITE, *_ZIP)) or _is_tar(data[:_BLOCK]):
        raise LogError("is an archive inside an archive, which houjuu does not open")
    return data


def _member(read: Callable[[], bytes], name: str) -> Entry:
    """Read one member, or say why it cannot be read."""
    try:
        return name, read()
    except (Error, *_BROKEN) as problem:
        return _refused(name, problem)


def _zip(file: IO[bytes], name: str) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            inner = _inner_name(info.filename)
            if inner and not info.is_dir():
                yield _member(partial(_unzipped, archive, info), f"{name}/{inner}")


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.flag_bits & _ENCRYPTED:
        raise LogError("is encrypted")
    with archive.open(info) as member:
        return _log(member)


class _Header(tarfile.TarInfo):
    """A header of a tar that, when damaged, does not pass for the end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> _Header:
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise  # two blocks of zeros: the end
        except tarfile.HeaderError as problem:
            raise tarfile.ReadError(f"it is cut off or damaged: {problem}") from None


class _Rationed:
    """A stream that gives out no more than was granted, so that no header can be a bomb."""

    def __init__(self, stream: _Reads) -> None:
        self.stream = stream
        self.granted = 0

    def read(self, size: int) -> bytes:
        data = self.stream.read(size)
        self.granted -= len(data)
        if self.granted < 0:
            raise tarfile.ReadError("a header in it is too long")
        return data


def _tar(stream: _Reads, name: str) -> Iterator[Entry]:
    rationed = _Rationed(stream)
    rationed.granted = 2 * _HEADERS
    source = cast(IO[bytes], rationed)
    with tarfile.open(fileobj=source, mode="r|", tarinfo=_Header) as archive:
        while member := archive.next():
            archive.members.clear()  # type: ignore[attr-defined]  # or a year of logs piles up
            if member.issparse():
                raise tarfile.ReadError("it has a sparse file")
            rationed.granted = member.size + 2 * _HEADERS
            inner = _inner_name(member.name)
            if inner and not member.isdir() and not member.isdev():
                yield _member(partial(_untarred, archive, member), f"{name}/{inner}")


def _untarred(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(member) if member.isfile() else None
    if file is None:
        raise LogError("is a link, which houjuu does not follow within an archive")
    return _log(file)


def _inner_name(name: str) -> str:
    """A member's name within its archive; empty when a part of it begins with a dot."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "" if any(part.startswith(".") for part in parts) else _shown("/".join(parts))


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


def _shown(name: str) -> str:
    """The name without the bytes that are no Unicode, which could not be printed."""
    return os.fsencode(name).decode(errors="replace")


def _refused(name: str, problem: Exception) -> Entry:
    if isinstance(problem, Error):
        return name, LogError(problem.reason, file=name)
    return name, LogError(f"cannot be read ({_reason(problem)})", file=name)


def _reason(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return " ".join(str(problem).split()) or type(problem).__name__


def contents(path: str | Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) as `entries` does, but raise the first Error."""
    for name, data in entries(path):
        if isinstance(data, Error):
            raise data
        yield name, data
