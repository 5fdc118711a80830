"""The seat from whose view a game was logged."""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.game.events import Deal, Game
from houjuu.logs import mjai
from houjuu.logs.sources import Entry


def own_seat(game: Game, entries: Iterable[Entry]) -> int:
    """The seat from whose view a game was logged, 0–3; `entries` are those of its file.

    It is the ``id`` of mjai's ``start_game``, else the first seat whose hand the log shows.
    """
    for _, content in entries:
        if isinstance(content, bytes) and (seat := mjai.own_seat(content)) is not None:
            return seat
    hands = next((event.hands for event in game if isinstance(event, Deal)), ())
    return next((seat for seat, hand in enumerate(hands) if hand is not None), 0)
