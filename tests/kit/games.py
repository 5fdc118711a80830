"""Tables that follow games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from houjuu.game.events import Event, Game, Rules
from houjuu.game.table import Table


def walk(games: Game | Iterable[Game], *kinds: type[Event]) -> Iterator[tuple[Table, Any]]:
    """Yield the table before each event of some types, of one game or of several, and the event."""
    for game in [games] if isinstance(games, Game) else games:
        table = Table(game.rules)
        for event in game:
            if isinstance(event, kinds or object):
                yield table, event
            table.apply(event)


def played(*events: Event, rules: Rules | None = None) -> Table:
    """The table after some events."""
    table = Table(rules)
    for event in events:
        table.apply(event)
    return table
