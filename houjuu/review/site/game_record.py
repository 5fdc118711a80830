"""What the index of many games needs of one game: the rounds and the discards of one seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from houjuu.game.events import Game
from houjuu.review.luck import RoundLuck, round_lucks
from houjuu.review.page_types import DiscardSituation, EngineBeside, Review, ReviewedChoice, Verdict
from houjuu.review.review_data import discarded_tile
from houjuu.review.site.drill import Drill, drills
from houjuu.scoring.seat_rounds import (
    SeatResult,
    SeatRound,
    WinnerType,
    final_scores,
    order,
    seat_rounds,
)


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
    situation : DiscardSituation
    deal_in : float
        Estimated probability of dealing in to any opponent.
    points : float
        Estimated loss by dealing in, unit: points.
    dealt_in : bool
    lost : int
        Points lost by the rons on it.
    step : int
        Number of the decision in the round on the page of the game, from 1.
    forced : bool
        Whether the seat had declared riichi before.
    """

    round: int
    turn: int
    tile: str
    situation: DiscardSituation
    deal_in: float
    points: float
    dealt_in: bool
    lost: int
    step: int
    forced: bool = False


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
    beside : tuple of EngineBeside
        All four are empty for a review without values.
    """

    id: str
    date: str | None
    names: tuple[str, ...]
    seat: int
    hanchan: bool
    rank: int
    score: int
    rounds: tuple[SeatRound, ...]
    discards: tuple[DiscardRecord, ...] = ()
    choices: tuple[Verdict, ...] = ()
    lucks: tuple[RoundLuck, ...] = ()
    drills: tuple[Drill, ...] = ()
    beside: tuple[EngineBeside, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The record as plain values for JSON; `from_dict` reads them."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GameRecord:
        """The record of plain values; raises KeyError, TypeError or ValueError for others."""
        fields = {
            "names": tuple(data["names"]),
            "rounds": tuple(_seat_round(values) for values in data["rounds"]),
            "discards": tuple(DiscardRecord(**values) for values in data["discards"]),
            "choices": tuple(data["choices"]),
            "lucks": tuple(RoundLuck(**values) for values in data["lucks"]),
            "drills": tuple(data["drills"]),
            "beside": tuple(data["beside"]),
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
        "outcome": SeatResult(values["outcome"]),
        "yaku": tuple((number, han) for number, han in values["yaku"]),
        "start": tuple(values["start"]),
        "winner": None if winner is None else WinnerType(winner),
    }
    return SeatRound(**{**values, **fields})


def game_records(game: Game, seats: Sequence[int]) -> list[GameRecord]:
    """The records of some seats, absolute 0–3, without what needs a review.

    Raises
    ------
    Error
        The log does not show how the game ended, or hides the hand of a seat.
    """
    names = game.names or tuple("ABCD")
    ranking = order(game)
    scores = final_scores(game)
    rounds = list(seat_rounds(game))
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
        )
        for seat in seats
    ]


def with_review(record: GameRecord, review: Review) -> GameRecord:
    """The record with what a review of the same seat adds."""
    return replace(
        record,
        discards=tuple(_discards(review)),
        choices=tuple(map(_verdict, review["choices"])),
        lucks=tuple(round_lucks(review["rounds"])),
        drills=tuple(drills(review)),
        beside=tuple(review["beside"]),
    )


def _discards(review: Review) -> Iterator[DiscardRecord]:
    for number, round in enumerate(review["rounds"]):
        for step, position in enumerate(round["decisions"], 1):
            if position["situation"] is None:
                continue
            tile = discarded_tile(position)
            risk = position["risks"][tile]
            yield DiscardRecord(
                round=number,
                turn=position["turn"],
                tile=tile,
                situation=position["situation"],
                deal_in=risk["deal_in"],
                points=risk["points"],
                forced=position["seats"][0]["riichi"],
                dealt_in=bool(position["rons"]),
                lost=sum(ron["points"] for ron in position["rons"]),
                step=step,
            )


def _verdict(choice: ReviewedChoice) -> Verdict:
    return cast(Verdict, {key: choice[key] for key in Verdict.__annotations__})  # type: ignore[literal-required]
