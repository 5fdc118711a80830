"""A table of texts, as aligned columns, CSV or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from houjuu.util.csv_text import csv_text
from houjuu.util.languages.width import left, right, width

_PAGE = """<!doctype html>
<html lang="{tag}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  body {{ font: 16px/1.5 system-ui, sans-serif; color: #1c2833; margin: 2rem; }}
  table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; margin-bottom: 2rem; }}
  caption {{ text-align: left; font-weight: bold; padding: .5rem 0; }}
  th, td {{ padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #d9dee4; }}
  th:first-child, td:first-child {{ text-align: left; }}
</style>
<h1>{title}</h1>
{tables}
</html>
"""


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

    def html(self) -> str:
        head, *rows = (
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in [("th", self.head), *(("td", row) for row in self.rows)]
        )
        caption = f"<caption>{escape(self.title)}</caption>"
        return f"<table>{caption}<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def html_page(title: str, tables: Sequence[TextTable], tag: str) -> str:
    """Tables as a page; `tag` is that of its language."""
    rendered = "\n".join(table.html() for table in tables)
    return _PAGE.format(tag=tag, title=escape(title), tables=rendered)


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = zip(row, widths, strict=True)
    return "  ".join([left(*first), *(right(*cell) for cell in rest)]).rstrip()
