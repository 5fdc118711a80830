"""Unpacking of untrusted data: compressed streams and the limits of size for logs and archives.

A log has at most `MAX_BYTES`. An archive as a whole unpacks to at most `MAX_RATIO` times its size
and `FREE_BYTES`; that limits the time as well. Decompressors get at most `MAX_DICTIONARY` of
memory.
"""

from __future__ import annotations

import gzip
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Protocol

from houjuu.util.errors import Error, LogError, printable

if TYPE_CHECKING:
    import lzma

Entry = tuple[str, bytes | Error]
ALL = range(sys.maxsize)
"""All members of an archive."""
MAX_BYTES = 8 << 20  # unit: bytes; of one log, unpacked
MAX_RATIO = 100  # real archives of logs unpack to at most 20 times their size
FREE_BYTES = 256 << 20  # unit: bytes
MAX_DICTIONARY = 512 << 20  # unit: bytes; xz -9 needs 65 MiB
BLOCK = tarfile.BLOCKSIZE
_CHUNK = 1 << 16  # unit: bytes

SQLITE = b"SQLite format 3\0"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP = b"\x1f\x8b"
_XZ = b"\xfd7zXZ\0"
_UNSUPPORTED = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!": "RAR", b"\x28\xb5\x2f\xfd": "Zstandard"}


def optional_module(name: str) -> Any:
    """A part of the standard library that some systems lack, such as a browser.

    Raises
    ------
    LogError
        It is not there.
    """
    try:
        return import_module(name)
    except ImportError:
        raise LogError(
            f"needs {name}, which this Python lacks; unpack it elsewhere first"
        ) from None


def _errors_of(name: str, error: str) -> tuple[type[Exception], ...]:
    try:
        return (getattr(import_module(name), error),)
    except ImportError:
        return ()


READ_ERRORS: tuple[type[Exception], ...] = (
    Error,
    OSError,
    EOFError,
    ValueError,
    MemoryError,
    OverflowError,
    RuntimeError,  # zipfile: encrypted; NotImplementedError: an unknown compression
    zlib.error,
    tarfile.TarError,
    zipfile.BadZipFile,
    *_errors_of("lzma", "LZMAError"),
    *_errors_of("sqlite3", "Error"),
)


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; fewer only at the end."""
        ...


class ArchiveTooLargeError(LogError):
    """An archive unpacks to more than its size explains."""


class Budget:
    """The bytes that one file may still unpack to.

    Parameters
    ----------
    packed : int
        Size of the file.
    """

    def __init__(self, packed: int) -> None:
        self.left = FREE_BYTES + MAX_RATIO * packed

    def spend(self, size: int) -> None:
        """Take a number of bytes; raises ArchiveTooLargeError if there are not so many."""
        self.require(size)
        self.left -= size

    def require(self, size: int) -> None:
        """Raise ArchiveTooLargeError if there are not so many bytes."""
        if size > self.left:
            raise ArchiveTooLargeError(
                f"unpacks to more than {MAX_RATIO} times its size; unpack it first if it is sound"
            )


class _LzmaReader:
    """A stream of xz or lzma; unlike `lzma.LZMAFile` it limits the memory of the decompressor."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._rest = b""
        self._decompressor = self._new()

    def _new(self) -> lzma.LZMADecompressor:
        decompressor: lzma.LZMADecompressor = optional_module("lzma").LZMADecompressor(
            memlimit=MAX_DICTIONARY
        )
        return decompressor

    def read(self, size: int) -> bytes:
        blocks = []
        while size > 0 and (block := self._block(size)):
            blocks.append(block)
            size -= len(block)
        return b"".join(blocks)

    def _block(self, size: int) -> bytes:
        """At least one byte, or none at the end."""
        while True:
            if self._decompressor.eof:
                self._rest = self._decompressor.unused_data.lstrip(b"\0") or self._next_stream()
                if not self._rest:
                    return b""
                self._decompressor = self._new()
            if self._decompressor.needs_input and not self._rest:
                self._rest = self._packed.read(_CHUNK)
                if not self._rest:
                    raise EOFError("the compressed stream is cut off")
            block = self._decompressor.decompress(self._rest, size)
            self._rest = b""
            if block:
                return block

    def _next_stream(self) -> bytes:
        """The packed bytes after the padding that follows a stream."""
        while packed := self._packed.read(_CHUNK):
            if rest := packed.lstrip(b"\0"):
                return rest
        return b""


_UNPACKERS: tuple[tuple[bytes, Callable[[IO[bytes]], Readable]], ...] = (
    (_GZIP, lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", lambda packed: optional_module("bz2").BZ2File(packed)),
    (_XZ, _LzmaReader),
    (b"\x5d\0\0", _LzmaReader),
)


def unpacked(file: IO[bytes]) -> Readable:
    """The stream that a compressed file contains; the file itself if it is not compressed."""
    head = file.read(6)
    file.seek(0)
    for magic, unpacker in _UNPACKERS:
        if head.startswith(magic):
            return unpacker(file)
    return file


def is_tar(head: bytes) -> bool:
    """Whether a file begins with the header of a tar."""
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def log_content(file: Readable, budget: Budget) -> bytes:
    """Content of a log, plain or gzipped; raises LogError if it is not a single log."""
    data = file.read(MAX_BYTES + 1)
    budget.spend(len(data))
    if data.startswith(_GZIP):
        data = gzip.GzipFile(fileobj=BytesIO(data)).read(MAX_BYTES + 1)
        budget.spend(len(data))
    if len(data) > MAX_BYTES:
        raise LogError(f"is longer than {MAX_BYTES >> 20} MiB, the limit for a log")
    for magic, format_name in _UNSUPPORTED.items():
        if data.startswith(magic):
            raise LogError(f"is packed by {format_name}, which houjuu cannot open; unpack it first")
    if data.startswith((SQLITE, *ZIP)) or is_tar(data[:BLOCK]):
        raise LogError("is an archive inside an archive, which houjuu cannot open; unpack it first")
    return data


def member(read: Callable[[], bytes], name: str) -> Entry:
    """Entry of one member: its content, or the reason why it is unreadable."""
    try:
        return name, read()
    except ArchiveTooLargeError:
        raise
    except READ_ERRORS as problem:
        return failed(name, problem)


def failed(name: str, problem: Exception) -> tuple[str, LogError]:
    """Entry of a file that cannot be read."""
    if isinstance(problem, Error):
        return name, LogError(problem.reason, file=name)
    return name, LogError(f"cannot be read ({reason_of(problem)})", file=name)


def reason_of(problem: Exception) -> str:
    """The message of an exception of the standard library on one line."""
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    return " ".join(str(problem).split()) or type(problem).__name__


def readable_name(name: str) -> str:
    """The name of a file or member with a replacement for each byte that is not Unicode."""
    try:
        octets = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        octets = name.encode("utf-8", "surrogatepass")
    return printable(octets.decode(errors="replace"))
