"""Columns of text in which Chinese characters are twice as wide as Latin letters."""

from __future__ import annotations

from unicodedata import east_asian_width


def width(text: str) -> int:
    """Columns that a terminal uses for a text.

    >>> width("両面 34m")
    8
    """
    return sum(1 + (east_asian_width(character) in "WF") for character in text)


def left(text: str, columns: int) -> str:
    """Text with spaces behind it."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """Text with spaces before it."""
    return " " * (columns - width(text)) + text
