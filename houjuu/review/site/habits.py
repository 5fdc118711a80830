"""The habits of a player as figures: means over games with 95% intervals that count a game once.

A figure has a key. ``rounds.…`` are shares of rounds or points a round, ``deal_ins.…`` are means
over the rounds that deal in, ``discards.…`` over the discards in a situation, ``choices.…`` over
the decisions of a kind, and ``mistakes.…`` over all decisions, of the mistakes of a class.
``luck.…`` are points a round. ``games.rank`` is the average rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import hypot
from typing import NamedTuple

import numpy as np

from houjuu.review.alternatives import KINDS
from houjuu.review.deciding import MISTAKES
from houjuu.review.discard_context import Threat
from houjuu.review.prices import LIMIT
from houjuu.review.site.game_record import DiscardRecord, GameRecord
from houjuu.review.usual import quantiles, usual
from houjuu.scoring.seat_rounds import HandState, SeatResult, SeatRound, WinnerType
from houjuu.util.intervals import clustered_mean

MIN_GAMES = 10
"""Intervals of fewer games are too short, so they are not compared with other players."""


class Figure(NamedTuple):
    """A mean, half of its 95% interval, and the number of rounds, discards or games.

    The second is NaN where there is no interval, as of one game or of a few events.
    """

    mean: float
    half: float
    n: int

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval; both are the mean where there is none."""
        half = self.half if self.half > 0 else 0.0
        return self.mean - half, self.mean + half


Figures = Mapping[str, Figure]
"""Figures by key; a figure without any value is left out."""

Values = Callable[[GameRecord], Iterable[float]]
"""The values of a figure in one game."""

RATES: Mapping[str, Callable[[SeatRound], float]] = {
    "riichi": lambda seat: seat.riichi,
    "first_riichi": lambda seat: seat.riichi and not seat.behind,
    "chasing_riichi": lambda seat: seat.riichi and seat.behind,
    "calls": lambda seat: seat.called,
    "wins": lambda seat: seat.outcome is SeatResult.WIN,
    "deal_ins": lambda seat: seat.outcome is SeatResult.DEAL_IN,
    "draws": lambda seat: seat.outcome is SeatResult.DRAW,
}
"""Shares of rounds."""


def _deals_in_to(winner: WinnerType, seat: SeatRound) -> bool:
    return seat.outcome is SeatResult.DEAL_IN and seat.winner is winner


LOSSES: Mapping[str, Callable[[SeatRound], bool]] = {
    **{f"deal_in_to_{winner}": partial(_deals_in_to, winner) for winner in WinnerType},
    "tsumo": lambda seat: seat.outcome is SeatResult.TSUMO,
    "draw": lambda seat: seat.outcome is SeatResult.DRAW,
    "riichi_stick": lambda seat: seat.outcome is SeatResult.SIDEWAYS,
}
"""The ways to lose points in a round; each round with a loss has exactly one."""


def _meets(threat: Threat, discard: DiscardRecord) -> bool:
    return discard.situation["threat"] == threat


SITUATIONS: Mapping[str, Callable[[DiscardRecord], bool]] = {
    "all": lambda discard: True,
    **{threat.value: partial(_meets, threat) for threat in Threat},
    "last_round": lambda discard: discard.situation["last_round"],
    "leading": lambda discard: discard.situation["leading"],
}
"""The discards of each situation. The threats exclude each other; the last two do not."""

_MEASURES: Mapping[str, Callable[[DiscardRecord], float]] = {
    "dealt_in": lambda discard: discard.dealt_in,
    "deal_in": lambda discard: discard.deal_in,
    "excess": lambda discard: discard.dealt_in - discard.deal_in,
    "lost": lambda discard: discard.lost,
    "points": lambda discard: discard.points,
}


def _of_rounds(value: Callable[[SeatRound], float], record: GameRecord) -> Iterable[float]:
    return (value(seat) for seat in record.rounds if not seat.away)


def _loss(cause: Callable[[SeatRound], bool], seat: SeatRound) -> float:
    return max(-seat.balance, 0) if cause(seat) else 0


def _win_points(record: GameRecord) -> Iterable[float]:
    return (seat.points for seat in record.rounds if seat.points is not None)


def _deal_in_points(record: GameRecord) -> Iterable[float]:
    return (-seat.balance for seat in record.rounds if seat.outcome is SeatResult.DEAL_IN)


def _chasing(record: GameRecord) -> Iterable[float]:
    return (seat.riichi for seat in record.rounds if seat.behind and not seat.away)


def _of_deal_ins(value: Callable[[int, bool], float], record: GameRecord) -> Iterable[float]:
    rounds = (seat for seat in record.rounds if not seat.away)
    return (value(seat.shanten, seat.called) for seat in rounds if seat.shanten is not None)


def _is_state(state: HandState, shanten: int, is_open: bool) -> bool:
    return HandState.from_hand(shanten, is_open=is_open) is state


DEAL_INS: Mapping[str, Callable[[int, bool], float]] = {
    **{state.value: partial(_is_state, state) for state in HandState},
    "shanten": lambda shanten, is_open: shanten,
}
"""Of the hand behind a tile that deals in, by its shanten and whether it is open."""


