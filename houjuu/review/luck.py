"""Luck and skill in a round: the points expected at its start, and those by decisions.

The advised action of the first decision of a round has an expected balance, if everybody goes on
like phoenix players. These lose value by their decisions, too. To lose less than they do is skill,
and the rest of the difference to the actual balance is luck.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.review.page_types import AnsweredChoice, Luck, ValuedAction
from houjuu.review.verdict import advised_action

_SCORE = "score"
"""The part of a value that is no points of the round."""


def expected_points(action: ValuedAction) -> int:
    """The expected balance of the round, unit: points."""
    return sum(part["value"] for part in action["parts"] if part["name"] != _SCORE)


def round_luck(choices: Sequence[AnsweredChoice]) -> Luck:
    """The luck and skill of a round.

    Parameters
    ----------
    choices : sequence of AnsweredChoice
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
