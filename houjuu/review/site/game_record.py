"""What the index of many games needs of one game: the rounds and the discards of one seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from houjuu.estimators.protocol import Estimator
from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Game, Win
from houjuu.game.tiles import KIND, format_tiles
from houjuu.hands.hand_cache import HandCache
from houjuu.review.luck import RoundLuck, round_lucks
from houjuu.review.page_types import Review, Verdict
from houjuu.review.site.discard_context import DiscardContext, Threat, discard_context
from houjuu.review.site.drill import Drill, drills
from houjuu.scoring.seat_rounds import (
    Outcome,
    SeatRound,
    WinnerType,
    final_scores,
    order,
    seat_rounds,
)
from houjuu.scoring.win_points import ron_loss


@dataclass(frozen=True, slots=True)
class DiscardRecord:
    """A discard of the seat.

    Attributes
    ----------
    round : int
        Index of the round in the game, from 0.
    turn : int
        Number of the discard in the round, from 1.
    tile : str
        Such as "5p", or "0p" for the red five.
    situation : DiscardContext
    deal_in : float
        Estimated probability of dealing in to any opponent.
    points : float
        Estimated loss by dealing in, unit: points.
    dealt_in : bool
    lost : int
        Points lost by the rons on it.
    step : int
        Number of the decision in the round on the page of the game, from 1; 0 without a page.
    """

    round: int
    turn: int
    tile: str
    situation: DiscardContext
    deal_in: float
    points: float
    dealt_in: bool = False
    lost: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One seat in one game.

    Attributes
    ----------
    id : str
    date : str or None
        YYYY-MM-DD.
    names : tuple of 4 str
        By absolute seat.
    seat : int
    hanchan : bool
        Whether the game includes the South rounds.
    rank : int
        1–4.
    score : int
        Final score, unit: points.
    rounds : tuple of SeatRound
    discards : tuple of DiscardRecord
        Without those made while the player was disconnected.
    choices : tuple of Verdict
    lucks : tuple of RoundLuck
    drills : tuple of Drill
        All three are empty for a review without values.
    """

    id: str
    date: str | None
    names: tuple[str, ...]
    seat: int
    hanchan: bool
    rank: int
    score: int
    rounds: tuple[SeatRound, ...]
    discards: tuple[DiscardRecord, ...]
    choices: tuple[Verdict, ...] = ()
    lucks: tuple[RoundLuck, ...] = ()
    drills: tuple[Drill, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values for JSON; `from_dict` reads them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GameRecord:
        """The record of plain values; raises KeyError, TypeError or ValueError for others."""
        fields = {
            "names": tuple(data["names"]),
            "rounds": tuple(_seat_round(values) for values in data["rounds"]),
            "discards": tuple(_discard(values) for values in data["discards"]),
            "choices": tuple(data["choices"]),
            "lucks": tuple(RoundLuck(**values) for values in data["lucks"]),
            "drills": tuple(data["drills"]),
        }
        return cls(**{**data, **fields})


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game of a folder of reviews: its record, and its page relative to the folder."""

    record: GameRecord
    path: str


def _seat_round(values: dict[str, Any]) -> SeatRound:
    winner = values["winner"]
    fields = {
        "outcome": Outcome(values["outcome"]),
        "yaku": tuple((number, han) for number, han in values["yaku"]),
        "start": tuple(values["start"]),
        "winner": None if winner is None else WinnerType(winner),
    }
    return SeatRound(**{**values, **fields})


def _discard(values: dict[str, Any]) -> DiscardRecord:
    threat, last_round, leading = values["situation"]
    return DiscardRecord(
        **{**values, "situation": DiscardContext(Threat(threat), last_round, leading)}
    )


def game_records(game: Game, seats: Sequence[int], estimator: Estimator | None) -> list[GameRecord]:
    """The records of some seats, absolute 0–3; without an estimator they have no discards.

    Raises
    ------
    Error
        The log does not show how the game ended, or hides the hand of a seat.
    """
    names = game.names or tuple("ABCD")
    ranking = order(game)
    scores = final_scores(game)
    rounds = list(seat_rounds(game))
    discards = None if estimator is None else discard_records(game, seats, estimator)
    return [
        GameRecord(
            id=game.id,
            date=game.date,
            names=names,
            seat=seat,
            hanchan=game.rules.hanchan,
            rank=1 + ranking.index(seat),
            score=scores[seat],
            rounds=tuple(seats_of_round[seat] for seats_of_round in rounds),
            discards=tuple(discards[seat]) if discards else (),
        )
        for seat in seats
    ]


def with_choices(record: GameRecord, review: Review) -> GameRecord:
    """The record with the choices of a review of the same seat."""
    choices = (
        Verdict(
            kind=choice["kind"],
            agrees=choice["agrees"],
            value_lost=choice["value_lost"],
            mistake=choice["mistake"],
        )
        for choice in review["choices"]
    )
    lucks = tuple(round_lucks(review["rounds"]))
    return replace(record, choices=tuple(choices), lucks=lucks)


def with_review(record: GameRecord, review: Review) -> GameRecord:
    """The record `with_choices`, and with the steps and the drills of the page of the review."""
    steps = [
        [i for i, one in enumerate(round["decisions"], 1) if one["discard_index"] is not None]
        for round in review["rounds"]
    ]
    discards = (replace(one, step=steps[one.round][one.turn - 1]) for one in record.discards)
    with_steps = replace(with_choices(record, review), discards=tuple(discards))
    return replace(with_steps, drills=tuple(drills(review)))


def discard_records(
    game: Game, seats: Sequence[int], estimator: Estimator
) -> dict[int, list[DiscardRecord]]:
    """The discards of some seats, by seat, with the estimated and the actual deal-ins."""
    records: dict[int, list[DiscardRecord]] = {seat: [] for seat in seats}
    cache = HandCache()
    last: Decision | None = None  # the discard that can be won on
    follower = Follower(game, seats)
    for event, decisions in follower:
        for decision in decisions:
            last = None if decision.view.seats[decision.seat].away else decision
            if last is not None:
                records[decision.seat].append(_discard_record(decision, estimator, cache))
        if isinstance(event, Win) and last is not None and event in last.rons:
            of_seat = records[last.seat]
            lost = of_seat[-1].lost + ron_loss(event, follower.table)
            of_seat[-1] = replace(of_seat[-1], dealt_in=True, lost=lost)
    return records


def _discard_record(decision: Decision, estimator: Estimator, cache: HandCache) -> DiscardRecord:
    view = decision.view
    risk = estimator.deal_in(view, cache)
    return DiscardRecord(
        round=decision.round,
        turn=decision.turn + 1,
        tile=format_tiles([decision.discard], red_fives=view.rules.red_fives),
        situation=discard_context(view),
        deal_in=float(risk.any[KIND[decision.discard]]),
        points=float(risk.points_of(decision.discard)),
    )
