"""The course of a game: rounds, honba, sticks, scores and draws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from houjuu.game.events import (
    SEATS,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    RoundEnd,
    Win,
)
from houjuu.game.payments import RIICHI_STICK, draw_payments, nagashi_payments
from houjuu.game.table import Table
from houjuu.game.tiles import EAST, IS_YAOCHU, KIND
from houjuu.scoring.strict.hands import check_tenpai, is_tenpai
from houjuu.util.arrays import Ints
from houjuu.util.errors import LogError

_TOLERANCE = 0.05  # of a result with uma, which has one decimal
End = Sequence[Win | DrawnRound | RoundEnd]
"""The events that end a round: several wins, or one other event."""

_ABORTED = (
    DrawReason.NINE_TERMINALS,
    DrawReason.FOUR_WINDS,
    DrawReason.FOUR_RIICHI,
    DrawReason.THREE_RON,
    DrawReason.FOUR_KANS,
)


def total(game: Game) -> int:
    """Points of the four players and the sticks, from the first deal."""
    deal = _first_deal(game)
    return 0 if deal is None else sum(deal.scores) + RIICHI_STICK * deal.riichi_sticks


def _first_deal(game: Game) -> Deal | None:
    return next((event for event in game.events if isinstance(event, Deal)), None)


def check_first(game: Game) -> None:
    """Raise LogError unless the game begins with East 1 and four equal scores."""
    deal = _first_deal(game)
    if deal is None:
        return
    if (deal.round, deal.honba, deal.riichi_sticks) != (0, 0, 0):
        raise LogError("the first round is not East 1 without honba and sticks")
    if len(set(deal.scores)) > 1:
        raise LogError(f"the game begins with different scores: {deal.scores}")


def check_deal(table: Table, deal: Deal, end: End, total: int) -> None:
    """Raise LogError if a deal does not follow from the end of the round before."""
    if deal.dealer != deal.round % 4:
        raise LogError(f"the wrong dealer: seat {deal.dealer} in round {deal.round}")
    if sum(deal.scores) + RIICHI_STICK * deal.riichi_sticks != total:
        raise LogError(f"scores and sticks do not sum to {total}: {deal.scores}")
    if min(deal.scores) < 0:
        raise LogError(f"a round begins with a score below 0: {deal.scores}")
    if not end or any(isinstance(event, RoundEnd) for event in end):
        return
    previous = _deal_of(table)
    drawn_round = next((event for event in end if isinstance(event, DrawnRound)), None)
    stays = _dealer_stays(table, previous.dealer, end)
    honba = previous.honba + 1 if stays or drawn_round else 0
    expected = (previous.round + (not stays), honba)
    if (deal.round, deal.honba) != expected:
        raise LogError(f"round and honba do not follow: {(deal.round, deal.honba)}, not {expected}")
    if deal.riichi_sticks != table.round_state.riichi_sticks:
        sticks = table.round_state.riichi_sticks
        raise LogError(f"the sticks do not follow: {deal.riichi_sticks}, not {sticks}")


def _dealer_stays(table: Table, dealer: int, end: End) -> bool:
    first = end[0]
    if isinstance(first, DrawnRound):
        return first.reason in _ABORTED or is_tenpai(table, dealer, first.hands[dealer])
    return any(isinstance(event, Win) and event.seat == dealer for event in end)


def check_indicators(table: Table, following: Sequence[Event]) -> None:
    """Raise LogError if a kan has no indicator when the wall is drawn from after the next discard.

    Parameters
    ----------
    table : Table
        Before the kan.
    following : sequence of Event
        The events after the kan.
    """
    missing = table.round_state.missing_indicators + 1
    discarded = False
    for event in following:
        match event:
            case Dora():
                missing -= 1
            case Call(_, meld):
                missing += len(meld.tiles) == 4
                discarded = False  # the draw after a kan is from the dead wall
            case Discard():
                discarded = True
            case Draw() if not discarded:
                pass
            case Draw() if missing:
                raise LogError("a dora indicator is missing after a kan")
            case Draw() | Deal():
                return
            case _:
                pass


def _deal_of(table: Table) -> Deal:
    return cast(Deal, table.events[0])


def check_drawn_round(table: Table, drawn: DrawnRound) -> None:
    """Raise LogError if the round cannot end so, or the payments are others."""
    check_counts(table, drawn)
    state = table.round_state
    reason = drawn.reason
    if reason in (DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN):
        if state.tiles_left:
            raise LogError(f"an exhausted draw with tiles in the wall: {state.tiles_left}")
        check_tenpai(table, drawn.hands)
    elif not _may_abort(table, drawn):
        raise LogError(f"the round cannot be aborted so: {reason.value}")
    expected = tuple(_payments(table, drawn).tolist())
    if drawn.deltas not in (None, expected):
        raise LogError(f"the payments of the draw differ: {drawn.deltas}, not {expected}")


def check_counts(table: Table, end: Win | DrawnRound, *, first: bool = True) -> None:
    """Raise LogError if honba or sticks of the end of a round are not those of the table.

    The first of several winners takes the sticks.
    """
    expected = _deal_of(table).honba, table.round_state.riichi_sticks * first
    if (end.honba, end.riichi_sticks) != expected:
        raise LogError(
            f"honba and sticks of the end differ: {(end.honba, end.riichi_sticks)}, not {expected}"
        )


def _payments(table: Table, drawn: DrawnRound) -> Ints:
    if drawn.reason is DrawReason.NAGASHI_MANGAN:
        seats = [seat for seat in range(SEATS) if _is_nagashi(table, seat)]
        if not seats:
            raise LogError("no seat has a nagashi mangan")
        return nagashi_payments(seats, _deal_of(table).dealer)
    exhausted = drawn.reason is DrawReason.EXHAUSTED
    return draw_payments([exhausted and hand is not None for hand in drawn.hands])


def _is_nagashi(table: Table, seat: int) -> bool:
    river = table.seats[seat].river
    return all(IS_YAOCHU[discard.kind] and discard.called_by is None for discard in river)


def _may_abort(table: Table, drawn: DrawnRound) -> bool:
    seats = table.seats
    state = table.round_state
    calls = [event for event in table.events if isinstance(event, Call)]
    match drawn.reason:
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


def check_final(game: Game, scores: Sequence[int], total: int) -> None:
    """Raise LogError if the final scores or results differ from the last scores."""
    if game.final is None:
        return
    final = [score for score, _ in game.final]
    order = sorted(range(4), key=lambda seat: -scores[seat])
    expected = list(scores)
    expected[order[0]] += total - sum(scores)  # sticks that are left
    if final != expected:
        raise LogError(f"the final scores differ from the last ones: {final}, not {expected}")
    results = [result for _, result in game.final]
    if abs(sum(results)) > 4 * _TOLERANCE:
        raise LogError(f"the final results do not sum to 0: {results}")
    if any(results[a] < results[b] - _TOLERANCE for a, b in pairwise(order)):
        raise LogError(f"the final results are not in the order of the scores: {results}")