def _of_discards(
    value: Callable[[DiscardRecord], float],
    where: Callable[[DiscardRecord], bool],
    record: GameRecord,
) -> Iterable[float]:
    return (value(discard) for discard in record.discards if where(discard))


def _of_choices(measure: str, kind: str | None, record: GameRecord) -> Iterable[float]:
    choices = (choice for choice in record.choices if kind in (None, choice["kind"]))
    return (choice["value_lost" if measure == "lost" else "agrees"] for choice in choices)


def _of_mistakes(measure: str, name: str, record: GameRecord) -> Iterable[float]:
    is_lost = measure == "lost"
    mistakes = (
        (one["value_lost"], one["mistake"] == name and one["value_lost"] >= LIMIT)
        for one in record.choices
    )
    return ((lost if is_lost else 1) * is_named for lost, is_named in mistakes)


def _of_lucks(measure: str, record: GameRecord) -> Iterable[float]:
    return (getattr(luck, measure) for luck in record.lucks)


def _rank(record: GameRecord) -> Iterable[float]:
    return (record.rank,)


OF_ROUNDS: dict[str, Values] = {
    "games.rank": _rank,
    **{f"rounds.{name}": partial(_of_rounds, rate) for name, rate in RATES.items()},
    "rounds.chasing_share": _chasing,
    "wins.points": _win_points,
    "deal_ins.points": _deal_in_points,
    **{f"deal_ins.{name}": partial(_of_deal_ins, value) for name, value in DEAL_INS.items()},
    **{
        f"rounds.lost_{name}": partial(_of_rounds, partial(_loss, cause))
        for name, cause in LOSSES.items()
    },
}
"""Figures that need no estimates."""

OF_DISCARDS: dict[str, Values] = {
    f"discards.{situation}.{measure}": partial(_of_discards, value, where)
    for situation, where in SITUATIONS.items()
    for measure, value in _MEASURES.items()
}
"""Figures that need `GameRecord.discards`.

``dealt_in`` is the share of discards that deal in and ``deal_in`` the estimated one; ``excess`` is
the first less the second. ``lost`` and ``points`` are the actual and the estimated loss, in points.
"""

CHOICES: Mapping[str, str | None] = {"all": None, **{kind: kind for kind in KINDS}}
"""The kinds of decisions of the figures; None for all."""

OF_CHOICES: dict[str, Values] = {
    **{
        f"choices.{name}.{measure}": partial(_of_choices, measure, kind)
        for name, kind in CHOICES.items()
        for measure in ("agrees", "lost")
    },
    **{
        f"mistakes.{name}.{measure}": partial(_of_mistakes, measure, name)
        for name in MISTAKES
        for measure in ("share", "lost")
    },
    **{
        f"luck.{measure}": partial(_of_lucks, measure)
        for measure in ("expected", "lost", "balance")
    },
}
"""Figures that need `GameRecord.choices`.

``agrees`` is the share of the decisions in which the player of the review would have done the same,
and ``lost`` the value that they lose. ``share`` is the share of all decisions that are mistakes of
a class, and its ``lost`` their value, in points a decision. ``luck.…`` are points a round: expected
at its start, lost by decisions, and the actual balance.
"""


def of_luck(usual: float) -> dict[str, Values]:
    """The points of a round by skill and by luck, where phoenix players lose `usual` a decision."""
    return {
        "luck.skill": lambda record: (one.skill(usual) for one in record.lucks),
        "luck.luck": lambda record: (one.luck(usual) for one in record.lucks),
    }


def figures(records: Sequence[GameRecord], of: Mapping[str, Values]) -> dict[str, Figure]:
    """Figures of some games; all records of one game are one cluster.

    Parameters
    ----------
    records : sequence of GameRecord
    of : mapping
        `OF_ROUNDS`, `OF_DISCARDS`, `OF_CHOICES` or a selection of them.
    """
    found = {}
    for key, values in of.items():
        sample = [(float(value), record.id) for record in records for value in values(record)]
        if sample:
            numbers, games = zip(*sample, strict=True)
            found[key] = Figure(*clustered_mean(numbers, games), len(sample))
    return found


def usual_figures(records: Sequence[GameRecord]) -> Figures:
    """The usual figures for the length of most of the games, hanchan or East-only.

    A figure that was not measured is left out.
    """
    return {key: Figure(*values) for key, values in usual(hanchan=_hanchan(records)).items()}


def percentiles(records: Sequence[GameRecord], own: Figures) -> dict[str, int]:
    """The percent of phoenix players whose figure is lower, by key; empty for too few games."""
    if len(records) < MIN_GAMES:
        return {}
    return {
        key: round(np.interp(own[key].mean, steps, np.linspace(0, 100, len(steps))))
        for key, steps in quantiles(hanchan=_hanchan(records)).items()
        if key in own
    }


def _hanchan(records: Sequence[GameRecord]) -> bool:
    return 2 * sum(record.hanchan for record in records) >= len(records)


def differs(own: Figure, usual: Figure, n_games: int) -> int:
    """The sign of the difference of two figures; 0 if it is within the 95% interval.

    It is also 0 for fewer than `MIN_GAMES` games, and for a figure that never varies.
    """
    difference = own.mean - usual.mean
    if n_games < MIN_GAMES or not own.half > 0 or abs(difference) <= hypot(own.half, usual.half):
        return 0
    return 1 if difference > 0 else -1
