"""The record of each player in the games of a match, as in 小林聡's duplicate matches.

Every seat of every round is a `SeatRound`. All figures are means over these and over the ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from houjuu.arena.matches import SEATS, deal_and_rotation
from houjuu.errors import Error
from houjuu.events import Call, Deal, Event, Game, Riichi, Win

YAKUMAN_HAN = 13


class Outcome(StrEnum):
    """How a round ended for a seat."""

    WIN = "wins"
    DEAL_IN = "deals in"
    TSUMO = "pays a tsumo"
    SIDEWAYS = "stands by"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class SeatRound:
    """A seat in a round.

    Attributes
    ----------
    outcome : Outcome
    balance : int
        Points won or lost in the round, riichi sticks included.
    points : int
        Points of the winning hand, without honba and sticks; 0 without a win.
    yaku : tuple of (int, int)
        Tenhou's number and the han of each yaku; a yakuman has 13.
    riichi, called : bool
        Whether the seat declared riichi, and whether it opened its hand.
    behind : bool
        Whether another seat was the first to declare riichi.
    start : (int, int, int)
        Number of the round (0–3 East 1–4, 4–7 South, …), honba and riichi sticks.
    """

    outcome: Outcome
    balance: int
    points: int
    yaku: tuple[tuple[int, int], ...]
    riichi: bool
    called: bool
    behind: bool
    start: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SeatGame:
    """The record of a player in a seat of a game.

    Attributes
    ----------
    deal : int
    position : int
        Position in the line-up, 0–3.
    rank : int
        1–4.
    rounds : tuple of SeatRound
    rotation : int
        By how many seats the line-up was rotated, 0–3.
    """

    deal: int
    position: int
    rank: int
    rounds: tuple[SeatRound, ...]
    rotation: int = 0


def by_player(games: Iterable[Game]) -> dict[str, list[SeatGame]]:
    """The records of every player, by name; a game counts once for each seat of a player."""
    records: dict[str, list[SeatGame]] = {}
    for game in games:
        order, rounds = _order(game), [*_rounds(game)]
        deal, rotation = deal_and_rotation(game)
        for seat, player in enumerate(game.players):
            seat_rounds = tuple(seats[seat] for seats in rounds)
            position, rank = (seat - rotation) % SEATS, 1 + order.index(seat)
            record = SeatGame(deal, position, rank, seat_rounds, rotation)
            records.setdefault(player.name, []).append(record)
    return records


def _order(game: Game) -> list[int]:
    """The seats from first to last; with equal scores the lower seat is ahead."""
    if game.final is None:
        raise Error("has no final scores", file=game.id)
    scores = [score for score, _ in game.final]
    return sorted(range(SEATS), key=lambda seat: -scores[seat])


def _rounds(game: Game) -> Iterator[list[SeatRound]]:
    """Yield the four seats of every round."""
    deals = [i for i, event in enumerate(game.events) if isinstance(event, Deal)]
    for start, end in pairwise([*deals, len(game.events)]):
        events = game.events[start:end]
        after = game.events[end] if end < len(game.events) else None
        if isinstance(after, Deal):
            scores: Sequence[int] = after.scores
        else:
            scores = [score for score, _ in game.final or ()]
        yield [_seat(events, seat, scores) for seat in range(SEATS)]


def _seat(events: Sequence[Event], seat: int, after: Sequence[int]) -> SeatRound:
    deal = events[0]
    assert isinstance(deal, Deal)
    wins = [event for event in events if isinstance(event, Win)]
    won = next((win for win in wins if win.seat == seat), None)
    riichi = [event.seat for event in events if isinstance(event, Riichi)]
    return SeatRound(
        _outcome(wins, seat),
        after[seat] - deal.scores[seat],
        won.points if won else 0,
        (*won.yaku, *((number, YAKUMAN_HAN) for number in won.yakuman)) if won else (),
        seat in riichi,
        any(isinstance(e, Call) and e.seat == seat and e.meld.is_open for e in events),
        bool(riichi) and riichi[0] != seat,
        (deal.round, deal.honba, deal.riichi_sticks),
    )


def _outcome(wins: Sequence[Win], seat: int) -> Outcome:
    if not wins:
        return Outcome.DRAW
    if any(win.seat == seat for win in wins):
        return Outcome.WIN
    source = wins[0].source
    if source == seat:
        return Outcome.DEAL_IN
    return Outcome.TSUMO if source == wins[0].seat else Outcome.SIDEWAYS
