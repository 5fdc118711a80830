"""Everything that houjuu refuses, as one tree under `Error`."""

from __future__ import annotations


class Error(Exception):
    """Something was refused; the message says in one sentence what and where.

    Parameters
    ----------
    reason : str
        What is wrong.
    file : str, optional
        The file, or the member of an archive, that holds it.
    round : int, optional
        The index of the round in that file, from 0.
    element : str, optional
        The element of the file (an XML tag, a JSON line) or the event.
    """

    def __init__(
        self,
        reason: str,
        *,
        file: str | None = None,
        round: int | None = None,
        element: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.round = round
        self.element = element

    def __str__(self) -> str:
        """Join where and what: ``game.xml, round 3, <N who="1" m="7"/>: no such meld``."""
        where = [self.file, None if self.round is None else f"round {self.round}", self.element]
        return ": ".join(filter(None, [", ".join(filter(None, where)), self.reason]))

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the way back from a worker process, place and all."""
        return _rebuild, (type(self), self.reason, self.file, self.round, self.element)


class LogError(Error):
    """A log that cannot be read, is not a four-player game, or contradicts itself."""


class TableError(Error):
    """An event that cannot happen at this table."""


class ParameterError(Error):
    """A parameter file that is damaged or of an unknown version or kind."""


def _rebuild(
    kind: type[Error], reason: str, file: str | None, round: int | None, element: str | None
) -> Error:
    return kind(reason, file=file, round=round, element=element)
