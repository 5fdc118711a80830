"""The exceptions of houjuu: one tree under `Error`."""

from __future__ import annotations

import re
import unicodedata
from typing import Self

MAX_SHOWN = 500
"""Characters of untrusted text that an error message shows."""

SEVERAL = "contains {} games, of which houjuu.logs.games and the commands read each"
"""Why a parser of one game refuses a text."""
_MAX_VALUE = 40  # unit: characters
_MAX_ELEMENT = 100  # unit: characters
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def printable(text: str) -> str:
    """The text on one line, safe for a terminal, a CSV and every encoding of Unicode.

    White space becomes a space. Other characters of control or format and lone surrogates become
    U+FFFD. A text of more than `MAX_SHOWN` characters is cut.
    """
    if len(text) > MAX_SHOWN:
        text = text[:MAX_SHOWN] + "…"
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


def shortened(text: str, length: int = _MAX_ELEMENT) -> str:
    """The text, cut to so many characters."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def shown(value: object, length: int = _MAX_VALUE) -> str:
    """A value as Python writes it, cut to so many characters; for the message of an error."""
    try:
        return f"{value!r:.{length}}"
    except (ValueError, RecursionError):  # an integer of 5,000 digits, a list in a list in a list …
        return f"a value that is too long ({type(value).__name__})"


def _shown(character: str) -> str:
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    if character.isspace():
        return " "
    return _REPLACEMENT


class Error(Exception):
    """Base of all exceptions; the message states in one sentence what is wrong and where.

    Parameters
    ----------
    reason : str
        What is wrong.
    file : str, optional
        The file, or the member of an archive, with the problem.
    round : int, optional
        Index of the round in that file, from 0.
    element : str, optional
        The element of the file (an XML tag, a JSON line) or the event with the problem.
    """

    def __init__(
        self,
        reason: str,
        *,
        file: str | None = None,
        round: int | None = None,
        element: str | None = None,
    ) -> None:
        self.reason = printable(reason)
        super().__init__(self.reason)
        self.file = None if file is None else printable(file)
        self.round = round
        self.element = None if element is None else shortened(printable(element))

    def __str__(self) -> str:
        """Join place and reason: ``game.xml, round 3, <N who="1" m="7"/>: no such meld``."""
        location = [self.file, None if self.round is None else f"round {self.round}", self.element]
        return ": ".join(filter(None, [", ".join(filter(None, location)), self.reason]))

    @property
    def kind(self) -> str:
        """The reason without its details, to count errors of one kind."""
        text = re.sub(r"\([^()]*\)|'[^']*'|<[^<>]*>", "…", self.reason.partition(": ")[0])
        return re.sub(r"-?\b\d[\d.,]*[mpsz]*", "…", text)

    def in_file(self, name: str) -> Self:
        """A copy that names the file, also where the error names the game alone.

        It has no traceback and no earlier errors, whose frames hold the whole file in memory:
        ``raise … from None`` only hides these.
        """
        file = name if self.file is None or self.file in printable(name) else f"{name}, {self.file}"
        return type(self)(self.reason, file=file, round=self.round, element=self.element)

    def __reduce__(self) -> tuple[object, ...]:
        """Make the error picklable with its place, so that worker processes can raise it."""
        return _rebuild, (type(self), self.reason, self.file, self.round, self.element)


class LogError(Error):
    """A log is unreadable, is not a four-player game, or contradicts itself."""

    @classmethod
    def at(
        cls, problem: Error, *, file: str | None, round: int | None, element: str | None
    ) -> LogError:
        """The error of a parser for a problem at a place of its file."""
        error_type = type(problem) if isinstance(problem, LogError) else cls
        return error_type(problem.reason, file=file, round=round, element=element)


class ThreePlayerError(LogError):
    """The game has three players, and houjuu supports only games of four."""

    def __init__(
        self,
        reason: str = "is a three-player game; houjuu supports only four-player games",
        *,
        file: str | None = None,
        round: int | None = None,
        element: str | None = None,
    ) -> None:
        super().__init__(reason, file=file, round=round, element=element)


class TableError(Error):
    """An event is impossible in the current state of the table."""


class ParameterError(Error):
    """A parameter file is missing, damaged or of an unknown version, or a parameter is absurd."""


def _rebuild(
    error_type: type[Error], reason: str, file: str | None, round: int | None, element: str | None
) -> Error:
    return error_type(reason, file=file, round=round, element=element)
