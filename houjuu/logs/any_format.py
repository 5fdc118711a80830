"""Games of any format: the format is known by the content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from houjuu.game.events import Deal, Game
from houjuu.logs import addresses
from houjuu.logs.completion import Judge, completed
from houjuu.util.errors import Error, LogError

if TYPE_CHECKING:
    from houjuu.logs.sources import Entry


def parse(data: bytes, name: str, *, unfinished: bool = False, judge: Judge | None = None) -> Game:
    """Parse one game of any format.

    Parameters
    ----------
    data : bytes
        The content of a file, or an address that contains a game.
    name : str
        Its name, for error messages and for the id of the game.
    unfinished : bool
        Whether to accept a game in progress, which lacks its last events: the last round has no
        end then, and `Game.final` is None. A log in the format of tenhou.net/6 has whole rounds
        only.
    judge : callable, optional
        What scores a win whose score the file leaves out: `houjuu.scoring.win_scoring.scored`,
        which needs riichienv or `mahjong`. Without it, such a score stays unknown.

    Returns
    -------
    Game
        Other details of wins and draws that the file leaves out are filled in from the table, see
        `houjuu.logs.completion`.

    Raises
    ------
    LogError
        The data is not one four-player game, or the game is impossible. Of data with several
        games, such as a session of mjai, `games` reads each.
    """
    return completed(_parsed(data, name, unfinished), judge)


def _parsed(data: bytes, name: str, unfinished: bool) -> Game:
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if addresses.is_tenhou6_list(data):
        from houjuu.logs import tenhou6

        return tenhou6.parse(data, name)
    if not start.startswith((b"<", b"{", b"[")):
        reason = "is neither mjlog nor JSON" if start else "is empty"
        raise LogError(f"{reason}; a log is mjlog, mjai or tenhou.net/6", file=name)
    if b'"mjai_log"' in data:
        from houjuu.logs import engine_reports

        return engine_reports.parse(data, name)
    if start.startswith(b"<"):
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
    judge: Judge | None = None,
    check: Callable[[Game], None] | None = None,
) -> Iterator[Game]:
    """Yield every game of a file, folder or archive, whatever its format.

    Parameters
    ----------
    path : str or Path
        A path for `houjuu.logs.sources.entries`.
    on_error : callable, optional
        Called with each Error; then reading continues. Without it, the first Error is raised. The
        errors are small: they hold no part of the file.
    unfinished, judge
        As in `parse`.
    check : callable, optional
        A further check, which raises an Error: `houjuu.scoring.strict.check`.
    """
    from houjuu.logs.sources import entries

    return _games(entries(path), on_error, unfinished, judge, check)


def read_stream(
    file: IO[bytes],
    name: str,
    on_error: Callable[[Error], None] | None = None,
    *,
    unfinished: bool = False,
    judge: Judge | None = None,
    check: Callable[[Game], None] | None = None,
) -> Iterator[Game]:
    """Yield every game of an open file, such as standard input; else as `games`.

    Parameters
    ----------
    file : binary file
        A log, plain or compressed, or an archive; it is read whole.
    name : str
        Its name, for error messages and for the id of the game.
    on_error, unfinished, judge, check
        As in `games`.
    """
    from houjuu.logs.sources import stream_entries

    return _games(stream_entries(file, name), on_error, unfinished, judge, check)


def only_game(games: Iterable[Game], file: str) -> Game:
    """The game of a file that contains exactly one.

    Parameters
    ----------
    games : iterable of Game
        The games of the file.
    file : str
        Its name, for the error.

    Raises
    ------
    Error
        There is no game or more than one.
    """
    first_games = list(islice(games, 2))
    if len(first_games) != 1:
        raise Error("contains more than one game" if first_games else "contains no game", file=file)
    return first_games[0]


def own_seat(game: Game, entries: Iterable[Entry]) -> int:
    """The seat from whose view a game was logged, 0–3; `entries` are those of its file.

    It is the `stated_seat`, else the `first_shown_seat`.
    """
    stated = stated_seat(game, entries)
    return first_shown_seat(game) if stated is None else stated


def stated_seat(game: Game, entries: Iterable[Entry]) -> int | None:
    """The seat of a report, or the ``id`` of mjai's ``start_game``; None in all other logs."""
    from houjuu.logs import mjai
    from houjuu.logs.engine_reports import ReportedGame

    if isinstance(game, ReportedGame):
        return game.report.seat
    seats = (mjai.own_seat(content) for _, content in entries if isinstance(content, bytes))
    return next((seat for seat in seats if seat is not None), None)


def first_shown_seat(game: Game) -> int:
    """The first seat whose hand the log shows, 0–3; 0 if it shows none."""
    hands = next((event.hands for event in game if isinstance(event, Deal)), ())
    return next((seat for seat, hand in enumerate(hands) if hand is not None), 0)


def _games(
    entries: Iterable[tuple[str, bytes | Error]],
    on_error: Callable[[Error], None] | None,
    unfinished: bool,
    judge: Judge | None,
    check: Callable[[Game], None] | None,
) -> Iterator[Game]:
    for name, data in entries:
        try:
            if isinstance(data, Error):
                raise data
            game = parse(data, name, unfinished=unfinished, judge=judge)
            if check is not None:
                check(game)
        except Error as problem:
            if on_error is None:
                raise
            on_error(problem.in_file(name))
        else:
            yield game
