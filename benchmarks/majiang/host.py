"""The node process that majiang's players live in."""

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
NEEDED = HERE / "node_modules" / "@kobalab" / "majiang-ai"

Reply = dict[str, str] | None


class Host:
    """The process; it has a player a seat, and a new one with every 開局 (kaiju).

    Attributes
    ----------
    spent : float, unit: seconds
        What it has taken of the processor's time.

    Raises
    ------
    Error
        Node, or majiang, is not installed.
    """

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None or not NEEDED.exists():
            what = "node" if node is None else "what benchmarks/majiang/install.sh installs"
            raise Error(f"majiang needs {what}")
        self.spent = 0.0
        self._process = subprocess.Popen(
            [node, str(HERE / "host.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def tell(self, seat: int, messages: Sequence[Message]) -> list[Reply]:
        """Tell a seat's player something; gives its reply to each message.

        Raises
        ------
        Error
            It failed; what node says about that is on standard error.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # then there is no answer either
            self._process.stdin.write(json.dumps([seat, messages]) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Error(f"majiang ended when seat {seat} was told {messages[-1]}")
        replies: list[Reply]
        replies, self.spent = json.loads(line)
        return replies


@cache
def _of(process: int) -> Host:
    return Host()


def host() -> Host:
    """The host of this process, started when it is first needed."""
    return _of(os.getpid())
