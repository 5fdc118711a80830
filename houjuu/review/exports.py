"""``houjuu review --json`` and ``--csv``: the data of the games of some paths as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from houjuu import logs
from houjuu.game.events import Game
from houjuu.logs.sources import Entry, entries
from houjuu.review import rendering
from houjuu.review.export import as_json, csv_head, csv_lines
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError


def exported(
    paths: Sequence[str],
    *,
    as_csv: bool,
    seat: int | None = None,
    name: str | None = None,
    player: str | None = None,
    model: str,
) -> Iterator[str | Error]:
    """Yield the text of each game, or the Error for which it is left out.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders, archives and databases.
    as_csv : bool
        Whether a game is lines of CSV, after a head, instead of a line of JSON.
    seat, name : int or str, optional
        The reviewed seat or player. By default the seat from whose view the log was written.
    player, model
        As in `houjuu.review.rendering.render`.

    Raises
    ------
    Error
        A path cannot be opened, there is no such player or model, or a package is missing.
    """
    rendering.check(player, model)
    if as_csv:
        yield csv_head()
    for path in paths:
        for entry in entries(path):
            try:
                game, chosen = _game_and_seat(entry, seat, name)
                review = rendering.reviewed(game, chosen, player, model)
            except MissingPackageError:
                raise
            except Error as problem:
                yield problem.without_context()
                continue
            text = json.dumps(as_json(review), ensure_ascii=False, separators=(",", ":"))
            yield csv_lines(review) if as_csv else text + "\n"


def _game_and_seat(entry: Entry, seat: int | None, name: str | None) -> tuple[Game, int]:
    file, content = entry
    if isinstance(content, Error):
        raise content
    game = logs.parse(content, file)
    if name is not None:
        return game, rendering.seat_of(game, name)
    return game, rendering.own_seat(game, [entry]) if seat is None else seat
