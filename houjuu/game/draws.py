"""How a round without a winner can end, by the rules."""

from __future__ import annotations

from collections.abc import Iterable

from houjuu.game.events import KANS, SEATS, Call, Discard, DrawReason
from houjuu.game.seat import Seat
from houjuu.game.table import Table
from houjuu.game.tiles import EAST, IS_YAOCHU, KIND

MAX_KANS = 4
"""The kans of a round, by all seats."""


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
    profile = table.rules.profile
    if not profile.aborts:
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
            return four_kans(seats)
        case _:
            return profile.most_rons == 2 and isinstance(table.events[-1], (Discard, Call))


def four_kans(seats: Iterable[Seat]) -> bool:
    """Whether several seats have four kans, so that the next discard ends a round (四槓散了)."""
    kans = [sum(meld.kind in KANS for meld in seat.melds) for seat in seats]
    return sum(kans) >= MAX_KANS > max(kans)
