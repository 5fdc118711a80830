"""A table of texts, as aligned columns, CSV, Markdown or HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

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
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows([[self.title], self.head, *self.rows])
        return file.getvalue()

    def markdown(self) -> str:
        """A table of Markdown, without the title."""
        lines = [self.head, ("---",) * len(self.head), *self.rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def html(self) -> str:
        """A table element."""
        head, *rows = (
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in [("th", self.head), *(("td", row) for row in self.rows)]
        )
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(row, widths, strict=True)
    return "  ".join([left(*first), *(right(*cell) for cell in rest)]).rstrip()
