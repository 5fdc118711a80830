"""Strict checks of a whole game: what follows from the play must be what the log contains.

Parsing checks what play needs: tiles, turns and calls. A model that is fitted on a log also uses
its scores and wins. `check` recomputes them by Tenhou's rules.

| module | checks |
|---|---|
| `course` | order of the rounds, honba, sticks, scores, draws, indicators, final scores |
| `wins` | tiles, melds, dora, yaku, han, fu and points of every win; who pays how much |
| `hands` | riichi and tenpai |
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from houjuu.game.events import Call, Deal, DrawnRound, Event, Game, Riichi, RoundEnd, Win
from houjuu.game.table import Table
from houjuu.scoring.strict import course, hands, wins
from houjuu.util.errors import Error, LogError

__all__ = ["check"]


def check(game: Game) -> None:
    """Check a game that `houjuu.logs.parse` accepted.

    Details that the log does not contain are not checked: a win without yaku and points in a stream
    of mjai, hands that are hidden, and scores without changes.

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
        self._on: dict[type, Callable[[Any], None]] = {
            Deal: self._deal,
            Call: self._call,
            Riichi: self._riichi,
            Win: self._win,
            DrawnRound: self._drawn_round,
            RoundEnd: self._round_end,
        }

    def run(self) -> None:
        """Check all events and the final scores."""
        apply = self.table.apply
        checks = self._on
        course.check_first(self.game)
        for index, event in enumerate(self.game.events):
            if type(event) in checks:
                self._index = index
                self.element = type(event).__name__
                checks[type(event)](event)
                self.element = None
            apply(event)
        self.element = "the end"
        course.check_final(self.game, self.table.round_state.scores, self._total)

    def _following(self) -> tuple[Event, ...]:
        return self.game.events[self._index + 1 :]

    def _deal(self, deal: Deal) -> None:
        self.round = 0 if self.round is None else self.round + 1
        course.check_deal(self.table, deal, self._end, self._total)
        self._end = ()

    def _call(self, call: Call) -> None:
        if len(call.meld.tiles) == 4:
            course.check_indicators(self.table, self._following())

    def _riichi(self, riichi: Riichi) -> None:
        hands.check_riichi(self.table, riichi.seat, self._following()[:1])

    def _win(self, win: Win) -> None:
        if not self._end:
            more = takewhile(lambda event: isinstance(event, Win), self._following())
            end = [win, *(event for event in more if isinstance(event, Win))]
            self._end = end
            for each in end:
                self._check_deltas(each)
            wins.check(self.table, end, complete=self.game.final is not None)

    def _drawn_round(self, drawn: DrawnRound) -> None:
        self._end = (drawn,)
        self._check_deltas(drawn)
        course.check_drawn_round(self.table, drawn)

    def _check_deltas(self, end: Win | DrawnRound) -> None:
        if end.deltas is None and self.game.final is not None:
            raise LogError("the end of a round has no payments")

    def _round_end(self, end: RoundEnd) -> None:
        if self.game.final is not None:
            raise LogError("a round ends without a win or a draw")
        self._end = (end,)
