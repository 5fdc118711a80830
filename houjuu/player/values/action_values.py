"""The value of actions: the expected effect on the end of the game, over the ways to end the round.

The unit is a point at the start of an even game. The value of an action is the sum of its parts,
which `Outcome.parts` names: the points that it is likely to win and to pay, and the score
situation, by which the effect on the final ranks differs from the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from houjuu.game.actions import Action
from houjuu.game.events import SEATS
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.view import with_riichi_accepted
from houjuu.hands.points import POINTS
from houjuu.player.hand_value.scores import WIN_POINTS
from houjuu.player.round_end.endings import (
    DRAW,
    IS_TSUMO,
    OWN_WINS,
    SELF,
    SIZES,
    TENPAI_PATTERNS,
    WINNER,
    ending,
    size,
)
from houjuu.player.round_end.features import dama_without_a_yaku
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.states import OPPONENTS, States
from houjuu.player.values.outcome import PARTS, Outcome, ValuePart
from houjuu.player.values.round_values import RankValues, RoundValues
from houjuu.player.view_states import DecisionContext, HandsLeft
from houjuu.risk.deal_in import DealIn
from houjuu.util.arrays import Floats, Ints

_SIZE_OF_CODE = np.eye(len(SIZES))[[size(points / 4) for points in POINTS[0].tolist()]]
"""1 for the size of a win by its score code, (224, sizes)."""

_DEAL_INS = [ending(winner, SELF) for winner in range(1, OPPONENTS + 1)]
"""The endings in which the seat deals in to right, across and left."""

_OFF_THE_SEAT = [one - OWN_WINS.stop for one in _DEAL_INS]
"""The same among the wins of the opponents."""

_OWN_WAYS = IS_TSUMO[OWN_WINS].astype(np.intp)
_WAYS = (2 * (WINNER - 1) + IS_TSUMO)[OWN_WINS.stop :]
"""Of the own wins 1 for a tsumo; of the others the winner and that, as one index."""

_ENDINGS = np.arange(DRAW + 1)
_IS_OWN_WIN = np.append(WINNER == SELF, False)
_IS_DEAL_IN = np.isin(_ENDINGS, _DEAL_INS)
_IS_OTHER_WIN = ~_IS_OWN_WIN & ~_IS_DEAL_IN & (_ENDINGS != DRAW)
_GROUPS = np.column_stack((_IS_OWN_WIN, _ENDINGS == DRAW, _IS_OTHER_WIN)).astype(np.float64)
"""Own wins, the draw and wins among the others, (17, 3); the deal-ins are in none."""

LATER_RIICHI = 0.058
"""P(a dama hand without a yaku declares riichi with one of its later discards).

By the wins of 512 such hands of four "rank" (`benchmarks.replay riichi`, seed 1). The fit of the
endings saw such hands only where players had chosen to keep them.
"""

NEARER_DRAW = 0.15
"""What the log odds of the own win gain if no other has a turn before the own draw.

