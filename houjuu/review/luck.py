"""Luck and skill in a round: the points expected at its start, and those by decisions.

The advised action of the first decision of a round has an expected balance, if everybody goes on
like phoenix players. These lose value by their decisions, too. To lose less than they do is skill,
and the rest of the difference to the actual balance is luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from houjuu.review.deciding import SCORE
from houjuu.review.page_types import Luck, ReviewedChoice, ReviewedRound, ValuedAction
from houjuu.review.verdict import advised_action


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
        return round(usual * self.choices - self.lost)

    def luck(self, usual: float) -> int:
        """The rest of the balance: neither expected nor by decisions."""
        return self.balance - self.expected - self.skill(usual)


def expected_points(action: ValuedAction) -> int:
    """The expected balance of the round, unit: points."""
    return sum(part["value"] for part in action["parts"] if part["name"] != SCORE)


def round_luck(choices: Sequence[ReviewedChoice]) -> Luck:
    """The luck and skill of a round.

    Parameters
    ----------
    choices : sequence of ReviewedChoice
        The choices of the seat in the round, in order.

    Returns
    -------
    Luck
        ``expected``: points expected at the first choice, None without choices; ``lost``: the sum
        of their ``value_lost``; ``choices``: their number.
    """
    expected = expected_points(advised_action(choices[0])) if choices else None
    lost = sum(choice["value_lost"] for choice in choices)
    return {"expected": expected, "lost": lost, "choices": len(choices)}


def round_lucks(rounds: Sequence[ReviewedRound]) -> Iterator[RoundLuck]:
    """The luck of the rounds of a review; of rounds without values or a known balance nothing."""
    for round in rounds:
        luck, balance = round["luck"], round["balance"]
        if luck["expected"] is not None and balance is not None:
            yield RoundLuck(luck["expected"], luck["lost"], luck["choices"], balance)
