"""Luck and skill in a round: the points expected at its start, and those by decisions.

The best action of the first decision of a round has an expected balance, if everybody goes on like
phoenix players. These lose value by their decisions, too. To lose less than they do is skill, and
the rest of the difference to the actual balance is luck.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.review.page_types import Alternatives, AnsweredChoice, Luck, ValuedAction

_PREFERENCE = "preference"
"""The part of a value that helps to choose, but is no gain."""

_NOT_POINTS = ("score", _PREFERENCE)
"""The parts of a value that are no points."""


def best_action(choice: Alternatives) -> ValuedAction:
    """The action of a choice with the largest value; of equal ones the first."""
    return max(choice["actions"], key=lambda action: action["value"])


def chosen_action(choice: AnsweredChoice) -> ValuedAction:
    """The action that was chosen; of equal names the one with the largest value."""
    named = (one for one in choice["actions"] if one["action"] == choice["chosen"])
    return max(named, key=lambda action: action["value"])


def agrees(choice: AnsweredChoice) -> bool:
    """Whether the chosen action has the largest value."""
    return chosen_action(choice)["value"] == best_action(choice)["value"]


def value_lost(choice: AnsweredChoice) -> float:
    """The value of the best action less that of the chosen one, without preferences; at least 0."""
    lost = _gain(best_action(choice)) - _gain(chosen_action(choice))
    return max(float(lost), 0.0)


def _gain(action: ValuedAction) -> float:
    """The value without the preference."""
    return float(sum(part["value"] for part in action["parts"] if part["name"] != _PREFERENCE))


def expected_points(action: ValuedAction) -> float:
    """The expected balance of the round, unit: points."""
    parts = action["parts"]
    return float(sum(part["value"] for part in parts if part["name"] not in _NOT_POINTS))


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
        of `value_lost`; ``choices``: their number.
    """
    expected = expected_points(best_action(choices[0])) if choices else None
    lost = float(sum(map(value_lost, choices)))
    return {"expected": expected, "lost": lost, "choices": len(choices)}
