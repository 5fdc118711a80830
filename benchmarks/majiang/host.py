"""The node process that runs the players of majiang."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from benchmarks.majiang.messages import Message
from houjuu.errors import Error

HERE = Path(__file__).parent
PACKAGE = HERE / "node_modules" / "@kobalab" / "majiang-ai"

Reply = dict[str, str] | None


class Host:
    """The process. It has one player for each seat, renewed by every 開局 (kaiju).

    Attributes
    ----------
    cpu_time : float, unit: seconds
        Processor time of the process.

    Raises
    ------
    Error
        Node or majiang is not installed.
    """

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None or not PACKAGE.exists():
            missing = "node" if node is None else "its packages: run benchmarks/majiang/install.sh"
            raise Error(f"majiang needs {missing}")
        self.cpu_time = 0.0
        self._process = subprocess.Popen(
            [node, str(HERE / "host.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def send(self, seat: int, messages: Sequence[Message]) -> list[Reply]:
        """Send messages to the player of a seat and return its reply to each.

        Raises
        ------
        Error
            The process failed; its output is on standard error.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # readline() then returns nothing
            self._process.stdin.write(json.dumps([seat, messages]) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Error(f"majiang ended at the message {messages[-1]} to seat {seat}")
        replies: list[Reply]
        replies, self.cpu_time = json.loads(line)
        return replies


@cache
def _host_of(process: int) -> Host:
    return Host()


def host() -> Host:
    """The host of this process, started on the first call."""
    return _host_of(os.getpid())
