"""The commands in a browser: a page hands in files and arguments, and gets JSON.

The page of `web/` calls `answer` in a worker. It draws nothing: it shows the pages that ``houjuu
review`` writes and the text that ``houjuu danger`` prints.
"""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from houjuu.game.events import Game
from houjuu.game.position import position as position_by_hand
from houjuu.logs import any_format as logs
from houjuu.logs.sources import Entry
from houjuu.review import rendering
from houjuu.review.review_data import Progress
from houjuu.review.site import folder
from houjuu.review.site.build import PageOptions
from houjuu.review.site.inventory import all_entries, name_counts, take_inventory
from houjuu.util.errors import Error, printable
from houjuu.util.json_types import RoomName
from houjuu.util.languages import DEFAULT, problem_text, translate

_MOST_NAMES = 12  # of several games
_FOLDER = Path("/tmp/houjuu-reviews")  # in a browser, a file is memory of the page
_IN_MEMORY = re.compile(r"/tmp/logs/\d+/\d+/")  # where `web/worker.js` writes the logs


def answer(name: str, arguments: str, progress: Progress, language: str = DEFAULT) -> str:
    """The result of a function below, as JSON.

    Parameters
    ----------
    name : str
        One of `FUNCTIONS`.
    arguments : str
        A JSON object with the arguments of the function.
    progress : callable
        Called with the share that is done, 0 to 1.
    language : str
        Of errors, pages and texts.

    Returns
    -------
    str
        ``{"result": …}``, or ``{"error": "one sentence"}`` for bad input. Each names a file without
        its folder, which is memory of the page.
    """
    values = json.loads(arguments)
    try:
        result = {"result": FUNCTIONS[name](progress=progress, language=language, **values)}
    except Error as problem:
        result = {"error": printable(problem_text(translate(language), problem))}
    return _IN_MEMORY.sub("", json.dumps(result, ensure_ascii=False))


def players(paths: Sequence[str], progress: Progress, language: str) -> dict[str, Any]:
    """The names of the players of a game, and the seats with hands.

    Of many games, ``counts`` has the most frequent names with the numbers of their games.
    """
    entries = list(all_entries(paths))
    if len(entries) == 1:
        return rendering.players(_game(entries), entries)
    counts = name_counts(take_inventory(entries).games).most_common(_MOST_NAMES)
    return {"names": list("ABCD"), "seats": list(range(4)), "counts": counts}


def review(
    paths: Sequence[str],
    progress: Progress,
    *,
    language: str,
    seat: str | None = None,
    name: str | None = None,
    player: str | None = None,
    room: RoomName | None = None,
    one_seat: bool = False,
) -> dict[str, Any]:
    """The pages of one game or many, by file name, and the one to open first.

    The ``link`` of one game contains it. The pages of many games also lie in the zip that is the
    ``archive``; they are those of a name, or of a seat.
    """
    entries = list(all_entries(paths))
    first = None if seat in (None, "") else int(seat)
    if len(entries) == 1:
        game = _game(entries)
        chosen = rendering.chosen_seat(game, first, None, entries)
        seats = [chosen] if one_seat else rendering.shown_seats(game, chosen)
        page, _ = rendering.render(
            game, seats, player, language=language, progress=progress, room=room
        )
        return {
            "pages": {"review.html": page},
            "first": "review.html",
            "link": rendering.link(game),
        }
    shutil.rmtree(_FOLDER, ignore_errors=True)
    options, t = PageOptions(player, None, language, room=room), translate(language)
    site = folder.write(paths, _FOLDER, options, t, name=name, seat=first, progress=progress)
    files = sorted(_FOLDER.rglob("*.html"))
    pages = {path.relative_to(_FOLDER).as_posix(): path.read_text("utf-8") for path in files}
    archive = _FOLDER / "reviews.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for page, text in pages.items():
            file.writestr(page, text)
    return {
        "pages": pages,
        "first": "index.html",
        "archive": str(archive),
        "left_out": [problem_text(t, problem) for problem in site.problems],
    }


def position(position: Mapping[str, Any], progress: Progress, language: str) -> dict[str, Any]:
    """The page of a position by hand: the arguments of `houjuu.position`.

    Raises
    ------
    Error
        The position is impossible.
    """
    page = rendering.position_page(position_by_hand(**position), language)
    return {"pages": {"review.html": page}, "first": "review.html"}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "players": players,
    "review": review,
    "position": position,
}
"""What the page may call."""


def _game(entries: Sequence[Entry]) -> Game:
    ((name, content),) = entries
    if isinstance(content, Error):
        raise content
    return logs.parse(content, name, unfinished=True)
