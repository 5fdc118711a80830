"""The decisions of a game: every table of rows begins here."""

from __future__ import annotations

from collections.abc import Iterator

from houjuu.game.events import Deal, Discard, Game
from houjuu.game.table import Table


def decisions(game: Game) -> Iterator[tuple[Table, int, Discard]]:
    """Yield the table before each discard that is a decision, the index of the deal, the discard.

    Discards that are no decisions are left out: those of a seat in riichi and of a player who has
    dropped out. The table is always the same object, and moves on.
    """
    table = Table(game.rules)
    index = -1
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Discard):
            decider = table.seats[event.seat]
            if not (decider.in_riichi or decider.away):
                yield table, index, event
        table.apply(event)
