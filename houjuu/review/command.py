"""Review a game: ``houjuu review``."""

from __future__ import annotations

import json
from pathlib import Path

from houjuu.errors import Error
from houjuu.estimator import DEFAULT_MODEL, load
from houjuu.events import Deal, Game
from houjuu.logs.sources import entries
from houjuu.review.page import page, write
from houjuu.review.reviewed import Advice, decisions, reviewed

PLAYER, NOBODY = "estimator", "none"


def run(
    game: Game, seat: int, file: Path, player: str | None = None, model: str = DEFAULT_MODEL
) -> str:
    """Write the page of a game, and say what it holds.

    Parameters
    ----------
    game : Game
    seat : int
        Whose decisions.
    file : Path
        Where the page goes.
    player : str, optional
        Who advises, a name of `houjuu.arena.matches.PLAYERS` or "none"; without it "estimator",
        or nobody where the extra "arena" is not installed.
    model : str
        What `houjuu.load` takes.
    """
    advice = _advice(player)
    data = reviewed(game, seat, load(model), advice)
    write(file, page(data, (player or PLAYER) if advice else None))
    found = list(decisions(data["rounds"]))
    rons = sum(len(decision["rons"]) for decision in found)
    return f"{file}: {len(found)} discards of {data['names'][0]} in seat {seat}, {rons} dealt in"


def _advice(player: str | None) -> Advice | None:
    if player == NOBODY:
        return None
    try:
        from houjuu.review import advice
    except ImportError as missing:
        if player is None:
            return None
        raise Error(f"this needs {missing.name}: pip install houjuu[arena]") from None
    return advice.of_player(player or PLAYER)


def own_seat(path: str | Path, game: Game) -> int:
    """The seat that a log is told from: as its ``start_game`` says, else the first shown, 0–3."""
    for _, content in entries(path):
        if isinstance(content, bytes) and (told := _told(content)) is not None:
            return told
    dealt = next((event.hands for event in game if isinstance(event, Deal)), ())
    return next((seat for seat, hand in enumerate(dealt) if hand is not None), 0)


def _told(content: bytes) -> int | None:
    """The ``id`` of the first message of mjai, None in any other log."""
    first = next(iter(content.split(b"\n", 1)))
    if b'"start_game"' not in first:
        return None
    told = json.loads(first).get("id")
    return told if told in range(4) else None
