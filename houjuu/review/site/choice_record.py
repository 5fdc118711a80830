"""What the index of many games needs of the decisions of a review: agreement and value lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from houjuu.review.page_types import AnsweredChoice


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
    mistake : str or None
        Its class (`houjuu.review.deciding.mistake_class`); None if no value is lost.
    """

    kind: str
    agrees: bool
    lost: int
    mistake: str | None = None


def choice_records(choices: Sequence[AnsweredChoice]) -> tuple[ChoiceRecord, ...]:
    """The records of the choices of a review."""
    return tuple(
        ChoiceRecord(
            kind=choice["kind"],
            agrees=choice["agrees"],
            lost=choice["value_lost"],
            mistake=choice["mistake"],
        )
        for choice in choices
    )
