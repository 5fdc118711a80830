"""Games of one round that a reader can follow by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from houjuu.game.events import Deal, Discard, Draw, Event, Game, Rules, Win
from houjuu.game.tiles import parse_tiles

TENPAI = "234567m456p33s67s"
"""Waits for 5s and 8s; the other hands are far from tenpai."""

_FAR = ("147m147p147s1234z", "258m258p258s1234z", "369m369p369s1234z")
_DRAWN = "555566667777z"


def game(tenpai: int, turns: Iterable[tuple[int, Iterable[Event]]], win: Win | None = None) -> Game:
    """A round in which each seat discards what it draws.

    Parameters
    ----------
    tenpai : int
        The seat with the hand `TENPAI`; seat 0 is the dealer.
    turns : iterable of (int, iterable of event)
        The seats that draw and discard, and the events after each turn.
    win : Win or None
        Ends the round: on the 5s that its source draws. Without it the log stops.
    """
    names = list(_FAR)
    names.insert(tenpai, TENPAI)
    tiles = parse_tiles("".join(names) + _DRAWN + "5s9p")
    hands = tuple(tiles[first : first + 13] for first in range(0, 52, 13))
    events: list[Event] = [Deal(0, 0, 0, 0, (25_000,) * 4, tiles[-1], hands)]
    for (seat, others), tile in zip(turns, tiles[52:], strict=False):
        events += [Draw(seat, tile), Discard(seat, tile, tsumogiri=True), *others]
    if win is not None:
        events.append(Draw(win.source, tiles[-2]))
        if win.source != win.seat:
            events.append(Discard(win.source, tiles[-2], tsumogiri=True))
        events.append(Win(win.seat, win.source, tiles[-2], points=win.points))
    return Game("small", Rules(), (), tuple(events))


def won(winner: int, source: int, points: int) -> Game:
    """A game that the seat wins after its first discard."""
    win = Win(winner, source, tile=-1, points=points)
    return game(winner, [(seat, ()) for seat in _seats_before(source, winner)], win)


def _seats_before(last: int, winner: int) -> Iterator[int]:
    """The seats in turn until it is the turn of `last` and the winner has discarded."""
    for turn in count():
        if turn % 4 == last and turn > winner:
            return
        yield turn % 4
