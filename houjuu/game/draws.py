"""How a round without a winner can end, by the rules."""

from __future__ import annotations

from houjuu.game.events import SEATS, Call, Discard, DrawReason
from houjuu.game.table import Table
from houjuu.game.tiles import EAST, IS_YAOCHU, KIND


def nagashi_seats(table: Table) -> list[int]:
    """The seats with a nagashi mangan: only yaochu tiles in the river, and none was called."""
    return [
        seat
        for seat in range(SEATS)
        if all(
            IS_YAOCHU[discard.kind] and discard.called_by is None
            for discard in table.seats[seat].river
        )
    ]


def may_abort(table: Table, reason: DrawReason) -> bool:
    """Whether a round can be aborted now for a reason of `houjuu.game.events.ABORTED`."""
    if not table.rules.profile.aborts:
        return False
    seats = table.seats
    state = table.round_state
    calls = [event for event in table.events if isinstance(event, Call)]
    match reason:
        case DrawReason.NINE_TERMINALS:
            seat = state.actor
            kinds = {KIND[tile] for tile in state.hands[seat] if IS_YAOCHU[KIND[tile]]}
            hidden = state.n_unknown[seat] > 0
            first = seat >= 0 and not calls and not seats[seat].river
            return first and (hidden or len(kinds) >= 9)
        case DrawReason.FOUR_WINDS:
            rivers = [[discard.kind for discard in seat.river] for seat in seats]
            (first_kind, *_), same = rivers[0] or [-1], all(river == rivers[0] for river in rivers)
            return not calls and same and len(rivers[0]) == 1 and EAST <= first_kind < EAST + 4
        case DrawReason.FOUR_RIICHI:
            return all(seat.declared for seat in seats)
        case DrawReason.FOUR_KANS:
            kans = [sum(len(meld.tiles) == 4 for meld in seat.melds) for seat in seats]
            return sum(kans) >= 4 and max(kans) < 4
        case _:
            return isinstance(table.events[-1], (Discard, Call))
