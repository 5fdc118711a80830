"""A game as the record of each seat in each round: what it did, how the round ended, the points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from houjuu.game import game_end
from houjuu.game.events import (
    SEATS,
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Draw,
    DrawnRound,
    Event,
    Game,
    PerSeat,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.payments import RIICHI_STICK, YAKUMAN_HAN
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.util.errors import Error


class SeatResult(StrEnum):
    """How a round ended for a seat."""

    WIN = "wins"
    DEAL_IN = "deals in"
    TSUMO = "pays a tsumo"
    SIDEWAYS = "stands by"
    DRAW = "draw"


class WinnerType(StrEnum):
    """The state of a winner's hand."""

    RIICHI = "riichi"
    MELDS = "melds"
    DAMA = "dama"


class HandState(StrEnum):
    """The hand behind a discard; in riichi it is in closed tenpai."""

    CLOSED_TENPAI = "closed_tenpai"
    OPEN_TENPAI = "open_tenpai"
    NOT_TENPAI = "not_tenpai"

    @classmethod
    def from_hand(cls, shanten: int, *, is_open: bool) -> HandState:
        """The state of a hand of 3n + 1 concealed tiles."""
        if shanten > 0:
            return cls.NOT_TENPAI
        return cls.OPEN_TENPAI if is_open else cls.CLOSED_TENPAI


@dataclass(frozen=True, slots=True)
class SeatRound:
    """A seat in a round.

    Attributes
    ----------
    outcome : SeatResult
    balance : int
        Points won or lost in the round, riichi sticks included.
    points : int or None
        Points of the winning hand, without honba and sticks; None without a win, or if they are
        unknown.
    yaku : tuple of (int, int)
        Tenhou's number and the han of each yaku; a yakuman has 13.
    riichi, called : bool
        Whether the seat declared riichi, and whether it opened its hand.
    behind : bool
        Whether another seat was the first to declare riichi.
    shanten : int or None
        Of the hand behind a tile that deals in; None without a deal-in, or if the log hides it.
    start : (int, int, int)
        Number of the round (0–3 East 1–4, 4–7 South, …), honba and riichi sticks.
    winner : WinnerType or None
        The state of the first winner's hand, of whichever seat; None without a win.
    away : bool
        Whether the player was disconnected at any time in the round.
    """

    outcome: SeatResult
    balance: int
    points: int | None
    yaku: tuple[tuple[int, int], ...]
    riichi: bool
    called: bool
    behind: bool
    shanten: int | None
    start: tuple[int, int, int]
    winner: WinnerType | None = None
    away: bool = False


def seat_rounds(game: Game) -> Iterator[list[SeatRound]]:
    """Yield the four seats of every round.

    Raises
    ------
    Error
        The log does not show the scores, or how the game ended.
    """
    deals = [i for i, event in enumerate(game.events) if isinstance(event, Deal)]
    final = final_scores(game)
    away = set[int]()
    for start, end in pairwise([*deals, len(game.events)]):
        events = game.events[start:end]
        after = game.events[end] if end < len(game.events) else None
        scores = _scores(game, after) if isinstance(after, Deal) else final
        was_away = away | {event.seat for event in events if isinstance(event, Away)}
        away = _away_after(events, away)
        deal = events[0]
        assert isinstance(deal, Deal)
        before = _scores(game, deal)
        balances = [new - old for new, old in zip(scores, before, strict=True)]
        yield [_seat(events, seat, balances[seat], seat in was_away) for seat in range(SEATS)]


def order(game: Game) -> list[int]:
    """The seats from first to last, as `houjuu.game.game_end.order`."""
    return list(game_end.order(final_scores(game)).tolist())


def final_scores(game: Game) -> list[int]:
    """The final score of each seat in points, of the log or from the changes in its last round.

    Raises
    ------
    Error
        The log has neither.
    """
    if game.final is not None:
        return [score for score, _ in game.final]
    deals = [i for i, event in enumerate(game.events) if isinstance(event, Deal)]
    events = game.events[deals[-1] :] if deals else ()
    ends = [event for event in events if isinstance(event, (Win, DrawnRound, RoundEnd))]
    if not ends or any(event.deltas is None for event in ends):
        raise Error("has no final scores", file=game.id)
    deal = events[0]
    assert isinstance(deal, Deal)
    scores = list(_scores(game, deal))
    for event in events:
        if isinstance(event, RiichiAccepted):
            scores[event.seat] -= RIICHI_STICK
    for event in ends:
        scores = [score + change for score, change in zip(scores, event.deltas or (), strict=True)]
    return scores


def _scores(game: Game, deal: Deal) -> PerSeat:
    if deal.scores is None:
        raise Error("does not show the scores of each round", file=game.id)
    return deal.scores


def _away_after(events: Sequence[Event], before: set[int]) -> set[int]:
    away = set(before)
    for event in events:
        if isinstance(event, Away):
            away.add(event.seat)
        elif isinstance(event, Back):
            away.discard(event.seat)
    return away


def _seat(events: Sequence[Event], seat: int, balance: int, away: bool) -> SeatRound:
    deal = events[0]
    assert isinstance(deal, Deal)
    wins = [event for event in events if isinstance(event, Win)]
    won = next((win for win in wins if win.seat == seat), None)
    riichi = [event.seat for event in events if isinstance(event, Riichi)]
    outcome = _outcome(wins, seat)
    return SeatRound(
        outcome=outcome,
        balance=balance,
        points=won.points if won else None,
        yaku=(*won.yaku, *((number, YAKUMAN_HAN) for number in won.yakuman)) if won else (),
        riichi=seat in riichi,
        called=_opens(events, seat),
        behind=bool(riichi) and riichi[0] != seat,
        shanten=_shanten(events, seat) if outcome is SeatResult.DEAL_IN else None,
        start=(deal.round, deal.honba, deal.riichi_sticks),
        winner=_winner_type(events, wins[0].seat) if wins else None,
        away=away,
    )


def _shanten(events: Sequence[Event], seat: int) -> int | None:
    """The shanten of a seat that does not win, at the end of a round; None for a hidden hand."""
    hand: list[int | None] = []
    for event in events:
        match event:
            case Deal():
                hand = [*(event.hands[seat] or [None])]
            case Draw() if event.seat == seat:
                hand.append(event.tile)
            case Discard() | Call() if event.seat == seat and None not in hand:
                gone = [event.tile] if isinstance(event, Discard) else event.meld.from_hand
                hand = [tile for tile in hand if tile not in gone]
    tiles = [tile for tile in hand if tile is not None]
    return shanten_of_tiles(tuple(tiles)) if len(tiles) == len(hand) else None


def _outcome(wins: Sequence[Win], seat: int) -> SeatResult:
    if not wins:
        return SeatResult.DRAW
    if any(win.seat == seat for win in wins):
        return SeatResult.WIN
    source = wins[0].source
    if source == seat:
        return SeatResult.DEAL_IN
    return SeatResult.TSUMO if source == wins[0].seat else SeatResult.SIDEWAYS


def _winner_type(events: Sequence[Event], seat: int) -> WinnerType:
    if any(isinstance(event, Riichi) and event.seat == seat for event in events):
        return WinnerType.RIICHI
    return WinnerType.MELDS if _opens(events, seat) else WinnerType.DAMA


def _opens(events: Sequence[Event], seat: int) -> bool:
    return any(isinstance(e, Call) and e.seat == seat and e.meld.is_open for e in events)
