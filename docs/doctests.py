"""Show doctests as code blocks wherever they stand in a docstring.

numpydoc shows only those of a section "Examples".
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*\n(?:.+\n?)*", re.MULTILINE)


class Fenced(griffe.Extension):
    """Fences the doctests of every docstring that has no such section."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Fence the doctests of one docstring."""
        text = obj.docstring
        if text is not None and "Examples\n---" not in text.value:
            text.value = _EXAMPLE.sub(lambda match: fenced(match[0]), text.value)


def fenced(example: str) -> str:
    """An example as a fenced code block."""
    return f"```pycon\n{example.rstrip()}\n```\n"
