"""The record of each player in the games of a match, as in 小林聡's duplicate matches.

Every seat of every round is a `SeatRound`. All figures are means over these and over the ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from houjuu.arena.matches import deal_and_rotation
from houjuu.game.events import SEATS, Game
from houjuu.player.foreign import AnswerRecord
from houjuu.scoring.seat_rounds import SeatRound, order, seat_rounds


@dataclass(frozen=True, slots=True)
class SeatGame:
    """The record of a player in a seat of a game.

    Attributes
    ----------
    deal : int
    position : int
        Position in the line-up, 0–3.
    rank : int
        1–4.
    rounds : tuple of SeatRound
    rotation : int
        By how many seats the line-up was rotated, 0–3.
    answers : AnswerRecord or None
        Of a player that others wrote.
    """

    deal: int
    position: int
    rank: int
    rounds: tuple[SeatRound, ...]
    rotation: int = 0
    answers: AnswerRecord | None = None


def by_player(
    games: Iterable[Game], answers: Mapping[str, Mapping[int, AnswerRecord]] | None = None
) -> dict[str, list[SeatGame]]:
    """The records of every player, by name; a game counts once for each seat of a player.

    `answers` are those of `houjuu.arena.matches.answers`.
    """
    records: dict[str, list[SeatGame]] = {}
    for game in games:
        ranking = order(game)
        rounds = [*seat_rounds(game)]
        deal, rotation = deal_and_rotation(game)
        for seat, name in enumerate(game.names):
            own = tuple(seats[seat] for seats in rounds)
            position = (seat - rotation) % SEATS
            rank = 1 + ranking.index(seat)
            record = SeatGame(
                deal=deal,
                position=position,
                rank=rank,
                rounds=own,
                rotation=rotation,
                answers=(answers or {}).get(game.id, {}).get(seat),
            )
            records.setdefault(name, []).append(record)
    return records
