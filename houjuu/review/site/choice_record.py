"""What the index of many games needs of the decisions of a review: agreement, value lost, luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor

from houjuu.review.page_types import AnsweredChoice, ReviewedRound


@dataclass(frozen=True, slots=True)
class ChoiceRecord:
    """A decision of the seat.

    Attributes
    ----------
    kind : str
        One of `houjuu.review.choices.KINDS`.
    agrees : bool
        Whether the player of the review would have done the same.
    lost : int
        Value lost against its action, unit: points at the start of an even game.
    """

    kind: str
    agrees: bool
    lost: int


@dataclass(frozen=True, slots=True)
class RoundLuck:
    """A round with decisions that have values; all in points.

    Attributes
    ----------
    expected : int
        The balance that the advised action of the first decision expects.
    lost : int
        Value lost by the decisions.
    choices : int
        Their number.
    balance : int
        The actual balance.
    """

    expected: int
    lost: int
    choices: int
    balance: int

    def skill(self, usual: float) -> int:
        """The part of the balance by decisions, where phoenix players lose `usual` in each."""
        return floor(usual * self.choices - self.lost + 0.5)  # rounds as the page does

    def luck(self, usual: float) -> int:
        """The rest of the balance: neither expected nor by decisions."""
        return self.balance - self.expected - self.skill(usual)


def choice_records(choices: Sequence[AnsweredChoice]) -> tuple[ChoiceRecord, ...]:
    """The records of the choices of a review."""
    return tuple(
        ChoiceRecord(choice["kind"], choice["agrees"], choice["value_lost"]) for choice in choices
    )


def round_lucks(rounds: Sequence[ReviewedRound]) -> Iterator[RoundLuck]:
    """The luck of the rounds of a review; of rounds without values or a known balance nothing."""
    for round in rounds:
        luck, balance = round["luck"], round["balance"]
        if luck["expected"] is not None and balance is not None:
            yield RoundLuck(luck["expected"], luck["lost"], luck["choices"], balance)
