"""Logs of a zip or tar, one member at a time and within the budget of the archive.

Members are the logs of the archive, readable or not, numbered from 0: not its folders, devices and
hidden files. A range of them can be read alone; in a tar that costs the unpacking of all before it.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from typing import IO, cast

from houjuu.logs.unpacking import (
    ALL,
    READ_ERRORS,
    Budget,
    Entry,
    Readable,
    log_content,
    member,
    readable_name,
)
from houjuu.util.errors import LogError

_MAX_HEADERS = 1 << 20  # unit: bytes; more than the headers of a member in a tar need
_ENCRYPTED = 1  # a flag of the members of a zip


def zip_entries(
    file: IO[bytes], name: str, budget: Budget, members: range = ALL
) -> Iterator[Entry]:
    """Yield the logs of a zip."""
    with zipfile.ZipFile(file) as archive:
        for info in _zip_members(archive)[members.start : members.stop]:
            inner = _inner_name(info.filename)
            yield member(partial(_unzipped, archive, info, budget), f"{name}/{inner}")


def count_zip(file: IO[bytes]) -> int:
    """Number of members of a zip."""
    with zipfile.ZipFile(file) as archive:
        return len(_zip_members(archive))


def _zip_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    infos = archive.infolist()
    return [info for info in infos if _inner_name(info.filename) and not info.is_dir()]


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> bytes:
    if info.flag_bits & _ENCRYPTED:
        raise LogError("is encrypted, which houjuu cannot open; decrypt it first")
    if info.compress_type == zipfile.ZIP_LZMA:  # its header may demand gigabytes of memory
        raise LogError("is packed by LZMA in a zip, which houjuu cannot open; unpack it first")
    with archive.open(info) as file:
        return log_content(file, budget)


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

    def __init__(self, stream: Readable, budget: Budget) -> None:
        self.stream = stream
        self.budget = budget
        self.allowance = 2 * _MAX_HEADERS

    def read(self, size: int) -> bytes:
        data = self.stream.read(size)
        self.allowance -= len(data)
        if self.allowance < 0:
            raise tarfile.ReadError("the archive has a header that is too long")
        self.budget.spend(len(data))
        return data


def tar_entries(
    stream: Readable, name: str, budget: Budget, members: range = ALL
) -> Iterator[Entry]:
    """Yield the logs of a tar, which may be compressed."""
    with closing(_tar_members(stream, budget)) as tar_members:
        for archive, info in islice(tar_members, members.start, members.stop):
            inner = _inner_name(info.name)
            yield member(partial(_untarred, archive, info, budget), f"{name}/{inner}")


def count_tar(stream: Readable, budget: Budget) -> int:
    """Number of members of a tar; damage counts as one more, and is the end."""
    count = 0
    try:
        for _ in _tar_members(stream, budget):
            count += 1
    except READ_ERRORS:
        count += 1
    return count


def _tar_members(
    stream: Readable, budget: Budget
) -> Generator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
    limited = _LimitedStream(stream, budget)
    source = cast(IO[bytes], limited)
    with tarfile.open(fileobj=source, mode="r|", tarinfo=_StrictHeader) as archive:
        while info := archive.next():
            archive.members.clear()  # type: ignore[attr-defined]  # keeps memory small
            if info.issparse():
                raise tarfile.ReadError("the archive has a sparse file, which is not supported")
            if info.size < 0:
                raise tarfile.ReadError("the archive has a member of negative size")
            budget.require(info.size)  # tarfile seeks for ever to skip bytes that are not there
            limited.allowance = info.size + 2 * _MAX_HEADERS
            if _inner_name(info.name) and not info.isdir() and not info.isdev():
                yield archive, info


def _untarred(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> bytes:
    file = archive.extractfile(info) if info.isfile() else None
    if file is None:
        raise LogError("is a link inside an archive, which houjuu does not follow")
    return log_content(file, budget)


def _inner_name(name: str) -> str:
    """Name of a member within its archive; empty if a part of it begins with a dot."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "" if any(part.startswith(".") for part in parts) else readable_name("/".join(parts))
