"""How much of a game the strict checks could check: the details that its log lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from houjuu.game.events import ABORTED, Deal, DrawnRound, Game, RoundEnd, Win


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
