"""Reading and writing games: one module a format.

`mjlog`, `mjai` and `tenhou6` each have `parse(data, name)` for the content of one file and
`read(path)` for all games of a path; `games` reads any of the formats. `sources` opens files,
folders, archives and databases.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from houjuu.errors import Error
from houjuu.events import Game

_MODULES = ("mjai", "mjlog", "sources", "tenhou6")


def __getattr__(name: str) -> ModuleType:
    """Import a format on first use, because mjlog needs lxml."""
    if name in _MODULES:
        return importlib.import_module(f"houjuu.logs.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def parse(data: bytes, name: str, *, unfinished: bool = False) -> Game:
    """Parse one game of any format.

    Parameters
    ----------
    data : bytes
        The content of a file.
    name : str
        Its name, for error messages and for the id of the game.
    unfinished : bool
        Whether to accept a game in progress, which lacks its last events: the last round has no
        end then, and `Game.final` is None. A log in the format of tenhou.net/6 has whole rounds
        only.

    Raises
    ------
    LogError
        The data is not a four-player game, or the game is impossible.
    """
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")):
        from houjuu.logs import mjlog

        return mjlog.parse(data, name, unfinished=unfinished)
    if start.startswith(b"[") or b'"type"' in start.splitlines()[0]:
        from houjuu.logs import mjai

        return mjai.parse(data, name, unfinished=unfinished)
    from houjuu.logs import tenhou6

    return tenhou6.parse(data, name)


def games(
    path: str | Path,
    on_error: Callable[[Error], None] | None = None,
    *,
    unfinished: bool = False,
) -> Iterator[Game]:
    """Yield every game of a file, folder or archive, whatever its format.

    Parameters
    ----------
    path : str or Path
        A path for `houjuu.logs.sources.entries`.
    on_error : callable, optional
        Called with each Error; then reading continues. Without it, the first Error is raised.
    unfinished : bool
        Whether to accept games in progress, as `parse` does.
    """
    from houjuu.logs.sources import entries

    for name, data in entries(path):
        try:
            if isinstance(data, Error):
                raise data
            game = parse(data, name, unfinished=unfinished)
        except Error as problem:
            if on_error is None:
                raise
            on_error(problem)
        else:
            yield game
