"""A program that answers a line with a line, within limits of time and size.

Threads read and write, because pipes cannot be waited for on every system. Nothing that the program
does blocks the caller: it may be silent, flood its outputs, or not read its input.
"""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from threading import Thread
from typing import IO
from weakref import WeakSet

from houjuu.util.errors import Error

MAX_LINE = 1 << 20
"""The longest answer. Unit: bytes."""
MAX_ERRORS = 1 << 20
"""What a file keeps of the standard error of one process. Unit: bytes."""
_MAX_WAITING = 16  # answers that nobody asked for
_CHUNK = 1 << 16  # unit: bytes
_SETTLING = 0.05  # unit: seconds, for further answers of a program that gave too many
_PATIENCE = 1.0  # unit: seconds, for the end of a process or thread that was told to end

_running: WeakSet[LineProcess] = WeakSet()


def words(command: str) -> tuple[str, ...]:
    """Program and arguments of a command, with the quotes of a shell; raises Error without any."""
    try:
        found = tuple(shlex.split(command, posix=os.name == "posix"))
    except ValueError as problem:
        raise Error(f"the command {command!r} cannot be read: {problem}") from None
    if not found:
        raise Error("there is no command, as in: python mybot.py")
    return found


class LineProcess:
    """A running program.

    Parameters
    ----------
    command : sequence of str
        Program and arguments; no shell reads them.
    errors : Path, optional
        The file that the standard error of the program is added to, up to `MAX_ERRORS`. By default
        it goes where that of this process goes.
    folder : str, optional
        Its working folder.

    Attributes
    ----------
    is_running : bool
        Whether it can be asked.
    is_doubtful : bool
        Whether it may have given too many answers: `tell` then waits for them first.

    Raises
    ------
    Error
        The program cannot be started.
    """

    def __init__(
        self, command: Sequence[str], errors: Path | None = None, folder: str | None = None
    ) -> None:
        self._command = command
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if errors is None else subprocess.PIPE,
                cwd=folder,
                start_new_session=True,  # Ctrl-C ends it in order, and its children end with it
            )
        except (OSError, ValueError) as problem:
            raise Error(f"{command[0]!r} cannot be started ({problem})") from None
        self.is_running = True
        self.is_doubtful = False
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.Queue[bytes | str] = queue.Queue(_MAX_WAITING)
        pipes = self._process
        self._threads = [
            Thread(target=_write, args=(pipes.stdin, self._lines), daemon=True),
            Thread(target=_read, args=(pipes.stdout, self._answers), daemon=True),
        ]
        if errors is not None:
            self._threads.append(Thread(target=_keep, args=(pipes.stderr, errors), daemon=True))
        for thread in self._threads:
            thread.start()
        _running.add(self)
        _end_with_process(os.getpid())

    def ask(self, line: bytes, limit: float | None = None) -> tuple[bytes, list[bytes]]:
        """Write a line, and wait for the answer: `tell`, then `answer`. It returns both results."""
        extra = self.tell(line)
        return self.answer(limit), extra

    def tell(self, line: bytes) -> list[bytes]:
        """Write a line, which has no line break, and return the answers that nobody asked for.

        Raises
        ------
        Error
            The program writes too much. It is ended then.
        """
        if self.is_doubtful:
            time.sleep(_SETTLING)
        extra = [answer for answer in self._waiting() if isinstance(answer, bytes)]
        self.is_doubtful = bool(extra)
        if len(extra) >= _MAX_WAITING:
            raise self._failed("it floods its output with lines that nobody asked for")
        self._lines.put(line + b"\n")
        return extra

    def answer(self, limit: float | None = None) -> bytes:
        """Wait for the next answer, and return it with its line break.

        Parameters
        ----------
        limit : float, optional
            Unit: seconds. By default it waits while the program runs.

        Raises
        ------
        Error
            The program does not answer within the limit, has ended, or writes too long a line. It
            is ended then.
        """
        try:
            answer = self._answers.get(timeout=limit)
        except queue.Empty:
            raise self._failed(f"no answer within {limit:g} s") from None
        if isinstance(answer, bytes):
            return answer
        raise self._failed(answer)

    def close(self, grace: float = 0.0, last: Sequence[bytes] = ()) -> None:
        """End the program: its input ends after the last lines, and it is killed after a grace.

        The grace is in seconds.
        """
        self.is_running = False
        _running.discard(self)
        for line in last:
            self._lines.put(line + b"\n")
        self._lines.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # the group has ended
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        until = time.monotonic() + _PATIENCE
        while any(thread.is_alive() for thread in self._threads) and time.monotonic() < until:
            self._waiting()  # makes place for the thread that reads
            self._threads[1].join(0.001)

    def _waiting(self) -> list[bytes | str]:
        """The answers that wait; what the end of the output says stays."""
        waiting: list[bytes | str] = []
        with suppress(queue.Empty):
            while len(waiting) < _MAX_WAITING:
                waiting.append(self._answers.get_nowait())
                if isinstance(waiting[-1], str):
                    self._answers.put(waiting[-1])
                    break
        return waiting

    def _failed(self, reason: str) -> Error:
        if not reason:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
            status = self._process.poll()
            reason = "it has closed its output" if status is None else f"it ended with {status}"
        self.close()
        return Error(reason)


def _write(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    with suppress(OSError, ValueError):  # it has ended, as the thread that reads will notice
        while (line := lines.get()) is not None:
            pipe.write(line)
            pipe.flush()
    with suppress(OSError, ValueError):
        pipe.close()


def _read(pipe: IO[bytes], answers: queue.Queue[bytes | str]) -> None:
    """Queue the lines that are not blank; at last why there are no more, "" at the end."""
    reason = ""
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                reason = f"it wrote a line of more than {MAX_LINE:,} bytes"
                break
            if line.strip():
                answers.put(line)
    answers.put(reason)


def _keep(pipe: IO[bytes], path: Path) -> None:
    left = MAX_ERRORS
    with suppress(OSError, ValueError), pipe:
        while chunk := pipe.read1(_CHUNK):  # type: ignore[attr-defined]
            if left > 0:
                with suppress(OSError), path.open("ab") as file:
                    file.write(chunk[:left])
                left -= len(chunk)


@cache
def _end_with_process(process: int) -> None:
    """End the programs when this process ends, also one of a pool; `process` is its id."""
    Finalize(None, end_all, exitpriority=1)


def end_all() -> None:
    """End all programs of this process."""
    for running in list(_running):
        running.close()
