"""The command ``houjuu review``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from houjuu.errors import Error
from houjuu.estimator import DEFAULT_MODEL, load
from houjuu.events import Deal, Game
from houjuu.extras import missing_packages
from houjuu.languages import DEFAULT, translate
from houjuu.logs.sources import Entry
from houjuu.review.page import page, write
from houjuu.review.review_data import Advice, Data, decisions, review

DEFAULT_PLAYER, NO_PLAYER = "estimator", "none"


def run(
    game: Game,
    seat: int,
    file: Path,
    *,
    player: str | None = None,
    model: str = DEFAULT_MODEL,
    language: str = DEFAULT,
) -> str:
    """Write the review page of a game and return a one-line summary.

    Parameters
    ----------
    game, seat, player, model
        As in `render`.
    file : Path
        Output file.
    language : str
        Language of the summary, one of `houjuu.languages.LANGUAGES`.
    """
    text, data = render(game, seat, player, model)
    write(file, text)
    made = list(decisions(data["rounds"]))
    n_rons = sum(len(decision["rons"]) for decision in made)
    return translate(language)(
        "page.summary",
        file=str(file),
        n=len(made),
        name=data["names"][0],
        seat=seat,
        rons=n_rons,
    )


def render(
    game: Game, seat: int, player: str | None = None, model: str = DEFAULT_MODEL
) -> tuple[str, Data]:
    """The review page of a game, and its data.

    Parameters
    ----------
    game : Game
    seat : int
        The reviewed seat, 0–3, absolute.
    player : str, optional
        Player whose discards are shown as advice: a name of `houjuu.player.players.PLAYERS`, or
        "none". The default is "estimator", or "none" where the extra "arena" is not installed.
    model : str
        A model as `houjuu.load` takes it.
    """
    data = reviewed(game, seat, player, model)
    advised = _advice(player) is not None
    return page(data, (player or DEFAULT_PLAYER) if advised else None), data


def reviewed(game: Game, seat: int, player: str | None = None, model: str = DEFAULT_MODEL) -> Data:
    """The data of a review without a page; the parameters are those of `render`."""
    return review(game, seat, load(model), _advice(player))


def check(player: str | None, model: str) -> None:
    """Raise the Error of `render` for a player or a model that does not exist."""
    _advice(player)
    load(model)


def _advice(player: str | None) -> Advice | None:
    if player == NO_PLAYER:
        return None
    try:
        from houjuu.review import advice
    except ImportError as problem:
        if player is None:
            return None
        raise missing_packages("arena", problem) from None
    return advice.of_player(player or DEFAULT_PLAYER)


def seat_of(game: Game, name: str) -> int:
    """The first seat of a player; raises an Error if the game has no such player."""
    names = [player.name for player in game.players]
    if name not in names:
        raise Error(f"has no player {name!r}, but {', '.join(names)}", file=game.id)
    return names.index(name)


def own_seat(game: Game, entries: Iterable[Entry]) -> int:
    """The seat from whose view a game was logged, 0–3; `entries` are those of its file.

    It is the ``id`` of mjai's ``start_game``, else the first seat whose hand the log shows.
    """
    for _, content in entries:
        if isinstance(content, bytes) and (seat := _start_game_id(content)) is not None:
            return seat
    hands = next((event.hands for event in game if isinstance(event, Deal)), ())
    return next((seat for seat, hand in enumerate(hands) if hand is not None), 0)


def _start_game_id(content: bytes) -> int | None:
    """The ``id`` of the first mjai message; None in all other logs."""
    first_line = next(iter(content.split(b"\n", 1)))
    if b'"start_game"' not in first_line:
        return None
    seat = json.loads(first_line).get("id")
    return seat if seat in range(4) else None
