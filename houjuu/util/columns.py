"""A column of a table of rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its type, its unit or range, and its source."""

    name: str
    dtype: str
    unit: str
    source: str
