"""Processor seconds of a command and all its children, beside their budget in `budget.toml`.

``python -m tools.seconds make_test COMMAND …`` runs the command, prints its seconds, and exits with
its status. Without a command the seconds are those of a shell that ends with ``exec python -m
tools.seconds …``, of all its commands. ``--check`` before the key compares: the budget times
`WARNING` is a warning, times `FAILURE` a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from tools import house

WARNING, FAILURE = 1.1, 1.5


def verdict(key: str, seconds: float, budget: int) -> tuple[str, bool]:
    """The comparison of seconds with their budget in a sentence, and whether they fail."""
    ratio = seconds / budget
    result = f"{key}: {seconds:.0f} s of processor time, {ratio:.2f} times its budget of {budget} s"
    if ratio < WARNING:
        return result, False
    failed = ratio >= FAILURE
    limit = f"it fails from {FAILURE} times on (budget.toml)"
    return f"{'FAILURE' if failed else 'warning'}: {result}; {limit}", failed


def main(arguments: Sequence[str]) -> int:
    """Run the command, print its seconds, and return its exit status, or 1 for a failure."""
    check = arguments[0] == "--check"
    key, *command = arguments[check:]
    budget = house.budgets(house.BUDGET.read_text(encoding="utf-8"))[f"seconds.{key}"]
    status = _run(command) if command else 0
    times = os.times()
    seconds = times.children_user + times.children_system
    if not check:
        print(f"{key}: {seconds:.0f} s of processor time")
        return status
    text, failed = verdict(key, seconds, budget)
    print(text)
    return status or int(failed)


def _run(command: Sequence[str]) -> int:
    """The exit status of a command, as a shell has it; Ctrl-C is left to the command."""
    with subprocess.Popen(command) as process:
        while True:
            try:
                status = process.wait()
            except KeyboardInterrupt:
                continue
            return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
