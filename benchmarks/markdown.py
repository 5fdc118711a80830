"""Tables of the docs as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

WHOLE = 10
"""Numbers from here on have no decimals: points."""


def calibrated(line: Mapping[Any, Any]) -> str:
    """The mean prediction, the measured share and its 95% interval of a line, in percent."""
    interval = f"[{100 * line['low']:.1f}, {100 * line['high']:.1f}]"
    return f"{100 * line['predicted']:.1f}: {100 * line['measured']:.1f} {interval}"


def row(*cells: object) -> str:
    """A row of a table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def head(*cells: object) -> Iterator[str]:
    """Yield the two lines of the head of a table."""
    yield row(*cells)
    yield "|" + "---|" * len(cells)


def short(number: float, sign: str = "", whole: bool = False) -> str:
    """Four decimals without the leading 0, or a whole number from 10 on; with a minus sign (−)."""
    if whole or abs(number) >= WHOLE:
        return f"{number:{sign},.0f}".replace("-", "−")
    return f"{number:{sign}.4f}".replace("0.", ".", 1).replace("-", "−")


def plain(text: str) -> str:
    """A number of a printed table as the docs write it: without the leading 0, with a minus (−)."""
    return re.sub(r"\b0(?=\.)", "", text).replace("-", "−") if re.match(r"[-+]?\d", text) else text


def read_json(path: Path) -> dict[str, Any]:
    """The content of a JSON file."""
    content: dict[str, Any] = json.loads(path.read_text())
    return content
