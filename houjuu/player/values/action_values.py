"""The value of actions: the expected effect on the end of the game, over the ways to end the round.

The unit is a point at the start of an even game. The value of an action is the sum of its parts,
which `ActionValue.parts` names: the points that it is likely to win and to pay, and the score
situation, by which the effect on the final ranks differs from the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from houjuu.game.events import Meld
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.view import View
from houjuu.hands.points import POINTS
from houjuu.player import view_states
from houjuu.player.round_end.endings import (
    DRAW,
    SELF,
    SIZES,
    TENPAI_PATTERNS,
    WINNER,
    ending,
    size,
)
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.states import OPPONENTS, States, states
from houjuu.player.values.round_values import Game, RoundValues
from houjuu.risk.deal_in import DealIn
from houjuu.util.arrays import Floats

OPPONENT_NAMES = ("right", "across", "left")

DEALS_IN_NOW = tuple(f"deals in now: {name}" for name in OPPONENT_NAMES)

PARTS = (
    "own win",
    "draw",
    "opponents' wins",
    *DEALS_IN_NOW,
    *(f"deals in later: {name}" for name in OPPONENT_NAMES),
    "riichi stick",
    "score situation",
    "preference",
)
"""Names of the parts of a value."""

_SIZE_OF_CODE = np.eye(len(SIZES))[[size(points / 4) for points in POINTS[0].tolist()]]
"""1 for the size of a win by its score code, (224, sizes)."""

_TO = [ending(winner, SELF) for winner in range(1, OPPONENTS + 1)]
"""The deal-ins to right, across and left."""

_OWN_WINS = np.append(WINNER == SELF, False)
_DEAL_INS = np.isin(np.arange(DRAW + 1), _TO)
_OTHERS = ~_OWN_WINS & ~_DEAL_INS & (np.arange(DRAW + 1) != DRAW)
_GROUPS = np.column_stack((_OWN_WINS, np.arange(DRAW + 1) == DRAW, _OTHERS)).astype(np.float64)
"""Own wins, the draw and wins among the others, (17, 3); the deal-ins are in none."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The value of one action.

    Attributes
    ----------
    value : float
        Unit: points at the start of an even game; the sum of the parts.
    parts : mapping of str to float
        By the names of `PARTS`.
    win, deal_in : float
        P(the seat wins the round), and P(it deals in, now or later).
    shanten, ways, points : float
        The hand that the action leaves, as in `houjuu.player.hand_value.value.Outlook`; 0 where the
        round ends.
    """

    value: float
    parts: Mapping[str, float]
    win: float
    deal_in: float
    shanten: float = 0.0
    ways: float = 0.0
    points: float = 0.0

    def with_preference(self, points: float) -> ActionValue:
        """The value with one more part."""
        parts = {**self.parts, "preference": points}
        return replace(self, value=self.value + points, parts=parts)


class Round:
    """The values of the actions of one decision.

    Parameters
    ----------
    view : View
    game : Game
    model : RoundEndModel
    tenpai : (3,) array
        P(tenpai) of the opponents.
    """

    def __init__(self, view: View, game: Game, model: RoundEndModel, tenpai: Floats) -> None:
        self._view, self._game, self._model, self._tenpai = view, game, model, tenpai
        self._values: dict[bool, RoundValues] = {}

    def values(self, *, riichi: bool) -> RoundValues:
        """The effects of the endings; with `riichi` after paying a stick."""
        if riichi not in self._values:
            base = self._model.base_points
            self._values[riichi] = self._game.round_values(self._view, base, riichi=riichi)
        return self._values[riichi]

    def after_hands(
        self,
        concealed: Sequence[Sequence[int]],
        discards: Sequence[int | None],
        *,
        riichi: bool = False,
        melds: tuple[Meld, ...] | None = None,
        turns_until_draw: int = 4,
        new_indicators: int = 0,
        passes_ron: bool = False,
        risk: DealIn | None = None,
    ) -> list[ActionValue]:
        """The values of actions, each by the hand that it leaves.

        Parameters
        ----------
        concealed : sequence of sequences of int
            Ids of the 3n + 1 concealed tiles.
        discards : sequence of int or None
            The tile that each action discards, or adds to a kan.
        riichi : bool
            Whether the actions declare riichi; a seat that is in riichi stays in it.
        melds : tuple of Meld, optional
            By default those of the seat.
        turns_until_draw, new_indicators : int
            Those of `houjuu.player.view_states.table`.
        passes_ron : bool
            Whether the seat passes a ron, which makes it furiten.
        risk : DealIn, optional
            The risk of the discards; without it they are safe.
        """
        if not concealed:
            return []
        hands = view_states.hands(self._view, concealed, discards, melds)
        if passes_ron:
            hands = hands._replace(furiten=np.ones_like(hands.furiten))
        own = self._view.seats[self._view.seat]
        in_riichi = np.full(len(concealed), float(riichi or own.declared))
        table = view_states.table(
            self._view,
            self._tenpai,
            turns_until_draw=turns_until_draw,
            new_indicators=new_indicators,
        )
        after = states(hands, in_riichi, table)
        pays = riichi or (own.declared and not own.in_riichi)
        now = _deal_in_sizes(risk, discards)
        outlooks = np.column_stack((hands.shanten, hands.ways, hands.points))
        return self._combined(self._passed(after, pays), now, pays, outlooks)

    def certain(self, effect: float, points: float, *, win: bool) -> ActionValue:
        """The value of an action that ends the round.

        Parameters
        ----------
        effect : float
            On the end of the game.
        points : float
            The payment to the seat.
        win : bool
        """
        parts = dict.fromkeys(PARTS, 0.0)
        parts["own win" if win else "draw"] = points
        parts["score situation"] = effect - points
        return ActionValue(effect, parts, float(win), 0.0)

    def _passed(self, after: States, pays: bool) -> _Passed:
        """The endings if nobody wins on the discard."""
        model, values = self._model, self.values(riichi=pays)
        sizes = model.predict_sizes(after)
        tenpai = model.predict_tenpai_at_draw(after)[:, None]
        patterns = np.where(TENPAI_PATTERNS > 0, tenpai, 1 - tenpai).prod(axis=-1)
        return _Passed(
            model.predict_endings(after),
            np.column_stack(((sizes * values.wins).sum(axis=-1), patterns @ values.draws)),
            np.column_stack(
                ((sizes * values.win_payments).sum(axis=-1), patterns @ values.draw_payments)
            ),
        )

    def _combined(
        self, passed: _Passed, now: Floats, pays: bool, outlooks: Floats
    ) -> list[ActionValue]:
        """Join the deal-ins by each discard and the rest of its round.

        Parameters
        ----------
        passed : _Passed
        now : (n, 3, sizes) array
            P(deals in to the opponent with the size).
        pays : bool
            Whether the seat pays a riichi stick.
        outlooks : (n, 3) array
            Shanten, ways and points.
        """
        at_once = self.values(riichi=False)
        passes = np.maximum(1.0 - now.sum(axis=(1, 2)), 0.0)
        later = passes[:, None] * passed.probabilities
        effects = (now * at_once.wins[_TO]).sum(axis=(1, 2)) + (later * passed.effects).sum(axis=1)
        paid = later * (passed.payments + RIICHI_STICK * pays)
        lost = (now * at_once.win_payments[_TO]).sum(axis=2)
        stick = -RIICHI_STICK * pays * passes
        parts = np.column_stack((paid @ _GROUPS, lost, paid[:, _TO], stick))
        situation = effects - parts.sum(axis=1)
        by_name = np.column_stack((parts, situation, np.zeros_like(situation)))
        deal_ins = now.sum(axis=(1, 2)) + later @ _DEAL_INS
        numbers = np.column_stack((later @ _OWN_WINS, deal_ins, outlooks))
        return [
            ActionValue(effect, dict(zip(PARTS, row, strict=True)), *more)
            for effect, row, more in zip(
                effects.tolist(), by_name.tolist(), numbers.tolist(), strict=True
            )
        ]


class _Passed(NamedTuple):
    """P(ending) with the effect and the payment to the seat of each, (n, 17)."""

    probabilities: Floats
    effects: Floats
    payments: Floats


def _deal_in_sizes(risk: DealIn | None, tiles: Sequence[int | None]) -> Floats:
    """P(each tile deals in to the opponent with the size), (n, 3, sizes)."""
    by_size = np.zeros((len(tiles), OPPONENTS, len(SIZES)))
    discarded = {row: tile for row, tile in enumerate(tiles) if tile is not None}
    if risk is not None and discarded:
        by_size[[*discarded]] = risk.scores_of_tiles([*discarded.values()]) @ _SIZE_OF_CODE
    return by_size
