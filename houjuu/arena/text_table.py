"""A table of texts, as aligned columns or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from houjuu.util.csv_text import csv_text
from houjuu.util.languages.width import left, right, width


@dataclass(frozen=True)
class TextTable:
    """A table of texts; the first column contains the names of the rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self) -> str:
        """Aligned columns under the title."""
        rows = [self.head, *self.rows]
        widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
        return "\n".join([self.title, "", *(_aligned(row, widths) for row in rows)])

    def csv(self) -> str:
        """Comma-separated values; the first line is the title."""
        return csv_text([[self.title], self.head, *self.rows])


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(row, widths, strict=True)
    return "  ".join([left(*first), *(right(*cell) for cell in rest)]).rstrip()
