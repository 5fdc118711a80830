"""The list ``connection`` of tenhou.net/6: players who leave and come back.

``{"what":0,"log":2,"who":1,"step":9}``: in the third round seat 1 leaves (``what`` 0) or comes back
(1) after nine steps. A step is a draw, a discard or a call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from houjuu.game.events import (
    Away,
    Back,
    Call,
    Discard,
    Draw,
    DrawnRound,
    Event,
    Riichi,
    Win,
)
from houjuu.logs.tenhou6_lists import shorten
from houjuu.logs.tenhou6_results import are_integers
from houjuu.util.errors import LogError

Change = tuple[int, Away | Back]
"""Number of the steps before it, and the event."""
Changes = Mapping[int, list[Change]]
"""The changes in each round, by its index."""

_EVENTS = (Away, Back)
_MAX = 10_000  # of an index or a step; far more than any game has
_STEPS = (Draw, Discard, Call)
_ENDS = (Win, DrawnRound)


def parse_connection(entries: Any) -> Changes:
    """The changes in each round; raises LogError if an entry is malformed."""
    changes = defaultdict[int, list[Change]](list)
    if not isinstance(entries or [], list):
        raise LogError("is not a list", element=f"connection {shorten(entries)}")
    for entry in entries or []:
        fields = entry if isinstance(entry, dict) else {}
        numbers: list[Any] = [fields.get(key) for key in ("what", "log", "who", "step")]
        if not are_integers(numbers, 4):
            raise LogError("has no numbers what, log, who and step", element=_shown(entry))
        what, index, seat, step = numbers
        if what not in (0, 1) or seat not in range(4) or not 0 <= min(index, step) <= _MAX:
            raise LogError("is not a player who leaves or comes back", element=_shown(entry))
        changes[index].append((step, _EVENTS[what](seat)))
    return changes


def _shown(entry: Any) -> str:
    return f"connection {shorten(entry)}"


def with_changes(events: Iterable[Event], changes: Iterable[Change]) -> list[Event]:
    """The events of a round with the players who leave and come back; all before its end."""
    pending = sorted(changes, key=lambda change: change[0])
    result = list[Event]()
    step = 0
    for event in events:
        at_end = isinstance(event, _ENDS)
        if at_end or isinstance(event, (*_STEPS, Riichi)):
            while pending and (at_end or pending[0][0] <= step):
                result.append(pending.pop(0)[1])
        step += isinstance(event, _STEPS)
        result.append(event)
    return result
