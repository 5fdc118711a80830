"""Doctests in docstrings as code: what numpydoc wants under "Examples" may stand anywhere here."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*\n(?:.+\n?)*", re.MULTILINE)


class Fenced(griffe.Extension):
    """Fences the doctests of every docstring without such a section."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Look at one docstring."""
        text = obj.docstring
        if text is not None and "Examples\n---" not in text.value:
            text.value = _EXAMPLE.sub(lambda found: fenced(found[0]), text.value)


def fenced(example: str) -> str:
    """The lines of an example between fences."""
    return f"```pycon\n{example.rstrip()}\n```\n"
