"""Views without tile ids, so that views of streams that number copies differently compare equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from houjuu.game.events import Call, Discard, Event, Riichi
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import format_tiles
from houjuu.logs import mjai
from tests.kit.dialects import Stream, hanchan


def named_view(view: View) -> dict[str, Any]:
    """The parts of a view by name, tiles in notation."""
    return {
        "hand": format_tiles(view.hand),
        "seats": [_named_seat(seat, seat.seat == view.seat) for seat in view.seats],
        "passed": view.passed,
        "round": (view.round, view.dealer, view.honba, view.riichi_sticks, view.tiles_left),
        "scores": view.scores,
        "indicators": [format_tiles([tile]) for tile in view.dora_indicators],
        "rules": view.rules,
    }


def _named_seat(seat: Seat, is_own: bool) -> list[Any]:
    river = [  # a dealer is dealt 14 tiles at once: its own first tsumogiri is not defined
        (format_tiles([d.tile]), d.tsumogiri and not is_own, *d[2:]) for d in seat.river
    ]
    melds = [
        (
            m.kind,
            format_tiles(m.tiles),
            None if m.called is None else format_tiles([m.called]),
            m.source,
        )
        for m in seat.melds
    ]
    return [river, melds, seat.declared, seat.in_riichi]


@cache
def views_before_actions(seed: int, seat: int) -> list[View]:
    """The views of a seat before each of its own actions, from the log with all hands."""
    return views_of(mjai.events(hanchan(seed)[0]), seat)


def views_of(events: Iterable[Event], seat: int) -> list[View]:
    """The views of a seat before each of its own actions."""
    table, views = Table(), list[View]()
    for event in events:
        if _is_own_turn(table, event, seat):
            views.append(table.view(seat))
        table.apply(event)
    return views


def _is_own_turn(table: Table, event: Event, seat: int) -> bool:
    own = isinstance(event, (Call, Discard, Riichi)) and event.seat == seat
    return own and table.round_state.actor == seat


def differences(view: View, truth: View) -> Sequence[str]:
    """The names of the parts in which two views differ."""
    ours, theirs = named_view(view), named_view(truth)
    return [name for name in ours if ours[name] != theirs[name]]


def views_after_messages(stream: Stream, seat: int) -> list[View | None]:
    """The view of a seat after each message of a stream; None before the first deal."""
    reader, table, views = mjai.Reader(), Table(), list[View | None]()
    for message in stream:
        for event in reader.events(message):
            table.apply(event)
        views.append(table.view(seat) if table.events else None)
    return views
