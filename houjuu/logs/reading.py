"""Functions that the readers of all formats share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from houjuu.game.events import Game
from houjuu.util.errors import LogError

Parse = Callable[[bytes, str], Game]


class NoFreeCopyError(LogError):
    """A round has more copies of a tile than the rules allow."""


def read_all(parse: Parse, path: str | Path) -> Iterator[Game]:
    """Yield all games of a path that one format has; raises the first Error.

    Parameters
    ----------
    parse : callable
        The function ``parse`` of the format.
    path : str or Path
        As for `houjuu.logs.sources.entries`.
    """
    from houjuu.logs.sources import contents

    for name, data in contents(path):
        yield parse(data, name)


def game_id(name: str) -> str:
    """The id of a game from the name of its file: the part between the last / and the first dot."""
    return name.rsplit("/", 1)[-1].split(".", 1)[0]


def integral(text: str) -> float | int:
    """The number of a JSON text: 1000.0 is an integer, as some programs write them.

    >>> integral("1000.0"), integral("1000.5"), integral("1e999")
    (1000, 1000.5, inf)
    """
    number = float(text)
    return int(number) if number.is_integer() else number


def with_red_fives(parse: Callable[[bool], Game], stated: bool | None) -> Game:
    """Parse with red fives or, if a fourth plain five shows that there are none, without.

    Parameters
    ----------
    parse : callable
        Parses the whole log; the argument is whether there are red fives.
    stated : bool or None
        What the log contains about them; None if it contains nothing.
    """
    if stated is not None:
        return parse(stated)
    try:
        return parse(True)
    except NoFreeCopyError as first:
        try:
            return parse(False)
        except NoFreeCopyError:  # too many of another tile
            raise first from None
