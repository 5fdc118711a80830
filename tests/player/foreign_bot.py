"""A bot behind mjai that discards what it drew, or misbehaves in the way of its first argument."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def main(conduct: str) -> None:
    """Answer every line; what it hears goes to standard error."""
    if conduct == "exits":
        sys.exit(3)
    if conduct == "deaf":
        time.sleep(600)
    seat = None
    for number, line in enumerate(sys.stdin, 1):
        print(json.dumps({"process": os.getpid(), "line": line}), file=sys.stderr, flush=True)
        heard = json.loads(line)
        messages = heard if isinstance(heard, list) else [heard]
        seat = next((one["id"] for one in messages if one["type"] == "start_game"), seat)
        misbehave(conduct, number, json.dumps(answer(messages[-1], seat)).encode())
        if conduct == "leaves" and messages[-1]["type"] == "end_game":
            return


def answer(message: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """The discard of the tile that was drawn; else none."""
    if message["type"] != "tsumo" or message["actor"] != seat:
        return {"type": "none"}
    return {"type": "dahai", "actor": seat, "pai": message["pai"], "tsumogiri": True}


def misbehave(conduct: str, number: int, line: bytes) -> None:
    """Write the answer, or what the conduct makes of it."""
    if conduct == "silent":
        return
    if conduct == "slow" and number > 1:
        time.sleep(600)
    if conduct == "dies" and number == 3:
        os._exit(7)
    while conduct == "floods":
        write(b'{"type":"none"}')
    if conduct == "twice":
        write(line)
    if conduct == "third" and number % 3:
        conduct = "illegal"
    wrong = {
        "illegal": b'{"type":"hora","actor":0,"target":0}',
        "another": b'{"type":"none","actor":9}',
        "garbage": b'{"type":"pon","actor":0,"target":"x","pai":[],"consumed":7}',
        "list": b"[1]",
        "latin": b"\xff\xfe",
        "long": b"x" * 100_000_000 if conduct == "long" else b"",
    }
    write(wrong.get(conduct, line))


def write(line: bytes) -> None:
    """Write a line at once."""
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
