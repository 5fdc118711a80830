"""The effect of each ending of a round on the end of the game, for the seat that decides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from houjuu.game.events import SEATS
from houjuu.game.payments import RIICHI_STICK, draw_payments
from houjuu.game.view import View
from houjuu.player.round_end.endings import (
    DRAW,
    TENPAI_PATTERNS,
    WINNER,
    ending_payments,
)
from houjuu.player.values.final_ranks import FinalRankModel, Situations
from houjuu.player.values.next_round import Ends, GameValue, ranks_after
from houjuu.util.arrays import Floats, Ints, read_only

_EVEN = 25_000
_STEP = 3_000
"""Points that the worth of a point is measured with: the seat has so many more, and the others a
third of them less each."""


@dataclass(frozen=True)
class RoundValues:
    """The effect of each ending, unit: points at the start of a game.

    An effect is the change of the value of the game, divided by that of one point more in an even
    game. In an even game it is about the payment itself.

    Attributes
    ----------
    wins : (16, sizes) array
    draws : (16,) array
        For each of `TENPAI_PATTERNS`.
    win_payments : (16, sizes) array
    draw_payments : (16,) array
        The payments to the seat, unit: points.
    aborted : float
        The effect of an aborted round.
    """

    wins: Floats
    draws: Floats
    win_payments: Ints
    draw_payments: Ints
    aborted: float


@dataclass(frozen=True, eq=False)
class Game:
    """A game and the worth of its end.

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
            Base points of each size of a win.
        riichi : bool
            Whether the seat pays a stick before the round ends.
        """
        return _round_values(self, Standing.of(view), tuple(base_points.tolist()), riichi)

    def of_win(self, view: View, payments: Ints, winner: int) -> float:
        """The effect of a win by an absolute seat with these payments, (4,) by absolute seat."""
        stays = winner == view.dealer
        ends = Ends(
            np.array(view.scores)[None] + payments,
            np.array([stays]),
            np.array([view.honba + 1 if stays else 0]),
            np.array([0]),
            np.array([False]),
        )
        return float(self.effects(Standing.of(view), ends)[0])

    def effects(self, standing: Standing, ends: Ends) -> Floats:
        """The effect of each end of a round on a standing, (n,)."""
        seat, hanchan = standing.seat, standing.hanchan
        ranks = ranks_after(ends, standing.round, hanchan, self.model)[:, seat]
        values = self.value.of(ranks, ends.scores[:, seat])
        now = Situations(*(np.array([number]) for number in standing[2:]))
        value_now = self.value.of(self.model.predict(now)[:, seat], now.scores[:, seat])
        return np.asarray((values - value_now) / _worth_of_a_point(self, hanchan))


class Standing(NamedTuple):
    """The context of the effects of endings; from the third the fields of `Situations` in order.

    Attributes
    ----------
    seat : int
        The seat that decides.
    dealer : int
    hanchan : bool
        False for an East-only game.
    round : int
        0 for East 1.
    honba, riichi_sticks : int
    scores : tuple of 4 ints
        By seat, unit: points.
    """

    seat: int
    dealer: int
    hanchan: bool
    round: int
    honba: int
    riichi_sticks: int
    scores: tuple[int, ...]

    @classmethod
    def of(cls, view: View) -> Standing:
        """The standing of a view."""
        return cls(
            view.seat,
            view.dealer,
            view.rules.hanchan,
            view.round,
            view.honba,
            view.riichi_sticks,
            tuple(view.scores),
        )


@lru_cache(maxsize=32)
def _round_values(
    game: Game, standing: Standing, base_points: tuple[float, ...], riichi: bool
) -> RoundValues:
    """See `Game.round_values`; between two riichi all decisions of a seat share them."""
    relative = (np.arange(SEATS) - standing.seat) % SEATS  # of the seats in their order
    stick = np.zeros(SEATS, np.int64)
    stick[0] = -RIICHI_STICK * riichi
    sticks, repeated = standing.riichi_sticks + riichi, standing.honba + 1
    dealer = (standing.dealer - standing.seat) % SEATS
    wins = ending_payments(np.array(base_points), dealer, standing.honba, sticks)
    draws = draw_payments(TENPAI_PATTERNS)
    payments = np.concatenate([wins.reshape(-1, SEATS), draws, np.zeros((1, SEATS), int)])
    payments = payments + stick
    n_wins, n_draws = wins.shape[0] * wins.shape[1], len(draws)
    won_by_dealer = np.repeat(dealer == WINNER, wins.shape[1])
    tenpai_dealer = TENPAI_PATTERNS[:, dealer] > 0
    ends = Ends(
        np.array(standing.scores) + payments[:, relative],
        np.concatenate([won_by_dealer, tenpai_dealer, [True]]),
        np.concatenate([np.where(won_by_dealer, repeated, 0), [repeated] * (n_draws + 1)]),
        np.repeat([0, sticks], [n_wins, n_draws + 1]),
        np.repeat([False, True], [n_wins + n_draws, 1]),
    )
    effects = game.effects(standing, ends)
    return RoundValues(
        read_only(effects[:n_wins].reshape(DRAW, -1)),
        read_only(effects[n_wins:-1]),
        read_only(payments[:n_wins, 0].reshape(DRAW, -1)),
        read_only(payments[n_wins:-1, 0]),
        float(effects[-1]),
    )


@lru_cache
def _worth_of_a_point(game: Game, hanchan: bool) -> float:
    """The value of a point more at the start of an even game, mean over the seats."""
    changed = np.full((SEATS, SEATS), _EVEN - _STEP // (SEATS - 1)) + np.eye(SEATS, dtype=int) * (
        _STEP + _STEP // (SEATS - 1)
    )
    scores = np.concatenate([changed, np.full((SEATS, SEATS), _EVEN)])
    zeros = np.zeros(len(scores), int)
    start = Situations(np.full(len(scores), hanchan), zeros, zeros, zeros, scores)
    own = np.tile(np.arange(SEATS), 2)
    ranks = game.model.predict(start)[np.arange(len(own)), own]
    values = game.value.of(ranks, scores[np.arange(len(own)), own])
    return float((values[:SEATS] - values[SEATS:]).mean() / _STEP)
