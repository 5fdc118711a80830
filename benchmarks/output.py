"""Shared by all benchmarks: common options, and results as a table or JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"


def parser(description: str | None) -> argparse.ArgumentParser:
    """A parser with the common options."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options.add_argument(
        "--shared", type=Path, default=SHARED, help="folder with tenhou/ and peers/ (%(default)s)"
    )
    return options


def show(results: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """Print results as a table with a row each, or as JSON; all results have the same keys."""
    if as_json:
        print(json.dumps(list(results), indent=1, ensure_ascii=False))
        return
    columns = list(results[0])
    lines = [columns, *([_text(result[name]) for name in columns] for result in results)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    for line in lines:
        cells = zip(line, widths, strict=True)
        print("  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(cells)))


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, list):
        return "[" + ", ".join(f"{item:+.4f}" for item in value) + "]"
    return f"{value:,}" if isinstance(value, int) else str(value)


def message_to_seat(message: dict[str, Any], seat: int) -> dict[str, Any]:
    """A message as one seat receives it, other hands hidden."""
    if message["type"] == "start_game":
        return {**message, "id": seat}
    if message["type"] == "start_kyoku":
        hands = [hand if n == seat else ["?"] * 13 for n, hand in enumerate(message["tehais"])]
        return {**message, "tehais": hands}
    hidden = message["type"] == "tsumo" and message["actor"] != seat
    return {**message, "pai": "?"} if hidden else message
