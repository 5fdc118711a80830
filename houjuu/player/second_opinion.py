"""What a player would have done at the decisions of a game that others played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from houjuu.game.decisions import NEWS, Decision, Follower
from houjuu.game.events import Event, Game
from houjuu.player import foreign
from houjuu.player.foreign import AnswerRecord, EngineAnswer, ForeignPlayer
from houjuu.scoring.legality import legal_actions


@dataclass(frozen=True)
class Opinions:
    """The answers of a player to the decisions of a seat.

    Attributes
    ----------
    decisions : list of Decision
        Those with more than one legal action, in the order of the game.
    answers : list of EngineAnswer
        One for each decision.
    record : AnswerRecord or None
        Of a player that others wrote.
    """

    decisions: list[Decision]
    answers: list[EngineAnswer]
    record: AnswerRecord | None

    def by_event(self) -> dict[int, EngineAnswer]:
        """The answers by `Decision.event`."""
        pairs = zip(self.decisions, self.answers, strict=True)
        return {decision.event: answer for decision, answer in pairs}


def opinions(name: str, game: Game, seat: int, errors: Path | None = None) -> Opinions:
    """Ask a player at every decision of a seat.

    The player hears of the game as the seat saw it, and decides before it hears what was played.

    Parameters
    ----------
    name : str
        As `houjuu.player.foreign.player` takes it.
    game : Game
    seat : int
        0–3.
    errors : Path, optional
        The file for the standard error of a command.

    Raises
    ------
    Error
        There is no such player.
    """
    player = foreign.player(name)
    decisions = [one for one in Follower(game, [seat], legal_actions).decisions() if one.is_free]
    if not isinstance(player, ForeignPlayer):
        acts = (player.act(one.view, one.legal) for one in decisions)
        return Opinions(decisions, [*map(EngineAnswer, acts)], None)
    player.errors = errors
    opened = {opening(game.events, one.event): one for one in decisions}
    answers: list[EngineAnswer] = []
    scores: Sequence[int] | None = None
    try:
        player.sit(seat, game.players, game.rules)
        for index, event in enumerate(game.events):
            player.hear(event)
            if index in opened:
                answers.append(player.answer(opened[index].view, opened[index].legal))
        scores = [score for score, _ in game.final or ()]
    finally:
        player.leave(scores)
    return Opinions(decisions, answers, player.record)


def opening(events: Sequence[Event], last: int) -> int:
    """Index of the event that opened a decision, of which the view contains the last event.

    A player is asked there, as in a game that is played.
    """
    while isinstance(events[last], NEWS):
        last -= 1
    return last
