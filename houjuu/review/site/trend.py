"""Figures over time: the games in blocks of equal size, in the order of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from houjuu.review.site.game_record import GameRecord
from houjuu.review.site.habits import OF_DISCARDS, OF_ROUNDS, Figure, figures

MOST_BLOCKS = 12
MIN_BLOCK = 5  # unit: games

SHOWN = ("games.rank", "rounds.riichi", "rounds.calls", "rounds.wins", "rounds.deal_ins")
SHOWN_ESTIMATES = ("discards.all.deal_in",)


@dataclass(frozen=True, slots=True)
class GameBlock:
    """Some games in a row.

    Attributes
    ----------
    first, last : int
        Numbers of the games, from 1.
    figures : mapping
        Figures by key.
    """

    first: int
    last: int
    figures: Mapping[str, Figure]


def blocks(records: Sequence[GameRecord]) -> list[GameBlock]:
    """At most `MOST_BLOCKS` blocks of at least `MIN_BLOCK` games; empty for too few games."""
    count = min(MOST_BLOCKS, len(records) // MIN_BLOCK)
    if count < 2:
        return []
    ends = [round(len(records) * i / count) for i in range(count + 1)]
    return [_block(records, start, end) for start, end in pairwise(ends)]


def _block(records: Sequence[GameRecord], start: int, end: int) -> GameBlock:
    return GameBlock(start + 1, end, _figures(records[start:end]))


def halves(records: Sequence[GameRecord]) -> tuple[dict[str, Figure], dict[str, Figure]]:
    """The figures of the first and of the second half of the games."""
    middle = len(records) // 2
    return _figures(records[:middle]), _figures(records[middle:])


def _figures(records: Sequence[GameRecord]) -> dict[str, Figure]:
    selected = {key: OF_ROUNDS[key] for key in SHOWN}
    selected |= {key: OF_DISCARDS[key] for key in SHOWN_ESTIMATES}
    return figures(records, selected)
