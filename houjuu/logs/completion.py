"""Details that a log leaves out, from its table.

Formats leave out details of the end of a round: the JSON of tenhou.net/6 has no fu of a limit hand,
and Mortal's mjai has neither fu, han and yaku of a win nor the reason of a draw. Where the hands
are shown, all of it follows from the table. The score of a win needs a judge of wins, such as
`houjuu.scoring.win_scoring.scored` (riichienv); the rest needs numpy alone.

| missing | source |
|---|---|
| changes of the scores | the scores of the next deal; of a draw also the tenpai hands |
| points of a hand | the changes of the scores; else the judge |
| fu, limit, yaku, liable seat | the judge, with the ura indicators if the winner is in riichi |
| reason of a draw | tiles left, rivers, melds and riichi; the changes of the scores |
| tenpai hands of a draw | the changes of the scores; else riichi and the hands |

Other missing details stay unknown. A detail of the log is never changed: a contradiction is for
`houjuu.scoring.strict`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from houjuu.game.draws import may_abort, nagashi_seats
from houjuu.game.events import (
    ABORTED,
    SEATS,
    Deal,
    DrawnRound,
    DrawReason,
    Event,
    Game,
    PerSeat,
    RoundEnd,
    Win,
    per_seat,
)
from houjuu.game.payments import draw_payments, liable_or_winner, points_won
from houjuu.game.table import Table, View
from houjuu.hands.claims import is_tenpai

Judge: TypeAlias = Callable[[View, Win], Win]
"""Maps the view of a winner, and its win, to the win with its score: `win_scoring.scored`."""


def completed(game: Game, judge: Judge | None = None) -> Game:
    """The game, with the details of its wins and draws that follow from its table.

    Parameters
    ----------
    game : Game
        A game whose events are possible, as the readers of `houjuu.logs` return it.
    judge : callable, optional
        What scores the hand of a win. Without it, details that only the hand shows stay unknown.
    """
    ends = (event for event in game if isinstance(event, (Win, DrawnRound, RoundEnd)))
    if all(isinstance(end, (Win, DrawnRound)) and end.is_whole for end in ends):
        return game
    table = Table(game.rules)
    events = list(game.events)
    for index, event in enumerate(events):
        if isinstance(event, Win) and not table.round_state.round_over:
            _complete_wins(table, events, index, judge)
        elif isinstance(event, RoundEnd) and event.deltas is None:
            events[index] = replace(event, deltas=_changes(table, events[index + 1 :]))
        elif isinstance(event, DrawnRound) and not event.is_whole:
            changes = event.deltas or _changes(table, events[index + 1 :])
            events[index] = _completed_draw(table, replace(event, deltas=changes))
        table.apply(events[index])
    return replace(game, events=tuple(events))


def _changes(table: Table, after: Sequence[Event]) -> PerSeat | None:
    """The changes of the scores at the end of a round, from the deal that follows it."""
    deal = next((event for event in after[:2] if isinstance(event, Deal)), None)
    state = table.round_state
    if deal is None or deal.scores is None or not state.scores_known:
        return None
    return per_seat(new - old for new, old in zip(deal.scores, state.scores, strict=True))


def _complete_wins(table: Table, events: list[Event], first: int, judge: Judge | None) -> None:
    """Complete the wins on one tile, of which the first is events[first]."""
    after = first
    while after < len(events) and isinstance(events[after], Win):
        after += 1
    for index in range(first, after):
        win = events[index]
        if isinstance(win, Win) and not win.is_whole:
            if win.deltas is None and after == first + 1:
                win = replace(win, deltas=_changes(table, events[after:]))
            events[index] = _completed_win(table, win, judge, first=index == first)


def _completed_win(table: Table, win: Win, judge: Judge | None, *, first: bool) -> Win:
    if win.points is None and win.deltas is not None:
        points = points_won(win.deltas, win.seat, win.honba if first else 0)
        win = replace(win, points=max(points, 0) or None)
    if win.ura_indicators is None and not table.seats[win.seat].in_riichi:
        win = replace(win, ura_indicators=())
    if win.liable is None and (win.yakuman or win.yaku):
        win = replace(win, liable=liable_or_winner(win.yakuman, win.melds, win.seat))
    if judge is None or win.is_whole or not win.hand or win.ura_indicators is None:
        return win
    by_hand = judge(table.view(win.seat), win)
    if not by_hand.yaku and not by_hand.yakuman:
        return win
    if not win.yaku and not win.yakuman:
        win = replace(win, yaku=by_hand.yaku, yakuman=by_hand.yakuman)
    return _filled(win, by_hand)


def _filled(win: Win, by_hand: Win) -> Win:
    """The win with the values of another one for the fields that are unknown."""
    fields = ("fu", "points", "limit", "liable")
    unknown: dict[str, Any] = {k: getattr(by_hand, k) for k in fields if getattr(win, k) is None}
    return replace(win, **unknown)


def _completed_draw(table: Table, drawn: DrawnRound) -> DrawnRound:
    if drawn.reason is None:
        drawn = replace(drawn, reason=_reason(table, drawn.deltas))
    if drawn.reason in ABORTED:
        return replace(drawn, deltas=drawn.deltas or (0, 0, 0, 0))
    if drawn.reason is None:
        return drawn
    by_payments = _ready_by_payments(drawn) or (None,) * SEATS
    ready = [
        shown if shown is not None else paid if paid is not None else _is_ready(table, seat)
        for seat, (shown, paid) in enumerate(zip(drawn.tenpai, by_payments, strict=True))
    ]
    state = table.round_state
    hands = tuple(
        tuple(sorted(state.hands[seat])) if ready[seat] and not state.n_unknown[seat] else shown
        for seat, shown in enumerate(drawn.hands)
    )
    deltas = drawn.deltas
    if deltas is None and drawn.reason is DrawReason.EXHAUSTED and None not in ready:
        deltas = per_seat(draw_payments([bool(is_ready) for is_ready in ready]).tolist())
    return replace(drawn, tenpai=tuple(ready), hands=hands, deltas=deltas)


def _reason(table: Table, deltas: PerSeat | None) -> DrawReason | None:
    if table.round_state.tiles_left:
        return next((reason for reason in ABORTED if may_abort(table, reason)), None)
    if not nagashi_seats(table):
        return DrawReason.EXHAUSTED
    if deltas is None:
        return None
    return DrawReason.EXHAUSTED if _may_be_noten_payments(deltas) else DrawReason.NAGASHI_MANGAN


def _may_be_noten_payments(deltas: PerSeat) -> bool:
    return not any(deltas) or deltas == tuple(draw_payments([d > 0 for d in deltas]).tolist())


def _ready_by_payments(drawn: DrawnRound) -> tuple[bool, ...] | None:
    """The tenpai seats, if some seats paid others for them."""
    if drawn.reason is not DrawReason.EXHAUSTED or drawn.deltas is None or not any(drawn.deltas):
        return None
    return tuple(delta > 0 for delta in drawn.deltas)


def _is_ready(table: Table, seat: int) -> bool | None:
    state = table.round_state
    if state.in_riichi[seat]:
        return True
    if state.n_unknown[seat]:
        return None
    hand = state.hands[seat]
    return len(hand) % 3 == 1 and is_tenpai(hand, state.melds[seat], table.rules)
