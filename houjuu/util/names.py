"""Names of players are data of other people: how they are shown, and how they are compared."""

from __future__ import annotations

import re
import unicodedata

from houjuu.util.errors import printable

MAX_NAME = 64
"""Characters of a name that are shown; Tenhou allows 8."""

_READ = 4 * MAX_NAME  # to normalize a flood of combining characters takes its length squared
_FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]")
_MOST_MARKS = 4  # on one character: Vietnamese has two, Hebrew three


def shown_name(name: str) -> str:
    r"""A name as people see it: on one line, in NFC, of visible characters, and not long.

    Names are compared in this form, too: two that look the same are the same. White space becomes
    a space; other characters of control or format, lone surrogates, fillers and more than four
    combining marks become U+FFFD. A longer name than `MAX_NAME` is cut.

    >>> shown_name("\x1b[31mred"), shown_name("\u202eevil")
    ('�[31mred', '�evil')
    """
    text = unicodedata.normalize("NFC", name[:_READ])
    if len(text) > MAX_NAME or len(name) > _READ:
        text = text[:MAX_NAME] + "…"
    return _few_marks(_FILLERS.sub("\N{REPLACEMENT CHARACTER}", printable(text)))


def _few_marks(text: str) -> str:
    if text.isascii():
        return text
    shown: list[str] = []
    n_marks = 0
    for character in text:
        n_marks = n_marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if n_marks <= _MOST_MARKS:
            shown.append(character)
        elif n_marks == _MOST_MARKS + 1:
            shown.append("\N{REPLACEMENT CHARACTER}")
    return "".join(shown)