The fit of the endings knows hands after a discard, with three turns of the others ahead. After a
pass or a kan they are fewer. With it the next own decision after a pass is worth 12 ± 35 points
more than the pass in 70 held-out games, without it 133 ± 38 more
(`benchmarks.martingale phoenix-2024.tar.xz --skip 130 --games 70`).
"""

_NEVER = 1e-12
"""The least P(own win) of which the mean points mean something."""


class ActionValuer:
    """The values of the actions of one decision.

    Parameters
    ----------
    context : DecisionContext
    rank_values : RankValues
    model : RoundEndModel
    """

    def __init__(
        self,
        context: DecisionContext,
        rank_values: RankValues,
        model: RoundEndModel,
    ) -> None:
        self._context = context
        self._view = context.view
        self._rank_values = rank_values
        self._model = model
        self._round_values: dict[bool, RoundValues] = {}
        self._in_riichi: dict[HandsLeft, tuple[States, _Endings]] = {}

    def round_values(self, *, riichi: bool) -> RoundValues:
        """The effects of the endings; with `riichi` after paying a stick."""
        if riichi not in self._round_values:
            self._round_values[riichi] = self._rank_values.round_values(
                with_riichi_accepted(self._view), self._model.base_points, riichi=riichi
            )
        return self._round_values[riichi]

    def after(
        self, actions: Sequence[Action], hands: HandsLeft, risk: DealIn | None = None
    ) -> list[Outcome]:
        """The outcomes of actions, each by the hand that it leaves.

        Parameters
        ----------
        actions : sequence of Action
        hands : HandsLeft
            That of each action.
        risk : DealIn, optional
            The risk of the discards; without it they are safe.
        """
        if not hands.concealed:
            return []
        declares = hands.riichi or self._context.own.declares
        states, endings = self._later_endings(hands, pays_stick=declares)
        deal_ins = _deal_in_sizes(risk, hands.discards)
        numbers = self._combined(endings, deal_ins, pays_stick=declares)
        share = self._later_riichi(states)
        if share.any():
            dama = np.flatnonzero(states.dama)  # all that may declare now: these are asked next
            _, endings = self._later_endings(_declared(hands, dama.tolist()), pays_stick=True)
            declared = self._combined(endings, deal_ins[dama], pays_stick=True, named=0)
            numbers[dama] += share[dama, None] * (declared - numbers[dama])
        rows = zip(actions, hands.discards, numbers.tolist(), states.rows(), strict=True)
        return [
            Outcome(
                action=action,
                value=effect,
                parts=dict(zip(PARTS, parts, strict=True)),
                win=win,
                deal_in=deal_in,
                win_points=won / max(win, _NEVER),
                discard=tile,
                declares=declares and tile is not None,
                left=left,
            )
            for action, tile, (effect, win, deal_in, won, *parts), left in rows
        ]

    def own_win(self, action: Action, payments: Ints) -> Outcome:
        """The outcome of a win that the seat declares now.

        Parameters
        ----------
        action : Action
        payments : (4,) array
            By absolute seat.
        """
        effect = self._rank_values.own_win(self._view, payments)
        points = float(payments[self._view.seat])
        parts = {ValuePart.OWN_WIN: points, ValuePart.SCORE_SITUATION: effect - points}
        return Outcome(action, effect, dict.fromkeys(PARTS, 0.0) | parts, win=1.0)

    def abort(self, action: Action) -> Outcome:
        """The outcome of ending the round without payments (九種九牌)."""
        effect = self.round_values(riichi=False).aborted
        parts = dict.fromkeys(PARTS, 0.0) | {ValuePart.SCORE_SITUATION: effect}
        return Outcome(action, effect, parts)

    def _later_riichi(self, states: States) -> Floats:
        """P(a dama hand without a yaku declares riichi later), (n,); 0 for other hands."""
        profile = self._view.rules.profile
        can_pay = self._view.scores[self._view.seat] >= profile.riichi_points
        draws = np.maximum(states.draws - profile.riichi_tiles // SEATS, 0)
        share = dama_without_a_yaku.compute(states) * declares_within(draws)
        return np.asarray(can_pay * share)

    def _later_endings(self, hands: HandsLeft, *, pays_stick: bool) -> tuple[States, _Endings]:
        """The states, and their endings if nobody wins on the discard.

        Those in riichi are kept: riichi now is asked for as well as dama, which may declare later.
        """
        key = hands._replace(
            concealed=tuple(map(tuple, hands.concealed)), discards=tuple(hands.discards)
        )
        if key in self._in_riichi:
            return self._in_riichi[key]
        model = self._model
        states = self._context.states(hands)
        values = self.round_values(riichi=pays_stick)
        scores = model.predict_scores(states)
        sizes = model.predict_sizes(states).reshape(len(states), -1, len(SIZES))[:, _WAYS]
        tenpai = model.predict_tenpai_at_draw(states)[:, None]
        patterns = np.where(TENPAI_PATTERNS > 0, tenpai, 1 - tenpai).prod(axis=-1)

        def expected(own: Floats | Ints, wins: Floats | Ints, draws: Floats | Ints) -> Floats:
            by_payer = scores[:, _OWN_WAYS] * own
            of_wins = np.concatenate((by_payer.sum(axis=2), (sizes * wins).sum(axis=2)), axis=1)
            return np.column_stack((of_wins, patterns @ draws))

        nearer = (SEATS - hands.turns_until_draw) / OPPONENTS
        odds = np.where(_IS_OWN_WIN, np.exp(NEARER_DRAW * nearer), 1.0)
        probabilities = model.predict_endings(states) * odds
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        points = scores * WIN_POINTS[self._context.is_dealer]
        won = probabilities[:, OWN_WINS] * points.sum(axis=2)[:, _OWN_WAYS]
        endings = _Endings(
            probabilities=probabilities,
            effects=expected(values.own_wins, values.wins, values.draws),
            payments=expected(values.own_payments, values.win_payments, values.draw_payments),
            won=won.sum(axis=1),
        )
        if hands.riichi:
            self._in_riichi[key] = states, endings
        return states, endings

    def _combined(
        self,
        endings: _Endings,
        deal_ins: Floats,
        *,
        pays_stick: bool,
        named: float = RIICHI_STICK,
    ) -> Floats:
        """Join the deal-ins by each discard and the rest of its round.

        Parameters
        ----------
        endings : _Endings
            If nobody wins on the discard.
        deal_ins : (n, 3, sizes) array
            P(the discard deals in to the opponent with the size).
        pays_stick : bool
            Whether the seat pays a riichi stick, unless the discard deals in.
        named : float, default=RIICHI_STICK
            The points of that stick that are a part of their own.

        Returns
        -------
        (n, 4 + parts) array
            Values, P(win), P(deals in), P(win) times the points of a win, and the parts of the
            values.
        """
        at_once = self.round_values(riichi=False)
        stick = named * pays_stick
        passes = np.maximum(1.0 - deal_ins.sum(axis=(1, 2)), 0.0)
        later = passes[:, None] * endings.probabilities
        now_effects = at_once.wins[_OFF_THE_SEAT]
        now_payments = at_once.win_payments[_OFF_THE_SEAT]
        effects = (deal_ins * now_effects).sum(axis=(1, 2)) + (later * endings.effects).sum(axis=1)
        # the stick is a part of its own, so that the other payments leave it out
        paid = later * (endings.payments + stick)
        beyond_points = (deal_ins * (now_effects - now_payments)).sum(axis=(1, 2))
        beyond_points += (later * (endings.effects - endings.payments)).sum(axis=1)
        return np.column_stack(
            (
                effects,
                later @ _IS_OWN_WIN,
                deal_ins.sum(axis=(1, 2)) + later @ _IS_DEAL_IN,
                passes * endings.won,
                paid @ _GROUPS,
                (deal_ins * now_payments).sum(axis=2),
                paid[:, _DEAL_INS],
                -stick * passes,
                beyond_points,
                np.zeros(len(deal_ins)),
            )
        )


class _Endings(NamedTuple):
    """P(ending) with the effect and the payment to the seat of each, (n, 17).

    And P(own win) times its mean points, (n,).
    """

    probabilities: Floats
    effects: Floats
    payments: Floats
    won: Floats


def declares_within(draws: Floats, rate: float = LATER_RIICHI) -> Floats:
    """P(a hand declares riichi with one of some discards), as long as `draws`."""
    return np.asarray(1 - (1 - rate) ** draws)


def _declared(hands: HandsLeft, rows: Sequence[int]) -> HandsLeft:
    """Some of the hands, in riichi."""
    return hands._replace(
        concealed=[hands.concealed[row] for row in rows],
        discards=[hands.discards[row] for row in rows],
        riichi=True,
    )


def _deal_in_sizes(risk: DealIn | None, tiles: Sequence[int | None]) -> Floats:
    """P(each tile deals in to the opponent with the size), (n, 3, sizes)."""
    by_size = np.zeros((len(tiles), OPPONENTS, len(SIZES)))
    discarded = {row: tile for row, tile in enumerate(tiles) if tile is not None}
    if risk is not None and discarded:
        by_size[[*discarded]] = risk.scores_of_tiles([*discarded.values()]) @ _SIZE_OF_CODE
    return by_size
