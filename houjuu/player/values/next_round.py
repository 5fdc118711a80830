"""The next round or the end of the game, after a round by the rules."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from houjuu.game import game_end
from houjuu.game.events import SEATS, START_SCORE, Rules
from houjuu.player.values.final_ranks import FinalRankModel, RoundStarts
from houjuu.util.arrays import Bools, Floats, Ints


class Ends(NamedTuple):
    """Ends of one round, of which each leads to a next round or to the end of the game.

    Attributes
    ----------
    scores : (n, 4) array
        By seat, after the payments, unit: points.
    dealer_stays : (n,) array of bool
    honba, riichi_sticks : (n,) arrays
        Of the next round.
    aborted : (n,) array of bool
    """

    scores: Ints
    dealer_stays: Bools
    honba: Ints
    riichi_sticks: Ints
    aborted: Bools

    @classmethod
    def one(cls, scores: Ints, dealer_stays: bool, honba: int, riichi_sticks: int = 0) -> Self:
        """An end with the scores, (4,), after a win or an exhausted draw."""
        return cls._make(
            np.array([field]) for field in (scores, dealer_stays, honba, riichi_sticks, False)
        )


def ranks_after(ends: Ends, round: int, rules: Rules, model: FinalRankModel) -> Floats:
    """P(final rank) of every seat after each end, (n, 4 seats, 4 ranks).

    Parameters
    ----------
    ends : Ends
    round : int
        The round that ends, 0 for East 1.
    rules : Rules
    model : FinalRankModel
    """
    over = game_end.game_over(
        ends.scores, ends.dealer_stays, ends.aborted, round=round, rules=rules
    )
    ranks = np.empty((len(over), SEATS, SEATS))
    ranks[over] = np.eye(SEATS)[game_end.ranks(ends.scores[over])]
    going = ~over
    if going.any():
        next_starts = RoundStarts(
            hanchan=np.full(int(going.sum()), rules.hanchan),
            round=round + ~ends.dealer_stays[going],
            honba=ends.honba[going],
            riichi_sticks=ends.riichi_sticks[going],
            scores=ends.scores[going],
            target=rules.profile.last_target,
        )
        ranks[going] = model.predict(next_starts)
    return ranks


class GameValue(NamedTuple):
    """The value of the end of a game to a seat.

    Attributes
    ----------
    ranks : tuple of 4 floats
        The value of each rank, from the first.
    per_point : float
        The value of a point at the end beside the ranks.
    """

    ranks: tuple[float, float, float, float]
    per_point: float = 0.0

    def expected(self, ranks: Floats, scores: Ints) -> Floats:
        """The expected value, (n,), by P(rank), (n, 4), and points, (n,)."""
        return np.asarray(ranks @ np.array(self.ranks) + self.per_point * (scores - START_SCORE))


AVERAGE_RANK = GameValue((30.0, 10.0, -10.0, -30.0))
"""The values are equal steps, so that the player minimizes its average rank."""

GAME_VALUES = {
    "rank": AVERAGE_RANK,
    "uma-10-20": GameValue((20.0, 10.0, -10.0, -20.0), 0.001),
    "uma-10-30": GameValue((30.0, 10.0, -10.0, -30.0), 0.001),
    "houou-7dan": GameValue((90.0, 45.0, 0.0, -135.0)),
    "tokujou-4dan": GameValue((75.0, 30.0, 0.0, -90.0)),
    "joukyuu-1dan": GameValue((60.0, 15.0, 0.0, -45.0)),
    "points": GameValue((0.0, 0.0, 0.0, 0.0), 0.001),
}
"""Values by name: equal steps, uma with points, and Tenhou's rank points of a hanchan by room (that
of the last place depends on the own dan; here the one that is named)."""
