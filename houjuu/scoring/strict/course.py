"""The course of a game: rounds, honba, sticks, scores and draws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from houjuu.game.draws import may_abort, nagashi_seats
from houjuu.game.events import (
    ABORTED,
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    PerSeat,
    RoundEnd,
    Win,
    per_seat,
)
from houjuu.game.game_end import order
from houjuu.game.payments import RIICHI_STICK, draw_payments, nagashi_payments
from houjuu.game.table import Table
from houjuu.scoring.strict.hands import check_tenpai
from houjuu.util.errors import LogError

_TOLERANCE = 0.05  # of a result with uma, which has one decimal
End = Sequence[Win | DrawnRound | RoundEnd]
"""The events that end a round: several wins, or one other event."""


def total(game: Game) -> int | None:
    """Points of the four players and the sticks, from the first deal; None if it has no scores."""
    deal = _first_deal(game)
    if deal is None or deal.scores is None:
        return None
    return sum(deal.scores) + RIICHI_STICK * deal.riichi_sticks


def _first_deal(game: Game) -> Deal | None:
    return next((event for event in game.events if isinstance(event, Deal)), None)


def check_first(game: Game) -> None:
    """Raise LogError unless the game begins with East 1."""
    deal = _first_deal(game)
    if deal is None:
        return
    if (deal.round, deal.honba, deal.riichi_sticks) != (0, 0, 0):
        raise LogError("the first round is not East 1 without honba and sticks")


def check_deal(table: Table, deal: Deal, end: End, total: int | None) -> None:
    """Raise LogError if a deal does not follow from the end of the round before."""
    if deal.dealer != deal.round % 4:
        raise LogError(f"the wrong dealer: seat {deal.dealer} in round {deal.round}")
    if deal.scores is not None and total is not None:
        if sum(deal.scores) + RIICHI_STICK * deal.riichi_sticks != total:
            raise LogError(f"scores and sticks do not sum to {total}: {deal.scores}")
        if min(deal.scores) < 0:
            raise LogError(f"a round begins with a score below 0: {deal.scores}")
    if not end:
        return
    previous = deal_of(table)
    stays = dealer_stays(previous.dealer, end)
    if stays is None:
        return
    honba = previous.honba + 1 if stays or isinstance(end[0], DrawnRound) else 0
    expected = (previous.round + (not stays), honba)
    if (deal.round, deal.honba) != expected:
        raise LogError(f"round and honba do not follow: {(deal.round, deal.honba)}, not {expected}")
    if deal.riichi_sticks != table.round_state.riichi_sticks:
        sticks = table.round_state.riichi_sticks
        raise LogError(f"the sticks do not follow: {deal.riichi_sticks}, not {sticks}")


def dealer_stays(dealer: int, end: End) -> bool | None:
    """Whether the dealer stays; None if the log does not show how the round ended."""
    first = end[0]
    if any(isinstance(event, RoundEnd) for event in end):
        return None
    if isinstance(first, DrawnRound):
        if first.reason is None:
            return None
        return first.reason in ABORTED or first.tenpai[dealer]
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


def deal_of(table: Table) -> Deal:
    """The deal of the current round."""
    return cast(Deal, table.events[0])


def check_drawn_round(table: Table, drawn: DrawnRound) -> None:
    """Raise LogError if the round cannot end so, or the payments are others."""
    check_counts(table, drawn)
    state = table.round_state
    reason = drawn.reason
    if reason in (DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN):
        if state.tiles_left:
            raise LogError(f"an exhausted draw with tiles in the wall: {state.tiles_left}")
        check_tenpai(table, drawn)
    elif reason is not None and not may_abort(table, reason):
        raise LogError(f"the round cannot be aborted so: {reason.value}")
    expected = _payments(table, drawn)
    if expected is not None and drawn.deltas not in (None, expected):
        raise LogError(f"the payments of the draw differ: {drawn.deltas}, not {expected}")


def check_counts(table: Table, end: Win | DrawnRound, *, first: bool = True) -> None:
    """Raise LogError if honba or sticks of the end of a round are not those of the table.

    The first of several winners takes the sticks.
    """
    expected = deal_of(table).honba, table.round_state.riichi_sticks * first
    if (end.honba, end.riichi_sticks) != expected:
        raise LogError(
            f"honba and sticks of the end differ: {(end.honba, end.riichi_sticks)}, not {expected}"
        )


def _payments(table: Table, drawn: DrawnRound) -> PerSeat | None:
    """The changes of the scores; None if reason or tenpai hands are unknown."""
    if drawn.reason is DrawReason.NAGASHI_MANGAN:
        seats = nagashi_seats(table)
        if not seats:
            raise LogError("no seat has a nagashi mangan")
        return per_seat(nagashi_payments(seats, deal_of(table).dealer).tolist())
    if drawn.reason in ABORTED:
        return (0, 0, 0, 0)
    if drawn.reason is None or None in drawn.tenpai:
        return None
    return per_seat(draw_payments([bool(ready) for ready in drawn.tenpai]).tolist())


def check_final(game: Game, scores: Sequence[int], total: int | None) -> None:
    """Raise LogError if the final scores or results differ from the last scores."""
    if game.final is None:
        return
    final = [score for score, _ in game.final]
    first_to_last = order(scores).tolist()
    expected = list(scores)
    if total is not None:
        expected[first_to_last[0]] += total - sum(scores)  # sticks that are left
    if final != expected:
        raise LogError(f"the final scores differ from the last ones: {final}, not {expected}")
    results = [result for _, result in game.final]
    if abs(sum(results)) > 4 * _TOLERANCE:
        raise LogError(f"the final results do not sum to 0: {results}")
    if any(results[a] < results[b] - _TOLERANCE for a, b in pairwise(first_to_last)):
        raise LogError(f"the final results are not in the order of the scores: {results}")


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
