"""Details that no other check uses: dice, who is away, the last turn."""

from __future__ import annotations

from houjuu.game.events import Away, Back, Deal, DrawnRound, DrawReason
from houjuu.game.table import Table
from houjuu.util.errors import LogError

_DICE = range(6)


def check_dice(deal: Deal) -> None:
    """Raise LogError if the dice are not two numbers from 0 to 5, as in mjlog."""
    if deal.dice is not None and not all(number in _DICE for number in deal.dice):
        raise LogError(f"the dice are not 0 to 5: {deal.dice}")


def check_presence(table: Table, event: Away | Back) -> None:
    """Raise LogError if a player leaves who is away, or comes back who is not."""
    leaves = isinstance(event, Away)
    if table.seats[event.seat].away is leaves:
        happens = "leaves twice" if leaves else "comes back without having left"
        raise LogError(f"a player {happens}: seat {event.seat}")


def check_exhausted(table: Table, drawn: DrawnRound) -> None:
    """Raise LogError if the wall is exhausted, but a discard or an indicator is still to come."""
    if drawn.reason not in (DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN):
        return
    state = table.round_state
    if state.actor >= 0:
        raise LogError(f"the last discard is missing: seat {state.actor}")
    if state.missing_indicators:
        raise LogError("a dora indicator is missing after a kan")
