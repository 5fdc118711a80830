"""What the games of a match say of a player, as 小林聡's duplicate matches state it.

Every seat of every round is a `Seat`; all figures are means of those and of the ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np

from houjuu.arena.matches import SEATS, number_of
from houjuu.errors import Error
from houjuu.events import Call, Deal, Event, Game, Riichi, Win

YAKUMAN = 13
Z95 = 1.96

Sample = tuple[Sequence[float], Sequence[int]]
"""Numbers, and the deal of each."""


class Outcome(StrEnum):
    """How a round ended for a seat."""

    WIN = "wins"
    DEAL_IN = "deals in"
    TSUMO = "pays a tsumo"
    SIDEWAYS = "stands by"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat in a round.

    Attributes
    ----------
    outcome : Outcome
    balance : int
        Points won or lost in the round, riichi sticks included.
    points : int
        Of the winning hand, without honba and sticks; 0 without a win.
    yaku : tuple of (int, int)
        Tenhou's number and han of each, yakuman with 13.
    riichi, called : bool
        It declared riichi; it opened its hand.
    behind : bool
        Another seat declared riichi before it did.
    """

    outcome: Outcome
    balance: int
    points: int
    yaku: tuple[tuple[int, int], ...]
    riichi: bool
    called: bool
    behind: bool


@dataclass(frozen=True, slots=True)
class Played:
    """What a player did in a seat of a game.

    Attributes
    ----------
    deal : int
    place : int
        In the line-up, 0–3.
    rank : int
        1–4.
    rounds : tuple of Seat
    """

    deal: int
    place: int
    rank: int
    rounds: tuple[Seat, ...]


def by_player(games: Iterable[Game]) -> dict[str, list[Played]]:
    """What every player did, by its name; one that sits in several seats did so several times."""
    found: dict[str, list[Played]] = {}
    for game in games:
        order, rounds = _order(game), [*_rounds(game)]
        for seat, player in enumerate(game.players):
            deal, turned = number_of(game)
            of_seat = tuple(of[seat] for of in rounds)
            played = Played(deal, (seat - turned) % SEATS, 1 + order.index(seat), of_seat)
            found.setdefault(player.name, []).append(played)
    return found


def _order(game: Game) -> list[int]:
    """The seats from the first to the last; of equals the earlier is ahead."""
    if game.final is None:
        raise Error("tells no final scores", file=game.id)
    scores = [score for score, _ in game.final]
    return sorted(range(SEATS), key=lambda seat: -scores[seat])


def _rounds(game: Game) -> Iterator[list[Seat]]:
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


def _seat(events: Sequence[Event], seat: int, after: Sequence[int]) -> Seat:
    deal = events[0]
    assert isinstance(deal, Deal)
    wins = [event for event in events if isinstance(event, Win)]
    won = next((win for win in wins if win.seat == seat), None)
    riichi = [event.seat for event in events if isinstance(event, Riichi)]
    return Seat(
        _outcome(wins, seat),
        after[seat] - deal.scores[seat],
        won.points if won else 0,
        (*won.yaku, *((number, YAKUMAN) for number in won.yakuman)) if won else (),
        seat in riichi,
        any(isinstance(e, Call) and e.seat == seat and e.meld.is_open for e in events),
        bool(riichi) and riichi[0] != seat,
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


def mean(sample: Sample) -> tuple[float, float]:
    """The mean, and half its 95% interval, in which a deal counts once however often it occurs."""
    numbers, deals = sample
    if not len(numbers):
        return float("nan"), float("nan")
    _, of = np.unique(deals, return_inverse=True)
    values = np.asarray(numbers, dtype=float)
    centre = float(values.mean())
    spread = np.sqrt((np.bincount(of, values - centre) ** 2).sum()) / len(values)
    return centre, float(Z95 * spread)


def difference(ours: Sample, theirs: Sample) -> tuple[float, float]:
    """By how much one mean exceeds another, and half its 95% interval, paired by deal."""
    (a, of_a), (b, of_b) = ours, theirs
    if not len(a) or not len(b):
        return float("nan"), float("nan")
    _, of = np.unique([*of_a, *of_b], return_inverse=True)
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    apart = [*(first - first.mean()) / len(first), *(second.mean() - second) / len(second)]
    spread = np.sqrt((np.bincount(of, apart) ** 2).sum())
    return float(first.mean() - second.mean()), float(Z95 * spread)
