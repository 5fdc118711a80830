"""The effect of each ending of a round on the end of the game, for the seat that decides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np

from houjuu.game.events import SEATS, START_SCORE, Rules
from houjuu.game.payments import RIICHI_STICK, draw_payments
from houjuu.game.view import View
from houjuu.player.hand_value.scores import BASE
from houjuu.player.round_end.endings import (
    OWN_WINS,
    SELF,
    TENPAI_PATTERNS,
    USUAL_BASE,
    WINNER,
    ending_payments,
    usual_shares,
)
from houjuu.player.values.final_ranks import FinalRankModel, RoundStarts
from houjuu.player.values.next_round import Ends, GameValue, ranks_after
from houjuu.util.arrays import Floats, Ints, read_only

_STEP = 3_000
"""Points that the value of a point is measured with: the seat has so many more, and the others a
third of them less each."""


@dataclass(frozen=True)
class RoundValues:
    """The effect of each ending, unit: points at the start of a game.

    An effect is the change of the value of the game, divided by that of one point more in an even
    game. In an even game it is about the payment itself.

    Attributes
    ----------
    own_wins : (4, scores) array
        For each of `OWN_WINS`, by score (`houjuu.player.hand_value.scores`).
    wins : (12, sizes) array
        For each win of the opponents.
    draws : (16,) array
        For each of `TENPAI_PATTERNS`.
    own_payments : (4, scores) array
    win_payments : (12, sizes) array
    draw_payments : (16,) array
        The mean payments to the seat, unit: points.
    aborted : float
        The effect of an aborted round.
    """

    own_wins: Floats
    wins: Floats
    draws: Floats
    own_payments: Ints
    win_payments: Floats
    draw_payments: Ints
    aborted: float


@dataclass(frozen=True, eq=False)
class RankValues:
    """The effects of the endings of rounds on the final ranks, and so on the value of a game.

    Parameters
    ----------
    model : FinalRankModel
    value : GameValue
    """

    model: FinalRankModel
    value: GameValue

    def round_values(self, view: View, base_points: Floats, *, riichi: bool) -> RoundValues:
        """The effect of each ending for the seat of the view.

        Parameters
        ----------
        view : View
        base_points : (sizes,) array
            Mean base points of each size of a win of the opponents; the effects are those of its
            usual scores.
        riichi : bool
            Whether the seat pays a stick before the round ends.
        """
        return _round_values(self, Standing.from_view(view), tuple(base_points.tolist()), riichi)

    def own_win(self, view: View, payments: Ints) -> float:
        """The effect of a win of the seat with these payments, (4,) by absolute seat."""
        stays = view.seat == view.dealer
        ends = Ends.one(np.array(view.scores) + payments, stays, view.honba + 1 if stays else 0)
        return float(self.effects(Standing.from_view(view), ends)[0])

    def effects(self, standing: Standing, ends: Ends) -> Floats:
        """The effect of each end of a round on a standing, (n,)."""
        seat = standing.seat
        start = standing.round_start()
        ranks = ranks_after(ends, standing.round, standing.rules, self.model)[:, seat]
        after = self.value.expected(ranks, ends.scores[:, seat])
        before = self.value.expected(self.model.predict(start)[:, seat], start.scores[:, seat])
        return np.asarray((after - before) / _point_value(self, standing.rules.hanchan))


class Standing(NamedTuple):
    """The context of the effects of endings, which `_round_values` are cached by.

    Attributes
    ----------
    seat : int
        The seat that decides.
    dealer : int
    rules : Rules
    round : int
        0 for East 1.
    honba, riichi_sticks : int
    scores : tuple of 4 ints
        By seat, unit: points.
    """

    seat: int
    dealer: int
    rules: Rules
    round: int
    honba: int
    riichi_sticks: int
    scores: tuple[int, ...]

    @classmethod
    def from_view(cls, view: View) -> Self:
        """The standing of a view."""
        return cls(
            seat=view.seat,
            dealer=view.dealer,
            rules=view.rules,
            round=view.round,
            honba=view.honba,
            riichi_sticks=view.riichi_sticks,
            scores=tuple(view.scores),
        )

    def round_start(self) -> RoundStarts:
        """The round as the model of final ranks takes it, one row."""
        target = self.rules.profile.last_target
        numbers = (self.rules.hanchan, self.round, self.honba, self.riichi_sticks, self.scores)
        return RoundStarts._make(np.array([number]) for number in (*numbers, target))


@lru_cache(maxsize=32)
def _round_values(
    rank_values: RankValues, standing: Standing, base_points: tuple[float, ...], riichi: bool
) -> RoundValues:
    """See `RankValues.round_values`; between two riichi all decisions of a seat share them."""
    relative = (np.arange(SEATS) - standing.seat) % SEATS  # of the seats in their order
    stick = np.zeros(SEATS, np.intp)
    stick[0] = -RIICHI_STICK * riichi
    sticks = standing.riichi_sticks + riichi
    repeated = standing.honba + 1
    dealer = (standing.dealer - standing.seat) % SEATS
    shares = usual_shares(np.array(base_points))
    numbers = dealer, standing.honba, sticks
    own = ending_payments(_OWN_BASE, *numbers)[OWN_WINS]
    wins = ending_payments(USUAL_BASE.ravel(), *numbers)[OWN_WINS.stop :]
    draws = draw_payments(TENPAI_PATTERNS)
    parts = (own.reshape(-1, SEATS), wins.reshape(-1, SEATS), draws, np.zeros((1, SEATS), int))
    payments = np.concatenate(parts) + stick
    n_own, n_wins, n_draws, _ = map(len, parts)
    won_by_dealer = np.concatenate(
        [
            np.full(n_own, dealer == SELF),
            np.repeat(dealer == WINNER[OWN_WINS.stop :], wins.shape[1]),
        ]
    )
    tenpai_dealer = TENPAI_PATTERNS[:, dealer] > 0
    ends = Ends(
        scores=np.array(standing.scores) + payments[:, relative],
        dealer_stays=np.concatenate([won_by_dealer, tenpai_dealer, [True]]),
        honba=np.concatenate(
            [np.where(won_by_dealer, repeated, 0), np.full(n_draws + 1, repeated)]
        ),
        riichi_sticks=np.repeat([0, sticks], [n_own + n_wins, n_draws + 1]),
        aborted=np.repeat([False, True], [n_own + n_wins + n_draws, 1]),
    )
    effects = rank_values.effects(standing, ends)

    def by_ending(numbers: Floats | Ints) -> tuple[Any, Any, Any]:
        """Those of the own wins by score, of the other wins by size, and of the draws."""
        of_own, of_wins, of_draws, _ = np.split(numbers, np.cumsum([n_own, n_wins, n_draws]))
        by_score = of_own.reshape(len(own), -1)[:, _OWN_SCORE]
        by_size = (of_wins.reshape(len(wins), *shares.shape) * shares).sum(axis=-1)
        return read_only(by_score), read_only(by_size), read_only(of_draws)

    return RoundValues(*by_ending(effects), *by_ending(payments[:, 0]), float(effects[-1]))


_OWN_BASE, _OWN_SCORE = np.unique(BASE, return_inverse=True)
"""The base points of the scores, each once, and the place of each score among them."""


@lru_cache
def _point_value(rank_values: RankValues, hanchan: bool) -> float:
    """The value of a point more at the start of an even game, mean over the seats."""
    one_ahead = np.full((SEATS, SEATS), START_SCORE - _STEP // (SEATS - 1))
    np.fill_diagonal(one_ahead, START_SCORE + _STEP)
    scores = np.concatenate([one_ahead, np.full((SEATS, SEATS), START_SCORE)])
    zeros = np.zeros(len(scores), int)
    starts = RoundStarts(
        hanchan=np.full(len(scores), hanchan),
        round=zeros,
        honba=zeros,
        riichi_sticks=zeros,
        scores=scores,
    )
    rows = np.arange(2 * SEATS)
    seats = np.tile(np.arange(SEATS), 2)
    ranks = rank_values.model.predict(starts)[rows, seats]
    values = rank_values.value.expected(ranks, scores[rows, seats])
    return float((values[:SEATS] - values[SEATS:]).mean() / _STEP)
