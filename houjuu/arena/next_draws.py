"""The tile that leaves the wall next after each discard of a game."""

from __future__ import annotations

from collections import Counter

from houjuu.game.events import Deal, Discard, Draw, Game

DiscardKey = tuple[int, int, int]
"""Round, seat and the number of the seat's earlier discards in the round."""


def next_draws(game: Game) -> dict[DiscardKey, int]:
    """The id of the tile that anybody draws next after a discard, calls between them included.

    A discard is left out if nobody draws again in the round, or if the log hides the tile.
    """
    drawn: dict[DiscardKey, int] = {}
    waiting: list[DiscardKey] = []
    n_discards: Counter[int] = Counter()
    index = -1
    for event in game:
        match event:
            case Deal():
                index += 1
                waiting = []
                n_discards = Counter()
            case Draw():
                if event.tile is not None:
                    drawn |= dict.fromkeys(waiting, event.tile)
                waiting = []
            case Discard():
                waiting.append((index, event.seat, n_discards[event.seat]))
                n_discards[event.seat] += 1
    return drawn
