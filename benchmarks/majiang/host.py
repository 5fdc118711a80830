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
from houjuu.util.errors import Error

HERE = Path(__file__).parent
PACKAGE = HERE / "node_modules" / "@kobalab" / "majiang-ai"

LEGACY = HERE / "legacy"
"""The older routines: the folder of this name in majiang's repository."""

VERSIONS = ("before", "improved-1", "improved-2", "relative")
"""The routines of versions.js, which are made from the package."""

Reply = dict[str, str] | None


def routines() -> list[str]:
    """The older routines that are installed, as "0202"."""
    return sorted(path.stem.removeprefix("player-") for path in LEGACY.glob("player-*.js"))


class Host:
    """The process. It has one player for each seat, renewed by every 開局 (kaiju).

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
        self._process = subprocess.Popen(
            [node, str(HERE / "host.js")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def send(self, seat: int, messages: Sequence[Message], routine: str = "") -> list[Reply]:
        """Send messages to the player of a seat and return its reply to each.

        A game that the messages start is played by the routine: one of `VERSIONS` or `routines`, or
        "" for that of npm.

        Raises
        ------
        Error
            The process failed; its output is on standard error.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # readline() then returns nothing
            self._process.stdin.write(json.dumps([seat, messages, routine]) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise Error(f"majiang ended at the message {messages[-1]} to seat {seat}")
        replies: list[Reply] = json.loads(line)
        return replies


@cache
def _host_of(process: int) -> Host:
    return Host()


def host() -> Host:
    """The host of this process, started on the first call."""
    return _host_of(os.getpid())
