"""Comma-separated values of which a spreadsheet runs nothing.

A spreadsheet takes a text for a formula if it begins with ``=``, ``+``, ``-`` or ``@``. An
apostrophe before it makes it a text (OWASP, "CSV Injection"). Numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = tuple("=+-@＝＋－＠")  # the second four are as wide as Chinese characters
_NUMBER = re.compile(r"[+-]?[\d.,]+(e[+-]?\d+)?%?( ± ([\d.,]+%?|–))?")


def cell(value: object) -> object:
    """A value for a cell.

    >>> cell("=1+1"), cell("-3.5%"), cell(-2), cell("東1局")
    ("'=1+1", '-3.5%', -2, '東1局')
    """
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    starts = value[:1] in ("\t", "\r", "\n") or value.lstrip().startswith(_FORMULA)
    return f"'{value}" if starts else value


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Rows as lines of CSV."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([cell(value) for value in row] for row in rows)
    return file.getvalue()
