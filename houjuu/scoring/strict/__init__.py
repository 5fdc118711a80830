"""Strict checks of a whole game: what follows from the play must be what the log contains.

Parsing checks what play needs: tiles, turns and calls. A model that is fitted on a log also uses
its scores and wins. `check` recomputes them by Tenhou's rules.

| module | checks |
|---|---|
| `course` | dice, seats away, turns, rounds, honba, sticks, scores, draws, indicators, results |
| `game_end` | scores at the beginning, the end of the game, results |
| `wins` | tiles, melds, dora, yaku, han, fu and points of every win; who pays how much |
| `hands` | riichi, tenpai, closed kans in riichi, discards after calls |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any, ClassVar

from houjuu.game.events import (
    ABORTED,
    Away,
    Back,
    Call,
    Deal,
    DrawnRound,
    Event,
    Game,
    Riichi,
    RoundEnd,
    Win,
)
from houjuu.game.table import Table
from houjuu.scoring.strict import course, game_end, hands, wins
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import Error, LogError

__all__ = ["check", "missing_details", "scored"]


def check(game: Game) -> None:
    """Check a game that `houjuu.logs.parse` accepted.

    Missing details are not checked: each field of a win or a draw that is None, hidden hands, and
    scores that no message shows. `houjuu.logs.completion` fills in those that follow from the
    table, and `missing_details` counts the others.

    Names and elements that houjuu cannot read (`Game.unread`) are errors too.

    Raises
    ------
    LogError
        Something does not follow from the play. The text before the first colon of the reason is
        the kind of problem.
    """
    if game.unread:
        raise LogError(f"contains what houjuu cannot read: {game.unread[0]}", file=game.id)
    checker = _Checker(game)
    try:
        checker.run()
        return
    except Error as problem:
        reason = problem.reason
    raise LogError(reason, file=game.id, round=checker.round, element=checker.element)


class _Checker:
    """Replays a game and checks the few events that are not draws and discards."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = Table(game.rules)
        self.round: int | None = None
        self.element: str | None = None
        self._index = 0
        self._end: course.End = ()
        self._total = course.total(game)

    def run(self) -> None:
        """Check all events and the final scores."""
        apply = self.table.apply
        checks = self._ON
        course.check_first(self.game)
        for index, event in enumerate(self.game.events):
            if type(event) in checks:
                self._index = index
                self.element = type(event).__name__
                checks[type(event)](self, event)
                self.element = None
            apply(event)
        self.element = "the end"
        game_end.check_stop(self.table, self.game, self._end)
        course.check_final(self.game, self.table.round_state.scores, self._total)
        game_end.check_results(self.game)

    def _following(self) -> tuple[Event, ...]:
        return self.game.events[self._index + 1 :]

    def _deal(self, deal: Deal) -> None:
        self.round = 0 if self.round is None else self.round + 1
        course.check_dice(deal)
        course.check_deal(self.table, deal, self._end, self._total)
        game_end.check_deal(self.table, self.game.rules, deal, self._end)
        self._end = ()

    def _call(self, call: Call) -> None:
        hands.check_discard(self.table, call, self._following())
        if len(call.meld.tiles) == 4:
            hands.check_kan(self.table, call)
            course.check_indicators(self.table, self._following())

    def _riichi(self, riichi: Riichi) -> None:
        hands.check_riichi(self.table, riichi.seat, self._following())

    def _win(self, win: Win) -> None:
        if not self._end:
            more = takewhile(lambda event: isinstance(event, Win), self._following())
            end = [win, *(event for event in more if isinstance(event, Win))]
            self._end = end
            wins.check(self.table, end)

    def _drawn_round(self, drawn: DrawnRound) -> None:
        self._end = (drawn,)
        course.check_exhausted(self.table, drawn)
        course.check_drawn_round(self.table, drawn)

    def _presence(self, event: Away | Back) -> None:
        course.check_presence(self.table, event)

    def _round_end(self, end: RoundEnd) -> None:
        if self.game.final is not None:
            raise LogError("a round ends without a win or a draw")
        self._end = (end,)

    # of the class: bound methods in an instance would keep it alive until a garbage collection
    _ON: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Deal: _deal,
        Call: _call,
        Riichi: _riichi,
        Win: _win,
        DrawnRound: _drawn_round,
        RoundEnd: _round_end,
        Away: _presence,
        Back: _presence,
    }


def missing_details(game: Game) -> Counter[str]:
    """Details that neither the log nor its table shows, and how often each is missing.

    Parameters
    ----------
    game : Game
        As `houjuu.logs.parse` returns it with a judge, so that details that follow from the table
        are filled in.
    """
    return Counter(_not_said(game))


def _not_said(game: Game) -> Iterator[str]:
    if not game.rules.stated:
        yield "rules of a game"
    if flags := game.rules.unknown_flags:
        yield f"meaning of the flags {flags:#x} of a game's rules"
    if game.final is None:
        yield "final scores of a game"
    for event in game:
        match event:
            case Deal():
                if event.scores is None:
                    yield "scores of a round"
                yield from ("hand of a seat" for hand in event.hands if hand is None)
            case Win():
                yield from _of_win(event)
            case DrawnRound():
                yield from _of_draw(event)
            case RoundEnd():
                yield "how a round ended"


def _of_win(win: Win) -> Iterator[str]:
    score = (win.fu, win.points, win.limit)
    if None in score or not (win.yaku or win.yakuman):
        yield "score of a win"
    if win.ura_indicators is None:
        yield "ura indicators of a win"
    if win.deltas is None:
        yield "payments of a win"


def _of_draw(drawn: DrawnRound) -> Iterator[str]:
    if drawn.reason is None:
        yield "reason of a draw"
    elif drawn.reason not in ABORTED and None in drawn.tenpai:
        yield "tenpai seats of a draw"
    if drawn.deltas is None:
        yield "payments of a draw"
