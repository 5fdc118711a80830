"""Files that are read within a limit, and files that are written completely or not at all.

A path of a user may lead anywhere. `open_regular` therefore opens regular files alone: a FIFO could
hang, and a device has no end. `atomic_file` and `atomic_path` write under a random name in the same
folder, which nobody can foresee and plant a link at, and then rename it.
"""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOLCK
from functools import lru_cache
from math import isnan
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from houjuu.util.errors import Error
from houjuu.util.extras import needed

if sys.platform != "win32" and sys.platform != "emscripten":  # mypy reads them so
    import fcntl

_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_TEMPORARY = ".houjuu-{}.part"
_STDOUT, _STDERR = 1, 2


class _NeverWaits(io.FileIO):
    """A file whose reads end at once; some files of Linux's /proc would wait for content."""

    def readinto(self, buffer: Any) -> int:
        size = super().readinto(buffer)
        if size is None:
            raise Error("has no content yet, as only a stream has")
        return size


@contextmanager
def open_regular(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a regular file to read, also through a link; nothing is read before the check.

    Raises
    ------
    Error
        The path is a folder, a pipe, a socket or a device.
    OSError
        It cannot be opened.
    """
    _require_regular(path, os.stat(path))  # to open a device can change it
    descriptor = os.open(path, os.O_RDONLY | _BINARY | _NO_WAITING)
    with io.BufferedReader(_NeverWaits(descriptor)) as file:
        _require_regular(path, os.fstat(descriptor))  # another file may have taken its place
        yield file


def _require_regular(path: str | Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "something else")
        raise Error(f"is {kind}, not a regular file", file=str(path))


def require_regular_files(folder: Path) -> None:
    """Raise Error for the first file of a folder that is not regular, also behind links."""
    visited = set()  # links of folders may lead in a circle
    for root, folders, names in os.walk(folder, followlinks=True):
        status = os.stat(root)
        if (status.st_dev, status.st_ino) in visited:
            folders.clear()
            continue
        visited.add((status.st_dev, status.st_ino))
        for path in (Path(root, name) for name in sorted(names)):
            try:
                status = path.stat()
            except OSError as problem:
                raise Error(f"cannot be read ({problem.strerror})", file=str(path)) from None
            _require_regular(path, status)


def read_file(path: str | Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes.

    Raises
    ------
    Error
        The file is longer, or is not a regular one.
    OSError
        It cannot be opened.
    """
    with open_regular(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise Error(f"is longer than {limit:,} bytes, the limit for such a file", file=str(path))
    return data


def read_json(path: str | Path, limit: int) -> Any:
    """The JSON of a regular file of at most `limit` bytes; raises Error if there is none."""
    try:
        return json.loads(read_file(path, limit))
    except Error as problem:
        reason = problem.reason
    except OSError as problem:
        reason = f"cannot be opened ({problem.strerror})"
    except (ValueError, RecursionError) as problem:
        reason = f"is not JSON ({problem})"
    raise Error(reason, file=str(path))


def bounded_lines(stream: Any, limit: int) -> Iterator[Any]:
    """Yield the lines of an open file; raises Error if one has more than `limit` bytes."""
    while line := stream.readline(limit + 1):
        if len(line) > limit:
            raise Error(f"a line is longer than {limit:,} bytes, the limit")
        yield line


@contextmanager
def atomic_file(path: str | Path) -> Iterator[IO[bytes]]:
    """Yield a new file, which takes the place of the path once it is complete.

    Of several writers the last one wins, and a reader sees one file or another, never a mixture.
    After a failure no temporary file remains; those of a killed process are removed by the next
    one that writes to the folder. A link at the path is replaced, not followed. Only devices,
    pipes and sockets, which nothing can replace, are written to as they are; so are
    ``/dev/stdout`` and its like.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    with _temporary(Path(path)) as (file, _):
        yield file


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """Yield the path of such a file, for writers that open it themselves; makes its folder."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _temporary(path) as (_, temporary):
        yield temporary


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file as `atomic_file` does; raises Error if it cannot be written."""
    try:
        if not Path(path).name or Path(path).is_dir():
            raise Error("cannot be written: it is a folder", file=str(path))
        with atomic_file(path) as file:
            file.write(content)
    except BrokenPipeError:
        raise  # the reader of a stream has closed it: no error of the writer
    except OSError as problem:
        raise Error(f"cannot be written: {problem.strerror}", file=str(path)) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text in UTF-8 as `write_bytes` does."""
    write_bytes(path, text.encode())


@contextmanager
def _temporary(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    if _is_stream(path):
        with _opened_stream(path) as file:
            yield file, path
        return
    _remove_abandoned(os.path.abspath(path.parent), os.getpid())
    descriptor, temporary = _new_file(path.parent)
    try:
        with open(descriptor, "wb") as file:
            yield file, temporary
            file.flush()
            if sys.platform == "win32":
                file.close()  # Windows does not rename an open file
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    """Whether the path is a device, pipe or socket, or the name of an open file of a process."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    if not stat.S_ISLNK(mode):
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    folder = Path(os.path.realpath(path.parent))
    return folder == Path("/dev") or folder.is_relative_to("/proc")


def _opened_stream(path: Path) -> IO[bytes]:
    """The stream to write to; the own output goes on where it is, also in a file."""
    for descriptor in (_STDOUT, _STDERR):
        with suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                sys.stdout.flush()
                return open(os.dup(descriptor), "wb")
    return path.open("wb")


def _new_file(folder: Path) -> tuple[int, Path]:
    """The descriptor and path of a new file, locked while its process lives."""
    while True:
        path = folder / _TEMPORARY.format(token_hex(8))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY, 0o666)
        _lock(descriptor, wait=True)
        if os.fstat(descriptor).st_nlink:
            return descriptor, path
        os.close(descriptor)  # another process took it for abandoned before it was locked


@lru_cache(maxsize=256)
def _remove_abandoned(folder: str, process: int) -> None:
    """Remove the temporary files of killed processes, once in a process: a folder may be long."""
    for path in Path(folder).glob(_TEMPORARY.format("*")):
        with suppress(OSError):
            descriptor = os.open(path, os.O_WRONLY | _NO_LINK | _BINARY | _NO_WAITING)
            try:
                if _lock(descriptor, wait=False):
                    path.unlink()
            finally:
                os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file; False if another process has it, or if its system knows no locks."""
    if sys.platform == "win32" or sys.platform == "emscripten":
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


@contextmanager
def sole_use(folder: Path) -> Iterator[None]:
    """Make a folder, and keep out other processes that ask for its sole use; a lock ends with one.

    Raises
    ------
    Error
        Another process has the folder, or it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Error(f"cannot be made a folder ({problem.strerror})", file=str(folder)) from None
    if sys.platform == "emscripten":
        yield  # a browser has no other process
        return
    with needed("arena"):
        from filelock import FileLock, Timeout
    path = folder.resolve()
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)  # the folder may be removed
    try:
        lock.acquire()
    except Timeout:
        reason = "is being written by another command: wait for its end"
        raise Error(reason, file=str(folder)) from None
    except OSError as problem:
        if problem.errno != ENOLCK:  # else its file system knows no locks
            reason = f"cannot be locked ({problem.strerror})"
            raise Error(reason, file=str(folder)) from None
    try:
        yield
    finally:
        with suppress(OSError):  # Windows removes it at the release
            os.unlink(lock.lock_file)  # whoever has opened it meanwhile sees that it is gone
        lock.release()


def without_nan(tree: Any) -> Any:
    """A tree of JSON with None for NaN, which JSON does not have."""
    if isinstance(tree, dict):
        return {key: without_nan(value) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [*map(without_nan, tree)]
    return None if isinstance(tree, float) and isnan(tree) else tree
